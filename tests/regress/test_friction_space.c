/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Friction in the tangent plane, hard and on bristles, against closed forms: a block that is
 * dragged on a circle, one on an incline whose surface moves sideways, one that is pulled across a
 * slope, a ball that slides on a parabola until it rolls.
 */
#include "support/scenario.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double g = 9.81;
static const double half = 0.70710678118654752;

typedef struct side {
    const char *law;     /* NULL: hard */
    const char *stepper; /* with its own options */
} side;

static const side sides[] = {
    {NULL, "moreau-jean, theta: 0.5"}, {NULL, "nsga"},
    {"bristle", "generalized-alpha"},  {"bristle", "moreau-jean, theta: 0.5"},
    {"lugre", "generalized-alpha"},
};

enum { SIDES = sizeof sides / sizeof *sides };

/* Sinks into the ground by its weight N / 1e7. */
static void set_contact(scenario_run *run, const side *s, const char *ground, double friction,
                        double stiffness)
{
    if (s->law == NULL) {
        scenario_set(run, "contact=[{between: [block, %s], friction: %.17g}]", ground, friction);
        return;
    }
    scenario_set(run,
                 "contact=[{between: [block, %s], friction: %.17g, law: penalty, normal_stiffness: "
                 "1.0e+7, normal_damping: 500, tangential: %s, tangential_stiffness: %.17g, "
                 "tangential_damping: 0}]",
                 ground, friction, s->law, stiffness);
}

static void set_step(scenario_run *run, const side *s, double h, double end)
{
    scenario_set(run, "stepper={type: %s, step: %.17g, end: %.17g}", s->stepper, h, end);
    scenario_set(run, "solver={type: auto, tolerance: 1.0e-10}");
}

/* ---- a block dragged by a spring whose end runs on a circle ---- */

typedef struct orbit {
    double m, k, a, omega, mu, stiffness; /* mass, spring, radius and rate of its end; bristle */
    double hard[2], bristle[2];           /* radius [m] and lag [deg] of the block */
} orbit;

static const orbit orbits[] = {
    {1, 100, 0.1, 2, 0.3, 1e4, {0.09955344685, 17.115567}, {0.09946277953, 17.11549}},
    {1, 100, 0.1, 20, 0.3, 1e3, {0.03185710299, 162.88443}, {0.03275082703, 162.9558}},
    {2, 400, 0.05, 5, 0.5, 2e3, {0.04979663951, 29.37345}, {0.04695471244, 29.19716}},
};

/* Table of cosine ramps: amplitude sin or cos of (omega t + psi) between its extremes. */
static void write_wave(double amplitude, double first, const orbit *o, double psi, int turns,
                       char *text, size_t size)
{
    size_t at = (size_t)snprintf(text, size, "{table: [");
    for (int k = -1; k <= 2 * turns + 1; k++) {
        const double t = (first + k * pi - psi) / o->omega, sign = k % 2 == 0 ? 1 : -1;
        at += (size_t)snprintf(text + at, size - at, "%s[%.14g, %.14g]", k > -1 ? ", " : "", t,
                               sign * amplitude);
    }
    (void)snprintf(text + at, size - at, "], ramp: cosine}");
}

