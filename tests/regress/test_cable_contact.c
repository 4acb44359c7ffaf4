/* SPDX-License-Identifier: BSD-3-Clause */
/* Cables that touch cables: whole runs against closed forms, and what is reported of them. */
#include "model/model.h"
#include "support/scenario.h"

/* A line has neither a centre nor an axis: angles about it are no numbers, lengths and tensions
 * are. */
static void zones_of_contact_with_a_line_are_measured(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "crossing-strings");
    scenario_set(&run, "output.probes=[contact.contact_length, contact.length, contact.tension_in, "
                       "contact.slip_angle, contact.friction_effective, a.tension_mean]");
    scenario_complete(&run);
    const double spacing = 1.0 / 40 / 100; /* 0.25 mm, an eighth of the radius */
    const double length = scenario_last(&run, "contact.contact_length", 0);
    assert_true(length > 0.9 * spacing && length < 4 * spacing);
    assert_true(scenario_last(&run, "contact.length", 0) == length);
    assert_near(scenario_last(&run, "contact.tension_in", 0),
                scenario_last(&run, "a.tension_mean", 0), 0, 1e-6);
    assert_true(isnan(scenario_last(&run, "contact.slip_angle", 0)));
    assert_true(isnan(scenario_last(&run, "contact.friction_effective", 0)));
    scenario_close(&run);
}

/* The strings begin 0.1 mm apart, one comes down by 20.1 mm/s; far apart no gap is known. */
static void the_smallest_gap_is_that_of_the_strings(void **state)
{
    static const struct {
        const char *end;
        double gap;
    } row[] = {{"stepper.end=1.0e-3", 1e-4 - 20.1e-6}, {"stepper.end=1", 0}};

    scenario_run run;
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_init(&run, "crossing-strings");
        scenario_set(&run, "output.probes=[contact.gap_min, a-b.gap_min]");
        scenario_set(&run, row[i].end);
        scenario_set(&run, i == 0 ? "stepper.step=1.0e-3" : "stepper.step=0.05");
        scenario_complete(&run);
        assert_near(scenario_last(&run, "contact.gap_min", 0), row[i].gap, 1e-12, 0);
        assert_near(scenario_last(&run, "a-b.gap_min", 0), row[i].gap, 1e-12, 0);
        scenario_close(&run);
    }
    scenario_init(&run, "disk-impact");
    scenario_set(&run, "output.probes=[contact.gap_min]");
    scenario_set(&run, "stepper.end=1.0e-3");
    scenario_complete(&run);
    assert_true(isnan(scenario_last(&run, "contact.gap_min", 0)));
    scenario_close(&run);
}

/* ---- oblique collision ---- */

/*
 * B also moves along A. It sticks as long as F = 2 vx ZL ZB / (ZL + ZB) <= mu N: vx / v <= 0.16493
 * with N = 0.4450 N, ZL = sqrt(EA m). Means before a longitudinal wave is back from a support
 * (doc/theory/cable-cable.md).
 *
 * @param slip  speed of B past A [m/s]
 * @return      force along A [N]
 */
static double collide_obliquely(double along, const char *between, double *slip)
{
    scenario_run run;
    scenario_init(&run, "two-strings-collide");
    for (int i = 0; i < 2; i++) {
        scenario_set(&run, "cables.%c.elements=200", "ab"[i]);
    }
    scenario_set(&run, "cables.b.velocity=[%g, 0, -0.2]", along);
    scenario_set(&run, "cables.b.ends.start.motion.velocity=[%g, 0, -0.2]", along);
    scenario_set(&run, "cables.b.ends.end.motion.velocity=[%g, 0, -0.2]", along);
    scenario_set(&run, "contact.friction=0.3");
    scenario_set(&run, "contact.between=%s", between);
    scenario_set(&run, "stepper.step=1e-5");
    scenario_set(&run, "stepper.end=2.1e-3");
    scenario_set(&run, "output.every=1e-4");
    scenario_set(&run, "output.probes=[contact.impulse, \"a.position[0.5:0.5]\", "
                       "\"b.position[0.5:0.5]\"]");
    scenario_complete(&run);
    const int from = scenario_frame_at(&run, 1.3e-3), to = scenario_frame_at(&run, 2.1e-3);
    double change[3];
    static const char *const probe[] = {"contact.impulse", "a.position[0.5:0.5]",
                                        "b.position[0.5:0.5]"};
    for (int k = 0; k < 3; k++) {
        change[k] = (scenario_at(&run, to, probe[k], 0) - scenario_at(&run, from, probe[k], 0)) /
                    (scenario_time(&run, to) - scenario_time(&run, from));
    }
    *slip = change[2] - change[1];
    scenario_close(&run);
    return fabs(change[0]);
}

