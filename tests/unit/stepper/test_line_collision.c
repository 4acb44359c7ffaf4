/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that hit cables: what is conserved, waves on strings, taut strings that cross. */
#include "model/dynamics.h"
#include "support/random.h"
#include "support/rigid.h"
#include "support/scenario.h"

enum { SIZE = 1024 };

/* ---- two free cables ---- */

static const char *const free_cables =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "cables:\n"
    "  - {name: a, element: ancf, elements: 6, from: [-0.3, 0, 0], to: [0.3, 0.02, 0], tension: "
    "0,\n"
    "     stiffness: 500, bending_stiffness: 1.0e-3, density: 0.1, radius: 0.01,\n"
    "     ends: {start: free, end: free}}\n"
    "  - {name: b, element: ancf, elements: 5, from: [0.04, -0.2, 0.021], to: [-0.02, 0.3, 0.03],\n"
    "     tension: 0, stiffness: 500, bending_stiffness: 1.0e-3, density: 0.1, radius: 0.01,\n"
    "     velocity: [0.4, 0.1, -1], ends: {start: free, end: free}}\n"
    "contact: [{between: [a, b], friction: 0}]\n"
    "stepper: {type: moreau, step: 2.0e-5, end: 0.05}\n"
    "solver: {type: auto, tolerance: 1.0e-12}\n"
    "output: {every: 0.01, probes: [contact.impulse]}\n";

/* Momentum, and angular momentum about the origin. */
static void find_momentum(const haw_frame *frame, double p[6])
{
    double mass_u[SIZE], u[SIZE];
    haw_model_mass(frame->model, frame->state->u, mass_u);
    for (int k = 0; k < 6; k++) {
        rigid_motion(frame->model, frame->state->q, k, u);
        p[k] = 0;
        for (int i = 0; i < frame->model->dofs; i++) {
            p[k] += u[i] * mass_u[i];
        }
    }
}

typedef struct momenta {
    double first[6];
    bool has_first;
} momenta;

static void keep_momentum(scenario_run *run, const haw_frame *frame, void *user)
{
    momenta *m = user;
    double now[6];
    (void)run;
    find_momentum(frame, now);
    if (!m->has_first) {
        memcpy(m->first, now, sizeof now);
        m->has_first = true;
    }
    for (int k = 0; k < 6; k++) { /* 0.05 N s, 0.01 N m s */
        assert_near(now[k], m->first[k], 1e-14, 0);
    }
    assert_near(frame->ledger->balance_error, 0, 1e-14, 0); /* of 25 mJ */
}

static void free_cables_keep_momentum_and_energy(void **state)
{
    scenario_run run;
    momenta m = {.has_first = false};
    (void)state;
    scenario_init(&run, "free-cables");
    run.text = free_cables;
    run.look = keep_momentum;
    run.user = &m;
    scenario_complete(&run);
    assert_true(fabs(scenario_last(&run, "contact.impulse", 2)) > 1e-3); /* they met */
    scenario_close(&run);
}

/* The same of beams, with rolling friction. @param i  which beams, 0 to 3 */
static void make_beams(scenario_run *run, int i)
{
    static const char *const elements[] = {"se3", "corotational"};
    scenario_init(run, "free-cables");
    run->text = free_cables;
    for (int cable = 0; cable < 2; cable++) {
        scenario_set(run, "cables.%c.element=%s", "ab"[cable], elements[i / (1 + cable) % 2]);
    }
    scenario_set(run, "contact.friction=0.3");
}

/* Forces act at one configuration, and what turns does so freely before and behind it. */
static void beams_keep_angular_momentum_too(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        momenta m = {.has_first = false};
        make_beams(&run, i);
        run.look = keep_momentum;
        run.user = &m;
        scenario_set(&run, "stepper.step=4.0e-6");
        scenario_set(&run, "stepper.end=0.025");
        scenario_complete(&run);
        assert_true(fabs(scenario_last(&run, "contact.impulse", 2)) > 1e-3); /* they met */
        assert_true(run.summary.ledger.friction_loss > 1e-6);
        scenario_close(&run);
    }
}