/* Errors of radius (relative) and lag [rad] after some turns; the block starts on its orbit. */
static void drag(const orbit *o, const side *s, int steps, int turns, double error[2])
{
    const double *want = s->law == NULL ? o->hard : o->bristle;
    const double psi = want[1] * pi / 180, period = 2 * pi / o->omega;
    const double z = 0.1 - (s->law == NULL ? 0 : o->m * g / 1e7), speed = o->a * o->omega;
    char x[512], y[512];
    scenario_run run;
    scenario_init(&run, "block-on-incline");
    write_wave(-speed, 0.5 * pi, o, psi, turns, x, sizeof x);
    write_wave(speed, 0, o, psi, turns, y, sizeof y);
    scenario_set(&run, "gravity=[0, 0, %.17g]", -g);
    scenario_set(&run,
                 "bodies=[{name: block, shape: {type: sphere, radius: 0.1}, mass: %g, position: "
                 "[%.17g, 0, %.17g], velocity: [0, %.17g, 0], joint: translation}, {name: incline, "
                 "shape: {type: plane}, motion: {fixed: true}}, {name: tip, position: [%.17g, "
                 "%.17g, %.17g], motion: {velocity: [0, 0, 0]}}]",
                 o->m, want[0], z, want[0] * o->omega, o->a * cos(psi), o->a * sin(psi), z);
    scenario_set(&run, "bodies.tip.motion.velocity=[%s, %s, 0]", x, y);
    scenario_set(&run, "springs=[{between: [block, tip], stiffness: %g}]", o->k);
    set_contact(&run, s, "incline", o->mu, o->stiffness);
    set_step(&run, s, period / steps, turns * period);
    scenario_set(&run, "output={every: %.17g, probes: [block.position]}", turns * period);
    scenario_complete(&run);
    const double at[2] = {scenario_last(&run, "block.position", 0),
                          scenario_last(&run, "block.position", 1)};
    error[0] = hypot(at[0], at[1]) / want[0] - 1;
    error[1] = remainder(-atan2(at[1], at[0]), 2 * pi); /* the tip is where it began */
    scenario_close(&run);
}

/* The midpoint is of second order; a bristle returned to its limit at the end of each step leans by
 * half a step's turn, and nsga has its friction there too. */
static void a_block_is_dragged_on_its_orbit(void **unused)
{
    static const int steps[] = {1600, 2000, 2000};
    static const double ratio[] = {4, 2, 2};
    (void)unused;
    for (size_t i = 0; i < sizeof orbits / sizeof *orbits; i++) {
        for (int k = 0; k < 3; k++) {
            double error[2][2];
            drag(&orbits[i], &sides[k], steps[k] / 2, 3, error[0]);
            drag(&orbits[i], &sides[k], steps[k], 3, error[1]);
            print_message("orbit %zu, %s: radius %.2g, lag %.2g, ratio %.3f\n", i + 1,
                          sides[k].stepper, error[1][0], error[1][1], error[0][0] / error[1][0]);
            assert_near(error[1][0], 0, 1e-3, 0);
            assert_near(error[1][1], 0, 1e-3, 0);
            assert_near(error[0][0] / error[1][0], ratio[k], 0.2, 0);
        }
    }
}

/* ---- slopes ---- */

static void set_slope(scenario_run *run, double theta, double m)
{
    scenario_init(run, "block-on-incline");
    scenario_set(run, "gravity=[%.17g, 0, %.17g]", g * sin(theta), -g * cos(theta));
    scenario_set(run, "bodies.block.mass=%g", m);
}

/*
 * The surface moves sideways by V and a smooth wall holds the block: it slides down by
 * v = V tan(theta) / sqrt(mu^2 - tan(theta)^2), pressed to the wall by mu N V / sqrt(V^2 + v^2).
 */
static void a_surface_that_moves_sideways_lets_a_block_down(void **unused)
{
    static const double slope[][6] = {{15, 0.4, 0.1, 2, 0.09022153404, 5.628400934},
                                      {20, 0.5, 0.3, 1, 0.3185083027, 3.160248174}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        const double theta = slope[i][0] * pi / 180, mu = slope[i][1], m = slope[i][3];
        for (int k = 0; k < SIDES; k++) {
            const double z = 0.1 - (sides[k].law == NULL ? 0 : m * g * cos(theta) / 1e7);
            scenario_run run;
            set_slope(&run, theta, m);
            scenario_set(&run,
                         "bodies=[{name: block, shape: {type: sphere, radius: 0.1}, mass: %g, "
                         "position: [0, 0, %.17g], joint: translation}, {name: incline, shape: "
                         "{type: plane}, motion: {velocity: [0, %g, 0]}}, {name: wall, shape: "
                         "{type: plane}, position: [0, 0.1, 0], orientation: [%.17g, %.17g, 0, 0], "
                         "motion: {fixed: true}}]",
                         m, z, slope[i][2], half, half);
            set_contact(&run, &sides[k], "incline", mu, 1e6);
            scenario_set(&run, "contact=[{between: [block, wall]}, {%s",
                         strchr(run.set[run.sets - 1], '{') + 1);
            set_step(&run, &sides[k], 1e-3, 3);
            scenario_set(&run, "output={every: 0.1, probes: [block.velocity, "
                               "block-wall.normal_sum]}");
            scenario_complete(&run);
            print_message("slope %d, %s: %.2g\n", i + 1, sides[k].stepper,
                          scenario_last(&run, "block.velocity", 0) / slope[i][4] - 1);
            assert_near(scenario_last(&run, "block.velocity", 0), slope[i][4], 0, 2e-4);
            assert_near(scenario_last(&run, "block-wall.normal_sum", 0), slope[i][5], 0, 2e-4);
            scenario_close(&run);
        }
    }
}

