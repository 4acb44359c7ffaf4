/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with ropes: knots, prescribed and held dofs, equations, profiles, steps. */
#include "model/system.h"
#include "support/reeving.h"

#include <stdlib.h>

/* ---- knots ---- */

static double element_on(const haw_rope *rope, int arc)
{
    return (rope->arc[arc].label_out - rope->arc[arc].label_in) / rope->per_arc;
}

static void knots_have_one_spacing_along_the_whole_rope(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        reeving_case c;
        reeving_init(&c, "ale");
        c.cable.tension = 2e3;
        c.contact[1].spacing = k == 1 ? 0.011 : (double)NAN;
        c.contact[1].points_per_element = k == 2 ? 7 : 0;
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const haw_pair *pair = &c.model->pair[1];
        const double le = element_on(rope, 1);
        const double want = k == 0 ? le / 3 : (k == 1 ? 0.011 : le / 7);
        assert_near(pair->spacing, want, 1e-15, 0);
        assert_int_equal(pair->points, (int)floor(rope->length / want) + 1);
        assert_int_equal(pair->arc, 1);
        assert_int_equal(rope->arc[1].pair, 1);
        assert_int_equal(rope->arc[0].pair, 0);
        assert_int_equal(pair->first_point, c.model->pair[0].points);
        assert_int_equal(c.state->rows, 2 * (c.model->pair[0].points + pair->points));
        for (int i = 0; i < pair->points; i++) {
            int element;
            double s;
            haw_pair_point(c.model, pair, i, &element, &s);
            assert_true(element >= 0 && element < rope->elements && s >= 0 && s <= 1);
            assert_near(haw_pair_weight(c.model, pair, i), 1, 0, 0);
        }
        reeving_close(&c);
    }
}

static void parameters_of_a_knot_are_those_of_its_length(void **state)
{
    (void)state;
    for (int per = HAW_PER_POINT; per <= HAW_PER_AREA; per++) {
        reeving_case c;
        reeving_init(&c, "ale");
        c.cable.width = 0.02;
        c.contact[0].spacing = 0.01;
        c.contact[0].per = per;
        c.contact[0].normal_damping = 50;
        c.contact[0].tangential_damping = (double)NAN;
        reeving_open(&c);
        const haw_compliance *law = &c.model->pair[0].compliance;
        const double share = per == HAW_PER_POINT ? 1 : (per == HAW_PER_LENGTH ? 0.01 : 2e-4);
        assert_near(law->n.stiffness, 3e8 * share, 0, 1e-14);
        assert_near(law->n.damping, 50 * share, 0, 1e-14);
        assert_near(law->t.stiffness, 1e7 * share, 0, 1e-14);
        assert_near(law->t.damping, sqrt(2 * 1e7 * share * 1.4 * 0.01), 0, 1e-14);
        reeving_close(&c);
    }
}

static int warnings;

static void count_warning(void *user, haw_log_level level, const char *text)
{
    (void)user;
    warnings += level == HAW_LOG_WARNING && strstr(text, "sheave 'drive'") != NULL ? 1 : 0;
}

static void a_sheave_without_contact_is_warned_of(void **state)
{
    (void)state;
    for (int k = 1; k < 3; k++) {
        reeving_case c;
        reeving_init(&c, "ale");
        haw_context_set_log(c.context, count_warning, NULL);
        c.scene.contacts = k;
        warnings = 0;
        reeving_open(&c);
        assert_int_equal(warnings, k == 1 ? 1 : 0);
        reeving_close(&c);
    }
}

/* ---- what is held ---- */

static void ends_rest_and_labels_are_left_to_the_guide(void **state)
{
    (void)state;
    for (int k = 0; haw_ropes[k] != NULL; k++) {
        reeving_case c;
        reeving_init(&c, haw_ropes[k]->name);
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const haw_cable *cable = &c.model->cable[0];
        double *u = c.state->u;
        for (int i = 0; i < c.model->dofs; i++) {
            u[i] = 1 + i;
        }
        haw_model_prescribe(c.model, 0, u);
        int still = 0;
        for (int i = 0; i < cable->line.dofs; i++) {
            still += u[cable->first + i] == 0 ? 1 : 0;
        }
        const int last = rope->label[rope->labels - 1];
        assert_int_equal(still, 4); /* the place at `from` and the two labels */
        assert_near(u[rope->label[0]], 0, 0, 0);
        assert_near(u[last], 0, 0, 0);
        assert_near(u[rope->end_dof[0]], 0, 0, 0);
        assert_near(u[rope->end_dof[0] + 1], 0, 0, 0);
        assert_near(u[rope->label[1]], 1 + rope->label[1], 0, 0);
        assert_int_equal(rope->end_dof[1], c.model->body[REEVING_CAR].first);
        reeving_close(&c);
    }
}

static void held_dofs_have_no_equation(void **state)
{
    (void)state;
    for (int k = 0; haw_ropes[k] != NULL; k++) {
        reeving_case c;
        reeving_init(&c, haw_ropes[k]->name);
        reeving_open(&c);
        const haw_cable *cable = &c.model->cable[0];
        double x[1024];
        haw_system *system;
        assert_true(c.model->dofs <= 1024);
        assert_int_equal(haw_system_create(c.context, c.model, NULL, &system), HAW_OK);
        int unknown = 0;
        for (int i = 0; i < c.model->dofs; i++) {
            x[i] = 1;
            unknown += system->equation[i] >= 0 ? 1 : 0;
        }
        haw_model_hold(c.model, x);
        for (int i = 0; i < cable->line.dofs; i++) {
            const int dof = cable->first + i;
            assert_int_equal(system->equation[dof] < 0, cable->rope->held[i]);
            assert_int_equal(x[dof] == 0, cable->rope->held[i]);
        }
        assert_int_equal(system->equations, unknown);
        /* y and angle of the block, the angle of the drive, y of the car */
        assert_int_equal(system->border, 4);
        haw_system_free(system);
        reeving_close(&c);
    }
}

