/* SPDX-License-Identifier: BSD-3-Clause */
/* The shipped rope in a groove: ratio of tensions at full sliding, friction of every area. */
#include "observe/observation.h"
#include "stepper/simulation.h"
#include "support/contact_force.h"
#include "support/scenario.h"

enum { AREAS = 3, PLACES = 256 };

static const double pi = 3.14159265358979323846;

/* What the areas of one section carry in the last step: forces over its step [N]. */
typedef struct section {
    int areas;
    double normal[AREAS], along[AREAS], up[AREAS]; /* up: outwards along the flank */
    double radial;                                 /* of all normal forces */
    double angle;                                  /* about the axis, 0 in the middle */
} section;

typedef struct sections {
    int count;
    section at[PLACES];
} sections;

static void add_area(const haw_touch *contact, const double *force, section *s)
{
    const double c = contact->x[0] / hypot(contact->x[0], contact->x[1]);
    const double e = contact->x[1] / hypot(contact->x[0], contact->x[1]);
    const double *n = contact->normal, *t = contact->tangent;
    const double second[2] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2]};
    const double outwards = second[0] * c + second[1] * e;

    assert_true(s->areas < AREAS);
    s->normal[s->areas] = force[0];
    s->along[s->areas] = force[1];
    s->up[s->areas] = outwards < 0 ? -force[2] : force[2];
    s->radial += force[0] * (n[0] * c + n[1] * e);
    s->angle = atan2(contact->x[0], contact->x[1]);
    s->areas++;
}

/* Contacts of one node follow each other. */
static void gather(const scenario_run *run, sections *all)
{
    const haw_contacts *contacts = run->simulation->contacts;
    int element = -1;
    memset(all, 0, sizeof *all);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *contact = &contacts->item[i];
        double force[3];
        if (contact->gap > 1e-9) {
            continue;
        }
        if (contact->element != element) {
            element = contact->element;
            assert_true(all->count < PLACES);
            all->count++;
        }
        for (int k = 0; k < 3; k++) {
            force[k] = contact_force(run->simulation, 3 * i + k);
        }
        add_area(contact, force, &all->at[all->count - 1]);
    }
}

static double ratio(const scenario_run *run)
{
    return scenario_last(run, "rope.tension_start", 0) / scenario_last(run, "rope.tension_end", 0);
}

/* Half the opening angle in deg, friction, and what the ratio of the run is, at full sliding. */
static double slide(double half_angle_deg, double friction)
{
    scenario_run run;
    scenario_init(&run, "rope-in-groove");
    scenario_set(&run, "bodies.sheave.shape.angle_deg=%.17g", 2 * half_angle_deg);
    scenario_set(&run, "contact.friction=%.17g", friction);
    scenario_set(&run, "output.probes=[rope.tension_start, rope.tension_end, contact.sticking, "
                       "contact.friction_effective, contact.slip_angle]");
    scenario_complete(&run);
    assert_near(scenario_last(&run, "contact.sticking", 0), 0, 0, 0);
    assert_true(run.summary.certificate.penetration_points_max < 1e-10);
    assert_true(run.summary.cpu_seconds < 20);
    const double wedge = friction / sin(half_angle_deg * pi / 180);
    assert_near(scenario_last(&run, "contact.friction_effective", 0), wedge, 0, 1e-4);
    assert_near(scenario_last(&run, "contact.slip_angle", 0), pi, 0, 1.0 / 40); /* by a spacing */
    const double found = ratio(&run);
    scenario_close(&run);
    return found;
}

static void a_sliding_rope_in_a_v_groove_has_the_ratio_of_the_wedge(void **state)
{
    static const double half_angle_deg[] = {17.5, 17.5, 17.5, 30}, mu[] = {0.1, 0.05, 0.2, 0.1};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const double want = exp(mu[i] * pi / sin(half_angle_deg[i] * pi / 180));
        assert_near(slide(half_angle_deg[i], mu[i]), want, 0, 5e-5);
    }
}