static void strings_that_collide_obliquely_stick_or_slip(void **state)
{
    double slip;
    (void)state;
    assert_near(collide_obliquely(0.03, "[a, b]", &slip), 0.12142, 0, 3e-3);
    assert_near(slip, 0, 1e-6, 0); /* of 0.03 m/s */
    (void)collide_obliquely(0.98 * 0.16493 * 0.2, "[b, a]", &slip);
    assert_near(slip, 0, 1e-6, 0); /* of 0.03 m/s */
    (void)collide_obliquely(1.02 * 0.16493 * 0.2, "[a, b]", &slip);
    assert_true(slip > 1e-4);
    for (int i = 0; i < 2; i++) { /* b slides along a and has the grid, whichever is named first */
        const double force = collide_obliquely(0.06, i == 0 ? "[a, b]" : "[b, a]", &slip);
        assert_near(force, 0.13350, 0, 1e-2);
        assert_near(slip, 0.02701, 0, 1e-2);
    }
}

/*
 * Supports of a string that is pressed on another one are led along it. It has the grid also where
 * its elements are a little longer: over points of the other, 1 mm apart, it would go as over pegs
 * of the slope 1/8, which took up to 1.6 mu N. The slope of the other at the contact adds at most
 * alpha = 0.02 to mu.
 */
static void what_slides_along_has_the_grid(void **state)
{
    static const char move[] = "{motion: {velocity: [{table: [[1, 0], [1.001, 0.02], [2, 0.02]]}, "
                               "0, {table: [[0, -0.0201], [1, -0.0201], [1.001, 0]]}]}}";
    (void)state;
    for (int n = 40; n <= 60; n += 20) {
        scenario_run run;
        scenario_init(&run, "crossing-strings");
        scenario_set(&run, "cables.a.element=bezier");
        scenario_set(&run, "cables.b.element=bezier");
        scenario_set(&run, "cables.a.elements=%d", n);
        scenario_set(&run, "cables.b.tension=60");
        scenario_set(&run, "cables.b.ends={start: %s, end: %s}", move, move);
        scenario_set(&run, "contact.friction=0.15");
        scenario_set(&run, "stepper.step=0.02");
        scenario_set(&run, "stepper.end=2");
        scenario_set(&run, "output.every=0.02");
        scenario_complete(&run);
        for (int i = scenario_frame_at(&run, 1.4); i <= scenario_frame_at(&run, 2); i++) {
            const double along = fabs(scenario_at(&run, i, "contact.force", 0));
            const double across = fabs(scenario_at(&run, i, "contact.force", 2));
            assert_near(along / across, 0.15, 0.02, 0);
        }
        scenario_close(&run);
    }
}

/* ---- many cables and a body ---- */

/* Two ropes that fall on a peg and on each other, by pairs of one cable or by a pattern. */
static void drop_ropes(scenario_run *run, const char *step, const char *law, bool by_pattern)
{
    static const char *const between[] = {"r1, p", "r2, p", "\"r*\", p"};
    scenario_text scene = {.length = 0};
    scenario_write(&scene, "hawser: 1\ngravity: [0, -9.81]\nstart: given\nbodies:\n"
                           "  - {name: p, shape: {type: circle, radius: 0.05}, position: [0, 0], "
                           "motion: {fixed: true}}\ncables:\n");
    for (int i = 0; i < 2; i++) {
        scenario_write(
            &scene,
            "  - {name: r%d, element: bezier, elements: 20, from: [%g, %g], to: [%g, %g], "
            "stiffness: 1.0e4, density: 0.2, radius: 0.01, "
            "ends: {start: free, end: free}}\n",
            i + 1, i - 0.6, 0.08 + 0.03 * i, i + 0.6, 0.08 + 0.03 * i);
    }
    scenario_write(&scene, "contact:\n  - {between: [r1, r2], points_per_element: 8, %s}\n", law);
    for (int i = by_pattern ? 2 : 0; i < (by_pattern ? 3 : 2); i++) {
        scenario_write(&scene, "  - {between: [%s], points_per_element: 8, %s}\n", between[i], law);
    }
    scenario_write(&scene,
                   "stepper: {type: %s, end: 0.1}\noutput: {every: 0.05, probes: "
                   "[r1.position, r2.position, contact.normal_sum, contact.gap_min]}\n",
                   step);
    scenario_init(run, "ropes");
    run->text = scene.text;
    scenario_complete(run);
}