/* ---- what results show ---- */

/* Distance of a place from the drawn course. */
static double away(const reeving_case *c, const double x[2])
{
    const haw_rope *rope = reeving_rope(c);
    haw_reeving_arc course[3];
    double least = (double)INFINITY;
    haw_reeving_course(c->model, rope, c->state->q, course);
    for (int i = 0; i <= rope->arcs; i++) {
        const double *end = i < rope->arcs ? c->model->body[rope->arc[i].body].start
                                           : c->model->body[REEVING_CAR].start;
        const double angle = i < rope->arcs ? course[i].in : 0;
        const double radius = i < rope->arcs ? rope->arc[i].radius : 0;
        const double d[2] = {x[0] - end[0] - radius * cos(angle),
                             x[1] - end[1] - radius * sin(angle)};
        const double back = -(d[0] * course[i].along[0] + d[1] * course[i].along[1]);
        if (back >= -1e-9 && back <= course[i].span + 1e-9) {
            least = fmin(least, fabs(d[0] * course[i].along[1] - d[1] * course[i].along[0]));
        }
        if (i < rope->arcs) {
            least = fmin(least, fabs(hypot(x[0] - end[0], x[1] - end[1]) - radius));
        }
    }
    return least;
}

/* Cubic elements leave a circle by the fourth power of their angle. */
static void the_drawn_profile_lies_on_the_course_under_its_tension(void **state)
{
    (void)state;
    for (int k = 0; haw_ropes[k] != NULL; k++) {
        reeving_case c;
        reeving_init(&c, haw_ropes[k]->name);
        c.cable.tension = 5e3;
        c.cable.elements = 48;
        c.scene.gravity[1] = 0; /* spans of arc1d hang as their weight says, */
        c.scene.contacts = 0;   /* and its arcs give way with the bed */
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        const int n = haw_cable_sample_count(c.model, 0);
        double *room = calloc(7 * (size_t)n, sizeof *room);
        assert_non_null(room);
        const haw_profile p = {.xi = room,
                               .x = room + n,
                               .y = room + 2 * n,
                               .tension = room + 3 * n,
                               .strain = room + 4 * n,
                               .curvature = room + 5 * n,
                               .element_tension = room + 6 * n};
        haw_cable_profile(c.model, 0, c.state->q, &p);
        int spans = 0;
        for (int e = 0; e < rope->elements; e++) {
            spans += rope->element[e].is_span ? 1 : 0;
        }
        assert_int_equal(spans, 3);
        assert_int_equal(n, 16 * spans + 4 * (rope->elements - spans) + 1);
        assert_near(p.xi[0], 0, 0, 0);
        assert_near(p.xi[n - 1], rope->length, 1e-12, 0);
        for (int i = 0; i < n; i++) {
            const double x[2] = {p.x[i], p.y[i]};
            assert_true(i == 0 || p.xi[i] > p.xi[i - 1]);
            assert_true(away(&c, x) < 1e-6);
            assert_near(p.tension[i], 5e3, 0, 2e-3);
            assert_near(p.strain[i], 5e-3, 0, 2e-3);
            assert_near(p.element_tension[i], 5e3, 0, 2e-3);
        }
        assert_near(haw_cable_tension_mean(&c.model->cable[0], c.state->q), 5e3, 0, 1e-3);
        free(room);
        reeving_close(&c);
    }
}

static void the_step_is_that_of_a_wave_through_the_smallest_element(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "ale");
    reeving_open(&c);
    const haw_rope *rope = reeving_rope(&c);
    const double le = fmin(element_on(rope, 0), element_on(rope, 1));
    assert_near(haw_model_critical_step(c.model), le * sqrt(1.4 / 1e6), 0, 1e-12);
    haw_inertia *inertia;
    assert_int_equal(haw_inertia_create(c.context, c.model, &inertia), HAW_OK);
    assert_int_equal(haw_inertia_set(inertia, 1e-3, 0), HAW_ERR_INPUT);
    haw_inertia_free(inertia);
    reeving_close(&c);
}

static void rows_of_ale_are_left_alone_by_arc1d(void **state)
{
    (void)state;
    reeving_case c;
    reeving_init(&c, "arc1d");
    c.scene.contacts = 0;
    c.cable.bending_stiffness = 10; /* which arc1d leaves alone, like modes and overflow */
    c.cable.overflow = 1;
    reeving_open(&c);
    assert_near(haw_cable_tension_mean(&c.model->cable[0], c.state->q), 0, 1e-6, 0);
    reeving_close(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knots_have_one_spacing_along_the_whole_rope),
        cmocka_unit_test(parameters_of_a_knot_are_those_of_its_length),
        cmocka_unit_test(a_sheave_without_contact_is_warned_of),
        cmocka_unit_test(ends_rest_and_labels_are_left_to_the_guide),
        cmocka_unit_test(held_dofs_have_no_equation),
        cmocka_unit_test(the_drawn_profile_lies_on_the_course_under_its_tension),
        cmocka_unit_test(the_step_is_that_of_a_wave_through_the_smallest_element),
        cmocka_unit_test(rows_of_ale_are_left_alone_by_arc1d),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
