/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random scenes in space with steps from fine to absurd: spheres thrown at surfaces and at cables,
 * cables that fall on them. A run either ends with a refusal or a failure, or nothing was deeper
 * inside a surface than its guard allows, nor passed through it within a step. The judge knows
 * nothing of the contact code: it takes positions from the state and closed forms of the surfaces.
 */
#include "support/near.h"
#include "support/random.h"

#include <hawser/hawser.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCENES = 500, TEXT = 4096, PLACES = 64, STEPS = 40 };

static const double DEPTH = 1e-2;  /* of the smallest radius: the guard of set-valued laws */
static const double SWEEP = 0.25;  /* of the surface's, of a ball of the smallest: that of speeds */
static const double ROUND = 1e-12; /* relative */

typedef enum surface { SPHERE, CYLINDER, PLANE, SURFACES } surface;

typedef struct scene {
    surface surface;
    double radius;    /* of the surface, INFINITY: plane */
    double thickness; /* radius of what meets it: of a ball, of the section of a cable */
    bool is_cable;    /* else a ball */
    int elements;
    int node; /* coordinates of a node in q */
    double step;
    char text[TEXT];
} scene;

static double uniform(uint64_t *seed, double low, double high)
{
    return low + (high - low) * 0.5 * (random_signed(seed) + 1);
}

static double log_uniform(uint64_t *seed, double low, double high)
{
    return exp(uniform(seed, log(low), log(high)));
}

static int choose(uint64_t *seed, int count)
{
    return (int)uniform(seed, 0, count * (1 - 1e-12));
}

static const char *write_surface(scene *s, uint64_t *seed)
{
    static char text[128];
    s->surface = (surface)choose(seed, SURFACES);
    s->radius = s->surface == PLANE ? (double)INFINITY : log_uniform(seed, 0.02, 0.5);
    switch (s->surface) {
    case SPHERE:
        snprintf(text, sizeof text, "{type: sphere, radius: %.17g}", s->radius);
        break;
    case CYLINDER:
        snprintf(text, sizeof text, "{type: cylinder, radius: %.17g}", s->radius);
        break;
    case PLANE:
    case SURFACES:
        snprintf(text, sizeof text, "{type: plane}");
        break;
    }
    return text;
}

/* A ball that is thrown at the surface, from above and from the side. */
static int write_ball(scene *s, uint64_t *seed, char *text, size_t size)
{
    s->thickness = log_uniform(seed, 0.01, 0.3);
    const double reach = (s->surface == PLANE ? 0 : s->radius) + s->thickness;
    const double height = reach + log_uniform(seed, 1e-3, 2), speed = log_uniform(seed, 0.01, 100);
    const double aside = uniform(seed, -0.9, 0.9) * reach;
    const bool from_above = s->surface != CYLINDER;
    const double x = from_above ? aside : height, z = from_above ? height : aside;
    return snprintf(text, size,
                    "  - {name: mover, shape: {type: sphere, radius: %.17g}, mass: 1, "
                    "position: [%.17g, %.17g, %.17g], velocity: [%.17g, %.17g, %.17g]}\n",
                    s->thickness, x, 0.1 * aside, z,
                    from_above ? uniform(seed, -1, 1) * 0.2 * speed : -speed, 0.05 * speed,
                    from_above ? -speed : uniform(seed, -1, 1) * 0.2 * speed);
}

/* A straight cable beside the surface, which falls on it. */
static int write_cable(scene *s, uint64_t *seed, char *text, size_t size)
{
    static const char *const element[] = {"se3", "corotational", "ancf"};
    const int kind = choose(seed, 3);
    s->elements = 2 + choose(seed, 12);
    s->node = kind == 2 ? 6 : 7;
    s->thickness = log_uniform(seed, 1e-3, 3e-2);
    const double reach = (s->surface == PLANE ? 0 : s->radius) + s->thickness;
    const double height = reach + log_uniform(seed, 1e-3, 0.3);
    const double half = uniform(seed, 0.3, 1.5);
    const bool from_above = s->surface != CYLINDER;
    return snprintf(text, size,
                    "cables:\n  - {name: mover, element: %s, elements: %d, from: [%.17g, %.17g, "
                    "%.17g], to: [%.17g, %.17g, %.17g], stiffness: 2.0e+4, shear_stiffness: "
                    "1.0e+4, bending_stiffness: 1.0e-2, torsional_stiffness: 1.0e-2, density: 0.1, "
                    "radius: %.17g, damping: {mass: 1}, ends: {start: free, end: free}}\n",
                    element[kind], s->elements, from_above ? -half : height, from_above ? 0 : -half,
                    from_above ? height : 0, from_above ? half : height, from_above ? 0 : half,
                    from_above ? height : 0, s->thickness);
}