static void a_pattern_and_a_body_are_the_pairs_of_each_cable(void **state)
{
    static const char *const step[] = {"moreau, step: auto", "moreau-jean, step: 5.0e-4",
                                       "nsga, step: 5.0e-4"};
    static const char *const law[] = {
        "friction: 0.3", "friction: 0.3, law: penalty, per: length, normal_stiffness: 1.0e6, "
                         "tangential: bristle, tangential_stiffness: 1.0e5"};
    static const char *const probe[] = {"r1.position", "r2.position", "contact.normal_sum",
                                        "contact.gap_min"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        scenario_run one, many;
        drop_ropes(&one, step[i / 2], law[i % 2], false);
        drop_ropes(&many, step[i / 2], law[i % 2], true);
        assert_true(scenario_last(&one, "contact.normal_sum", 0) > 0);
        for (int k = 0; k < 6; k++) {
            const char *name = probe[k < 4 ? k / 2 : k - 2];
            const int at = k < 4 ? k % 2 : 0;
            assert_near(scenario_last(&one, name, at), scenario_last(&many, name, at), 1e-9,
                        1e-9); /* contacts are solved in another order, to 1e-8 */
        }
        scenario_close(&one);
        scenario_close(&many);
    }
}

/* Many cables have no one place where they come to the body. */
static void probes_of_one_arc_are_refused_for_a_pattern(void **state)
{
    scenario_run run;
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_init(&run, "cable-pile");
        scenario_set(&run, "output.probes=[\"cable-*-%s.contact_length\"]",
                     i == 0 ? "floor" : "cable-*");
        assert_int_equal(haw_context_create(NULL, &run.context), HAW_OK);
        assert_int_equal(scenario_build(&run), HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(run.context), "named without a pattern"));
        scenario_close(&run);
    }
}

/* ---- rope over rope ---- */

/* W = 2 D int du / Dz over the sines of slope of A, whose legs leave at `angle` (clasp). */
static double find_clasp(double angle, double ratio)
{
    enum { PARTS = 2000 };

    double sum = 0;
    for (int i = 0; i < PARTS; i++) {
        const double x = (i + 0.5) / PARTS * angle, u = sin(x), v = ratio * (sin(angle) - u);
        sum += cos(x) * sqrt(1 / (1 - u * u) + 1 / (1 - v * v) - 1);
    }
    return 2 * sum * angle / PARTS;
}

/* Tension of an end and the slope of its leg, from the reaction. */
static double find_leg(const scenario_run *run, const char *reaction, double *angle)
{
    double f[3];
    for (int k = 0; k < 3; k++) {
        f[k] = scenario_last(run, reaction, k);
    }
    const double across = hypot(f[0], f[1]);
    *angle = atan2(fabs(f[2]), across);
    return hypot(across, f[2]);
}

/* A string whose legs leave at 80 degrees, with the arc of the radius D between them. */
static void add_bight(scenario_text *scene, const char *name, int elements, bool hangs)
{
    static const double D = 0.01, steep = 80 * 3.14159265358979323846 / 180;
    for (int i = -13; i <= 13; i++) {
        const double on = steep * fmin(abs(i), 12) / 12, leg = abs(i) > 12 ? D : 0;
        const double along = (i < 0 ? -1 : 1) * (D * sin(on) + leg * cos(steep));
        const double up = D * (1 - cos(on)) + leg * sin(steep);
        if (i == -13) {
            scenario_write(scene, "  - name: %s\n    from: [%.9g, %.9g, %.9g]\n", name,
                           hangs ? 0 : along, hangs ? along : 0, hangs ? D - up : up - 1e-3 * D);
        }
        scenario_write(
            scene, i == -13 ? "    path: [{points: [[%.9g, %.9g, %.9g]" : ", [%.9g, %.9g, %.9g]",
            hangs ? 0 : along, hangs ? along : 0, hangs ? D - up : up - 1e-3 * D);
    }
    scenario_write(scene,
                   "]}]\n    element: %s\n    elements: %d\n    tension: 10\n    stiffness: 400\n"
                   "    density: 0.05\n    radius: 0.005\n    ends: {start: pinned, end: pinned}\n",
                   hangs ? "bezier" : "bezier-c0", elements);
}

/* Near its tip a bight that turns so far follows the other one with the radius D: feet move by half
 * an element as points move by nothing, and forces that go with them leave no balance. */
static void a_steep_bight_finds_its_equilibrium(void **state)
{
    static scenario_text text;
    scenario_run run;
    double angle;
    (void)state;
    text.length = 0;
    scenario_write(&text, "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n");
    add_bight(&text, "a", 82, false);
    add_bight(&text, "b", 20, true);
    scenario_write(&text, "contact:\n  - {between: [a, b], friction: 0}\n"
                          "stepper: {type: quasi-static, step: 1, end: 1}\n"
                          "output: {every: 1, probes: [contact.normal_sum, a.reaction_start]}\n");
    scenario_init(&run, "clasp");
    run.text = text.text;
    scenario_complete(&run);
    const double tension = find_leg(&run, "a.reaction_start", &angle);
    assert_near(scenario_last(&run, "contact.normal_sum", 0) / tension, find_clasp(angle, 1), 0,
                1e-3);
    scenario_close(&run);
}

