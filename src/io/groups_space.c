/* SPDX-License-Identifier: BSD-3-Clause */
/* Bodies of spatial models below /hawser/bodies. */
#include "base/lie.h"
#include "io/writer.h"

static haw_status describe(haw_writer *writer, const haw_body *body, hid_t group)
{
    haw_hdf5 *file = &writer->file;
    const haw_surface_ops *ops = body->surface.ops;
    HAW_TRY(haw_hdf5_real(file, group, "mass", 1, &body->mass[0]));
    HAW_TRY(haw_hdf5_real(file, group, "inertia", 3, &body->mass[3]));
    if (ops == NULL) {
        return HAW_OK;
    }
    HAW_TRY(haw_hdf5_text(file, group, "shape", ops->row.name));
    const double radius = ops->radius(&body->surface);
    return isfinite(radius) ? haw_hdf5_real(file, group, "radius", 1, &radius) : HAW_OK;
}

haw_status haw_space_body_create(haw_writer *writer, const haw_body *body, hid_t group)
{
    static const haw_column_spec columns[HAW_SPACE_BODY_COLUMNS] = {
        {"position", "m", false, false, 1, 3},
        {"orientation", "1", false, false, 1, 4},
        {"velocity", "m/s", false, false, 1, 3},
        {"angular_velocity", "rad/s", false, false, 1, 3}, /* inertial axes */
        {"spin", "rad/s", false, false, 1, 1},             /* about the body's z axis */
        {"torque", "N m", false, false, 1, 1},
    };
    HAW_TRY(describe(writer, body, group));
    for (int j = 0; j < HAW_SPACE_BODY_COLUMNS; j++) {
        HAW_TRY(haw_table_add(&writer->table, group, &columns[j]));
    }
    return HAW_OK;
}

void haw_space_bodies_frame(const haw_writer *writer, const haw_frame *frame)
{
    const haw_table *table = &writer->table;
    int column = writer->body_column;
    for (int i = 0; i < writer->model->bodies; i++) {
        const double *q = &frame->state->q[writer->model->body[i].first_q];
        const double *u = &frame->state->u[writer->model->body[i].first];
        memcpy(haw_table_slot(table, column++), q, 3 * sizeof *q);
        memcpy(haw_table_slot(table, column++), q + 3, 4 * sizeof *q);
        memcpy(haw_table_slot(table, column++), u, 3 * sizeof *u);
        quaternion_rotate(q + 3, u + 3, haw_table_slot(table, column++));
        *haw_table_slot(table, column++) = u[5];
        *haw_table_slot(table, column++) = frame->torque != NULL ? frame->torque[i] : 0.0;
    }
}
