/* SPDX-License-Identifier: BSD-3-Clause */
/* Models with ropes: prescribed and held dofs, equations, profiles, steps. */
#include "model/system.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/reeving.h"

#include <stdlib.h>

/* ---- what is held ---- */

static void ends_rest_and_labels_are_left_to_the_guide(void **state)
{
    (void)state;
    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        reeving_init(&c, rope_kind(k)->name);
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
        assert_near(u[rope->arc[-1].dof], 0, 0, 0);
        assert_near(u[rope->arc[-1].dof + 1], 0, 0, 0);
        assert_near(u[rope->label[1]], 1 + rope->label[1], 0, 0);
        assert_int_equal(rope->arc[rope->arcs].dof, c.model->body[REEVING_CAR].first);
        reeving_close(&c);
    }
}

static void held_dofs_have_no_equation(void **state)
{
    (void)state;
    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        reeving_init(&c, rope_kind(k)->name);
        reeving_open(&c);
        const haw_cable *cable = &c.model->cable[0];
        double x[1024];
        haw_system *system;
        assert_true(c.model->dofs <= 1024);
        assert_int_equal(haw_system_create(c.context, c.model, NULL, NULL, &system), HAW_OK);
        int unknown = 0;
        for (int i = 0; i < c.model->dofs; i++) {
            x[i] = 1;
            unknown += system->equation[i] >= 0 ? 1 : 0;
        }
        haw_model_hold(c.model, x);
        for (int i = 0; i < cable->line.dofs; i++) {
            const int dof = cable->first + i;
            assert_int_equal(system->equation[dof] < 0, cable->held[i]);
            assert_int_equal(x[dof] == 0, cable->held[i]);
        }
        assert_int_equal(system->equations, unknown);
        /* y and angle of the block, the angle of the drive, y of the car */
        assert_int_equal(system->border, 4);
        haw_system_free(system);
        reeving_close(&c);
    }
}

/* The block of a contact by its lists of dofs; a body that is in both counts twice. */
static void contact_blocks_go_to_the_dofs_of_element_and_body(void **state)
{
    (void)state;

    enum { MOST = HAW_ROPE_DOFS + 3, DOFS_MAX = 256 };

    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        haw_system *system;
        uint64_t seed = 17;
        reeving_init(&c, rope_kind(k)->name);
        reeving_open(&c);
        const haw_rope *rope = reeving_rope(&c);
        assert_true(c.model->dofs <= DOFS_MAX);
        assert_int_equal(haw_system_create(c.context, c.model, NULL, NULL, &system), HAW_OK);
        haw_system_clear(system);
        double x[DOFS_MAX] = {0}, got[DOFS_MAX] = {0}, want[DOFS_MAX] = {0};
        for (int i = 0; i < system->equations; i++) {
            x[i] = random_signed(&seed);
        }
        for (int e = 0; e < rope->elements; e++) {
            const haw_rope_element *element = &rope->element[e];
            const int n = element->dofs + 3;
            double block[MOST * MOST];
            for (int i = 0; i < n * n; i++) {
                block[i] = random_signed(&seed);
            }
            haw_system_add_contact(system, 0, e, REEVING_BLOCK, block);
            for (int i = 0; i < n * n; i++) {
                const int row = i / n, column = i % n, own = element->dofs;
                const int a = row < own ? element->dof[row] : row - own;
                const int b = column < own ? element->dof[column] : column - own;
                if (system->equation[a] >= 0 && system->equation[b] >= 0) {
                    want[system->equation[a]] += block[i] * x[system->equation[b]];
                }
            }
        }
        haw_matrix_multiply(system->matrix, 1, x, got);
        for (int i = 0; i < system->equations; i++) {
            assert_near(got[i], want[i], 1e-12, 0);
        }
        haw_system_free(system);
        reeving_close(&c);
    }
}

/* ---- what results show ---- */

/* Distance of a place from the drawn course. */
static double away(const reeving_case *c, const double x[2])
{
    const haw_rope *rope = reeving_rope(c);
    reeving_arc course[3];
    double least = (double)INFINITY;
    reeving_course(c, c->state->q, course);
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
    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        reeving_init(&c, rope_kind(k)->name);
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
        haw_cable_profile(c.model, 0, c.state->q, NULL, &p);
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
    reeving_start(&c, "ale");
    const haw_rope *rope = reeving_rope(&c);
    const double le = fmin(reeving_element(rope, 0), reeving_element(rope, 1));
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

static haw_status build_rope(haw_context *context, void *user)
{
    reeving_case *c = user;
    haw_system *system = NULL;
    haw_model *model = NULL;
    haw_status status = haw_model_build(context, &c->scene, &model);
    if (status == HAW_OK) {
        status = haw_system_create(context, model, NULL, NULL, &system);
    }
    haw_system_free(system);
    haw_model_free(model);
    return status;
}

static void running_out_of_memory_is_reported_at_every_allocation(void **state)
{
    (void)state;
    for (int k = 0; rope_kind(k) != NULL; k++) {
        reeving_case c;
        reeving_init(&c, rope_kind(k)->name);
        assert_true(failing_loop(build_rope, &c) > 2);
        haw_context_free(c.context);
    }
}

TEST_FILE(test_reeving_model)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_rest_and_labels_are_left_to_the_guide),
        cmocka_unit_test(held_dofs_have_no_equation),
        cmocka_unit_test(contact_blocks_go_to_the_dofs_of_element_and_body),
        cmocka_unit_test(the_drawn_profile_lies_on_the_course_under_its_tension),
        cmocka_unit_test(the_step_is_that_of_a_wave_through_the_smallest_element),
        cmocka_unit_test(rows_of_ale_are_left_alone_by_arc1d),
        cmocka_unit_test(running_out_of_memory_is_reported_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