/* W at rest without friction; ln(T1 / T2) / mu where it slips. */
static void a_rope_slips_through_the_bight_of_another(void **state)
{
    (void)state;
    for (int slips = 0; slips < 2; slips++) {
        double angle[3];
        scenario_run run;
        scenario_init(&run, "bight-capstan");
        scenario_set(&run, "contact.friction=%g", 0.2 * slips);
        scenario_set(&run, "stepper.end=%d", 1 + slips);
        scenario_complete(&run);
        const double first = find_leg(&run, "loose.reaction_start", &angle[0]);
        const double last = find_leg(&run, "loose.reaction_end", &angle[1]);
        const double tight = find_leg(&run, "tight.reaction_start", &angle[2]);
        const double w = find_clasp((angle[0] + angle[1]) / 2, (first + last) / 2 / tight);
        print_message("W %g, %g\n", w,
                      slips ? log(last / first) / 0.2
                            : scenario_last(&run, "contact.normal_sum", 0) / first);
        if (slips == 0) {
            assert_near(scenario_last(&run, "contact.normal_sum", 0) / first, w, 0, 1e-3);
        } else {
            assert_near(log(last / first) / 0.2, w, 0, 5e-3);
        }
        assert_near(angle[1], acos(0.5), 0, 2e-2);
        scenario_close(&run);
    }
}

/* The whole way of that scene with springs and bristles in place of hard contact: points slide over
 * the kinks of the tight rope, where a few iterations from the prediction find an equilibrium far
 * off. Pulls at the end as of hard contact, from which ten times stiffer springs are ten times less
 * far. */
static void a_rope_slips_through_a_bight_on_springs(void **state)
{
    double pull[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        scenario_run run;
        scenario_init(&run, "bight-capstan");
        for (int k = 0; k < 2 && i > 0; k++) {
            static const char *const key[] = {"normal_stiffness", "tangential_stiffness"};
            scenario_set(&run, "contact.%s=1e%d", key[k], 7 + i);
        }
        if (i > 0) {
            scenario_set(&run, "contact.law=penalty");
            scenario_set(&run, "contact.per=length");
        }
        scenario_complete(&run);
        double angle;
        pull[i] = find_leg(&run, "loose.reaction_start", &angle);
        scenario_close(&run);
    }
    const double soft = pull[1] / pull[0] - 1, stiff = pull[2] / pull[0] - 1;
    print_message("pull %g, with springs %+.2g and %+.2g\n", pull[0], soft, stiff);
    assert_near(soft, 0, 1.5e-2, 0);
    assert_near(stiff, 0, 2.5e-3, 0);
}

/*
 * A string is pressed on another one and slides along it, on springs and bristles: its points
 * change all the way, and friction is mu N from step to step, however far a step goes.
 */
static void bristles_rub_where_points_change(void **state)
{
    scenario_text scene = {.length = 0};
    (void)state;
    static const char form[] =
        "  - {name: %s, element: bezier-c0, elements: 20, from: [%s], to: [%s], tension: %d, "
        "stiffness: 2.0e+4, density: 0.05, radius: 5.0e-3, ends: {start: %s, end: %s}}\n";
    static const char moves[] = "{motion: {velocity: [{table: [[0, 0], [1, 0], [1.001, 0.02], "
                                "[2, 0.02]]}, 0, {table: [[0, -0.0301], [1, -0.0301], [1.001, 0], "
                                "[2, 0]]}]}}";
    scenario_write(&scene, "hawser: 1\ndimension: 3\ngravity: [0, 0, 0]\ncables:\n");
    scenario_write(&scene, form, "a", "-0.5, 0, 0", "0.5, 0, 0", 100, "pinned", "pinned");
    scenario_write(&scene, form, "b", "0, -0.3, 0.0101", "0, 0.3, 0.0101", 300, moves, moves);
    scenario_write(&scene,
                   "contact: [{between: [a, b], friction: 0.3, law: penalty, per: length, "
                   "normal_stiffness: 1.0e+8, tangential_stiffness: 1.0e+8}]\n"
                   "stepper: {type: quasi-static, step: 0.05, end: 1.5}\n"
                   "output: {every: 0.05, probes: [contact.normal_sum, contact.tangential_sum]}\n");
    scenario_run run;
    scenario_init(&run, "string slides along a string");
    run.text = scene.text;
    scenario_complete(&run);
    for (int i = 22; i <= 30; i++) {
        assert_near(scenario_at(&run, i, "contact.tangential_sum", 0),
                    0.3 * scenario_at(&run, i, "contact.normal_sum", 0), 0, 1e-9);
    }
    scenario_close(&run);
}

