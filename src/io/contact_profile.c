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
#include "contact/knot.h"
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
    double *column[HAW_CONTACT_COLUMNS]; /* [points of the largest pair] */
} haw_last_frame;

#define EVERYWHERE(text)                                                                           \
    {                                                                                              \
        [2] = (text), [3] = (text)                                                                 \
    }

const haw_contact_name haw_contact_names[HAW_CONTACT_COLUMNS] = {
    [HAW_CONTACT_XI] = {EVERYWHERE("xi"), "m"},
    [HAW_CONTACT_X] = {EVERYWHERE("x"), "m"},
    [HAW_CONTACT_Y] = {EVERYWHERE("y"), "m"},
    [HAW_CONTACT_Z] = {{[3] = "z"}, "m"},
    [HAW_CONTACT_ANGLE] = {EVERYWHERE("angle"), "rad"},
    [HAW_CONTACT_GAP] = {EVERYWHERE("gap"), "m"},
    [HAW_CONTACT_NORMAL] = {EVERYWHERE("normal_stress"), "N/m"},
    [HAW_CONTACT_TANGENTIAL] = {{[2] = "tangential_stress", [3] = "tangential_stress_1"}, "N/m"},
    [HAW_CONTACT_TANGENTIAL_2] = {{[3] = "tangential_stress_2"}, "N/m"},
    [HAW_CONTACT_STATE] = {EVERYWHERE("state"), "1"},
    [HAW_CONTACT_TENSION] = {EVERYWHERE("tension"), "N"},
    [HAW_CONTACT_STRAIN] = {{[2] = "strain"}, "1"},
    [HAW_CONTACT_CURVATURE] = {{[3] = "curvature"}, "1/m"},
    [HAW_CONTACT_SPEED] = {{[2] = "speed"}, "m/s"},
    [HAW_CONTACT_SLIP] = {{[2] = "slip"}, "m/s"},
};

