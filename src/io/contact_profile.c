/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The contact of a cable over its unstrained length at the last frame: one row for each grid point,
 * at the middle of the piece of cable that belongs to it. Stresses are forces over the length of
 * that piece, and over its area where the cable has a width: forces of the last step where the law
 * is compliant, else means since the frame before (impulses of single points come and go). In space
 * a point with several feet shows the sum of their forces, and gap and state of the foot that
 * presses most.
 */
#include "base/lie.h"
#include "io/writer.h"
#include "observe/belt.h"

#include <math.h>
#include <string.h>

typedef struct haw_last_frame {
    bool is_kept;
    double *q, *u, *force, *gap;
    double *slip, *share; /* [points] of ropes */
    signed char *state;
    haw_belt_line *line;                 /* [cables] */
    double *column[HAW_CONTACT_COLUMNS]; /* [points of the largest pair]; as many in space */
} haw_last_frame;

const haw_column_spec *haw_contact_columns(int dimension)
{
    static const haw_column_spec plane[] = {
        [HAW_CONTACT_XI] = {"xi", "m", false, false, 0, 1},
        [HAW_CONTACT_X] = {"x", "m", false, false, 0, 1},
        [HAW_CONTACT_Y] = {"y", "m", false, false, 0, 1},
        [HAW_CONTACT_ANGLE] = {"angle", "rad", false, false, 0, 1},
        [HAW_CONTACT_GAP] = {"gap", "m", false, false, 0, 1},
        [HAW_CONTACT_NORMAL] = {"normal_stress", "N/m", false, false, 0, 1},
        [HAW_CONTACT_TANGENTIAL] = {"tangential_stress", "N/m", false, false, 0, 1},
        [HAW_CONTACT_STATE] = {"state", "1", false, false, 0, 1},
        [HAW_CONTACT_TENSION] = {"tension", "N", false, false, 0, 1},
        [HAW_CONTACT_STRAIN] = {"strain", "1", false, false, 0, 1},
        [HAW_CONTACT_SPEED] = {"speed", "m/s", false, false, 0, 1},
        [HAW_CONTACT_SLIP] = {"slip", "m/s", false, false, 0, 1},
        {.name = NULL},
    };
    static const haw_column_spec space[] = {
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
        {.name = NULL},
    };
    return dimension == 3 ? space : plane;
}

static int largest_pair(const haw_model *model)
{
    int points = 0;
    for (int i = 0; i < model->pairs; i++) {
        const bool counts = model->pair[i].cable >= 0 && model->pair[i].points > points;
        points = counts ? model->pair[i].points : points;
    }
    return points;
}

haw_status haw_contact_profile_create(haw_writer *writer)
{
    const haw_model *model = writer->model;
    haw_arena *arena = &writer->arena;
    const size_t dofs = (size_t)model->dofs, coordinates = (size_t)model->coordinates;
    const size_t points = (size_t)model->points, d = (size_t)model->dimension;
    const size_t rows = (size_t)largest_pair(model);
    haw_last_frame *last = haw_arena_allocate(arena, 1, sizeof *last);
    writer->last = last;
    if (rows == 0 || last == NULL) {
        return haw_arena_status(arena);
    }
    last->q = haw_arena_allocate(arena, coordinates + dofs, sizeof(double));
    last->force = haw_arena_allocate(arena, (d + 3) * points, sizeof(double));
    last->state = haw_arena_allocate(arena, points, 1);
    last->line = haw_arena_allocate(arena, (size_t)model->cables, sizeof *last->line);
    last->column[0] = haw_arena_allocate(arena, HAW_CONTACT_COLUMNS * rows, sizeof(double));
    HAW_TRY(haw_arena_status(arena));
    last->u = last->q + coordinates;
    last->gap = last->force + d * points;
    last->slip = last->gap + points;
    last->share = last->slip + points;
    for (size_t i = 1; i < HAW_CONTACT_COLUMNS; i++) {
        last->column[i] = last->column[0] + i * rows;
    }
    for (int i = 0; i < model->cables; i++) {
        const bool is_known = model->cable[i].line.ops != NULL; /* its elements */
        HAW_TRY(is_known ? haw_belt_line_create(arena, &model->cable[i], &last->line[i]) : HAW_OK);
    }
    return HAW_OK;
}

/* Points move on between frames: forces that a law gives are those of the state that is shown. */
static void keep_step(const haw_writer *writer, const haw_frame *frame, haw_last_frame *last)
{
    double *force = last->force;
    const haw_model *model = writer->model;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->compliance.normal != NULL) {
            memset(force + 2 * (size_t)pair->first_point, 0,
                   2 * (size_t)pair->points * sizeof *force);
        }
    }
    for (int i = 0; i < frame->touches; i++) {
        const haw_touch_frame *touch = &frame->touch[i];
        last->slip[touch->id] = touch->rate[1];
        last->share[touch->id] = touch->share;
        for (int k = 0; k < 2 && model->pair[touch->pair].compliance.normal != NULL; k++) {
            force[2 * touch->id + k] = touch->impulse[k] / frame->h;
        }
    }
}