/* Implicit steps balance the forces of both sides, not their moments at both ends of a step. */
static void implicit_steps_of_beams_keep_momentum(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        double first[6], last[6];
        make_beams(&run, i);
        scenario_set(&run, "stepper.type=moreau-jean");
        scenario_set(&run, "stepper.step=2.0e-4");
        scenario_set(&run, "stepper.newton_tolerance=1.0e-13");
        scenario_open(&run);
        find_momentum(haw_simulation_frame(run.simulation), first);
        assert_int_equal(scenario_try(&run), HAW_OK);
        find_momentum(haw_simulation_frame(run.simulation), last);
        for (int k = 0; k < 3; k++) {
            assert_near(last[k], first[k], 1e-11, 0);
        }
        assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
        assert_true(run.summary.ledger.friction_loss > 1e-6);
        scenario_close(&run);
    }
}

/* ---- strings ---- */

/* Force between two instants, from the impulse on the second string. */
static double mean_force(const scenario_run *run, double from, double to)
{
    const int a = scenario_frame_at(run, from), b = scenario_frame_at(run, to);
    return (scenario_at(run, b, "contact.impulse", 2) - scenario_at(run, a, "contact.impulse", 2)) /
           (to - from);
}

/* N = Z v, Z = sqrt(T m) of the stretched string. */
static void two_strings_press_by_their_waves(void **state)
{
    static const struct {
        const char *name, *step;
    } steppers[] = {{"moreau", "5.0e-5"}, {"moreau-jean", "1.0e-4"}};

    const double stretch = 1 + 100 / 1.0e4, wave = 0.2 * sqrt(100 * 0.05 / stretch);

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "two-strings-collide");
        scenario_set(&run, "stepper.type=%s", steppers[i].name);
        scenario_set(&run, "stepper.theta=0.55");
        scenario_set(&run, "stepper.step=%s", steppers[i].step);
        scenario_complete(&run);
        assert_near(mean_force(&run, 0.006, 0.021), wave, 0, 3e-3);
        assert_near(mean_force(&run, 0.027, 0.042), 3 * wave, 0, 3e-3);
        scenario_close(&run);
    }
}

/* A crossing of string a along x with b at an angle, whose supports go down by delta from where
 * both touch straight; x: from the start of a string to its crossing, over its length. */
typedef struct crossing {
    double angle_deg, diameter, delta;
    double tension[2], length[2], x[2];
    double force, pulled[2]; /* N, T_A, T_B */
    double error;
} crossing;

static void set_string(scenario_run *run, const crossing *c, int string, int elements)
{
    const double gap = 1e-4, angle = string * c->angle_deg * acos(-1.0) / 180;
    const double z = string * (c->diameter + gap), l = c->length[string], x = c->x[string];
    const char name = "ab"[string];
    scenario_set(run, "cables.%c.from=[%.12g, %.12g, %.12g]", name, -x * l * cos(angle),
                 -x * l * sin(angle), z);
    scenario_set(run, "cables.%c.to=[%.12g, %.12g, %.12g]", name, (1 - x) * l * cos(angle),
                 (1 - x) * l * sin(angle), z);
    scenario_set(run, "cables.%c.tension=%.12g", name, c->tension[string]);
    scenario_set(run, "cables.%c.radius=%.12g", name, c->diameter / 2);
    scenario_set(run, "cables.%c.elements=%d", name, elements);
    scenario_set(run, "cables.%c.element=bezier", name);
    for (int end = 0; end < 2 && string == 1; end++) {
        scenario_set(run, "cables.b.ends.%s.motion.velocity=[0, 0, %.12g]",
                     end == 0 ? "start" : "end", -c->delta - gap);
    }
}