/* ---- two-ply ---- */

/*
 * M = 2 [B k sin + Q cos + r (Ft sin - Fb cos)] of the ply's own angle and tension T, with the
 * torque Q of a rod and Fb = k (Q - B t), Ft = (T / 2 - Fb sin) / cos. Bending parts times 1 + e.
 */
static double find_ply_moment(double beta, double tension, double torque, double radius)
{
    const double c = cos(beta), s = sin(beta), k = s * s / radius, t = s * c / radius;
    const double bending = 1.570796e-3 * (1 + tension / 2 / c / 6283);
    const double fb = k * (torque - bending * t), ft = (tension / 2 - fb * s) / c;
    return 2 * (bending * k * s + torque * c + radius * (ft * s - fb * c));
}

/*
 * A line of radius 2 mm makes two turns about a stiff one of 5 mm and is pulled through them, both
 * ends along their tangents: T1 / T2 = exp(mu n 2 pi sin(beta)) with tan(beta) = 2 pi r / pitch,
 * p = T sin^2(beta) / r (doc/theory/cable-cable.md). The grid is that of the scene's defaults, on
 * elements longer and shorter than the radius; an eighth of it found no equilibrium in minutes.
 */
static void check_winding(int elements)
{
    const double r = 7e-3, pitch = 0.02, leg = 0.01, pi = acos(-1.0);
    const double beta = atan(2 * pi * r / pitch), s = sin(beta), c = cos(beta);
    scenario_text scene = {.length = 0};
    scenario_run run;
    scenario_write(
        &scene,
        "hawser: 1\ndimension: 3\nstart: static\ncables:\n"
        "  - {name: core, element: bezier, elements: 20, from: [0, 0, 0], to: [0, 0, 0.14], "
        "tension: 2.0e+5, stiffness: 1.0e+7, density: 0.08, radius: 5.0e-3, ends: {start: "
        "pinned, end: pinned}}\n"
        "  - {name: line, element: bezier, elements: %d, from: [%.9g, %.9g, %.9g], path: [{line: "
        "[%g, 0, 0.05]}, {helix: {axis: [0, 0, 1], center: [0, 0, 0.05], radius: %g, turns: 2, "
        "pitch: %g}}, {line: [%.9g, %.9g, %.9g]}], tension: 20, stiffness: 2.0e+4, density: "
        "0.003, radius: 2.0e-3, ends: {start: {tension: 20, towards: [0, %.9g, %.9g]}, end: "
        "{motion: {velocity: [0, %.9g, %.9g]}}}}\n",
        elements, r, -leg * s, 0.05 - leg * c, r, r, pitch, r, leg * s, 0.05 + 2 * pitch + leg * c,
        -s, -c, 0.01 * s, 0.01 * c);
    scenario_write(&scene, "contact: [{between: [line, core], friction: 0.2}]\n"
                           "stepper: {type: quasi-static, step: 0.05, end: 0.3}\n"
                           "output: {every: 0.3, probes: [line.reaction_end, "
                           "contact.normal_sum]}\n");
    scenario_init(&run, "two turns of a line about a line");
    run.text = scene.text;
    scenario_complete(&run);
    const double pull = hypot(scenario_last(&run, "line.reaction_end", 1),
                              scenario_last(&run, "line.reaction_end", 2));
    assert_near(pull / 20, exp(0.2 * 4 * pi * s), 0, 4e-3);
    assert_near(scenario_last(&run, "contact.normal_sum", 0), (pull - 20) / 0.2, 0, 4e-3);
    scenario_close(&run);
}

static void a_line_slips_through_its_turns_about_another(void **state)
{
    (void)state;
    check_winding(80);
    check_winding(30);
}

static void a_ply_has_the_moment_of_its_angle_and_tension(void **state)
{
    static const char *const elements[] = {"se3", "ancf"}; /* with torsion, and without */
    static const char *const place[] = {"first.position[0.45:0.45]", "first.position[0.55:0.55]"};
    const double radius = 1e-3;

    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        double x[2][3], sum[3];
        scenario_init(&run, "two-ply");
        scenario_set(&run, "cables.first.element=%s", elements[i]);
        scenario_set(&run, "cables.second.element=%s", elements[i]);
        scenario_complete(&run);
        for (int k = 0; k < 3; k++) {
            x[0][k] = scenario_last(&run, place[0], k);
            x[1][k] = scenario_last(&run, place[1], k);
            sum[k] = scenario_last(&run, "first.reaction_start", k) +
                     scenario_last(&run, "first.reaction_end", k);
            assert_near(scenario_last(&run, "contact.force", k), sum[k], 1e-5, 0);
        }
        const double turn =
            atan2(x[0][0] * x[1][1] - x[0][1] * x[1][0], x[0][0] * x[1][0] + x[0][1] * x[1][1]);
        const double torque = scenario_last(&run, "first.reaction_moment_end", 2);
        /* the end has come to -radius on the x axis */
        const double moment = 2 * (torque - radius * scenario_last(&run, "first.reaction_end", 1));
        const double beta = atan(radius * turn / (x[1][2] - x[0][2]));
        const double tension = 2 * scenario_last(&run, "first.reaction_end", 2);
        print_message("%s: M %.6g, by the formula %.6g\n", elements[i], moment,
                      find_ply_moment(beta, tension, torque, radius));
        assert_near(moment, find_ply_moment(beta, tension, torque, radius), 0, 1e-3);
        scenario_close(&run);
    }
}