void haw_contact_profile_keep(haw_writer *writer, const haw_frame *frame)
{
    haw_last_frame *last = writer->last;
    const size_t points = (size_t)writer->model->points;
    const size_t d = (size_t)writer->model->dimension;
    if (last->q == NULL) {
        return;
    }
    last->is_kept = true;
    memcpy(last->q, frame->state->q, (size_t)writer->model->coordinates * sizeof(double));
    memcpy(last->u, frame->state->u, (size_t)writer->model->dofs * sizeof(double));
    memcpy(last->force, frame->point_force, d * points * sizeof(double));
    memset(last->state, HAW_POINT_OPEN, points);
    if (frame->point_state != NULL) {
        memcpy(last->state, frame->point_state, points);
    }
    for (size_t i = 0; i < points; i++) {
        last->gap[i] = frame->point_gap != NULL ? frame->point_gap[i] : (double)NAN;
    }
    if (d == 2 && frame->touch != NULL) {
        keep_step(writer, frame, last);
    }
}

size_t haw_contact_profile_bytes(const haw_writer *writer)
{
    const haw_model *model = writer->model;
    size_t bytes = 0;
    for (int i = 0; i < model->pairs; i++) {
        bytes += HAW_CONTACT_COLUMNS * ((size_t)model->pair[i].points * sizeof(double) + 2048);
    }
    return bytes;
}

/* Length of cable of a grid point; a grid on the curve ends with halves. */
static double piece(const haw_pair *pair, const haw_line *line, int point)
{
    const bool is_end = point == 0 || point == pair->points_per_element * line->elements;
    const bool is_half = is_end && !line->closed && pair->kinematics == HAW_KINEMATICS_CURVE;
    return line->le / pair->points_per_element * (is_half ? 0.5 : 1.0);
}

/* Kinematics of a point: place, direction from the body, speeds along the cable and the surface. */
static void put_motion(const haw_writer *writer, const haw_pair *pair, int point, int e, double s)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    const haw_body *body = &writer->model->body[pair->body];
    const double *pose = last->q + body->first, *rate = last->u + body->first;
    double *const *column = last->column;
    double n[2] = {0.0, 1.0};
    haw_belt_motion motion;
    haw_belt_move(cable, e, s, last->q, last->u, &motion);
    const double *x = motion.x, *v = motion.v;
    const double gap = body->surface.ops->gap(&body->surface, pose, x, n);
    /* of the surface at the foot of the point */
    const double arm[2] = {x[0] - gap * n[0] - pose[0], x[1] - gap * n[1] - pose[1]};
    const double surface[2] = {rate[0] - rate[2] * arm[1], rate[1] + rate[2] * arm[0]};
    column[HAW_CONTACT_X][point] = x[0];
    column[HAW_CONTACT_Y][point] = x[1];
    column[HAW_CONTACT_ANGLE][point] = atan2(n[1], n[0]);
    column[HAW_CONTACT_SPEED][point] = motion.speed;
    column[HAW_CONTACT_SLIP][point] = n[1] * (v[0] - surface[0]) - n[0] * (v[1] - surface[1]);
}

static void put_point(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    double *const *column = last->column;
    const int id = pair->first_point + point;
    const double area =
        piece(pair, &cable->line, point) * (cable->width > 0.0 ? cable->width : 1.0);
    int e = 0;
    double s = 0.0;
    haw_belt_middle(writer->model, pair, point, &e, &s);
    const double tension = haw_belt_interpolate(&last->line[pair->cable].tension, e + s);
    column[HAW_CONTACT_XI][point] = (e + s) * cable->line.le;
    column[HAW_CONTACT_GAP][point] = last->gap[id];
    column[HAW_CONTACT_NORMAL][point] = last->force[2 * id] / area;
    column[HAW_CONTACT_TANGENTIAL][point] = last->force[2 * id + 1] / area;
    column[HAW_CONTACT_STATE][point] = last->state[id];
    column[HAW_CONTACT_TENSION][point] = tension;
    column[HAW_CONTACT_STRAIN][point] = tension / cable->line.stiffness + cable->line.strain0;
    put_motion(writer, pair, point, e, s);
}

