/* SPDX-License-Identifier: BSD-3-Clause */
/* Order in the time step for smooth motion, and the sharpness of the critical step. */
#include "element/element.h"
#include "model/model.h"
#include "stepper/simulation.h"
#include "stepper/stepper.h"
#include "support/rig.h"
#include "support/table.h"

enum { ELEMENTS = 8, MOST = 64 };

/* A vertical cable: prestressed between pins, or loose with free ends and no gravity. */
static void open_cable(rig *r, const char *element, int elements, haw_end_kind end)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "cable";
    cable.element = element;
    cable.elements = elements;
    cable.from[0] = cable.from[1] = cable.to[0] = 0;
    cable.to[1] = 2;
    cable.stiffness = 4e4;
    cable.density = 0.1;
    cable.tension = end == HAW_END_FREE ? 0 : 400;
    cable.ends[0].kind = cable.ends[1].kind = end;
    const haw_scene scene = {
        .gravity = {0, end == HAW_END_FREE ? 0 : -9.81}, .cables = 1, .cable = &cable};
    rig_build(r, &scene);
}

/* Deflect the cable, run it for 5 ms, keep its configuration. */
static void vibrate(rig *r, const char *element, double step, double *q)
{
    rig_set(r, "step", step);
    rig_set(r, "end", 1);
    open_cable(r, element, ELEMENTS, HAW_END_PINNED);
    assert_true(r->state->dofs <= MOST);
    rig_deflect(r, 0.2, 0.02);
    rig_steps(r, lround(5e-3 / step));
    assert_near(r->state->t, 5e-3, 1e-12, 0);
    memcpy(q, r->state->q, (size_t)r->state->dofs * sizeof *q);
    rig_close(r);
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < MOST; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* From three runs with h, h / 2, h / 4. */
static double order_of(double q[3][MOST], const char *element, const char *key, double value)
{
    const double coarse = distance(q[0], q[1]), fine = distance(q[1], q[2]);
    const double order = log2(coarse / fine);
    print_message("%s, %s %g: %.2g, %.2g, order %.3f\n", element, key, value, coarse, fine, order);
    return order;
}

static double observed_order(const char *element, double theta, int iterations)
{
    double q[3][MOST] = {{0}};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_open(&r);
        rig_set(&r, "theta", theta);
        rig_set(&r, "gyro_iterations", iterations);
        vibrate(&r, element, 2.5e-6 / (1 << i), q[i]);
    }
    return order_of(q, element, "theta", theta);
}

/* Of a stepper without theta; set, where it has it, rho_infinity. */
static double observed_order_of(const haw_stepper_ops *ops, const char *element, double rho)
{
    double q[3][MOST] = {{0}};
    for (int i = 0; i < 3; i++) {
        rig r;
        rig_open(&r);
        assert_int_equal(haw_stepper_settings_init(r.context, ops->row.name, &r.settings.stepper),
                         HAW_OK);
        if (haw_options_find(ops->row.options, "rho_infinity") != NULL) {
            rig_set(&r, "rho_infinity", rho);
        }
        if (haw_options_find(ops->row.options, "newton_tolerance") != NULL) {
            rig_set(&r, "newton_tolerance", 1e-12);
        }
        vibrate(&r, element, 2.5e-6 / (1 << i), q[i]);
    }
    return order_of(q, element, ops->row.name, rho);
}

static void the_explicit_midpoint_is_of_second_order(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        assert_near(observed_order(haw_elements[i]->name, 0, 3), 2, 0.1, 0);
    }
}

static void the_implicit_midpoint_is_of_second_order(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        assert_near(observed_order(haw_elements[i]->name, 0.5, 3), 2, 0.1, 0);
    }
}

static void other_implicit_steps_are_of_first_order(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        assert_near(observed_order(haw_elements[i]->name, 0.7, 3), 1, 0.2, 0);
    }
}

/* Every stepper of the table that moves, with every element that it takes. */
static void every_stepper_has_the_order_that_it_promises(void **state)
{
    (void)state;
    for (int k = 0; haw_steppers[k] != NULL; k++) {
        const bool moves = stepper_at(k)->order > 0;
        const bool takes_all = (stepper_at(k)->flags & HAW_STEPPER_VARIABLE_MASS) != 0;
        for (int i = 0; moves && haw_elements[i] != NULL; i++) {
            if (element_at(i)->mass_constant || takes_all) {
                const double order = observed_order_of(stepper_at(k), haw_elements[i]->name, 1);
                assert_near(order, stepper_at(k)->order, 0.2, 0);
            }
        }
    }
}

static void numerical_damping_keeps_the_order_of_generalized_alpha(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        if (element_at(i)->mass_constant) {
            const double order =
                observed_order_of(&haw_stepper_generalized_alpha, haw_elements[i]->name, 0.8);
            assert_near(order, 2, 0.1, 0);
        }
    }
}

/* The velocity-dependent inertia forces at the old velocity: the paper's scheme loses an order. */
static void without_gyroscopic_iterations_the_polar_element_is_of_first_order(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        const double order = observed_order(haw_elements[i]->name, 0, 0);
        const double want = element_at(i)->mass_constant ? 2 : 1.2;
        assert_near(order, want, 0.3, 0);
    }
}