/* 81 knots of a string that turns by d at each: what is left of the discrete law. */
static void its_knots_are_close_enough(void **state)
{
    const double f = 0.1 / sin(17.5 * pi / 180), x = f * tan(0.5 * pi / 81);
    (void)state;
    assert_near(81 * log((1 + x) / (1 - x)), pi * f, 0, 5e-4);
}

/* Both flanks carry the same: the rope stays in the middle, friction is full and along the rope. */
static void every_flank_has_its_own_full_friction_along_the_rope(void **state)
{
    const double mu = 0.1;
    scenario_run run;
    sections all;
    (void)state;
    scenario_init(&run, "rope-in-groove");
    scenario_complete(&run);
    gather(&run, &all);
    assert_int_equal(all.count, 81);
    assert_near(run.simulation->observation->pair[0].wrap_angle,
                fabs(all.at[80].angle - all.at[0].angle), 0, 1e-9);
    for (int i = 0; i < all.count; i++) {
        const section *s = &all.at[i];
        assert_int_equal(s->areas, 2);
        assert_near(s->normal[0], s->normal[1], 0, 1e-6);
        for (int k = 0; k < 2; k++) {
            assert_true(s->normal[k] > 0);
            assert_near(s->along[k], -mu * s->normal[k], 0, 1e-6);
            assert_near(s->up[k], 0, 1e-5 * s->normal[k], 0);
        }
        assert_near(s->radial, 2 * s->normal[0] * sin(17.5 * pi / 180), 0, 1e-6);
    }
    for (int node = 0; node <= 100; node += 10) {
        const double *q = run.simulation->state->q + run.simulation->model.cable[0].first_q;
        assert_near(q[6 * node + 2], 0, 1e-12, 0);
    }
    scenario_close(&run);
}

/* mu' = mu / sin(delta) on the cylinder that a rope at rest would touch. */
static void a_cylinder_of_higher_friction_stands_for_the_groove(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "rope-in-groove");
    scenario_set(&run, "bodies.sheave.shape={type: cylinder, radius: 0.245}");
    scenario_set(&run, "contact.friction=%.17g", 0.1 / sin(17.5 * pi / 180));
    scenario_complete(&run);
    assert_near(ratio(&run), slide(17.5, 0.1), 0, 2e-5);
    scenario_close(&run);
}

/* One area: a round bottom, or a flat one above the place where the flanks would carry. */
static void one_area_has_the_friction_of_a_flat_sheave(void **state)
{
    static const char *const set[] = {"bodies.sheave.shape.profile=u",
                                      "bodies.sheave.shape.profile=v-flat"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "rope-in-groove");
        scenario_set(&run, "%s", set[i]);
        scenario_set(&run, "bodies.sheave.shape.radius=%g", i == 0 ? 0.25 : 0.2499);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.closed", 0), 81, 0, 0);
        assert_near(ratio(&run), exp(0.1 * pi), 0, 5e-5);
        scenario_close(&run);
    }
}

/*
 * Three areas on two degrees of freedom: how they share the load is not determined; whatever the
 * share, f = mu sum N / (radial load) in every section, and T2/T1 = exp(integral of f).
 */
