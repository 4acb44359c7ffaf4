/* SPDX-License-Identifier: BSD-3-Clause */
/* Frames, states and warm starts of spatial contacts, from impulses that the test sets. */
#include "base/lie.h"
#include "observe/observation.h"
#include "stepper/simulation.h"
#include "support/space_contact.h"
#include "support/surfaces.h"

static const double step_size = 0.01, friction = 0.5;

typedef struct space_run {
    touch_rig rig;
    haw_run_settings settings;
    haw_simulation *simulation;
} space_run;

/* A simulation whose contacts are those of a random configuration. */
static void open_run(space_run *run, const touch_case *c)
{
    touch_rig *r = &run->rig;
    touch_open(r, c);
    assert_int_equal(haw_run_settings_init(r->context, &run->settings), HAW_OK);
    assert_int_equal(haw_stepper_settings_init(r->context, "moreau-jean", &run->settings.stepper),
                     HAW_OK);
    assert_int_equal(haw_stepper_set(r->context, &run->settings.stepper, "step", step_size),
                     HAW_OK);
    assert_int_equal(haw_stepper_set(r->context, &run->settings.stepper, "end", 1), HAW_OK);
    r->model->pair[0].options.friction = friction;
    if (haw_simulation_create(r->context, r->model, &run->settings, &run->simulation) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
    }
}

static void close_run(space_run *run)
{
    haw_simulation_free(run->simulation);
    touch_close(&run->rig);
}

/* The contacts of the cable at the rig's coordinates, as a step leaves them. */
static haw_contacts *place(space_run *run, double margin)
{
    haw_simulation *simulation = run->simulation;
    haw_contacts *contacts = simulation->contacts;
    memcpy(simulation->state->q, run->rig.q,
           (size_t)simulation->model.coordinates * sizeof(double));
    contacts->margin = margin;
    assert_int_equal(haw_contacts_detect(contacts, simulation->state->q, NULL, 0), HAW_OK);
    contacts->margin = 0;
    for (int i = 0; i < contacts->count; i++) {
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        contacts->problem.mu[i] = pair->options.friction;
    }
    simulation->h = step_size;
    simulation->state->t += step_size;
    assert_in_range(contacts->count, 4, 60);
    return contacts;
}

/* Impulses N, T1, T2: every third slips, every fifth is open. */
static void set_impulses(touch_rig *r, haw_contacts *contacts)
{
    for (int i = 0; i < contacts->count; i++) {
        double *impulse = contacts->impulse + (ptrdiff_t)3 * i;
        const double angle = touch_number(r, surface_pi);
        const double part = i % 3 == 0 ? 1 : 0.9 * fabs(touch_number(r, 1));
        impulse[0] = i % 5 == 4 ? 0 : 2 + touch_number(r, 1);
        impulse[1] = part * friction * impulse[0] * cos(angle);
        impulse[2] = part * friction * impulse[0] * sin(angle);
    }
}

/* The wrench on the drum about its centre: minus the forces on the cable, where they act. */
static void add_wrench(const touch_rig *r, const haw_contacts *contacts, double wrench[6])
{
    const double *drum = r->q + r->model->body[0].first_q;
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *c = &contacts->item[i];
        const double *impulse = contacts->impulse + (ptrdiff_t)3 * i;
        double second[3], force[3] = {0}, arm[3], moment[3];
        vec3_cross(c->normal, c->tangent, second);
        vec3_add(-impulse[0], c->normal, force);
        vec3_add(-impulse[1], c->tangent, force);
        vec3_add(-impulse[2], second, force);
        for (int k = 0; k < 3; k++) {
            arm[k] = c->x[k] - touch_radius * c->normal[k] - drum[k];
        }
        vec3_cross(arm, force, moment);
        vec3_add(1, force, wrench);
        vec3_add(1, moment, wrench + 3);
    }
}