/* Pulled across a slope it starts along the resultant, if that is above mu N. */
static void a_block_pulled_across_a_slope_goes_along_the_resultant(void **unused)
{
    const double theta = 15 * pi / 180, want = 0.9474909615, down = 32.40549 * pi / 180;
    (void)unused;
    for (int k = 0; k < SIDES; k++) {
        for (int pull = 4; pull <= 8; pull += 4) {
            scenario_run run;
            set_slope(&run, theta, 2);
            scenario_set(&run, "bodies.block.position=[0, 0, %.17g]",
                         0.1 - (sides[k].law == NULL ? 0 : 2 * g * cos(theta) / 1e7));
            set_contact(&run, &sides[k], "incline", 0.4, 1e6);
            scenario_set(&run, "forces=[{target: block, force: [0, %d, 0]}]", pull);
            set_step(&run, &sides[k], 1e-3, 0.5);
            scenario_set(&run, "output={every: 0.25, probes: [block.velocity, block.position]}");
            scenario_complete(&run);
            double a[2];
            for (int i = 0; i < 2; i++) {
                const int half_way = scenario_frame_at(&run, 0.25);
                a[i] = 4 * (scenario_last(&run, "block.velocity", i) -
                            scenario_at(&run, half_way, "block.velocity", i));
            }
            if (pull == 8) {
                assert_near(hypot(a[0], a[1]), want, 0, 1e-6);
                assert_near(atan2(a[0], a[1]), down, 1e-6, 0);
            } else {
                assert_near(scenario_last(&run, "block.position", 0), 0, 5e-5, 0);
                assert_near(scenario_last(&run, "block.position", 1), 0, 5e-5, 0);
            }
            scenario_close(&run);
        }
    }
}

/* ---- a ball ---- */

typedef struct thrown {
    double v[2], w[3], mu, radius, end, v_end[2], x_end[2];
} thrown;

static const thrown throws[] = {
    {{3, 0},
     {40, -20, 0},
     0.15,
     0.108,
     3,
     {1.5257142857, -1.2342857143},
     {5.5403394147, -2.8964600249}},
    {{5, 0.2},
     {30, 0, 10},
     0.08,
     0.1085,
     2.5,
     {3.5714285714, -0.7871428571},
     {10.5090036751, -0.8757784605}},
    {{-4, 1}, {10, 50, 40}, 0.12, 0.11, 3, {-9.0 / 7, 0.4}, {-7.06186600692, 1.90841248574}},
};