static void three_areas_have_the_friction_of_their_share(void **state)
{
    const double mu = 0.1, flank = 1 / sin(17.5 * pi / 180);
    scenario_run run;
    sections all;
    double sum = 0;
    (void)state;
    scenario_init(&run, "rope-in-groove");
    scenario_set(&run, "bodies.sheave.shape.profile=v-flat");
    scenario_complete(&run);
    gather(&run, &all);
    assert_int_equal(all.count, 81);
    for (int i = 0; i < all.count; i++) {
        const section *s = &all.at[i];
        double normal = 0;
        assert_int_equal(s->areas, 3);
        for (int k = 0; k < 3; k++) {
            normal += s->normal[k];
            assert_true(s->normal[k] >= 0);
            assert_true(hypot(s->along[k], s->up[k]) <= mu * s->normal[k] * (1 + 1e-6) + 1e-6);
        }
        assert_true(normal >= s->radial * (1 - 1e-9) && normal <= s->radial * flank * (1 + 1e-9));
        sum += mu * normal / s->radial;
    }
    assert_near(ratio(&run), exp(sum / 81 * pi), 0, 1e-5);
    assert_true(ratio(&run) > 1.01 * exp(mu * pi) && ratio(&run) < 0.99 * exp(mu * pi * flank));
    scenario_close(&run);
}

/* The rope falls by 10 um onto the flanks. */
static void friction_points_up_the_flanks_while_the_rope_sinks(void **state)
{
    const double mu = 0.1;
    scenario_run run;
    sections all = {.count = 0};
    int middle = 0;
    (void)state;
    scenario_init(&run, "rope-in-groove");
    scenario_set(&run, "bodies.sheave.shape.radius=0.24999");
    scenario_set(&run, "bodies.sheave.motion={fixed: true}");
    scenario_set(&run, "cables.rope.ends.start={tension: 1000, towards: [0, -1, 0]}");
    scenario_open(&run);
    for (int step = 0; step < 10 && all.count == 0; step++) {
        assert_int_equal(haw_simulation_step(run.simulation), HAW_OK);
        gather(&run, &all);
    }
    for (int i = 0; i < all.count; i++) {
        const section *s = &all.at[i];
        for (int k = 0; k < s->areas && fabs(s->angle) < 0.05; k++) {
            assert_true(s->up[k] > 0.95 * mu * s->normal[k]);
            assert_near(hypot(s->along[k], s->up[k]), mu * s->normal[k], 0, 1e-6);
            middle++;
        }
    }
    assert_true(middle >= 4);
    scenario_close(&run);
}

/* Pulled on a sheave that stands still, 20 N per frame: the other end lets go at the same ratio. */
static void a_pulled_rope_slides_at_the_same_ratio(void **state)
{
    const double t_slip = (1000 * exp(0.1 * pi / sin(17.5 * pi / 180)) - 1000) / 2000;
    scenario_run run;
    (void)state;
    scenario_init(&run, "rope-in-groove");
    scenario_set(&run, "bodies.sheave.motion={fixed: true}");
    scenario_set(&run, "cables.rope.ends.start={tension: {table: [[0, 1000], [1, 3000]], ramp: "
                       "linear}, towards: [0, -1, 0]}");
    scenario_set(&run, "stepper.end=0.94");
    scenario_set(&run, "output.probes=[\"rope.position.y[1:1]\"]");
    scenario_complete(&run);
    const double rest = scenario_at(&run, 1, "rope.position.y[1:1]", 0);
    for (int frame = 1; frame < run.frames; frame++) {
        const double moved = scenario_at(&run, frame, "rope.position.y[1:1]", 0) - rest;
        const double t = run.value[(ptrdiff_t)frame * run.columns];
        if (t < t_slip - 1e-3) {
            assert_near(moved, 0, 1e-6, 0);
        } else if (t > t_slip + 5e-3) {
            assert_true(moved > 1e-4);
        }
    }
    scenario_close(&run);
}

/*
 * Sections that turn feel friction at the surface, a sin(delta) below their centreline (a below it
 * in a round groove): the equilibrium of their moments adds h dT'' to the capstan equation, and T
 * grows with exp(lambda phi), h lambda^2 + (R / mu') lambda - (R - h) = 0, h the depth of friction
 * below the centreline at R, mu' = mu / sin(delta) (H. Singh's rod with bending stiffness 0).
 */
static double rolling_ratio(double sine)
{
    const double radius = 0.25, h = 5e-3 * sine, b = radius * sine / 0.1;
    const double lambda = (sqrt(b * b + 4 * h * (radius - h)) - b) / (2 * h);
    return exp(lambda * pi);
}