static void forces_and_moments_on_the_body_are_inertial_ones_about_its_centre(void **state)
{
    (void)state;
    const touch_case c = {.points = 3, .elements = 6};
    space_run run;
    double wrench[6] = {0}, sum[2] = {0};
    open_run(&run, &c);
    touch_scatter(&run.rig, 0.1);
    run.rig.q[run.rig.model->body[1].first_q] += 10; /* the ball is elsewhere */
    for (int i = 0; i < 2; i++) {
        haw_contacts *contacts = place(&run, 0.1);
        set_impulses(&run.rig, contacts);
        add_wrench(&run.rig, contacts, wrench);
        assert_int_equal(haw_monitor_step(run.simulation), HAW_OK);
    }
    haw_monitor_frame(run.simulation);
    const haw_pair_frame *pair = &run.simulation->observation->frame.pair[0];
    const haw_contacts *contacts = run.simulation->contacts;
    for (int i = 0; i < contacts->count; i++) {
        const double *force =
            run.simulation->observation->frame.point_force + (ptrdiff_t)3 * contacts->item[i].id;
        sum[0] += force[0];
        sum[1] += hypot(force[1], force[2]);
    }
    assert_true(sum[0] > 100 && sum[1] > 10);
    assert_near(pair->normal_sum, sum[0], 0, 1e-14);
    assert_near(pair->tangential_sum, sum[1], 0, 1e-14);
    for (int k = 0; k < 3; k++) {
        assert_near(pair->force[k], wrench[k] / (2 * step_size), 1e-11, 1e-13);
        assert_near(pair->moment[k], wrench[3 + k] / (2 * step_size), 1e-11, 1e-13);
        assert_near(pair->impulse[k], wrench[k], 1e-13, 1e-13);
        assert_near(pair->impulse[3 + k], wrench[3 + k], 1e-13, 1e-13);
    }
    close_run(&run);
}

static void points_inside_the_friction_disk_stick(void **state)
{
    (void)state;
    const touch_case c = {.points = 3, .elements = 6};
    space_run run;
    int sticking = 0, closed = 0;
    open_run(&run, &c);
    touch_scatter(&run.rig, 0.1);
    haw_contacts *contacts = place(&run, 0.1);
    set_impulses(&run.rig, contacts);
    assert_int_equal(haw_monitor_step(run.simulation), HAW_OK);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch *item = &contacts->item[i];
        const signed char got = run.simulation->observation->point_state[item->id];
        const bool is_ball = item->pair == 1; /* without friction */
        const int slips = i % 3 == 0 || is_ball ? HAW_POINT_FORWARD : HAW_POINT_STICK;
        assert_int_equal(got, i % 5 == 4 ? HAW_POINT_OPEN : slips);
        assert_near(run.simulation->observation->point_gap[item->id], item->gap, 0, 0);
        closed += !is_ball && got != HAW_POINT_OPEN;
        sticking += !is_ball && got == HAW_POINT_STICK;
    }
    assert_int_equal(run.simulation->observation->pair[0].closed, closed);
    assert_int_equal(run.simulation->observation->pair[0].sticking, sticking);
    close_run(&run);
}

/* A helix around the cylinder: successive normals of its n + 1 points turn by phi / n each. */
static void the_wrap_angle_sums_the_turns_of_the_normal(void **state)
{
    (void)state;
    const double turn = 0.25;
    const touch_case c = {.points = 1, .elements = 24};
    space_run run;
    open_run(&run, &c);
    for (int node = 0; node <= c.elements; node++) {
        const double angle = turn * node, r = touch_drum + touch_radius;
        const double pose[7] = {r * cos(angle), r * sin(angle), 0.02 * node, sqrt(0.5), 0, 0,
                                sqrt(0.5)};
        touch_node(&run.rig, node, pose);
    }
    haw_contacts *contacts = place(&run, 1e-9);
    for (int i = 0; i < contacts->count; i++) {
        contacts->impulse[3 * i] = i == 3 ? 0 : 1; /* an open point within changes nothing */
    }
    assert_int_equal(haw_monitor_step(run.simulation), HAW_OK);
    assert_near(run.simulation->observation->pair[0].wrap_angle, turn * c.elements, 1e-12,
                0); /* > pi */
    assert_int_equal(run.simulation->observation->pair[0].closed, c.elements);
    close_run(&run);
}

