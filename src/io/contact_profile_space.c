/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contact of a spatial cable at the last frame: one row for each grid point. A point with
 * several feet shows the sum of their forces, and gap and state of the foot that presses most.
 */
#include "base/lie.h"
#include "io/writer.h"

const haw_column_spec haw_space_contact_columns[HAW_SPACE_CONTACT_COLUMNS] = {
    {"xi", "m", false, false, 0, 1},
    {"x", "m", false, false, 0, 1},
    {"y", "m", false, false, 0, 1},
    {"z", "m", false, false, 0, 1},
    {"angle", "rad", false, false, 0, 1},
    {"gap", "m", false, false, 0, 1},
    {"normal_stress", "N/m", false, false, 0, 1},
    {"tangential_stress_1", "N/m", false, false, 0, 1},
    {"tangential_stress_2", "N/m", false, false, 0, 1},
    {"state", "1", false, false, 0, 1},
    {"tension", "N", false, false, 0, 1},
    {"curvature", "1/m", false, false, 0, 1},
};

/* Sum of the forces of all feet. @return the id of the one that presses most */
static int add_feet(const haw_pair *pair, const haw_space_last *last, int point, double force[3])
{
    const int first = pair->first_point + pair->feet * point;
    int strongest = first;
    for (int id = first; id < first + pair->feet; id++) {
        vec3_add(1, last->force + (ptrdiff_t)3 * id, force);
        if (last->force[(ptrdiff_t)3 * id] > last->force[(ptrdiff_t)3 * strongest]) {
            strongest = id;
        }
    }
    return strongest;
}

/* Length of cable of a grid point; the grid ends with halves. */
static double piece(const haw_model *model, const haw_pair *pair, int point)
{
    const haw_line *line = &model->cable[pair->cable].line;
    const int points = pair->points / pair->feet;
    const bool is_end = point == 0 || point == points - 1;
    return line->le * line->elements / (points - 1) * (is_end ? 0.5 : 1.0);
}

/* Place and section, and the angle about the z axis of the body. */
static void put_place(const haw_model *model, const haw_pair *pair, const haw_space_last *last,
                      int point)
{
    const haw_cable *cable = &model->cable[pair->cable];
    const haw_beam *beam = &cable->beam;
    const double *q = last->q + cable->first_q, *u = last->u + cable->first;
    const double *pose = last->q + model->body[pair->body].first_q;
    double *const *column = last->column;
    int e = 0;
    double s = 0.0, rotation[9], arm[3], local[3];
    haw_space_point at;
    haw_space_strain strain;
    haw_pair_point(model, pair, pair->feet * point, &e, &s);
    beam->ops->point(beam, e, s, q, false, &at);
    beam->ops->strain(beam, e, s, q, u, &strain);
    for (int k = 0; k < 3; k++) {
        column[HAW_SPACE_CONTACT_X + k][point] = at.x[k];
        arm[k] = at.x[k] - pose[k];
    }
    quaternion_matrix(pose + 3, rotation);
    mat3_apply_t(rotation, arm, local);
    column[HAW_SPACE_CONTACT_XI][point] = (e + s) * beam->le;
    column[HAW_SPACE_CONTACT_ANGLE][point] = atan2(local[1], local[0]);
    column[HAW_SPACE_CONTACT_TENSION][point] = strain.tension;
    column[HAW_SPACE_CONTACT_CURVATURE][point] = strain.curvature;
}

void haw_space_contact_profile(const haw_model *model, const haw_pair *pair,
                               const haw_space_last *last)
{
    for (int i = 0; i < pair->points / pair->feet; i++) {
        double force[3] = {0};
        const int id = add_feet(pair, last, i, force);
        const double length = piece(model, pair, i);
        put_place(model, pair, last, i);
        for (int k = 0; k < 3; k++) {
            last->column[HAW_SPACE_CONTACT_NORMAL + k][i] = force[k] / length;
        }
        last->column[HAW_SPACE_CONTACT_GAP][i] = last->gap[id];
        last->column[HAW_SPACE_CONTACT_STATE][i] = last->state[id];
    }
}