/* Distance from where the ball should be, over the way [-]; the error of its velocity over that. */
static void throw_ball(const thrown *t, const char *law, const char *stepper, int steps,
                       double error[2])
{
    const double spin = sqrt(t->w[0] * t->w[0] + t->w[1] * t->w[1] + t->w[2] * t->w[2]);
    const double across = hypot(t->w[0], t->w[1]), angle = atan2(across, t->w[2]);
    scenario_run run;
    scenario_init(&run, "slip-to-roll-penalty");
    scenario_set(&run, "contact.%s", law);
    scenario_set(&run, "contact.friction=%g", t->mu);
    scenario_set(&run, "bodies.ball.shape.radius=%g", t->radius);
    scenario_set(&run, "bodies.ball.position=[0, 0, %.17g]",
                 t->radius - (strcmp(law, "law=hard") == 0 ? 0 : g / 1e6));
    scenario_set(&run, "bodies.ball.velocity=[%g, %g, 0]", t->v[0], t->v[1]);
    scenario_set(&run, "bodies.ball.orientation=[%.17g, %.17g, %.17g, 0]", cos(angle / 2),
                 -sin(angle / 2) * t->w[1] / across, sin(angle / 2) * t->w[0] / across);
    scenario_set(&run, "bodies.ball.spin=%.17g", spin);
    scenario_set(&run, "stepper={type: %s, step: %.17g, end: %.17g}", stepper, t->end / steps,
                 t->end);
    scenario_set(&run, "output={every: %.17g, probes: [ball.velocity, ball.position]}", t->end);
    scenario_complete(&run);
    error[0] = hypot(scenario_last(&run, "ball.position", 0) - t->x_end[0],
                     scenario_last(&run, "ball.position", 1) - t->x_end[1]) /
               hypot(t->x_end[0], t->x_end[1]);
    error[1] = hypot(scenario_last(&run, "ball.velocity", 0) - t->v_end[0],
                     scenario_last(&run, "ball.velocity", 1) - t->v_end[1]) /
               hypot(t->v_end[0], t->v_end[1]);
    scenario_close(&run);
}

/*
 * v_f = v_0 - (2 / 7) (v_0 - R w_0 x z), along a parabola before. Second order in the step; but the
 * way of a bristle is that of the material point at the end of the step, which a spin w_n about the
 * normal moves sideways by h^2 R w_n w_T / 2: where it rolls, the second ball errs in first order.
 */
static void a_ball_slides_on_a_parabola_and_rolls(void **unused)
{
    static const char *const law[] = {"tangential=bristle", "tangential=lugre"};
    static const int steps[2][2] = {{4000, 4000}, {16000, 4000}};
    static const double ratio[2][2] = {{4, 4}, {2, 4}};
    (void)unused;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            double error[2][2];
            throw_ball(&throws[i], law[k], "generalized-alpha", steps[i][k] / 2, error[0]);
            throw_ball(&throws[i], law[k], "generalized-alpha", steps[i][k], error[1]);
            print_message("throw %d, %s: %.2g of the way, %.2g of the velocity, ratio %.3f\n",
                          i + 1, law[k], error[1][0], error[1][1], error[0][1] / error[1][1]);
            assert_near(error[1][0], 0, 1e-4, 0);
            assert_near(error[1][1], 0, 5e-4, 0);
            assert_near(error[0][1] / error[1][1], ratio[i][k], 0.1, 0);
        }
    }
}

/* With hard contact it does so to the second order however it spins about the normal: its axes turn
 * by 40 rad/s below the moment of the friction. */
static void a_ball_that_spins_on_hard_ground_does_so_too(void **unused)
{
    static const char *const stepper[] = {"moreau-jean, theta: 0.5", "nsga"};
    (void)unused;
    for (int i = 1; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            double error[2][2];
            throw_ball(&throws[i], "law=hard", stepper[k], 3000, error[0]);
            throw_ball(&throws[i], "law=hard", stepper[k], 6000, error[1]);
            print_message("throw %d, %s: %.2g of the way, %.2g of the velocity, ratio %.3f\n",
                          i + 1, stepper[k], error[1][0], error[1][1], error[0][0] / error[1][0]);
            assert_near(error[1][0], 0, 1e-4, 0);
            assert_near(error[1][1], 0, 5e-4, 0);
            assert_near(error[0][0] / error[1][0], 4, 0.3, 0);
        }
    }
}

/* ---- a rope through an eye ---- */

/*
 * A rope of radius a is pulled round the tube of radius r of a ring, through 45 degrees. Friction
 * acts on its skin, r from the middle of the tube, and its tension on its axis, r + a from there:
 * with the moments about that middle dT / T = mu r / (r + a) dphi.
 */