static void write_scene(scene *s, uint64_t *seed)
{
    char mover[TEXT / 2];
    memset(s, 0, sizeof *s);
    const char *shape = write_surface(s, seed);
    s->is_cable = choose(seed, 2) == 0;
    const int length = (s->is_cable ? write_cable : write_ball)(s, seed, mover, sizeof mover);
    assert_true(length > 0 && length < TEXT / 2);
    s->step = log_uniform(seed, 1e-5, 1);
    const double pull = log_uniform(seed, 1, 1000);
    const bool from_above = s->surface != CYLINDER;
    const int all = snprintf(
        s->text, TEXT,
        "hawser: 1\ndimension: 3\ngravity: [%.17g, 0, %.17g]\nbodies:\n  - {name: ground, shape: "
        "%s, motion: {fixed: true}}\n%scontact:\n  - {between: [mover, ground], friction: %.3f, "
        "restitution: %.3f%s}\nstart: given\nstepper: {type: %s, step: %.17g, end: %.17g}\n"
        "output: {every: %.17g}\n",
        from_above ? 0 : -pull, from_above ? -pull : 0, shape, mover, uniform(seed, 0, 1),
        choose(seed, 2) * uniform(seed, 0, 1), s->is_cable ? ", points_per_element: 1" : "",
        choose(seed, 2) == 0 ? "moreau-jean" : "nsga", s->step, STEPS * s->step, s->step);
    assert_true(all > 0 && all < TEXT);
}

/* Distance of a point from the surface [m]; the axis of the cylinder and the normal of the plane
 * are z, the ground stands at the origin. */
static double distance(const scene *s, const double x[3])
{
    switch (s->surface) {
    case SPHERE:
        return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) - s->radius;
    case CYLINDER:
        return hypot(x[0], x[1]) - s->radius;
    case PLANE:
    case SURFACES:
        break;
    }
    return x[2];
}

/* Places that carry contact: the centre of the ball, or the nodes of the cable. */
static int places(const scene *s, const haw_state *state, double x[PLACES][3])
{
    const int count = s->is_cable ? s->elements + 1 : 1;
    for (int i = 0; i < count; i++) { /* the ground first, 7 coordinates */
        memcpy(x[i], state->q + 7 + (s->is_cable ? s->node * i : 0), sizeof x[i]);
    }
    return count;
}

/* Largest depth of all places, and of the straight ways since the step before [m]. */
static void measure(const scene *s, int count, double before[PLACES][3], double now[PLACES][3],
                    double *depth, double *sweep)
{
    enum { WAY = 64 };

    for (int i = 0; i < count; i++) {
        for (int k = 1; k <= WAY; k++) {
            double x[3];
            for (int j = 0; j < 3; j++) {
                x[j] = before[i][j] + (now[i][j] - before[i][j]) * k / WAY;
            }
            const double inside = s->thickness - distance(s, x);
            *sweep = fmax(*sweep, inside);
            *depth = k == WAY ? fmax(*depth, inside) : *depth;
        }
    }
}

typedef struct verdict {
    haw_status status;
    int steps;
    double depth, sweep; /* over the smallest radius */
} verdict;

static verdict run_scene(const scene *s)
{
    verdict v = {.status = HAW_OK};
    haw_context *context = NULL;
    haw_scenario *scenario = NULL;
    haw_model *model = NULL;
    haw_simulation *simulation = NULL;
    double before[PLACES][3], now[PLACES][3];
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    v.status = haw_scenario_parse(context, "scene", s->text, 0, NULL, &scenario);
    assert_int_equal(v.status, HAW_OK);
    v.status = haw_model_build(context, &scenario->scene, &model);
    if (v.status == HAW_OK) {
        v.status = haw_simulation_create(context, model, &scenario->run, &simulation);
    }
    if (v.status == HAW_OK) {
        const haw_state *state = haw_simulation_frame(simulation)->state;
        const int count = places(s, state, before);
        while (v.status == HAW_OK && v.steps < STEPS) {
            v.status = haw_simulation_step(simulation);
            v.steps++;
            if (v.status == HAW_OK) {
                places(s, state, now);
                measure(s, count, before, now, &v.depth, &v.sweep);
                memcpy(before, now, sizeof before);
            }
        }
    }
    const double smallest = fmin(s->radius, s->thickness);
    v.depth /= smallest;
    v.sweep /= s->is_cable ? s->radius : smallest;
    haw_simulation_free(simulation);
    haw_model_free(model);
    haw_scenario_free(context, scenario);
    haw_context_free(context);
    return v;
}

static void no_run_ends_well_with_a_point_deeper_than_its_guard(void **state)
{
    uint64_t seed = UINT64_C(20260711);
    int fine = 0, ended = 0;
    (void)state;
    for (int i = 0; i < SCENES; i++) {
        scene s;
        const uint64_t start = seed;
        write_scene(&s, &seed);
        const verdict v = run_scene(&s);
        fine += v.status == HAW_OK;
        ended += v.status != HAW_OK;
        if (v.depth > DEPTH * (1 + ROUND) || v.sweep > SWEEP * (1 + ROUND)) {
            print_message(
                "scene %d (seed %llu), %d steps: depth %g of the smallest radius, on the way "
                "%g\n%s",
                i, (unsigned long long)start, v.steps, v.depth, v.sweep, s.text);
            fail();
        }
    }
    print_message("%d runs reached their end, %d did not\n", fine, ended);
    assert_true(fine > SCENES / 10 && ended > SCENES / 10); /* both sides of the guards are seen */
}

TEST_FILE(test_depth_guard)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_run_ends_well_with_a_point_deeper_than_its_guard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