/* Impulses are kept by id; those of points that opened are cleared; a restored run knows them. */
static void impulses_are_the_warm_start_by_id(void **state)
{
    (void)state;
    const touch_case c = {.points = 3, .elements = 6};
    space_run run;
    haw_state *copy = NULL;
    open_run(&run, &c);
    touch_scatter(&run.rig, 0.1);
    assert_int_equal(haw_state_create(run.rig.context, run.rig.model, &copy), HAW_OK);
    for (int round = 0; round < 2; round++) {
        const haw_contacts *contacts = place(&run, round == 0 ? 0.3 : 0.1);
        set_impulses(&run.rig, run.simulation->contacts);
        assert_int_equal(haw_step_keep_impulses(run.simulation), HAW_OK);
        double sum = 0, kept = 0;
        for (int i = 0; i < 3 * contacts->count; i++) {
            sum += fabs(contacts->impulse[i]);
        }
        for (int i = 0; i < run.simulation->state->rows; i++) {
            kept += fabs(run.simulation->state->impulse[i]);
        }
        assert_near(kept, sum, 0, 1e-14);
    }
    haw_state_copy(copy, run.simulation->state);
    memset(run.simulation->state->impulse, 0, (size_t)run.simulation->state->rows * sizeof(double));
    run.simulation->closed_count = 0;
    assert_int_equal(haw_simulation_restore(run.simulation, copy), HAW_OK);
    int closed = 0;
    for (int id = 0; id < copy->rows / 3; id++) {
        closed += vec3_norm(copy->impulse + (ptrdiff_t)3 * id) > 0;
    }
    assert_true(closed > 0);
    assert_int_equal(run.simulation->closed_count, closed);
    assert_memory_equal(run.simulation->state->q, copy->q,
                        (size_t)copy->coordinates * sizeof(double));
    copy->dimension = 2;
    assert_int_equal(haw_simulation_restore(run.simulation, copy), HAW_ERR_ARG);
    haw_state_free(run.rig.context, copy);
    close_run(&run);
}

/* Losses are sums over both tangential rows. */
static void friction_losses_count_both_tangents(void **state)
{
    (void)state;
    const touch_case c = {.points = 3, .elements = 6};
    space_run run;
    double friction_loss, impact_loss, loss[2] = {0};
    open_run(&run, &c);
    touch_scatter(&run.rig, 0.1);
    haw_contacts *contacts = place(&run, 0.1);
    set_impulses(&run.rig, contacts);
    for (int i = 0; i < 3 * contacts->count; i++) {
        contacts->gamma_minus[i] = touch_number(&run.rig, 1);
        contacts->gamma_plus[i] = touch_number(&run.rig, 1);
        loss[i % 3 == 0 ? 1 : 0] -=
            0.5 * (contacts->gamma_minus[i] + contacts->gamma_plus[i]) * contacts->impulse[i];
    }
    haw_step_contact_losses(run.simulation, &friction_loss, &impact_loss);
    assert_near(friction_loss, loss[0], 1e-14, 1e-13);
    assert_near(impact_loss, loss[1], 1e-14, 1e-13);
    close_run(&run);
}

/* A straight cable may sink in by a hundredth of its radius, not by more; elements that are drawn
 * on a curve also by their sagitta (laws/test_start.c). */
static void a_start_inside_the_surface_is_refused(void **state)
{
    (void)state;
    const touch_case c = {.points = 1, .elements = 2};
    for (int i = 0; i < 2; i++) {
        touch_rig r;
        haw_run_settings settings;
        haw_simulation *simulation = NULL;
        touch_open(&r, &c);
        const double depth = 0.01 * touch_radius;
        const haw_cable *cable = &r.model->cable[0];
        for (int node = 0; node <= c.elements; node++) {
            cable->start[7 * node] = touch_drum + touch_radius - depth * (i == 0 ? 0.99 : 1.01);
            cable->start[7 * node + 1] = 0;
            cable->start[7 * node + 2] = r.le * node;
        }
        assert_int_equal(haw_run_settings_init(r.context, &settings), HAW_OK);
        assert_int_equal(haw_stepper_settings_init(r.context, "moreau-jean", &settings.stepper),
                         HAW_OK);
        assert_int_equal(haw_stepper_set(r.context, &settings.stepper, "step", 0.01), HAW_OK);
        assert_int_equal(haw_simulation_create(r.context, r.model, &settings, &simulation),
                         i == 0 ? HAW_OK : HAW_ERR_INPUT);
        assert_true(i == 0 || strstr(haw_context_message(r.context), "inside") != NULL);
        haw_simulation_free(simulation);
        touch_close(&r);
    }
}

TEST_FILE(test_space_monitor)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_moments_on_the_body_are_inertial_ones_about_its_centre),
        cmocka_unit_test(points_inside_the_friction_disk_stick),
        cmocka_unit_test(the_wrap_angle_sums_the_turns_of_the_normal),
        cmocka_unit_test(impulses_are_the_warm_start_by_id),
        cmocka_unit_test(friction_losses_count_both_tangents),
        cmocka_unit_test(a_start_inside_the_surface_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
