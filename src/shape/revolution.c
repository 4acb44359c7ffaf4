/* SPDX-License-Identifier: BSD-3-Clause */
/* Surface of revolution: the feet of a point lie in the half plane through it and the axis. */
#include "shape/revolution.h"

enum { SAMPLES = 64 }; /* per piece, for its sharpest curvature */

static const haw_option revolution_table[] = {{0}};

static const haw_revolution *data_of(const haw_surface *surface)
{
    return surface->data;
}

/* Largest curvatures over the samples: of the circles n_r / r and of the meridian, by sign. */
static haw_status measure(haw_context *context, haw_revolution *revolution)
{
    double convex = 0.0, concave = 0.0;

    for (int i = 0; i < revolution->pieces; i++) {
        for (int j = 0; j <= SAMPLES; j++) {
            const haw_meridian_point point = haw_piece_at(revolution, i, (double)j / SAMPLES);

            if (!(point.at[0] > 0.0)) {
                return haw_fail(context, HAW_ERR_INPUT,
                                "the curve through the table r(z) falls to r = %g m at z = %g m: "
                                "r must be > 0",
                                point.at[0], point.at[1]);
            }
            convex = fmax(convex, fmax(point.normal[0] / point.at[0], point.curvature));
            concave = fmax(concave, -point.curvature);
        }
    }
    revolution->radius = 1.0 / convex;
    revolution->hollow = concave > 0.0 ? 1.0 / concave : (double)INFINITY;
    return HAW_OK;
}

static haw_status revolution_prepare(haw_arena *arena, haw_surface *surface)
{
    const haw_meridian *meridian = &surface->meridian;
    haw_revolution *revolution = haw_arena_allocate(arena, 1, sizeof *revolution);

    HAW_TRY(haw_arena_status(arena));
    if (meridian->segments > 0) {
        HAW_TRY(haw_revolution_chain(arena, meridian, false, revolution));
    } else {
        HAW_TRY(haw_revolution_table(arena, meridian, revolution));
    }
    HAW_TRY(measure(arena->context, revolution));
    surface->data = revolution;
    return HAW_OK;
}

double haw_revolution_radius(const haw_surface *surface)
{
    return data_of(surface)->radius;
}

double haw_revolution_hollow(const haw_surface *surface)
{
    return data_of(surface)->hollow;
}