/* Beams begin with the tension of the drawing, without blows, and Newton's method knows how normals
 * turn in a groove hardly wider than the rope. */
static void beams_slide_in_every_groove(void **state)
{
    static const struct {
        const char *element, *profile;
        double half_angle_deg; /* 0: one area */
    } of[] = {{"se3", "v", 17.5},        {"se3", "v", 30},         {"se3", "u", 0},
              {"se3-chord", "v", 17.5},  {"se3-chord", "u", 0},    {"corotational", "v", 17.5},
              {"corotational", "v", 30}, {"corotational", "u", 0}, {"corotational", "v-flat", -1}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double degrees = of[i].half_angle_deg > 0 ? of[i].half_angle_deg : 17.5;
        const double sine = of[i].half_angle_deg > 0 ? sin(degrees * pi / 180) : 1;
        scenario_run run;
        scenario_init(&run, "rope-in-groove");
        scenario_set(&run, "cables.rope.element=%s", of[i].element);
        scenario_set(&run, "bodies.sheave.shape.profile=%s", of[i].profile);
        scenario_set(&run, "bodies.sheave.shape.angle_deg=%.17g", 2 * degrees);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.sticking", 0), 0, 0, 0);
        assert_true(run.summary.certificate.penetration_points_max < 1e-10);
        assert_true(fabs(run.summary.ledger.balance_drift) < 1e-8);
        assert_true(fabs(run.summary.ledger.numerical_loss) < 5e-3);
        if (of[i].half_angle_deg < 0) { /* three areas share the load as they like */
            assert_true(ratio(&run) > rolling_ratio(1));
            assert_true(ratio(&run) < rolling_ratio(sin(degrees * pi / 180)));
        } else {
            assert_near(ratio(&run), rolling_ratio(sine), 0, 2e-4);
        }
        scenario_close(&run);
    }
}

/*
 * Capsules add a contact in the middle of each piece that lies on the sheave, so that twice as many
 * carry the same rope: the ratios are those of points, without blows or chatter.
 */
static void capsules_slide_in_every_groove(void **state)
{
    static const struct {
        const char *element, *profile;
        bool rolls, is_wedge;
    } of[] = {{"ancf", "v", false, true},     {"bezier", "v", false, true},
              {"ancf", "u", false, false},    {"bezier-c0", "u", false, false},
              {"se3", "u", true, false},      {"corotational", "u", true, false},
              {"se3-chord", "v", true, true}, {"corotational", "v-flat", true, false}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double sine = of[i].is_wedge ? sin(17.5 * pi / 180) : 1;
        scenario_run run;
        scenario_init(&run, "rope-in-groove");
        scenario_set(&run, "cables.rope.element=%s", of[i].element);
        if (strncmp(of[i].element, "bezier", 6) == 0) {
            scenario_set(&run, "cables.rope.bending_stiffness=0");
        }
        scenario_set(&run, "contact.proxy=capsules");
        scenario_set(&run, "bodies.sheave.shape.profile=%s", of[i].profile);
        scenario_set(&run, "bodies.sheave.shape.radius=%g",
                     strcmp(of[i].profile, "v-flat") == 0 ? 0.2499 : 0.25);
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.sticking", 0), 0, 0, 0);
        assert_near(ratio(&run), of[i].rolls ? rolling_ratio(sine) : exp(0.1 * pi / sine), 0, 2e-4);
        assert_true(run.summary.certificate.newton_iterations < 2 * run.summary.steps);
        assert_near(run.summary.ledger.impact_loss, 0, 1e-3, 0);
        scenario_close(&run);
    }
}