/* Tables 1 and 2 of doc/theory/cable-cable.md: N, T_A and, where known, T_B. */
static void crossing_strings_are_in_balance(void **state)
{
    static const crossing of[] = {
        {60, 0.004, 0.02, {100, 100}, {1, 1}, {0.5, 0.5}, 4.1607, {104.02, 104.02}, 1e-3},
        {90, 0.01, 0.03, {100, 300}, {1, 0.6}, {0.5, 0.5}, 11.901, {123.41, NAN}, 1e-3},
        {60, 0.01, 0.03, {100, 300}, {1, 0.6}, {0.5, 0.5}, 11.907, {123.41, NAN}, 1e-3},
        {60, 0.01, 0.03, {100, 300}, {1, 0.7}, {0.3, 3.0 / 7}, 13.29, {124.24, 304.73}, 3e-3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        scenario_run run;
        scenario_init(&run, "crossing-strings");
        set_string(&run, &of[i], 0, 320);
        set_string(&run, &of[i], 1, 320);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.normal_sum", 0), of[i].force, 0, of[i].error);
        assert_near(scenario_last(&run, "a.tension_mean", 0), of[i].pulled[0], 0, of[i].error);
        if (!isnan(of[i].pulled[1])) {
            assert_near(scenario_last(&run, "b.tension_mean", 0), of[i].pulled[1], 0, of[i].error);
        }
        scenario_close(&run);
    }
}

/* The shipped one, from node to node. */
static void crossing_strings_of_the_scenario_are_in_balance(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "crossing-strings");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "contact.normal_sum", 0), 4.1603, 0, 1e-3);
    assert_near(scenario_last(&run, "contact.force", 2), 4.1603, 0, 1e-3);
    assert_near(scenario_last(&run, "a.tension_mean", 0), 104.02, 0, 1e-4);
    scenario_close(&run);
}

/* Elements of a tenth of the diameter resolve how each string wraps the other. The supports are
 * those by which legs turn by 2 alpha = 0.2 and cross at 30 or 20 degrees, as the reactions say. */
static void strings_wrap_one_another(void **state)
{
    static const struct {
        crossing of;
        double angle, sum, apart; /* sum |p| / N, distance of the kinks less D over D */
    } strings[] = {
        {{30.2306, 0.01, 7.36359e-3, {100, 100}, {0.08, 0.08}, {0.5, 0.5}, 0, {0, 0}, 0},
         30,
         1.0233,
         0.06646},
        {{20.6592, 0.01, 6.7392e-3, {100, 100}, {0.08, 0.08}, {0.5, 0.5}, 0, {0, 0}, 0},
         20,
         1.048,
         0.1286},
    };

    static const char *const end[] = {"a.reaction_end", "b.reaction_end"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const crossing *c = &strings[i].of;
        double f[2][3], slope[2];
        scenario_run run;
        scenario_init(&run, "crossing-strings");
        for (int k = 0; k < 2; k++) {
            set_string(&run, c, k, 80);
            scenario_set(&run, "cables.%c.element=bezier-c0", "ab"[k]);
            scenario_set(&run, "cables.%c.stiffness=1e5", "ab"[k]);
        }
        scenario_set(&run, "contact.points_per_element=1");
        scenario_set(&run, "output.probes=[contact.normal_sum, contact.force, a.reaction_end, "
                           "b.reaction_end]");
        scenario_complete(&run);
        const double force = hypot(scenario_last(&run, "contact.force", 2),
                                   hypot(scenario_last(&run, "contact.force", 0),
                                         scenario_last(&run, "contact.force", 1)));
        for (int k = 0; k < 2; k++) {
            for (int j = 0; j < 3; j++) {
                f[k][j] = scenario_last(&run, end[k], j);
            }
            slope[k] = fabs(f[k][2]) / hypot(f[k][0], f[k][1]);
        }
        const double angle = atan2(f[1][1], f[1][0]) - atan2(f[0][1], f[0][0]);
        const double kinks = c->diameter - c->delta + 0.04 * (slope[0] + slope[1]);
        assert_near(atan(slope[0]), 0.1, 0, 1e-3);
        assert_near(angle * 180 / acos(-1.0), strings[i].angle, 0, 1e-3);
        assert_near(scenario_last(&run, "contact.normal_sum", 0) / force, strings[i].sum, 0, 3e-3);
        assert_near(kinks / c->diameter - 1, strings[i].apart, 0, 3e-2);
        scenario_close(&run);
    }
}