/* A knot of a rope; open ones have no place on the sheave. */
static void put_knot(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    const haw_rope *rope = cable->rope;
    const haw_rope_arc *arc = &rope->arc[pair->arc];
    const double *pose = last->q + writer->model->body[pair->body].first;
    const double spin = last->u[writer->model->body[pair->body].first + 2];
    double *const *column = last->column;
    const int id = pair->first_point + point;
    const bool is_closed = last->state[id] != HAW_POINT_OPEN;
    const double label = point * pair->spacing;
    const double width = cable->width > 0.0 ? cable->width : 1.0;
    const double area = pair->spacing * width * (is_closed ? last->share[id] : 1.0);
    haw_sample at;
    cable->ops->state(cable, haw_rope_find(rope, last->q, label), label, last->q, last->u, &at);
    column[HAW_CONTACT_XI][point] = label;
    column[HAW_CONTACT_X][point] = at.x[0];
    column[HAW_CONTACT_Y][point] = at.x[1];
    column[HAW_CONTACT_ANGLE][point] = atan2(at.x[1] - pose[1], at.x[0] - pose[0]);
    column[HAW_CONTACT_GAP][point] = last->gap[id];
    column[HAW_CONTACT_NORMAL][point] = last->force[2 * id] / area;
    column[HAW_CONTACT_TANGENTIAL][point] = last->force[2 * id + 1] / area;
    column[HAW_CONTACT_STATE][point] = last->state[id];
    column[HAW_CONTACT_TENSION][point] = at.tension;
    column[HAW_CONTACT_STRAIN][point] = at.strain;
    column[HAW_CONTACT_SLIP][point] = is_closed ? last->slip[id] : (double)NAN;
    column[HAW_CONTACT_SPEED][point] =
        is_closed ? arc->turn * (arc->radius * spin - last->slip[id]) : (double)NAN;
}

/* ---- in space ---- */

/* Sum of the forces of all feet. @return the id of the one that presses most */
static int add_feet(const haw_pair *pair, const haw_last_frame *last, int point, double force[3])
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
static double space_piece(const haw_model *model, const haw_pair *pair, int point)
{
    const haw_line *line = &model->cable[pair->cable].line;
    const int points = pair->points / pair->feet;
    const bool is_end = point == 0 || point == points - 1;
    return line->le * line->elements / (points - 1) * (is_end ? 0.5 : 1.0);
}

/* Place and section, and the angle about the z axis of the body. */
static void put_place(const haw_model *model, const haw_pair *pair, const haw_last_frame *last,
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

static void put_space_points(const haw_model *model, const haw_pair *pair,
                             const haw_last_frame *last)
{
    for (int i = 0; i < pair->points / pair->feet; i++) {
        double force[3] = {0};
        const int id = add_feet(pair, last, i, force);
        const double length = space_piece(model, pair, i);
        put_place(model, pair, last, i);
        for (int k = 0; k < 3; k++) {
            last->column[HAW_SPACE_CONTACT_NORMAL + k][i] = force[k] / length;
        }
        last->column[HAW_SPACE_CONTACT_GAP][i] = last->gap[id];
        last->column[HAW_SPACE_CONTACT_STATE][i] = last->state[id];
    }
}

/* ---- writing ---- */

static haw_status write_columns(haw_writer *writer, const haw_pair *pair, hid_t group)
{
    haw_hdf5 *file = &writer->file;
    const haw_column_spec *spec = haw_contact_columns(writer->model->dimension);
    const bool is_per_area = writer->model->cable[pair->cable].width > 0.0;
    for (int i = 0; spec[i].name != NULL; i++) {
        const bool is_stress = strstr(spec[i].name, "stress") != NULL;
        HAW_TRY(haw_hdf5_array(file, group, spec[i].name, H5T_IEEE_F64LE, pair->points / pair->feet,
                               writer->last->column[i]));
        HAW_TRY(haw_hdf5_unit(file, group, spec[i].name,
                              is_stress && is_per_area ? "Pa" : spec[i].unit));
    }
    return HAW_OK;
}

static void put_points(haw_writer *writer, const haw_pair *pair)
{
    haw_last_frame *last = writer->last;
    const bool is_comb = writer->model->cable[pair->cable].ops->moves_along;
    if (!is_comb) {
        haw_belt_line_sample(&writer->model->cable[pair->cable], last->q, last->u,
                             &last->line[pair->cable]);
    }
    for (int i = 0; i < pair->points; i++) {
        if (is_comb) {
            put_knot(writer, pair, i);
        } else {
            put_point(writer, pair, i);
        }
    }
}

haw_status haw_contact_profile_write(haw_writer *writer, int index, hid_t pair)
{
    const haw_pair *of = &writer->model->pair[index];
    hid_t group = -1;
    if (of->cable < 0 || !writer->last->is_kept) {
        return HAW_OK;
    }
    HAW_TRY(haw_hdf5_group(&writer->file, pair, "profile", &group));
    if (writer->model->dimension == 3) {
        put_space_points(writer->model, of, writer->last);
    } else {
        put_points(writer, of);
    }
    HAW_TRY(write_columns(writer, of, group));
    return haw_hdf5_leave(&writer->file, group);
}
