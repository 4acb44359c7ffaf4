/* SPDX-License-Identifier: BSD-3-Clause */
/* The spatial part of /VTKHDF: bodies as wires, contact forces as vectors. */
#include "base/lie.h"
#include "io/writer.h"

/*
 * A surface of revolution as one line: up a meridian with a circle at every eighth of it, then down
 * and up three more, a quarter of a turn apart. A plane as a square.
 */
enum {
    MERIDIAN = 33, /* points */
    CIRCLE = 32,   /* pieces of a circle */
    EVERY = 8,     /* points of the meridian between two circles */
    QUARTERS = 3,  /* further meridians */
    CIRCLES = (MERIDIAN - 1) / EVERY + 1,
    WIRE = MERIDIAN + CIRCLES * CIRCLE + QUARTERS * (CIRCLE / 4 + MERIDIAN - 1),
    SQUARE = 5
};

static const double turn = 6.283185307179586477;

int haw_space_outline_count(const haw_body *body)
{
    if (body->surface.ops == NULL) {
        return 1;
    }
    return body->surface.ops->draw != NULL ? WIRE : SQUARE;
}

/* Local point of the meridian (r, z) at k pieces of a circle. */
static void put(const double meridian[2], int k, double x[3])
{
    const double angle = turn * (k % CIRCLE) / CIRCLE;
    x[0] = meridian[0] * cos(angle);
    x[1] = meridian[0] * sin(angle);
    x[2] = meridian[1];
}

static void wire(const haw_surface *surface, double (*point)[3])
{
    double meridian[MERIDIAN][2];
    int n = 0;
    surface->ops->draw(surface, MERIDIAN, meridian);
    for (int j = 0; j < MERIDIAN; j++) {
        put(meridian[j], 0, point[n++]);
        for (int k = 1; k <= CIRCLE && j % EVERY == 0; k++) {
            put(meridian[j], k, point[n++]);
        }
    }
    for (int quarter = 1; quarter <= QUARTERS; quarter++) {
        const bool is_down = quarter % 2 == 1;
        const int at = quarter * CIRCLE / 4;
        for (int k = at - CIRCLE / 4 + 1; k <= at; k++) {
            put(meridian[is_down ? MERIDIAN - 1 : 0], k, point[n++]);
        }
        for (int j = 1; j < MERIDIAN; j++) {
            put(meridian[is_down ? MERIDIAN - 1 - j : j], at, point[n++]);
        }
    }
}

static void square(double half, double (*point)[3])
{
    static const double corner[SQUARE][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    for (int i = 0; i < SQUARE; i++) {
        point[i][0] = half * corner[i][0];
        point[i][1] = half * corner[i][1];
        point[i][2] = 0;
    }
}

void haw_space_outline(const haw_body *body, const double pose[7], double half_line,
                       double (*point)[3])
{
    const int count = haw_space_outline_count(body);
    double rotation[9];
    memset(point, 0, (size_t)count * sizeof *point);
    if (count == WIRE) {
        wire(&body->surface, point);
    } else if (count == SQUARE) {
        square(half_line, point);
    }
    quaternion_matrix(pose + 3, rotation);
    for (int i = 0; i < count; i++) {
        double local[3];
        memcpy(local, point[i], sizeof local);
        mat3_apply(rotation, local, point[i]);
        vec3_add(1, pose, point[i]);
    }
}

/* Normal and tangents of the touch of a grid id; false if there is none. */
static bool find_axes(const haw_frame *frame, int id, int *next, double axis[3][3])
{
    while (*next < frame->touches && frame->touch[*next].id < id) {
        ++*next;
    }
    if (*next == frame->touches || frame->touch[*next].id != id) {
        return false;
    }
    memcpy(axis[0], frame->touch[*next].normal, sizeof axis[0]);
    memcpy(axis[1], frame->touch[*next].tangent, sizeof axis[1]);
    vec3_cross(axis[0], axis[1], axis[2]);
    return true;
}

/* @param next  touches of the last step are listed in the order of their ids */
static void spread_point(const haw_writer *writer, const haw_frame *frame, const haw_pair *pair,
                         int point, int *next, double *const *data)
{
    const int id = pair->first_point + point;
    const double *force = &frame->point_force[(ptrdiff_t)3 * id];
    double axis[3][3], vector[3] = {0};
    if (vec3_dot(force, force) == 0.0) {
        return;
    }
    const haw_lever lever = haw_lever_at(writer, pair, point);
    if (find_axes(frame, id, next, axis)) {
        for (int k = 0; k < 3; k++) {
            vec3_add(force[k], axis[k], vector);
        }
    }
    for (int k = 0; k < 2; k++) {
        const int sample = lever.sample + k;
        const double weight = lever.share[k] / lever.length[k];
        data[HAW_POINT_NORMAL][sample] += weight * force[0];
        data[HAW_POINT_TANGENTIAL][sample] += weight * hypot(force[1], force[2]);
        vec3_add(weight, vector, data[HAW_POINT_FORCE] + (ptrdiff_t)3 * sample);
    }
}

void haw_space_put_contacts(const haw_writer *writer, const haw_frame *frame, double *const *data)
{
    const haw_model *model = writer->model;
    int next = 0;
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        for (int j = 0; j < pair->points && pair->cable >= 0; j++) {
            spread_point(writer, frame, pair, j, &next, data);
        }
    }
}