haw_status haw_contact_profile_create(haw_writer *writer)
{
    const haw_model *model = writer->model;
    haw_arena *arena = &writer->arena;
    const size_t dofs = (size_t)model->dofs, coordinates = (size_t)model->coordinates;
    const size_t points = (size_t)model->points, d = (size_t)model->dimension;
    size_t rows = 0; /* of the largest pair */
    for (int i = 0; i < model->pairs; i++) {
        const size_t own = (size_t)model->pair[i].ahead;
        rows = model->pair[i].cable >= 0 && own > rows ? own : rows;
    }
    haw_last_frame *last = haw_arena_allocate(arena, 1, sizeof *last);
    writer->last = last;
    if (rows == 0 || last == NULL) {
        return haw_arena_status(arena);
    }
    last->q = haw_arena_allocate(arena, coordinates + dofs, sizeof(double));
    last->force = haw_arena_allocate(arena, (d + 3) * points, sizeof(double));
    last->state = haw_arena_allocate(arena, points, 1);
    last->line = haw_arena_allocate(arena, (size_t)model->lines, sizeof *last->line);
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

/* Points move between frames: the forces of compliant laws are those of the state that is shown. */
static void keep_step(const haw_writer *writer, const haw_frame *frame, haw_last_frame *last)
{
    double *force = last->force;
    const haw_model *model = writer->model;
    const size_t d = (size_t)model->dimension;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        if (pair->compliance.normal != NULL) {
            memset(force + d * (size_t)pair->first_point, 0,
                   d * (size_t)pair->points * sizeof *force);
        }
    }
    for (int i = 0; i < frame->touches; i++) {
        const haw_touch_frame *touch = &frame->touch[i];
        const bool is_compliant = model->pair[touch->pair].compliance.normal != NULL;
        last->slip[touch->id] = touch->rate[1];
        last->share[touch->id] = touch->share;
        for (size_t k = 0; k < d && is_compliant; k++) {
            force[d * (size_t)touch->id + k] = touch->impulse[k] / frame->h;
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
    if (frame->touch != NULL) {
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

/* Columns of one place of a cable: its stresses are the sum of the forces of all feet over `area`,
 * its gap and state those of the foot that presses most. */
static void put_place(const haw_writer *writer, const haw_pair *pair, int point,
                      const haw_sample *at, double area)
{
    const haw_last_frame *last = writer->last;
    double *const *column = last->column;
    const int d = writer->model->dimension, first = pair->first_point + pair->feet * point;
    const double *force = last->force + (ptrdiff_t)d * first;
    double sum[3] = {0};
    int strongest = 0;
    memcpy(sum, force, (size_t)d * sizeof *sum);
    for (int foot = 1; foot < pair->feet; foot++) {
        for (int k = 0; k < d; k++) {
            sum[k] += force[d * foot + k];
        }
        strongest = force[d * foot] > force[d * strongest] ? foot : strongest;
    }
    for (int k = 0; k < d; k++) {
        column[HAW_CONTACT_X + k][point] = at->x[k];
        column[HAW_CONTACT_NORMAL + k][point] = sum[k] / area;
    }
    column[HAW_CONTACT_XI][point] = at->label;
    column[HAW_CONTACT_GAP][point] = last->gap[first + strongest];
    column[HAW_CONTACT_STATE][point] = last->state[first + strongest];
    column[HAW_CONTACT_TENSION][point] = at->tension;
    column[HAW_CONTACT_STRAIN][point] = at->strain;
    column[HAW_CONTACT_CURVATURE][point] = at->curvature;
}

static double width_of(const haw_cable *cable)
{
    return cable->width > 0.0 ? cable->width : 1.0;
}

/* ---- points of elements with means along them: belts ---- */

/* Length of cable of a grid point; a grid on the curve ends with halves. */
static double piece(const haw_pair *pair, const haw_line *line, int point)
{
    const bool is_end = point == 0 || point == pair->points_per_element * line->elements;
    const bool is_half = is_end && !line->closed && pair->kinematics == HAW_KINEMATICS_CURVE;
    return line->le / pair->points_per_element * (is_half ? 0.5 : 1.0);
}

/* Direction from the body, speeds along the cable and the surface. */
static void put_motion(const haw_writer *writer, const haw_pair *pair, int point,
                       const haw_belt_motion *motion)
{
    const haw_last_frame *last = writer->last;
    const haw_body *body = &writer->model->body[pair->body];
    const double *pose = last->q + body->first_q, *rate = last->u + body->first;
    const double *x = motion->x, *v = motion->v;
    double *const *column = last->column;
    double n[2] = {0.0, 1.0};
    const double gap = body->surface.ops->gap(&body->surface, pose, x, n);
    /* of the surface at the foot of the point */
    const double arm[2] = {x[0] - gap * n[0] - pose[0], x[1] - gap * n[1] - pose[1]};
    const double surface[2] = {rate[0] - rate[2] * arm[1], rate[1] + rate[2] * arm[0]};
    column[HAW_CONTACT_ANGLE][point] = atan2(n[1], n[0]);
    column[HAW_CONTACT_SPEED][point] = motion->speed;
    column[HAW_CONTACT_SLIP][point] = n[1] * (v[0] - surface[0]) - n[0] * (v[1] - surface[1]);
}

static void put_belt(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    haw_belt_motion motion;
    int e = 0;
    double s = 0.0;
    haw_belt_middle(writer->model, pair, point, &e, &s);
    haw_belt_move(cable, e, s, last->q, last->u, &motion);
    const double tension = haw_belt_interpolate(&last->line[pair->cable].tension, e + s);
    const haw_sample at = {.label = (e + s) * cable->line.le,
                           .x = {motion.x[0], motion.x[1], motion.x[2]},
                           .tension = tension,
                           .strain = tension / cable->line.stiffness + cable->line.strain0};
    put_place(writer, pair, point, &at, piece(pair, &cable->line, point) * width_of(cable));
    put_motion(writer, pair, point, &motion);
}

/* ---- knots on sheaves ---- */

/* Open knots have neither slip nor a speed along the sheave. */
static void put_knot(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    const haw_sheave sheave = cable->ops->sheave(cable, pair->arc, last->q);
    const double *pose = last->q + writer->model->body[pair->body].first_q;
    double *const *column = last->column;
    const int id = pair->first_point + point;
    const bool is_closed = last->state[id] != HAW_POINT_OPEN;
    const double share = is_closed ? last->share[id] : 1.0;
    double s = 0.0;
    haw_sample at;
    const int e = cable->ops->locate(cable, last->q, point * pair->spacing, &s);
    cable->ops->state(cable, e, s, last->q, last->u, &at);
    put_place(writer, pair, point, &at, pair->spacing * width_of(cable) * share);
    const double speed = sheave.turn * (sheave.radius * last->u[sheave.dof] - last->slip[id]);
    column[HAW_CONTACT_ANGLE][point] = atan2(at.x[1] - pose[1], at.x[0] - pose[0]);
    column[HAW_CONTACT_SLIP][point] = is_closed ? last->slip[id] : (double)NAN;
    column[HAW_CONTACT_SPEED][point] = is_closed ? speed : (double)NAN;
}

/* ---- points of any grid ---- */

/* At the angle about the z axis of the body; the grid ends with halves. Speeds are those on curves
 * and sheaves. */
static void put_section(const haw_writer *writer, const haw_pair *pair, int point)
{
    const haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    const haw_line *line = &cable->line;
    const int points = pair->ahead / pair->feet - haw_cable_parts(cable);
    int e = 0;
    double s = 0.0;
    haw_sample at;
    haw_pair_point(writer->model, pair, pair->feet * point, &e, &s);
    const bool is_end = haw_pair_is_end(writer->model, pair, pair->feet * point);
    const double length = line->le * line->elements / points * (is_end ? 0.5 : 1.0);
    cable->ops->state(cable, e, s, last->q, last->u, &at);
    put_place(writer, pair, point, &at, length * haw_pair_side(pair) * width_of(cable));
    last->column[HAW_CONTACT_ANGLE][point] = haw_pair_azimuth(writer->model, pair, last->q, at.x);
    last->column[HAW_CONTACT_SPEED][point] = last->column[HAW_CONTACT_SLIP][point] = (double)NAN;
}

/* ---- writing ---- */

static haw_status write_columns(haw_writer *writer, const haw_pair *pair, hid_t group)
{
    haw_hdf5 *file = &writer->file;
    const bool is_per_area = writer->model->cable[pair->cable].width > 0.0;
    for (int i = 0; i < HAW_CONTACT_COLUMNS; i++) {
        const char *name = haw_contact_names[i].name[writer->model->dimension];
        const bool is_stress = i >= HAW_CONTACT_NORMAL && i < HAW_CONTACT_STATE;
        if (name == NULL) {
            continue;
        }
        HAW_TRY(haw_hdf5_array(file, group, name, H5T_IEEE_F64LE, pair->ahead / pair->feet,
                               writer->last->column[i]));
        HAW_TRY(haw_hdf5_unit(file, group, name,
                              is_stress && is_per_area ? "Pa" : haw_contact_names[i].unit));
    }
    return HAW_OK;
}

static void put_points(haw_writer *writer, const haw_pair *pair)
{
    haw_last_frame *last = writer->last;
    const haw_cable *cable = &writer->model->cable[pair->cable];
    const bool is_belt = pair->body >= 0 && last->line[pair->cable].tension_value != NULL;
    void (*put)(const haw_writer *, const haw_pair *, int) = is_belt ? put_belt : put_section;
    if (is_belt) {
        haw_belt_line_sample(cable, last->q, last->u, &last->line[pair->cable]);
    }
    put = haw_pair_has_knots(pair) ? put_knot : put;
    for (int i = 0; i < pair->ahead / pair->feet; i++) {
        put(writer, pair, i);
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
    put_points(writer, of);
    return write_columns(writer, of, group);
}