/* The piece that holds z, the first or the last beyond the ends. */
static int find(const haw_revolution *revolution, double z)
{
    int low = 0, high = revolution->pieces;

    while (high - low > 1) {
        const int middle = (low + high) / 2;

        if (revolution->joint[middle].at[1] <= z) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* r, r', r'' of a piece that is not a wall. */
static void graph(const haw_revolution *revolution, int piece, double z, double r[3])
{
    const haw_piece *it = &revolution->piece[piece];
    const haw_joint_point *joint = &revolution->joint[piece];
    const double dz = joint[1].at[1] - joint[0].at[1];

    if (it->kind == HAW_PIECE_CUBIC) {
        haw_cubic_at(it, dz, (z - joint[0].at[1]) / dz, r);
    } else if (it->kind == HAW_PIECE_LINE) {
        r[1] = (joint[1].at[0] - joint[0].at[0]) / dz;
        r[0] = joint[0].at[0] + r[1] * (z - joint[0].at[1]);
        r[2] = 0.0;
    } else {
        const double rise = z - it->center[1];
        const double run = it->side * sqrt(fmax(it->radius * it->radius - rise * rise, 0.0));

        r[0] = it->center[0] + run;
        r[1] = -rise / run;
        r[2] = -it->radius * it->radius / (run * run * run);
    }
}

static void revolution_profile(const haw_surface *surface, double z, double r[3])
{
    const haw_revolution *revolution = data_of(surface);
    const double inside =
        fmax(revolution->joint[0].at[1], fmin(z, revolution->joint[revolution->pieces].at[1]));

    graph(revolution, find(revolution, inside), inside, r);
    if (z != inside) {
        r[0] += r[1] * (z - inside);
        r[2] = 0.0;
    }
}

bool haw_revolution_near(const haw_surface *surface, const double x[3], double radius)
{
    const haw_revolution *revolution = data_of(surface);
    const double pad = radius * (1.0 + 16.0 * DBL_EPSILON);
    const double rho = hypot(x[0], x[1]);

    for (int i = find(revolution, x[2] - pad); i < revolution->pieces; i++) {
        const haw_joint_point *joint = &revolution->joint[i];

        if (joint[0].at[1] > x[2] + pad) {
            return false;
        }
        if (joint[1].at[1] >= x[2] - pad && rho <= revolution->piece[i].high + pad) {
            return true;
        }
    }
    return false;
}

/* Distance of p from the box around a piece. */
static double box_distance(const haw_revolution *revolution, int piece, const double p[2])
{
    const haw_joint_point *joint = &revolution->joint[piece];
    const haw_piece *it = &revolution->piece[piece];
    const double dr = fmax(fmax(it->low - p[0], p[0] - it->high), 0.0);
    const double dz = fmax(fmax(joint[0].at[1] - p[1], p[1] - joint[1].at[1]), 0.0);

    return hypot(dr, dz);
}

/* Insert by distance; the farthest falls off the end. */
static int insert(haw_half_foot half[HAW_FEET_MAX], int count, const haw_half_foot *next)
{
    int at = count;

    while (at > 0 && fabs(half[at - 1].gap) > fabs(next->gap)) {
        at--;
    }
    if (at == HAW_FEET_MAX) {
        return count;
    }
    const int last = count < HAW_FEET_MAX ? count : HAW_FEET_MAX - 1;

    for (int i = last; i > at; i--) {
        half[i] = half[i - 1];
    }
    half[at] = *next;
    return last + 1;
}

static int collect(const haw_revolution *revolution, const double p[2], double bound,
                   haw_half_foot half[HAW_FEET_MAX])
{
    int count = 0;

    for (int i = find(revolution, p[1] - bound); i < revolution->pieces; i++) {
        haw_half_foot found[HAW_FEET_MAX];

        if (revolution->joint[i].at[1] > p[1] + bound) {
            break;
        }
        if (box_distance(revolution, i, p) > bound) {
            continue;
        }
        const int more = haw_piece_feet(revolution, i, p, HAW_FEET_MAX, found);

        for (int k = 0; k < more; k++) {
            count = insert(half, count, &found[k]);
        }
    }
    return count;
}

/* How far inside the meridian p lies, measured towards greater r: > 0 within the body. */
static double depth(const haw_surface *surface, const double p[2])
{
    const haw_revolution *revolution = data_of(surface);
    double r[3];

    if (p[1] < revolution->joint[0].at[1] || p[1] > revolution->joint[revolution->pieces].at[1]) {
        return 0.0;
    }
    revolution_profile(surface, p[1], r);
    return fmax(r[0] - p[0], 0.0);
}

/*
 * A point within the body has its nearest foot, and those that are about as near: a foot farther
 * away lies behind the material. From outside, a foot with a negative gap does.
 */
int haw_revolution_feet(const haw_surface *surface, const double x[3], double reach,
                        haw_foot foot[HAW_FEET_MAX])
{
    const haw_revolution *revolution = data_of(surface);
    const double p[2] = {hypot(x[0], x[1]), x[2]};
    const double bound = fmax(reach, depth(surface, p)) * (1.0 + 16.0 * DBL_EPSILON);
    haw_half_foot half[HAW_FEET_MAX];
    const int found = collect(revolution, p, bound, half);
    int count = 0;

    for (int i = 0; i < found; i++) {
        const double behind = 4.0 * fmax(0.0, -half[0].gap) + 1.0e-6 * revolution->radius;

        if (half[i].gap <= reach && half[i].gap >= -behind) {
            haw_foot_revolve(x, &half[i], &foot[count++]);
        }
    }
    return count;
}

void haw_revolution_draw(const haw_surface *surface, int count, double (*point)[2])
{
    const haw_revolution *revolution = data_of(surface);

    for (int i = 0; i < count; i++) {
        const double place = (double)i / (count - 1) * revolution->pieces;
        const int piece = (int)fmin(place, revolution->pieces - 1);
        const haw_meridian_point at = haw_piece_at(revolution, piece, place - piece);

        point[i][0] = at.at[0];
        point[i][1] = at.at[1];
    }
}

const haw_surface_ops haw_surface_revolution = {
    .row.name = "revolution",
    .row.summary = "surface of revolution about the z axis of its body: lines and arcs, or r(z)",
    .row.source = "signed distance in the half plane of the meridian, by closed forms or the roots "
                  "of a quintic in Bernstein form",
    .row.options = revolution_table,
    .row.options_size = 0,
    .has_meridian = true,
    .prepare = revolution_prepare,
    HAW_REVOLUTION_ROW,
    .profile = revolution_profile,
};