/* The supports of b are lowered in a second and go along a by v (t - 1.1 s) from 1.2 s on. */
static void drag(scenario_run *run, const crossing *c, double speed, double step)
{
    scenario_init(run, "crossing-strings");
    set_string(run, c, 0, 80);
    set_string(run, c, 1, 80);
    for (int end = 0; end < 2; end++) {
        scenario_set(run,
                     "cables.b.ends.%s.motion.velocity=[{table: [[1, 0], [1.2, %g]]}, 0, "
                     "{table: [[0, 0], [0.5, %.12g], [1, 0]]}]",
                     end == 0 ? "start" : "end", speed, -2 * (c->delta + 1e-4));
    }
    scenario_set(run, "contact=[{between: [b, a], friction: 0.3}]");
    scenario_set(run, "stepper.step=%g", step);
    scenario_set(run, "stepper.end=2.1");
    scenario_set(run, "output.every=0.05");
    scenario_set(run, "output.probes=[contact.normal_sum, contact.force, contact.sticking, "
                      "\"b.position[0.5:0.5]\"]");
}

/* Friction holds b up to the way u* = mu N (1 / kB + 1 / kax), then with F. */
static void a_string_sticks_on_another_until_friction_gives_way(void **state)
{
    static const struct {
        crossing of;
        double way, force;
    } strings[] = {
        {{90, 0.004, 0.02, {100, 100}, {1, 1}, {0.5, 0.5}, 0, {0, 0}, 0}, 3.011e-3, 1.250},
        {{90, 0.01, 0.03, {100, 300}, {1, 0.6}, {0.5, 0.5}, 0, {0, 0}, 0}, 1.805e-3, 3.569},
    };

    const double part[] = {0.99, 1.01};

    (void)state;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        drag(&run, &strings[i / 2].of, part[i % 2] * strings[i / 2].way, 0.05);
        scenario_complete(&run);
        assert_int_equal(scenario_last(&run, "contact.sticking", 0) > 0, i % 2 == 0);
        assert_near(scenario_last(&run, "contact.force", 0),
                    fmin(part[i % 2], 1) * strings[i / 2].force, 0, 5e-3);
        scenario_close(&run);
    }
}

/* Beyond it b slides, F = mu N(x) where the contact has come to. */
static void a_string_slides_over_another(void **state)
{
    static const crossing strings = {90, 0.004, 0.02, {100, 100}, {1, 1}, {0.5, 0.5}, 0, {0, 0}, 0};

    static const struct {
        double way, x, normal, along;
    } at[] = {
        {0.05, 0.04698, 4.186, 1.264}, {0.1, 0.09693, 4.251, 1.292}, {0.2, 0.1967, 4.536, 1.400}};

    scenario_run run;

    (void)state;
    drag(&run, &strings, 0.2, 0.0125);
    scenario_complete(&run);
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        const int frame = scenario_frame_at(&run, 1.1 + at[i].way / 0.2);
        const double force = scenario_at(&run, frame, "contact.force", 2);
        assert_near(scenario_at(&run, frame, "b.position[0.5:0.5]", 0), at[i].x, 0, 1e-3);
        assert_near(fabs(force), at[i].normal, 0, 1e-2);
        assert_near(scenario_at(&run, frame, "contact.force", 0), at[i].along, 0, 1e-2);
    }
    assert_near(run.summary.ledger.balance_error, 0, 1e-9, 0);
    scenario_close(&run);
}

/* ---- nothing passes through ---- */

enum { SAMPLES = 120 };

