/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/thrown.h"

#include "base/lie.h"
#include "model/model.h"
#include "support/random.h"
#include "support/scenario.h"

#include <math.h>

enum { CORNERS = 24, SAMPLES = 96 };

static const double ring = 0.1; /* radius [m] */
static const double SAG = 2e-3; /* by which arcs leave the polygon of a ring, twice [m] */

typedef struct throw
{
    uint64_t random;
    double first; /* linking number; NAN: not yet known */
    double error; /* largest change of it */
    bool touches;
}

throw;

static double between(throw *t, double low, double high)
{
    return low + (high - low) * 0.5 * (1 + random_signed(&t->random));
}

static int pick(throw *t, int count)
{
    return (int)between(t, 0, count - 1e-9);
}

/* ---- the linking number ---- */

static void sample(const haw_frame *frame, int cable, double x[SAMPLES][3])
{
    const haw_cable *own = &frame->model->cable[cable];
    for (int i = 0; i < SAMPLES; i++) {
        const double label = (double)own->line.elements * i / SAMPLES;
        haw_cable_point at;
        own->ops->point(own, (int)label, label - floor(label), frame->state->q, NULL,
                        HAW_POINT_PLACE, &at);
        memcpy(x[i], at.x, sizeof at.x);
    }
}

static void normal_of(const double a[3], const double b[3], double n[3])
{
    vec3_cross(a, b, n);
    const double size = vec3_norm(n);
    for (int i = 0; i < 3; i++) {
        n[i] = size > 0 ? n[i] / size : 0;
    }
}

static double angle(const double a[3], const double b[3])
{
    return asin(fmin(fmax(vec3_dot(a, b), -1), 1));
}

/* Solid angle of two segments, of Gauss' integral over polygons: K. Klenin, J. Langowski,
 * Biopolymers 54 (2000) 307. */
static double solid_angle(const double p[2][3], const double q[2][3])
{
    double r[2][2][3], n[4][3], own[3], other[3], cross[3];
    for (int i = 0; i < 3; i++) {
        own[i] = p[1][i] - p[0][i];
        other[i] = q[1][i] - q[0][i];
        for (int k = 0; k < 4; k++) {
            r[k / 2][k % 2][i] = q[k % 2][i] - p[k / 2][i];
        }
    }
    normal_of(r[0][0], r[0][1], n[0]);
    normal_of(r[0][1], r[1][1], n[1]);
    normal_of(r[1][1], r[1][0], n[2]);
    normal_of(r[1][0], r[0][0], n[3]);
    vec3_cross(other, own, cross);
    const double sum =
        angle(n[0], n[1]) + angle(n[1], n[2]) + angle(n[2], n[3]) + angle(n[3], n[0]);
    return copysign(sum, vec3_dot(cross, r[0][0]));
}

static double linking_number(const haw_frame *frame)
{
    static double x[2][SAMPLES + 1][3];
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        sample(frame, k, x[k]);
        memcpy(x[k][SAMPLES], x[k][0], sizeof x[k][0]);
    }
    for (int i = 0; i < SAMPLES; i++) {
        for (int j = 0; j < SAMPLES; j++) {
            sum += solid_angle((const double(*)[3])x[0][i], (const double(*)[3])x[1][j]);
        }
    }
    return sum / (4 * acos(-1.0));
}

static void look(scenario_run *run, const haw_frame *frame, void *user)
{
    throw *t = user;
    const double now = linking_number(frame);
    (void)run;
    t->first = isnan(t->first) ? now : t->first;
    t->error = fmax(t->error, fabs(now - t->first));
    t->touches = t->touches || frame->touches > 0;
}

/* ---- a throw ---- */

/* A place of a ring. */
static void place_on(const double centre[3], const double turn[4], double phi, double x[3])
{
    const double flat[3] = {ring * cos(phi), ring * sin(phi), 0};
    quaternion_rotate(turn, flat, x);
    vec3_add(1, centre, x);
}

static double distance(const double centre[2][3], double turn[2][4])
{
    double least = HUGE_VAL, x[2][3];
    const double step = 2 * acos(-1.0) / SAMPLES;
    for (int i = 0; i < SAMPLES; i++) {
        place_on(centre[0], turn[0], step * i, x[0]);
        for (int k = 0; k < SAMPLES; k++) {
            place_on(centre[1], turn[1], step * k, x[1]);
            vec3_add(-1, x[0], x[1]);
            least = fmin(least, vec3_norm(x[1]));
        }
    }
    return least;
}