/* ---- compliant laws ---- */

/* 0: rigid. */
static void set_springs(scenario_run *run, double stiffness)
{
    if (stiffness > 0) {
        scenario_set(run, "contact.law=penalty");
        scenario_set(run, "contact.normal_stiffness=%g", stiffness);
    }
}

/* Force where crossing strings press on each other with springs of this stiffness per length, 0:
 * rigid, and how far the reports of their tensions differ. */
static double press(double stiffness, const char *between, double *tensions)
{
    scenario_run run;
    scenario_init(&run, "crossing-strings");
    set_springs(&run, stiffness);
    scenario_set(&run, "contact.between=%s", between);
    scenario_complete(&run);
    const double force = scenario_last(&run, "contact.normal_sum", 0);
    *tensions = scenario_last(&run, "a.tension_mean", 0) - scenario_last(&run, "b.tension_mean", 0);
    scenario_close(&run);
    return force;
}

/* Springs become rigid with the first order of their softness, and both cables carry points: alike
 * cables are alike, whichever is named first. */
static void stiff_springs_are_hard_contact(void **state)
{
    double force[3], apart, other;
    (void)state;
    for (int i = 0; i < 3; i++) {
        force[i] = press(1e6 * (1 << i), "[a, b]", &apart);
        assert_near(apart, 0, 1e-8, 0);
    }
    const double swapped = press(4e6, "[b, a]", &other);
    assert_near(swapped, force[2], 1e-8, 0);
    assert_near((force[1] - force[0]) / (force[2] - force[1]), 2, 0, 2e-3);
    const double rigid = 2 * force[2] - force[1];
    assert_near(rigid, press(0, "[a, b]", &apart), 0, 2e-5);
}

/* Moment of the ends of a ply after three tenths of a turn with springs at each point, 0: rigid. */
static double wind(double stiffness, long *iterations)
{
    scenario_run run;
    scenario_init(&run, "two-ply");
    scenario_set(&run, "stepper.end=0.05");
    set_springs(&run, stiffness);
    scenario_complete(&run);
    const double moment = scenario_last(&run, "first.reaction_moment_end", 2);
    *iterations = run.summary.certificate.newton_iterations;
    scenario_close(&run);
    return moment;
}

/* All points of a ply close and open by turns on the way of Newton's method, and feet of springs go
 * over the nodes of the other cable. Stiffer springs cost no more. */
static void springs_wind_a_ply_as_hard_contact_does(void **state)
{
    long iterations;
    (void)state;
    const double rigid = wind(0, &iterations);
    const double soft = wind(1e4, &iterations) - rigid, stiff = wind(1e5, &iterations) - rigid;
    print_message("M %.8g, with springs %+.3g and %+.3g\n", rigid, soft, stiff);
    assert_in_range(iterations, 10, 120);
    assert_near(soft / stiff, 10, 0, 0.15);
    (void)wind(1e8, &iterations);
    assert_in_range(iterations, 10, 120);
}

/* The same with friction, hard and by laws of springs, one turn: points roll, stick and slip, and
 * feet that share a point's force share its bristle. N and the tension of both strands, whose ways
 * hard contact does not measure alike. */
static void a_ply_with_friction_is_wound_by_any_law(void **state)
{
    static const char *const law[] = {NULL, "tangential=bristle", "tangential=lugre",
                                      "regularization_velocity=1.0e-4"};
    double force[4], tension[4];
    (void)state;
    for (int i = 0; i < 4; i++) {
        scenario_run run;
        scenario_init(&run, "two-ply");
        scenario_set(&run, "stepper.end=0.1");
        scenario_set(&run, "contact.friction=0.3");
        set_springs(&run, law[i] != NULL ? 1e6 : 0);
        if (law[i] != NULL) {
            scenario_set(&run, "contact.%s", law[i]);
        }
        if (i == 1 || i == 2) {
            scenario_set(&run, "contact.tangential_stiffness=1e6");
        }
        scenario_complete(&run);
        force[i] = scenario_last(&run, "contact.normal_sum", 0);
        tension[i] = scenario_last(&run, "first.reaction_end", 2) +
                     scenario_last(&run, "second.reaction_end", 2);
        scenario_close(&run);
        print_message("%s: N %.6g, T %.6g\n", law[i] != NULL ? law[i] : "hard", force[i],
                      tension[i]);
        assert_near(force[i], force[0], 0, 4e-3);
        assert_near(tension[i], tension[0], 0, 1e-3);
    }
}

