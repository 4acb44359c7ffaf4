/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ropes on sheaves in every frame: /hawser/sheaves/<pair>/{angle, normal, tangential, tension,
 * slip}, one row per frame with room for the knots of a full turn, NAN behind the last one.
 */
#include "contact/knot.h"
#include "io/writer.h"
#include "observe/wrap.h"

#include <math.h>

typedef enum haw_sheave_column {
    HAW_SHEAVE_ANGLE, /* along the arc from the tangent point at the start of the rope [rad] */
    HAW_SHEAVE_NORMAL,
    HAW_SHEAVE_TANGENTIAL,
    HAW_SHEAVE_TENSION,
    HAW_SHEAVE_SLIP,
    HAW_SHEAVE_COLUMNS
} haw_sheave_column;

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

int haw_sheaves_columns(const haw_writer *writer)
{
    int columns = 0;
    for (int i = 0; i < writer->model->pairs; i++) {
        columns += is_shown(writer, i) ? HAW_SHEAVE_COLUMNS : 0;
    }
    return columns;
}

static haw_status make_pair(haw_writer *writer, int pair, hid_t all)
{
    static const char *const name[HAW_SHEAVE_COLUMNS] = {"angle", "normal", "tangential", "tension",
                                                         "slip"};
    static const char *const unit[HAW_SHEAVE_COLUMNS] = {"rad", "N/m", "N/m", "N", "m/s"};
    char text[256];
    hid_t group = -1;
    haw_pair_name(writer->model, pair, text, sizeof text);
    HAW_TRY(haw_hdf5_group(&writer->file, all, text, &group));
    for (int k = 0; k < HAW_SHEAVE_COLUMNS; k++) {
        const haw_column_spec spec = {.name = name[k],
                                      .unit = unit[k],
                                      .rows = 1,
                                      .components = room(writer, &writer->model->pair[pair])};
        HAW_TRY(haw_table_add(&writer->table, group, &spec));
    }
    return haw_hdf5_leave(&writer->file, group);
}

haw_status haw_sheaves_create(haw_writer *writer, hid_t parent)
{
    hid_t all = -1;
    writer->sheave_column = writer->table.columns;
    if (haw_sheaves_columns(writer) == 0) {
        return HAW_OK;
    }
    HAW_TRY(haw_hdf5_group(&writer->file, parent, "sheaves", &all));
    for (int i = 0; i < writer->model->pairs; i++) {
        HAW_TRY(is_shown(writer, i) ? make_pair(writer, i, all) : HAW_OK);
    }
    return haw_hdf5_leave(&writer->file, all);
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

static void put_knot(const haw_writer *writer, int column, int k, const haw_wrap_knot *knot)
{
    const double none = (double)NAN;
    const double value[HAW_SHEAVE_COLUMNS] = {
        [HAW_SHEAVE_ANGLE] = knot != NULL ? knot->angle : none,
        [HAW_SHEAVE_NORMAL] = knot != NULL ? knot->normal : none,
        [HAW_SHEAVE_TANGENTIAL] = knot != NULL ? knot->tangential : none,
        [HAW_SHEAVE_TENSION] = knot != NULL ? knot->tension : none,
        [HAW_SHEAVE_SLIP] = knot != NULL ? knot->slip : none,
    };
    for (int i = 0; i < HAW_SHEAVE_COLUMNS; i++) {
        haw_table_slot(&writer->table, column + i)[k] = value[i];
    }
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
        for (int k = 0; k < all; k++) {
            put_knot(writer, column, k, k < count ? &writer->knot[k] : NULL);
        }
        column += HAW_SHEAVE_COLUMNS;
    }
}