/* [N] in the first element of a yarn laid on a cone under 10 N. */
static double laid_tension(const char *start, const char *contact, int elements, double *middle)
{
    scenario_run run;
    scenario_init(&run, "winding-cone");
    scenario_set(&run, "cables.yarn.element=ancf");
    scenario_set(&run, "cables.yarn.elements=%d", elements);
    scenario_set(&run, "cables.yarn.ends.start=%s", start);
    scenario_set(&run, "%s", contact);
    scenario_set(&run, "output.probes=[yarn.tension_start, \"yarn.tension[0.45:0.55]\"]");
    scenario_complete(&run);
    const double found = scenario_last(&run, "yarn.tension_start", 0);
    *middle = scenario_last(&run, "yarn.tension[0.45:0.55]", 0);
    /* a joint, which holds a clamped end, asks for no leak of energy: some passes more */
    assert_true((double)run.summary.certificate.newton_iterations <
                (strstr(start, "clamped") != NULL ? 1.2 : 1.1) * (double)run.summary.steps);
    scenario_close(&run);
    return found;
}

/*
 * Nothing holds a smooth curve between its first two points: at a pinned end it turns into the
 * chord, and the yarn slips after it until friction carries the tension that it lost. The loss is
 * one of the mesh; a clamped end or a contact in between leaves nothing of it.
 */
static void the_first_span_of_a_laid_yarn_straightens(void **state)
{
    static const char *const pinned = "{body: mandrel}";
    static const char *const points = "contact.proxy=points";
    double middle;
    (void)state;
    const double coarse = laid_tension(pinned, points, 80, &middle);
    assert_near(middle, 10, 0, 3e-4);
    const double fine = laid_tension(pinned, points, 160, &middle);
    assert_near(middle, 10, 0, 1e-4);
    assert_true(10 - coarse < 0.5 && 10 - fine > 0 && 10 - fine < (10 - coarse) / 4);
    assert_near(laid_tension("{body: mandrel, clamped: true}", points, 160, &middle), 10, 0, 5e-4);
    assert_near(laid_tension(pinned, "contact.proxy=capsules", 80, &middle), 10, 0, 4e-3);
    assert_near(middle, 10, 0, 3e-3);
}

/* A soft yarn that slides into its place: Newton's method needs the directions of slip of its own
 * iterate, not those of the one before. */
static void a_soft_yarn_settles_on_a_cone(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "winding-cone");
    scenario_set(&run, "cables.yarn.element=ancf");
    scenario_set(&run, "cables.yarn.stiffness=2827");
    scenario_complete(&run);
    assert_true((double)run.summary.certificate.newton_iterations <
                1.3 * (double)run.summary.steps);
    assert_near(scenario_last(&run, "yarn.tension_start", 0), 10, 0, 5e-3);
    scenario_close(&run);
}

static void slide_in(scenario_run *run, const char *const of[3], const char *stepper)
{
    scenario_init(run, "rope-in-groove");
    scenario_set(run, "cables.rope.element=%s", of[0]);
    scenario_set(run, "bodies.sheave.shape.profile=%s", of[1]);
    scenario_set(run, "bodies.sheave.shape.radius=%g", of[2][0] == 'l' ? 0.2499 : 0.25);
    scenario_set(run, "stepper={%s, step: 1.0e-3, end: 0.15}", stepper);
    scenario_complete(run);
    assert_near(scenario_last(run, "contact.sticking", 0), 0, 0, 0);
}

/* The steps of nsga end with the same tensions, of strings, and of beams, and press as those of
 * moreau-jean do: dampers, here of 50/s, see no velocities where there are none. */
