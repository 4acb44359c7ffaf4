/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes on sheaves in every frame: /hawser/sheaves/<pair>/{angle, normal, tangential, tension,
 * slip}, one row per frame with room for the knots of a full turn, NAN behind the last one.
 */
#include "contact/knot.h"
#include "io/writer.h"
#include "observe/belt.h"

#include <math.h>

enum { COLUMNS = 5 };

/* The angle is along the arc from the tangent point at the start of the rope. */
static const haw_field knot_columns[COLUMNS] = {
    HAW_FIELD_ROW("angle", "rad", REAL, haw_wrap_knot, angle, 1, NULL),
    HAW_FIELD_ROW("normal", "N/m", REAL, haw_wrap_knot, normal, 1, NULL),
    HAW_FIELD_ROW("tangential", "N/m", REAL, haw_wrap_knot, tangential, 1, NULL),
    HAW_FIELD_ROW("tension", "N", REAL, haw_wrap_knot, tension, 1, NULL),
    HAW_FIELD_ROW("slip", "m/s", REAL, haw_wrap_knot, slip, 1, NULL),
};

static const double turn = 6.28318530717958647693;

/* Knots of a full turn. */
static int room(const haw_writer *writer, const haw_pair *pair)
{
    const double knots = ceil(turn * haw_knots_radius(writer->model, pair) / pair->spacing) + 2;
    return knots < pair->points ? (int)knots : pair->points;
}

static bool is_shown(const haw_writer *writer, int pair)
{
    return writer->simulation != NULL && haw_pair_has_knots(&writer->model->pair[pair]);
}

static haw_status make_pair(haw_writer *writer, int pair, hid_t parent)
{
    char text[256];
    hid_t all = -1, group = -1;
    haw_pair_name(writer->model, pair, text, sizeof text);
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "sheaves", &all));
    HAW_TRY(haw_hdf5_group(&writer->file, all, text, &group));
    for (int k = 0; k < COLUMNS; k++) {
        const haw_column_spec spec = {.name = knot_columns[k].name,
                                      .unit = knot_columns[k].unit,
                                      .rows = 1,
                                      .components = room(writer, &writer->model->pair[pair])};
        HAW_TRY(haw_table_add(&writer->table, group, &spec));
    }
    return HAW_OK;
}

haw_status haw_sheaves_create(haw_writer *writer, hid_t parent)
{
    writer->sheave_column = writer->table.columns;
    for (int i = 0; i < writer->model->pairs; i++) {
        HAW_TRY(is_shown(writer, i) ? make_pair(writer, i, parent) : HAW_OK);
    }
    return HAW_OK;
}

haw_status haw_sheaves_allocate(haw_writer *writer)
{
    size_t most = 0;
    for (int i = 0; i < writer->model->pairs; i++) {
        const size_t points = (size_t)writer->model->pair[i].points;
        most = is_shown(writer, i) && points > most ? points : most;
    }
    writer->knot = haw_arena_allocate(&writer->arena, most + 1, sizeof *writer->knot);
    return haw_arena_status(&writer->arena);
}

void haw_sheaves_frame(const haw_writer *writer, const haw_frame *frame)
{
    int column = writer->sheave_column;
    for (int i = 0; i < writer->model->pairs; i++) {
        if (!is_shown(writer, i)) {
            continue;
        }
        const int count = haw_wrap_knots(frame, i, writer->knot);
        const int all = room(writer, &writer->model->pair[i]);
        for (int j = 0; j < COLUMNS; j++) {
            double *slot = haw_table_slot(&writer->table, column++);
            for (int k = 0; k < all; k++) {
                slot[k] = k < count ? haw_field_value(&knot_columns[j], &writer->knot[k], 0)
                                    : (double)NAN;
            }
        }
    }
}