static const char one_on_another[] =
    "hawser: 1\n"
    "title: A short heavy string lies along a long one\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "cables:\n"
    "  - {name: a, element: bezier-c0, elements: 40, from: [-0.5, 0, 0], to: [0.5, 0, 0],\n"
    "     tension: 20, stiffness: 2.0e+4, density: 0.05, radius: 0.002,\n"
    "     ends: {start: pinned, end: pinned}}\n"
    "  - {name: b, element: bezier-c0, elements: 20, from: [-0.25, 1.0e-4, 0.0041],\n"
    "     to: [0.25, 1.0e-4, 0.0041], tension: 20, stiffness: 2.0e+4, density: 1,\n"
    "     radius: 0.002, ends: {start: pinned, end: pinned}}\n"
    "contact:\n"
    "  - {between: [a, b], friction: 0, points_per_element: 14, law: penalty}\n"
    "start: given\n"
    "stepper: {type: static}\n"
    "output: {probes: [contact.normal_sum, a.tension_mean, a.reaction_start, a.reaction_end,\n"
    "                  b.reaction_start, b.reaction_end]}\n";

/* Tension of the long string where springs of this stiffness press at each point. */
static double bear(double stiffness)
{
    static const char *const end[] = {"a.reaction_start", "a.reaction_end", "b.reaction_start",
                                      "b.reaction_end"};
    scenario_run run;
    double sum = 0;
    scenario_init(&run, "one-on-another");
    run.text = one_on_another;
    scenario_set(&run, "contact.normal_stiffness=%g", stiffness);
    scenario_complete(&run);
    for (int i = 0; i < 4; i++) {
        sum += scenario_last(&run, end[i], 2);
    }
    assert_near(sum, 9.81 * (0.05 * 1 + 1 * 0.5) / (1 + 20 / 2e4), 0, 1e-8); /* unstrained */
    assert_true(scenario_last(&run, "contact.normal_sum", 0) > 0.3);
    const double tension = scenario_last(&run, "a.tension_mean", 0);
    scenario_close(&run);
    return tension;
}

/* All points of two strings touch at once, at rest as in a motion. */
static void a_string_rests_on_the_springs_of_another(void **state)
{
    (void)state;
    assert_near(bear(1e6), bear(1e5), 0, 3e-5);
}

static const char slack_strings[] =
    "hawser: 1\n"
    "title: A slack string is lowered onto another one\n"
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "cables:\n"
    "  - {name: a, element: bezier-c0, elements: 24, from: [-0.5, 0, 0], to: [0.5, 0, 0],\n"
    "     length: 1.04, stiffness: 2.0e+4, density: 0.05, radius: 0.006,\n"
    "     ends: {start: pinned, end: pinned}}\n"
    "  - {name: b, element: bezier-c0, elements: 24, from: [0, -0.5, 0.05], to: [0, 0.5, 0.05],\n"
    "     length: 1.003, stiffness: 2.0e+4, density: 0.05, radius: 0.006,\n"
    "     ends: {start: {motion: {velocity: [0, 0, -0.201]}},\n"
    "            end: {motion: {velocity: [0, 0, -0.201]}}}}\n"
    "contact:\n"
    "  - {between: [a, b], friction: 0, law: penalty, normal_stiffness: 1.0e+4,\n"
    "     points_per_element: 8, speed_limit: 100}\n"
    "stepper: {type: quasi-static, end: 1}\n"
    "output: {every: 1, probes: [a.tension_mean]}\n";

/* Tension of the lower string. */
static double lower(double step)
{
    scenario_run run;
    scenario_init(&run, "slack-strings");
    run.text = slack_strings;
    scenario_set(&run, "stepper.step=%g", step);
    scenario_complete(&run);
    const double tension = scenario_last(&run, "a.tension_mean", 0);
    print_message("T %.8g with steps of %g s\n", tension, step);
    scenario_close(&run);
    return tension;
}

/* What is foreseen is the next equilibrium, not any: others have 13 J or 150 J instead of 0.1 mJ.
 */
static void a_path_leaps_to_no_other_equilibrium(void **state)
{
    (void)state;
    const double tension = lower(5e-3);
    assert_near(lower(0.05), tension, 0, 1e-5);
    assert_near(lower(0.1), tension, 0, 1e-5);
}