static void nsga_slides_in_every_groove(void **state)
{
    static const char *const of[][3] = {{"ancf", "v", ""},
                                        {"corotational", "v", ""},
                                        {"corotational", "u", ""},
                                        {"se3-chord", "v-flat", "low"}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const double sine = of[i][1][1] == '\0' && of[i][1][0] == 'v' ? sin(17.5 * pi / 180) : 1;
        const double want = i == 0 ? exp(0.1 * pi / sine) : rolling_ratio(sine);
        scenario_run run, other;
        slide_in(&run, of[i], "type: nsga, rho_infinity: 0");
        assert_near(ratio(&run), want, 0, 3e-4);
        assert_true(run.summary.certificate.penetration_points_max < 1e-10);
        assert_true(fabs(run.summary.ledger.balance_drift) < 1e-8);
        assert_near(run.summary.ledger.numerical_loss, 0, 2e-3, 0);
        assert_near(run.summary.ledger.impact_loss, 0, 2e-5, 0);
        slide_in(&other, of[i], "type: moreau-jean, theta: 0.6");
        const double sum = scenario_last(&run, "contact.normal_sum", 0);
        print_message("%s, %s: %.6g N\n", of[i][0], of[i][1], sum);
        assert_near(sum, scenario_last(&other, "contact.normal_sum", 0), 0, 5e-5);
        scenario_close(&run);
        scenario_close(&other);
    }
}

/* A closed rope, three quarters of the groove and nearly as much of the rope. */
static const char hoop[] =
    "hawser: 1\n"
    "title: A hoop in a groove\n"
    "dimension: 3\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  - {name: sheave, motion: {fixed: true},\n"
    "     shape: {type: groove, profile: v, radius: 0.25, rope_radius: 5.0e-3, angle_deg: 35,\n"
    "             rim: 0.255}}\n"
    "cables:\n"
    "  - {name: rope, element: ancf, elements: 80, closed: true, from: [-0.25, 0, 0],\n"
    "     path: [{arc: {center: [0, 0, 0], radius: 0.25, angle_deg: -270}},\n"
    "            {line: [-0.15, -0.25, 0]},\n"
    "            {arc: {center: [-0.15, -0.15, 0], radius: 0.1, angle_deg: -90}},\n"
    "            {line: [-0.25, 0, 0]}],\n"
    "     tension: 1000, stiffness: 4.0e+6, bending_stiffness: 1.0e-3, density: 0.4,\n"
    "     radius: 5.0e-3, damping: {mass: 50}}\n"
    "contact: [{between: [rope, sheave], points_per_element: 1, friction: 0.1}]\n"
    "start: given\n"
    "stepper: {type: moreau-jean, theta: 0.6, step: 1.0e-4, end: 1.0e-4}\n"
    "output: {every: 1.0e-4, probes: [contact.wrap_angle]}\n";

static void the_wrap_of_a_closed_rope_counts_its_points_once(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "hoop");
    run.text = hoop;
    scenario_complete(&run);
    const haw_line *line = &run.simulation->model.cable[0].line;
    assert_near(scenario_last(&run, "contact.wrap_angle", 0), 1.5 * pi, line->le / 0.25, 0);
    scenario_close(&run);
}

TEST_FILE(test_rope_in_groove)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_rope_in_a_v_groove_has_the_ratio_of_the_wedge),
        cmocka_unit_test(its_knots_are_close_enough),
        cmocka_unit_test(every_flank_has_its_own_full_friction_along_the_rope),
        cmocka_unit_test(a_cylinder_of_higher_friction_stands_for_the_groove),
        cmocka_unit_test(one_area_has_the_friction_of_a_flat_sheave),
        cmocka_unit_test(three_areas_have_the_friction_of_their_share),
        cmocka_unit_test(beams_slide_in_every_groove),
        cmocka_unit_test(capsules_slide_in_every_groove),
        cmocka_unit_test(the_first_span_of_a_laid_yarn_straightens),
        cmocka_unit_test(a_soft_yarn_settles_on_a_cone),
        cmocka_unit_test(nsga_slides_in_every_groove),
        cmocka_unit_test(friction_points_up_the_flanks_while_the_rope_sinks),
        cmocka_unit_test(a_pulled_rope_slides_at_the_same_ratio),
        cmocka_unit_test(the_wrap_of_a_closed_rope_counts_its_points_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
