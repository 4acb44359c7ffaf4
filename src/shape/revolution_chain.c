/* SPDX-License-Identifier: BSD-3-Clause */
/* Meridian drawn as a chain of lines and arcs; their feet in closed form. */
#include "shape/revolution.h"

/* Largest corner that passes for a smooth joint [rad], and misfit of an arc's two radii. */
static const double corner_max = 1.0e-4;
static const double misfit_max = 1.0e-4;

/* One end of a piece with the direction of travel there. */
typedef struct course {
    double at[2], tangent[2];
} course;

static haw_status refuse(haw_context *context, int piece, const double at[2], const char *reason)
{
    return haw_fail(context, HAW_ERR_INPUT, "piece %d of the meridian, at r = %g m, z = %g m: %s",
                    piece + 1, at[0], at[1], reason);
}

static void set_line(haw_piece *piece, course end[2])
{
    const double dr = end[1].at[0] - end[0].at[0], dz = end[1].at[1] - end[0].at[1];
    const double length = hypot(dr, dz);

    piece->kind = HAW_PIECE_LINE;
    for (int e = 0; e < 2; e++) {
        end[e].tangent[0] = dr / length;
        end[e].tangent[1] = dz / length;
    }
    piece->low = fmin(end[0].at[0], end[1].at[0]);
    piece->high = fmax(end[0].at[0], end[1].at[0]);
}

/*
 * The centre is given in decimal digits: the one used lies at the same distance from both ends,
 * on the perpendicular through the middle of the chord.
 */
static void set_center(haw_piece *piece, const double given[2], const course end[2])
{
    const double dr = end[1].at[0] - end[0].at[0], dz = end[1].at[1] - end[0].at[1];
    const double middle[2] = {0.5 * (end[0].at[0] + end[1].at[0]),
                              0.5 * (end[0].at[1] + end[1].at[1])};
    const double along =
        ((given[0] - middle[0]) * dr + (given[1] - middle[1]) * dz) / (dr * dr + dz * dz);

    piece->center[0] = given[0] - along * dr;
    piece->center[1] = given[1] - along * dz;
    piece->radius = hypot(end[0].at[0] - piece->center[0], end[0].at[1] - piece->center[1]);
}

/* An arc that goes up lies wholly outside (convex) or inside (concave) of its centre. */
static haw_status set_arc(haw_context *context, int index, const double given[2], haw_piece *piece,
                          course end[2])
{
    const double first = hypot(end[0].at[0] - given[0], end[0].at[1] - given[1]);
    const double last = hypot(end[1].at[0] - given[0], end[1].at[1] - given[1]);

    if (!(fabs(first - last) <= misfit_max * fmax(first, last))) {
        return refuse(context, index, end[1].at,
                      "the two ends of the arc must be at the same distance from its centre");
    }
    set_center(piece, given, end);
    const double slack = corner_max * piece->radius;
    const double from = end[0].at[0] - piece->center[0], to = end[1].at[0] - piece->center[0];

    piece->kind = HAW_PIECE_ARC;
    piece->side = from + to >= 0.0 ? 1.0 : -1.0;
    if (piece->side * from < -slack || piece->side * to < -slack) {
        return refuse(context, index, end[1].at,
                      "the arc must not turn back downwards: split it, or check its centre");
    }
    for (int e = 0; e < 2; e++) {
        end[e].tangent[0] = -piece->side * (end[e].at[1] - piece->center[1]) / piece->radius;
        end[e].tangent[1] = piece->side * (end[e].at[0] - piece->center[0]) / piece->radius;
    }
    const bool has_top = end[0].at[1] < piece->center[1] && end[1].at[1] > piece->center[1];
    const double top = piece->center[0] + piece->side * piece->radius;

    piece->low = fmin(fmin(end[0].at[0], end[1].at[0]), has_top ? top : (double)INFINITY);
    piece->high = fmax(fmax(end[0].at[0], end[1].at[0]), has_top ? top : -(double)INFINITY);
    return HAW_OK;
}

static haw_status set_piece(haw_context *context, int index, const haw_meridian_segment *segment,
                            haw_piece *piece, course end[2])
{
    const double rise = end[1].at[1] - end[0].at[1];

    if (!isfinite(rise) || !isfinite(end[1].at[0]) ||
        (rise == 0.0 && end[1].at[0] == end[0].at[0])) {
        return refuse(context, index, end[1].at, "it must have a length");
    }
    if (rise < 0.0) {
        return refuse(context, index, end[1].at, "z must not decrease along the meridian");
    }
    if (segment->is_arc) {
        HAW_TRY(set_arc(context, index, segment->center, piece, end));
    } else {
        set_line(piece, end);
    }
    if (!(piece->low > 0.0)) {
        return refuse(context, index, end[1].at, "r must be > 0 along the meridian");
    }
    return HAW_OK;
}

/* Angle from one course to the next, > 0 at a convex corner [rad]. */
static double turn_between(const course *before, const course *after)
{
    const double *a = before->tangent, *b = after->tangent;

    return atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
}