/* In steps of five sixths of a diameter Newton's method goes through the other string first, to 49
 * J that nothing gave, in an element that is folded there. */
static void a_path_leaps_to_no_fold(void **state)
{
    static const double step[] = {0.01, 0.05};
    double tension[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        scenario_run run;
        scenario_init(&run, "slack-strings");
        run.text = slack_strings;
        scenario_set(&run, "contact.normal_stiffness=1e6");
        scenario_set(&run, "stepper.step=%g", step[i]);
        scenario_complete(&run);
        assert_true(run.summary.ledger.elastic < 1e-4);
        tension[i] = scenario_last(&run, "a.tension_mean", 0);
        scenario_close(&run);
    }
    assert_near(tension[1], tension[0], 0, 1e-9);
}

/* A rope slides along another while the loads rise: points of a coarse grid press at the end with
 * what lies beside them there, as the first step of a path measures it, not where they have been.
 */
static void loads_that_rise_leave_no_dips_behind(void **state)
{
    static const char text[] =
        "hawser: 1\ndimension: 3\ngravity: [0, 0, -9.81]\ncables:\n"
        "  - {name: low, element: ancf, elements: 20, from: [-0.5, 0.013, 0], to: [0.5, -0.017, 0],"
        " stiffness: 500, length: 1.03, bending_stiffness: 2.0e-3, density: 0.05, radius: 0.01}\n"
        "  - {name: top, element: ancf, elements: 20, from: [-0.05, -0.5, 0.1202], to: [0.05, 0.5,"
        " -0.0798], stiffness: 500, length: 1.05, bending_stiffness: 2.0e-3, density: 0.2, radius:"
        " 0.01}\n"
        "contact: [{between: [low, top], law: penalty, normal_stiffness: 2000, proxy: minima,"
        " points_per_element: 6}]\n"
        "start: {type: static, load_steps: 20}\n"
        "stepper: {type: quasi-static, step: 0.01, end: 0.01}\n"
        "output: {every: 0.01, probes: [contact.normal_sum]}\n";
    scenario_run run;
    (void)state;
    scenario_init(&run, "sliding");
    run.text = text;
    scenario_complete(&run);
    assert_near(scenario_at(&run, 0, "contact.normal_sum", 0),
                scenario_last(&run, "contact.normal_sum", 0), 0, 1e-3);
    scenario_close(&run);
}

/* What is said to be missing is missing: points that are held closed are not a residual force. */
static void messages_name_what_is_missed(void **state)
{
    scenario_run run;
    (void)state;
    scenario_init(&run, "two-ply");
    scenario_set(&run, "contact.law=penalty");
    scenario_set(&run, "contact.normal_stiffness=1e6");
    scenario_set(&run, "stepper.type=generalized-alpha");
    scenario_set(&run, "stepper.max_newton=8");
    scenario_open(&run);
    assert_int_equal(scenario_try(&run), HAW_ERR_UNCONVERGED);
    assert_non_null(strstr(haw_context_message(run.context),
                           "contact points that close and open by turns pull"));
    scenario_close(&run);
}

TEST_FILE(test_cable_contact)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zones_of_contact_with_a_line_are_measured),
        cmocka_unit_test(the_smallest_gap_is_that_of_the_strings),
        cmocka_unit_test(a_pattern_and_a_body_are_the_pairs_of_each_cable),
        cmocka_unit_test(probes_of_one_arc_are_refused_for_a_pattern),
        cmocka_unit_test(strings_that_collide_obliquely_stick_or_slip),
        cmocka_unit_test(what_slides_along_has_the_grid),
        cmocka_unit_test(a_steep_bight_finds_its_equilibrium),
        cmocka_unit_test(a_rope_slips_through_the_bight_of_another),
        cmocka_unit_test(a_rope_slips_through_a_bight_on_springs),
        cmocka_unit_test(bristles_rub_where_points_change),
        cmocka_unit_test(a_line_slips_through_its_turns_about_another),
        cmocka_unit_test(a_ply_has_the_moment_of_its_angle_and_tension),
        cmocka_unit_test(stiff_springs_are_hard_contact),
        cmocka_unit_test(springs_wind_a_ply_as_hard_contact_does),
        cmocka_unit_test(a_ply_with_friction_is_wound_by_any_law),
        cmocka_unit_test(a_string_rests_on_the_springs_of_another),
        cmocka_unit_test(a_path_leaps_to_no_other_equilibrium),
        cmocka_unit_test(a_path_leaps_to_no_fold),
        cmocka_unit_test(loads_that_rise_leave_no_dips_behind),
        cmocka_unit_test(messages_name_what_is_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
