/* SPDX-License-Identifier: BSD-3-Clause */
/* What ropes over sheaves refuse, with the setting that the message speaks of. */
#include "support/reeving.h"

/* ---- the course ---- */

static void name_nobody(reeving_case *c)
{
    c->sheave[1].on = "nobody";
}

static void name_the_car(reeving_case *c)
{
    c->sheave[1].on = "car";
}

static void name_twice(reeving_case *c)
{
    c->sheave[1].on = "block";
}

static void side_of_nowhere(reeving_case *c)
{
    c->sheave[1].side = 7;
}

static void overlap(reeving_case *c)
{
    c->body[REEVING_BLOCK].position[0] = 0.8;
    c->body[REEVING_BLOCK].position[1] = 0.6;
}

static void start_inside(reeving_case *c)
{
    c->cable.from[0] = 0.55;
    c->cable.from[1] = -3.1;
}

static void end_inside(reeving_case *c)
{
    c->body[REEVING_CAR].position[0] = 1.3;
    c->body[REEVING_CAR].position[1] = 0.45;
}

static void pass_straight(reeving_case *c) /* all on the line x = 0.3 */
{
    c->body[REEVING_DRIVE].position[0] = 0;
    c->body[REEVING_DRIVE].position[1] = -6;
}

static void short_spans(reeving_case *c)
{
    c->body[REEVING_BLOCK].position[1] = 0;
    c->body[REEVING_BLOCK].position[0] = 0.65;
}

static void courses_without_a_rope_are_refused(void **state)
{
    (void)state;
    const reeving_refusal rows[] = {
        {name_nobody, "cables.rope.reeving", "no sheave is named 'nobody'"},
        {name_the_car, "cables.rope.reeving", "must be a body with the shape circle"},
        {name_twice, "cables.rope.reeving", "'block' occurs twice"},
        {side_of_nowhere, "cables.rope.reeving", "left or right"},
        {overlap, "cables.rope.reeving", "'block' and 'drive' overlap"},
        {start_inside, "cables.rope.reeving", "its start 'from' lies inside the sheave 'block'"},
        {end_inside, "cables.rope.reeving", "its end 'car' lies inside the sheave 'drive'"},
        {pass_straight, "cables.rope.reeving", "passes the sheave 'block' without"},
        {short_spans, "cables.rope.overflow", "longer than half of span 2"},
    };
    reeving_refuses(rows, sizeof rows / sizeof *rows);
}

/* ---- keys ---- */

static void few_elements(reeving_case *c)
{
    c->cable.elements = 1;
}

static void other_element(reeving_case *c)
{
    c->cable.element = "bezier";
}

static void no_reeving(reeving_case *c)
{
    c->cable.sheaves = 0;
}

static void closed(reeving_case *c)
{
    c->cable.closed = true;
}

static void with_a_path(reeving_case *c)
{
    c->cable.segments = 1;
}

static void slack(reeving_case *c)
{
    c->cable.slack = true;
}

static void strained(reeving_case *c)
{
    c->cable.reference_strain = 0.01;
}

static void curved(reeving_case *c)
{
    c->cable.reference_curvature = 0.01;
}

static void shaped(reeving_case *c)
{
    c->cable.reference = HAW_REFERENCE_DRAWN;
}

static void ruled(reeving_case *c)
{
    c->cable.quadrature = HAW_SCHEME_A;
}

static void gauss(reeving_case *c)
{
    c->cable.gauss_points = 5;
}

static void damped(reeving_case *c)
{
    c->cable.damping_mass = 2;
}

static void driven_strain(reeving_case *c)
{
    c->cable.damping_strain = -1;
}

static void bending(reeving_case *c)
{
    c->cable.bending_stiffness = -1;
}

static void many_modes(reeving_case *c)
{
    c->cable.modes[1] = 9;
}

static void no_modes(reeving_case *c)
{
    c->cable.modes[0] = -1;
}

static void negative_overflow(reeving_case *c)
{
    c->cable.overflow = -0.1;
}

static void long_overflow(reeving_case *c)
{
    c->cable.overflow = 3;
}

static void unknown_tension(reeving_case *c)
{
    c->cable.bending_stiffness = 10;
    c->scene.gravity[1] = 0;
}

static void tension_and_length(reeving_case *c)
{
    c->cable.tension = 1;
    c->cable.length = 1;
}