static void sample(const haw_frame *frame, int cable, double x[SAMPLES + 1][3])
{
    const haw_cable *of = &frame->model->cable[cable];
    for (int k = 0; k <= SAMPLES; k++) {
        const double at = (double)k / SAMPLES * of->line.elements;
        const int e = k < SAMPLES ? (int)at : of->line.elements - 1;
        haw_cable_point point;
        of->ops->point(of, e, at - e, frame->state->q, NULL, HAW_POINT_PLACE, &point);
        memcpy(x[k], point.x, sizeof point.x);
    }
}

/* Height of b over a where both cross as seen from above; NAN: these pieces do not. */
static double height(const double *a, const double *b, const double *c, const double *d)
{
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - c[0], d[1] - c[1]};
    const double w[2] = {c[0] - a[0], c[1] - a[1]}, area = u[0] * v[1] - u[1] * v[0];
    const double s = (w[0] * v[1] - w[1] * v[0]) / area, r = (w[0] * u[1] - w[1] * u[0]) / area;
    const bool meets = s >= 0 && s <= 1 && r >= 0 && r <= 1;
    return meets ? c[2] + r * (d[2] - c[2]) - a[2] - s * (b[2] - a[2]) : (double)NAN;
}

static void keep_order(scenario_run *run, const haw_frame *frame, void *user)
{
    static double a[SAMPLES + 1][3], b[SAMPLES + 1][3];
    int *crossings = user;
    (void)run;
    sample(frame, 0, a);
    sample(frame, 1, b);
    for (int i = 0; i < SAMPLES; i++) {
        for (int k = 0; k < SAMPLES; k++) {
            const double above = height(a[i], a[i + 1], b[k], b[k + 1]);
            if (!isnan(above)) {
                assert_true(above > 0);
                *crossings += 1;
            }
        }
    }
}

/* Strings thrown at each other at any angle and place, slower than the guard allows and faster:
 * the one stays above the other, or the run ends with the guard's message. */
static void nothing_passes_through(void **state)
{
    static const char *const steppers[] = {"moreau", "moreau-jean"};
    static const char *const elements[] = {"bezier", "bezier-c0", "chain"};

    uint64_t random = 0x9e3779b97f4a7c15u;
    int stopped = 0, crossings = 0;
    (void)state;
    for (int i = 0; i < 24; i++) {
        const double speed = 25 * (1 + random_signed(&random)), angle = random_signed(&random);
        const double x = 0.3 * random_signed(&random), y = 0.3 * random_signed(&random);
        scenario_run run;
        scenario_init(&run, "two-strings-collide");
        run.look = keep_order;
        run.user = &crossings;
        scenario_set(&run, "stepper.type=%s", steppers[i % 2]);
        scenario_set(&run, "stepper.theta=0.6");
        scenario_set(&run, "stepper.step=2.0e-5");
        scenario_set(&run, "stepper.end=2.0e-3");
        scenario_set(&run, "output.every=1.0e-4");
        scenario_set(&run, "contact.depth_limit=0.5");
        for (int cable = 0; cable < 2; cable++) {
            scenario_set(&run, "cables.%c.element=%s", "ab"[cable], elements[i % 3]);
            scenario_set(&run, "cables.%c.elements=20", "ab"[cable]);
        }
        scenario_set(&run, "contact.points_per_element=40");
        scenario_set(&run, "cables.b.from=[%.6f, %.6f, 0.006]", x - 0.5 * sin(angle),
                     y - 0.5 * cos(angle));
        scenario_set(&run, "cables.b.to=[%.6f, %.6f, 0.006]", x + 0.5 * sin(angle),
                     y + 0.5 * cos(angle));
        scenario_set(&run, "cables.b.velocity=[0, 0, %.6f]", -speed);
        for (int end = 0; end < 2; end++) {
            scenario_set(&run, "cables.b.ends.%s.motion.velocity=[0, 0, %.6f]",
                         end == 0 ? "start" : "end", -speed);
        }
        scenario_open(&run);
        const haw_status status = scenario_try(&run);
        if (status != HAW_OK) {
            assert_int_equal(status, HAW_ERR_GUARD);
            stopped++;
        }
        scenario_close(&run);
    }
    assert_in_range(stopped, 4, 20);
    assert_in_range(crossings, 24, 1000000);
}