/* A ring about an axis through a place, as a path of points. */
static void write_ring(const double centre[3], const double turn[4], size_t size, char *path)
{
    size_t used = (size_t)snprintf(path, size, "[{points: [");
    for (int k = 0; k <= CORNERS; k++) {
        double x[3];
        place_on(centre, turn, 2 * acos(-1.0) * (k % CORNERS) / CORNERS, x);
        used += (size_t)snprintf(path + used, size - used, "[%.7f, %.7f, %.7f]%s", x[0], x[1], x[2],
                                 k < CORNERS ? ", " : "]}]");
    }
}

static void add_cable(throw *t, const char *name, double radius, const double centre[3],
                      const double turn[4], double speed, size_t size, char *text)
{
    static const char *const elements[] = {"ancf", "se3", "corotational"};
    char path[2048];
    double x[3];
    write_ring(centre, turn, sizeof path, path);
    place_on(centre, turn, 0, x);
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used,
                   "  - {name: %s, element: %s, elements: %d, closed: true, from: [%.7f, %.7f, "
                   "%.7f], path: %s, stiffness: %.3e, bending_stiffness: 1.0e-4, "
                   "torsional_stiffness: 1.0e-4, density: %.3f, radius: %.6f, velocity: [%.6f, 0, "
                   "0]}\n",
                   name, elements[pick(t, 3)], 24 + 8 * pick(t, 3), x[0], x[1], x[2], path,
                   pow(10, between(t, 3, 4)), between(t, 0.02, 0.1), radius, speed);
}

static void describe(throw *t, size_t size, char *text)
{
    const bool is_linked = pick(t, 2) == 0, is_hard = pick(t, 4) > 0;
    const double radius = between(t, 0.003, 0.008), step = pow(10, between(t, -4, -3));
    const double speed = between(t, 0.2, 1.3) * 0.25 * radius / step;
    const double away = 2 * ring + (is_linked ? -4 : 3) * radius;
    double centre[2][3] = {{0, 0, 0}, {away, between(t, -0.04, 0.04), between(t, -0.04, 0.04)}};
    const double flat[3] = {between(t, -0.2, 0.2), between(t, -0.2, 0.2), 0};
    const double upright[3] = {0.5 * acos(-1.0) + between(t, -0.3, 0.3), 0, between(t, -0.3, 0.3)};
    double turn[2][4];
    so3_exp(flat, turn[0]);
    so3_exp(upright, turn[1]);
    while (distance((const double(*)[3])centre, turn) < 2.4 * radius + SAG) {
        centre[1][0] += is_linked ? -radius : radius;
    }
    (void)snprintf(text, size,
                   "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\nstart: given\ncables:\n");
    add_cable(t, "a", radius, centre[0], turn[0], 0, size, text);
    add_cable(t, "b", radius * between(t, 0.7, 1.4), centre[1], turn[1], is_linked ? speed : -speed,
              size, text);
    const size_t used = strlen(text);
    char law[128];
    (void)snprintf(law, sizeof law,
                   "law: penalty, normal_stiffness: %.3e, "
                   "regularization_velocity: 0.01, ",
                   pow(10, between(t, 4, 7)));
    (void)snprintf(text + used, size - used,
                   "contact: [{between: [a, b], %sspacing: %.6f, friction: %.2f}]\n"
                   "stepper: {type: moreau-jean, step: %.4e, end: %.4e, newton_tolerance: 1.0e-6}\n"
                   "output: {every: %.4e, probes: [contact.normal_sum]}\n",
                   is_hard ? "" : law, 0.7 * radius * between(t, 0.3, 0.9), between(t, 0, 0.5),
                   step, 50 * step, 5 * step);
}

static bool throw_once(uint64_t seed)
{
    static char text[16384];
    throw t = {.random = seed * 0x9e3779b97f4a7c15u + 1, .first = NAN};
    scenario_run run;
    describe(&t, sizeof text, text);
    scenario_init(&run, "thrown");
    run.text = text;
    run.look = look;
    run.user = &t;
    assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
    bool is_done = scenario_build(&run) == HAW_OK;
    is_done = is_done && scenario_try(&run) == HAW_OK;
    if (!is_done && getenv("HAWSER_THROW") != NULL) {
        print_message("%llu: %s\n", (unsigned long long)seed, haw_context_message(run.context));
    }
    if (is_done && !(t.error < 0.5)) {
        fail_msg("throw %llu: a ring passed through the other\n%s", (unsigned long long)seed, text);
    }
    scenario_close(&run);
    return is_done && t.touches;
}

int thrown_rings(uint64_t seed, int count)
{
    int done = 0;
    for (int i = 0; i < count; i++) {
        done += throw_once(seed + (uint64_t)i) ? 1 : 0;
    }
    return done;
}