static void keys_of_other_cables_are_refused(void **state)
{
    (void)state;
    const reeving_refusal rows[] = {
        {few_elements, "cables.rope.elements", "at least 2 elements"},
        {other_element, "cables.rope.element", "ale or arc1d, not 'bezier'"},
        {no_reeving, "cables.rope.reeving", "'ale' is for ropes over sheaves"},
        {closed, "cables.rope.closed", "no 'closed'"},
        {with_a_path, "cables.rope.path", "no 'path'"},
        {slack, "cables.rope.slack", "no 'slack'"},
        {strained, "cables.rope.reference_strain", "no 'reference_strain'"},
        {curved, "cables.rope.reference_curvature", "no 'reference_curvature'"},
        {shaped, "cables.rope.reference", "no 'reference'"},
        {ruled, "cables.rope.quadrature", "no 'quadrature'"},
        {gauss, "cables.rope.gauss_points", "no 'gauss_points'"},
        {damped, "cables.rope.damping.mass", "no 'damping.mass'"},
        {driven_strain, "cables.rope.damping.strain", "damping.strain must be >= 0 N s (got -1)"},
        {bending, "cables.rope.bending_stiffness", "bending_stiffness must be >= 0"},
        {many_modes, "cables.rope.modes.transverse", "between 0 and 8 (got 9)"},
        {no_modes, "cables.rope.modes.axial", "between 0 and 8 (got -1)"},
        {negative_overflow, "cables.rope.overflow", "overflow must be >= 0"},
        {long_overflow, "cables.rope.overflow", "longer than half of span 1"},
        {unknown_tension, "cables.rope.overflow", "needs a tension"},
        {tension_and_length, "cables.rope", "either tension or length"},
    };
    reeving_refuses(rows, sizeof rows / sizeof *rows);
}

/* ---- ends, company, loads ---- */

static void clamped_on_a_body(reeving_case *c)
{
    c->cable.ends[1].kind = HAW_END_CLAMPED;
}

static void off_its_centre(reeving_case *c)
{
    c->cable.ends[1].has_at = true;
    c->cable.ends[1].at[0] = 0.5;
}

static void unknown_end(reeving_case *c)
{
    c->cable.ends[1].body = "nobody";
}

static void no_end(reeving_case *c)
{
    c->cable.ends[1].body = NULL;
}

static void end_elsewhere(reeving_case *c)
{
    c->cable.to[0] = c->cable.to[1] = 1;
}

static void in_space(reeving_case *c)
{
    c->scene.dimension = 3;
    for (int i = 0; i < REEVING_BODIES; i++) {
        c->body[i] = haw_body_spec_default();
        c->body[i].name = i == 0 ? "block" : (i == 1 ? "drive" : "car");
        c->body[i].motion = HAW_MOTION_FIXED;
    }
}

static haw_force_spec force;
static haw_spring_spec spring;
static const char *lock;

static void pulled(reeving_case *c)
{
    force = haw_force_spec_default();
    force.on = "rope";
    force.point = 0.5;
    c->scene.forces = 1;
    c->scene.force = &force;
}

static void sprung(reeving_case *c)
{
    spring = haw_spring_spec_default();
    spring.stiffness = 1;
    spring.between[0] = (haw_spring_end){.on = "rope", .at = {0.5}};
    spring.between[1] = (haw_spring_end){.on = NULL, .at = {0, 0}};
    c->scene.springs = 1;
    c->scene.spring = &spring;
}

static void locked(reeving_case *c)
{
    lock = "rope.start.x";
    c->scene.locks = 1;
    c->scene.lock = &lock;
}

static void ends_and_company_are_refused(void **state)
{
    (void)state;
    const reeving_refusal rows[] = {
        {clamped_on_a_body, "cables.rope.ends", "is hinged to the centre of a body"},
        {off_its_centre, "cables.rope.ends", "is hinged to the centre of a body"},
        {unknown_end, "cables.rope.ends", "no body is named 'nobody'"},
        {no_end, "cables.rope.to", "its end needs a body or a place 'to'"},
        {end_elsewhere, "cables.rope.to", "rides on the centre of 'car'"},
        {in_space, "cables.rope.reeving", "are planar"},
        {pulled, "forces", "force on the rope 'rope'"},
        {sprung, "springs", "spring on the rope 'rope'"},
        {locked, "start.lock", "cannot lock 'rope.start.x'"},
    };
    reeving_refuses(rows, sizeof rows / sizeof *rows);
}

TEST_FILE(test_reeving_refusals)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(courses_without_a_rope_are_refused),
        cmocka_unit_test(keys_of_other_cables_are_refused),
        cmocka_unit_test(ends_and_company_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
