/* SPDX-License-Identifier: BSD-3-Clause */
/* What a page of a browser shows of a results file. */
#ifndef HAWSER_IO_JSON_TREE_H
#define HAWSER_IO_JSON_TREE_H

#include "io/results.h"

#include <stdio.h>

/** A string, also within a script of a page; a number, null where it is not finite. */
void haw_json_put_text(FILE *stream, const char *text);
void haw_json_put_number(FILE *stream, double value);

/**
 * /hawser as an object: groups with their attributes under "@", arrays as {shape, unit, data}, data
 * in base64 of 32-bit floats.
 * @return ERR_IO, ERR_NOMEM
 */
HAW_NODISCARD haw_status haw_json_put_results(haw_results *results, FILE *stream);

/** Every `stride`-th frame of an array of /VTKHDF with `points` rows a frame, likewise. */
HAW_NODISCARD haw_status haw_json_put_frames(haw_results *results, const char *path, int points,
                                             int stride, FILE *stream);

#endif
