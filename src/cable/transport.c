/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Double reflection: the frame at one place is reflected in the plane in the middle between both
 * places, and then in the one that takes the reflected tangent to the tangent there. What is left
 * of a twist is of the fifth order of each step.
 */
#include "base/lie.h"
#include "cable/trace.h"

#include <math.h>
#include <string.h>

enum { ROW = 9, STRETCH = 1024 }; /* stations between looks for a signal: 50 us each */

/* Parts of the distance of two stations within which a place is at one of them. */
static const double BESIDE = 1e-6;

/* y -= 2 (v . y) v / |v|^2 */
static void reflect(const double v[3], double square, double y[3])
{
    if (square > 0) {
        vec3_add(-2 * vec3_dot(v, y) / square, v, y);
    }
}

/*
 * The normal of a row (x, t, n) at another place; at right angles to its tangent and unit.
 * @param least  square of the way below which its direction may be rounding: of a place beside the
 * row, whose normal is that of the row
 */
static void carry(const double *row, double least, const double x[3], const double t[3],
                  double n[3])
{
    const double way[3] = {x[0] - row[0], x[1] - row[1], x[2] - row[2]};
    const double square = vec3_dot(way, way) > least ? vec3_dot(way, way) : 0;
    double old[3];
    memcpy(old, row + 3, sizeof old);
    memcpy(n, row + 6, 3 * sizeof *n);
    reflect(way, square, old);
    reflect(way, square, n);
    const double turn[3] = {t[0] - old[0], t[1] - old[1], t[2] - old[2]};
    reflect(turn, square > 0 ? vec3_dot(turn, turn) : 0, n);
    vec3_add(-vec3_dot(n, t), t, n);
    const double size = vec3_norm(n);
    for (int i = 0; i < 3; i++) {
        n[i] /= size;
    }
}

haw_status haw_transport_carry(haw_arena *arena, const double n[3], haw_transport *transport)
{
    const size_t stations = (size_t)transport->stations + 1;
    transport->row = haw_arena_allocate(arena, ROW * stations, sizeof *transport->row);
    HAW_TRY(haw_arena_status(arena));
    for (int k = 0; k <= transport->stations; k++) {
        HAW_TRY(k % STRETCH == 0 ? haw_context_goes_on(arena->context) : HAW_OK);
        double *row = transport->row + (ptrdiff_t)ROW * k;
        const double s = transport->length * k / transport->stations;
        transport->at(transport->data, s, row, row + 3);
        if (k == 0) {
            memcpy(row + 6, n, 3 * sizeof *n);
        } else {
            carry(row - ROW, 0, row, row + 3, row + 6);
        }
    }
    return HAW_OK;
}

void haw_transport_normal(const haw_transport *transport, double s, const double x[3],
                          const double t[3], double n[3])
{
    const double place = s / transport->length * transport->stations;
    const int k = (int)fmax(0, fmin(floor(place), transport->stations - 1));
    const double apart = BESIDE * transport->length / transport->stations;
    carry(transport->row + (ptrdiff_t)ROW * k, apart * apart, x, t, n);
}