static void a_rope_through_an_eye_slides_with_the_friction_of_its_skin(void **state)
{
    (void)state;
    const double mu = 0.3, tube = 0.02, section = 0.004;
    scenario_run run;
    scenario_init(&run, "eye");
    run.text =
        "hawser: 1\n"
        "dimension: 3\n"
        "start: static\n"
        "bodies: [{name: eye, shape: {type: torus, radius: 0.07, tube_radius: 0.02}, orientation: "
        "[0.70710678118654757, 0, 0.70710678118654757, 0], motion: {fixed: true}}]\n"
        "cables: [{name: rope, element: se3, elements: 120, radius: 0.004, from: [-0.3, 0.046, 0], "
        "path: [{line: [0.0, 0.046, 0]}, {arc: {center: [0, 0.07, 0], radius: 0.024, angle_deg: "
        "45}}, {line: [0.216970562748, 0.253029437252, 0]}], stiffness: 1e5, bending_stiffness: "
        "3e-5, density: 0.05, ends: {start: {tension: 50, towards: [-1, 0, 0]}, end: {motion: "
        "{velocity: [0.05, 0.05, 0]}}}}]\n"
        "contact: [{between: [rope, eye], points_per_element: 4, friction: 0.3}]\n"
        "stepper: {type: moreau-jean, step: 1e-3, end: 0.2}\n"
        "output: {every: 0.1, probes: [rope.reaction_end]}\n";
    scenario_complete(&run);
    const double pull = hypot(scenario_last(&run, "rope.reaction_end", 0),
                              scenario_last(&run, "rope.reaction_end", 1));
    assert_near(pull, 50 * exp(mu * 0.25 * pi * tube / (tube + section)), 0, 3e-3);
    scenario_close(&run);
}

/*
 * A rope is drawn above a thin peg that it does not touch, and its free end is pulled down: at rest
 * it hangs over the peg with the same tension on both sides (no friction), and not below it, where
 * it would be straight and touch nothing, although nothing is touched there, either.
 */
static void a_static_start_does_not_pull_a_rope_through_a_peg(void **state)
{
    (void)state;
    static const char *const elements[] = {"ancf", "se3"};
    for (int k = 0; k < 2; k++) {
        scenario_run run;
        scenario_init(&run, "peg");
        run.text =
            "hawser: 1\n"
            "dimension: 3\n"
            "start: static\n"
            "bodies: [{name: peg, shape: {type: cylinder, radius: 0.02}, orientation: "
            "[0.70710678118654757, 0.70710678118654757, 0, 0], motion: {fixed: true}}]\n"
            "cables: [{name: rope, elements: 120, radius: 0.003, from: [-0.5, 0, 0.03], to: [0.5, "
            "0, 0.03], length: 1, stiffness: 1e4, bending_stiffness: 1e-5, density: 0.01, ends: "
            "{start: pinned, end: {tension: 10, towards: [0.4, 0, -1]}}}]\n"
            "contact: [{between: [rope, peg], points_per_element: 2}]\n"
            "stepper: {type: quasi-static, step: 0.5, end: 0.5}\n"
            "output: {every: 0.5, probes: [rope.tension_start, contact.force]}\n";
        scenario_set(&run, "cables.rope.element=%s", elements[k]);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "rope.tension_start", 0), 10, 0, 0.01);
        assert_near(scenario_last(&run, "contact.force", 2), -10 / sqrt(1.16), 0, 0.02);
        scenario_close(&run);
    }
}

TEST_FILE(test_friction_space)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_dragged_on_its_orbit),
        cmocka_unit_test(a_surface_that_moves_sideways_lets_a_block_down),
        cmocka_unit_test(a_block_pulled_across_a_slope_goes_along_the_resultant),
        cmocka_unit_test(a_ball_slides_on_a_parabola_and_rolls),
        cmocka_unit_test(a_ball_that_spins_on_hard_ground_does_so_too),
        cmocka_unit_test(a_rope_through_an_eye_slides_with_the_friction_of_its_skin),
        cmocka_unit_test(a_static_start_does_not_pull_a_rope_through_a_peg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