static haw_status refuse_corner(haw_context *context, int index, const course *after, double turn)
{
    return haw_fail(context, HAW_ERR_INPUT,
                    "the meridian has a corner of %.4g deg before piece %d, at r = %g m, z = "
                    "%g m: join the pieces with a common tangent, by an arc",
                    fabs(turn) * 180.0 / 3.14159265358979323846, index + 1, after->at[0],
                    after->at[1]);
}

static void set_joint(haw_joint_point *joint, const course *end)
{
    for (int k = 0; k < 2; k++) {
        joint->at[k] = end->at[k];
        joint->tangent[k] = end->tangent[k];
    }
}

/* Append a piece from the last joint on. */
static void append(haw_revolution *revolution, const haw_piece *piece, const course *end)
{
    revolution->piece[revolution->pieces++] = *piece;
    set_joint(&revolution->joint[revolution->pieces], end);
}

/*
 * A corner is an arc of radius 0: seen from a convex one every direction between the normals of its
 * two sides has its foot there, with the distance and the bend 1 / distance of a circle; from
 * outside a concave one none has.
 */
static void append_corner(haw_revolution *revolution, const course *after, double turn)
{
    const haw_piece corner = {
        .kind = HAW_PIECE_ARC,
        .low = after->at[0],
        .high = after->at[0],
        .center = {after->at[0], after->at[1]},
        .side = turn > 0.0 ? 1.0 : -1.0,
    };

    append(revolution, &corner, after);
}

static haw_status allocate(haw_arena *arena, size_t pieces, haw_revolution *revolution)
{
    revolution->pieces = 0;
    revolution->piece = haw_arena_allocate(arena, pieces, sizeof *revolution->piece);
    revolution->joint = haw_arena_allocate(arena, pieces + 1, sizeof *revolution->joint);
    return revolution->piece != NULL && revolution->joint != NULL ? HAW_OK : HAW_ERR_NOMEM;
}

haw_status haw_revolution_chain(haw_arena *arena, const haw_meridian *meridian, bool corners,
                                haw_revolution *revolution)
{
    course end[2] = {{{meridian->from[0], meridian->from[1]}, {0.0, 0.0}}, {{0.0}, {0.0}}};
    course before = {{0.0}, {0.0}};

    HAW_TRY(allocate(arena, (corners ? 2 : 1) * (size_t)meridian->segments, revolution));
    for (int i = 0; i < meridian->segments; i++) {
        const haw_meridian_segment *segment = &meridian->segment[i];
        haw_piece piece = {.radius = 0.0};

        end[1].at[0] = segment->to[0];
        end[1].at[1] = segment->to[1];
        HAW_TRY(set_piece(arena->context, i, segment, &piece, end));
        const double turn = i > 0 ? turn_between(&before, &end[0]) : 0.0;

        if (fabs(turn) > corner_max && !corners) {
            return refuse_corner(arena->context, i, &end[0], turn);
        }
        if (fabs(turn) > corner_max) {
            append_corner(revolution, &end[0], turn);
        }
        if (i == 0) {
            set_joint(&revolution->joint[0], &end[0]);
        }
        append(revolution, &piece, &end[1]);
        before = end[1];
        end[0] = end[1];
    }
    return HAW_OK;
}

static haw_half_foot line_foot(const haw_joint_point *joint, const double p[2])
{
    const double dr = joint[1].at[0] - joint[0].at[0], dz = joint[1].at[1] - joint[0].at[1];
    const double length = hypot(dr, dz);
    const double n[2] = {dz / length, -dr / length};

    return (haw_half_foot){
        .gap = n[0] * (p[0] - joint[0].at[0]) + n[1] * (p[1] - joint[0].at[1]),
        .normal = {n[0], n[1]},
    };
}

/* s = +-(|p - c| - a); kappa / (1 + kappa s) = +-1 / |p - c|, also at a corner, a = 0. */
static haw_half_foot arc_foot(const haw_piece *piece, const double p[2])
{
    const double dr = p[0] - piece->center[0], dz = p[1] - piece->center[1];
    const double distance = hypot(dr, dz);
    haw_half_foot half = {
        .gap = piece->side * (distance - piece->radius),
        .normal = {1.0, 0.0},
        .bend = piece->side / distance,
    };

    if (distance > 0.0) {
        half.normal[0] = piece->side * dr / distance;
        half.normal[1] = piece->side * dz / distance;
    } else { /* the centre has every normal */
        half.bend = 0.0;
    }
    return half;
}

int haw_piece_feet(const haw_revolution *revolution, int piece, const double p[2], int room,
                   haw_half_foot *half)
{
    const haw_piece *it = &revolution->piece[piece];
    const haw_joint_point *joint = &revolution->joint[piece];

    if (it->kind == HAW_PIECE_CUBIC) {
        return haw_cubic_feet(revolution, piece, p, room, half);
    }
    /* the slope grows along a line; along an arc of at most half a turn it has one zero at most */
    if (room < 1 ||
        !(haw_joint_slope(&joint[0], p) < 0.0 && haw_joint_slope(&joint[1], p) >= 0.0)) {
        return 0;
    }
    half[0] = it->kind == HAW_PIECE_LINE ? line_foot(joint, p) : arc_foot(it, p);
    return 1;
}
