/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes on sheaves in every frame: /hawser/sheaves/<pair>/{angle, normal, tangential, tension,
 * slip}, one row per frame with room for the knots of a full turn, NAN behind the last one.
 */
#ifndef HAWSER_IO_SHEAVES_H
#define HAWSER_IO_SHEAVES_H

#include "io/writer.h"

typedef enum haw_sheave_column {
    HAW_SHEAVE_ANGLE, /* along the arc from the tangent point at the start of the rope [rad] */
    HAW_SHEAVE_NORMAL,
    HAW_SHEAVE_TANGENTIAL,
    HAW_SHEAVE_TENSION,
    HAW_SHEAVE_SLIP,
    HAW_SHEAVE_COLUMNS
} haw_sheave_column;

/** Columns of all pairs of ropes; none where the frames are not those of a simulation. */
int haw_sheaves_columns(const haw_writer *writer);
HAW_NODISCARD haw_status haw_sheaves_create(haw_writer *writer, hid_t parent);
HAW_NODISCARD haw_status haw_sheaves_allocate(haw_writer *writer);
void haw_sheaves_frame(const haw_writer *writer, const haw_frame *frame);

#endif