/* Supports of the upper string move along the lower one by u: what sticks is pulled by both strings
 * sideways, F = u / (1 / k_B + 1 / k_ax), 1.250 N at 3.011 mm where mu N is reached. */
static void a_crossing_sticks(void **state)
{
    (void)state;
    for (int i = 1; i <= 2; i++) {
        scenario_run run;
        scenario_init(&run, "crossing-strings");
        for (int end = 0; end < 2; end++) {
            scenario_set(&run,
                         "cables.b.ends.%s.motion.velocity=[{table: [[1, 0], [1.0001, 0.006]]}, 0, "
                         "{table: [[1, -0.0201], [1.0001, 0]]}]",
                         end == 0 ? "start" : "end");
        }
        scenario_set(&run, "contact.friction=0.3");
        scenario_set(&run, "stepper.end=%.2f", 1 + 0.25 * i);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.force", 0), -1.5 * i / 3.011 * 1.250, 0, 5e-3);
        assert_near(run.summary.ledger.friction_loss, 0, 1e-6, 0);
        scenario_close(&run);
    }
}

/* ---- strands side by side ---- */

/* Two strands in line contact, one laid on the other and pressed by gravity: every point of the
 * grid bears its share of the weight, whichever of the two has the grid. */
static const char *const strands =
    "hawser: 1\n"
    "dimension: 3\n"
    "gravity: [0, 0, -10]\n"
    "cables:\n"
    "  - {name: low, element: bezier, elements: 10, from: [0, 0, 0], to: [1, 0, 0], tension: "
    "1000,\n"
    "     stiffness: 1.0e+4, density: 0.1, radius: 0.01, ends: {start: pinned, end: pinned}}\n"
    "  - {name: top, element: ancf, elements: 14, from: [0.1, 0, 0.02], to: [0.9, 0, 0.02],\n"
    "     tension: 0, stiffness: 1.0e+4, bending_stiffness: 1.0e-3, density: 0.2, radius: 0.01,\n"
    "     ends: {start: {motion: {velocity: [0, 0, free]}}, end: {motion: {velocity: [free, 0, "
    "free]}}}}\n"
    "contact: [{between: [low, top], points_per_element: 8}]\n"
    "start: given\n"
    "stepper: {type: quasi-static, step: 1, end: 2}\n"
    "output: {every: 1, probes: [contact.normal_sum, contact.force, contact.closed]}\n";

static void parallel_strands_bear_each_other(void **state)
{
    static const int elements[] = {10, 30};

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "strands");
        run.text = strands;
        scenario_set(&run, "cables.low.elements=%d", elements[i]);
        scenario_complete(&run);
        const double weight = 0.2 * 10 * 0.8;
        assert_near(scenario_last(&run, "contact.normal_sum", 0), weight, 0, 1e-3);
        assert_near(scenario_last(&run, "contact.force", 2), weight, 0, 1e-3); /* on `top` */
        assert_true(scenario_last(&run, "contact.closed", 0) > 10);
        scenario_close(&run);
    }
}

TEST_FILE(test_line_collision)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_cables_keep_momentum_and_energy),
        cmocka_unit_test(beams_keep_angular_momentum_too),
        cmocka_unit_test(implicit_steps_of_beams_keep_momentum),
        cmocka_unit_test(two_strings_press_by_their_waves),
        cmocka_unit_test(crossing_strings_are_in_balance),
        cmocka_unit_test(crossing_strings_of_the_scenario_are_in_balance),
        cmocka_unit_test(strings_wrap_one_another),
        cmocka_unit_test(a_string_sticks_on_another_until_friction_gives_way),
        cmocka_unit_test(a_string_slides_over_another),
        cmocka_unit_test(a_crossing_sticks),
        cmocka_unit_test(nothing_passes_through),
        cmocka_unit_test(parallel_strands_bear_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