/* Largest kinetic energy of a stirred cable in units of the first, at a multiple of h_crit. */
static double growth(const char *element, int elements, haw_end_kind end, double factor)
{
    rig r;
    rig_open(&r);
    open_cable(&r, element, elements, end);
    return rig_growth(&r, factor, 1e-4, 5000);
}

static void just_below_the_critical_step_every_mesh_is_stable(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int n = 2; n <= 32; n *= 2) {
            assert_true(growth(haw_elements[i]->name, n, HAW_END_PINNED, 0.9999) < 2);
            assert_true(growth(haw_elements[i]->name, n, HAW_END_FREE, 0.9999) < 2);
        }
    }
}

/* The limit is sharp: it gives nothing away. */
static void just_above_the_critical_step_a_fine_mesh_blows_up(void **state)
{
    (void)state;
    for (int i = 0; haw_elements[i] != NULL; i++) {
        const double pinned = growth(haw_elements[i]->name, 32, HAW_END_PINNED, 1.02);
        const double loose = growth(haw_elements[i]->name, 1, HAW_END_FREE, 1.02);
        print_message("%s: grows by %.2g pinned, %.2g free\n", haw_elements[i]->name, pinned,
                      loose);
        assert_true(pinned > 100 && loose > 100);
    }
}

static void a_step_above_the_critical_one_is_refused(void **state)
{
    (void)state;
    static const haw_end_kind ends[2] = {HAW_END_PINNED, HAW_END_FREE};
    for (int i = 0; haw_elements[i] != NULL; i++) {
        for (int k = 0; k < 2; k++) {
            rig r;
            rig_open(&r);
            open_cable(&r, haw_elements[i]->name, ELEMENTS, ends[k]);
            const double critical = haw_model_critical_step(r.model);
            haw_simulation *refused = NULL;
            rig_set(&r, "step", 1.02 * critical);
            assert_int_equal(haw_simulation_create(r.context, r.model, &r.settings, &refused),
                             HAW_ERR_INPUT);
            assert_null(refused);
            assert_non_null(strstr(haw_context_message(r.context), "critical step"));
            rig_set(&r, "step", 0.98 * critical);
            assert_int_equal(haw_simulation_create(r.context, r.model, &r.settings, &refused),
                             HAW_OK);
            haw_simulation_free(refused);
            rig_close(&r);
        }
    }
}

/* auto is 0.8 of the critical step or less, a whole number of steps per output interval. */
static void the_automatic_step_divides_the_output_interval(void **state)
{
    (void)state;
    rig r;
    rig_open(&r);
    r.settings.every = 0.02;
    open_cable(&r, "bezier", ELEMENTS, HAW_END_PINNED);
    const double critical = haw_model_critical_step(r.model), step = r.simulation->step;
    assert_near(0.02 / step, ceil(0.02 / (0.8 * critical)), 1e-9, 0);
    rig_close(&r);
}

/* The times of the frames of a free disk. */
typedef struct frame_times {
    int count;
    double t[16];
} frame_times;

static haw_status note_time(void *user, const haw_frame *frame)
{
    frame_times *times = user;
    assert_true(times->count < 16);
    times->t[times->count++] = frame->t;
    return HAW_OK;
}

static void frames_come_at_the_step_nearest_to_each_multiple(void **state)
{
    (void)state;
    const double want[] = {0, 7e-4, 2.1e-3, 2.8e-3, 4.2e-3, 4.9e-3, 5e-3};
    rig r;
    haw_body_spec body = haw_body_spec_default();
    frame_times times = {.count = 0};
    haw_summary summary;
    rig_open(&r);
    body.name = "disk";
    body.shape = "circle";
    body.shape_options[0] = 0.1;
    body.mass = 1;
    rig_time(&r, 7e-4, 5e-3, 0);
    r.settings.every = 1e-3;
    rig_build(&r, &(haw_scene){.bodies = 1, .body = &body});
    const haw_observer observer = {.frame = note_time, .user = &times};
    assert_int_equal(haw_simulation_run(r.simulation, &observer, &summary), HAW_OK);
    assert_int_equal(times.count, 7);
    for (int i = 0; i < 7; i++) {
        assert_near(times.t[i], want[i], 1e-12, 0);
    }
    rig_close(&r);
}

TEST_FILE(test_time_order)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_explicit_midpoint_is_of_second_order),
        cmocka_unit_test(the_implicit_midpoint_is_of_second_order),
        cmocka_unit_test(other_implicit_steps_are_of_first_order),
        cmocka_unit_test(every_stepper_has_the_order_that_it_promises),
        cmocka_unit_test(numerical_damping_keeps_the_order_of_generalized_alpha),
        cmocka_unit_test(without_gyroscopic_iterations_the_polar_element_is_of_first_order),
        cmocka_unit_test(just_below_the_critical_step_every_mesh_is_stable),
        cmocka_unit_test(just_above_the_critical_step_a_fine_mesh_blows_up),
        cmocka_unit_test(a_step_above_the_critical_one_is_refused),
        cmocka_unit_test(the_automatic_step_divides_the_output_interval),
        cmocka_unit_test(frames_come_at_the_step_nearest_to_each_multiple),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
