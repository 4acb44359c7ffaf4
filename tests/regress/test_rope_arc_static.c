/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arc model against the static theory of bristles: T1 = 1, T2 = 3, R = 1, mu = 0.5, half a
 * turn, knots on the nodes. The theory is that of small strains; runs with small strains and with
 * half of them are extrapolated to none.
 */
#include "cable/reeving.h"
#include "observe/belt.h"
#include "support/rope_ride.h"
#include "support/theory.h"

enum { NODES_MAX = 401, KNOTS_MAX = 1000, PATH = 4 };

/* Tension and tangential force per length at the nodes. */
typedef struct field {
    int nodes;
    double tension[NODES_MAX], tangential[NODES_MAX];
} field;

/* Tensions of the two ends at the times 0, 1, 2, 3. */
typedef struct load {
    double left[PATH], right[PATH];
} load;

static const double pi = 3.14159265358979323846;
static const double times[PATH] = {0, 1, 2, 3};

static const load proportional = {{0.001, 1, 1, 1}, {0.003, 3, 3, 3}};
static const load right_last = {{0.001, 1, 1, 1}, {0.001, 1, 3, 3}};
static const load left_last = {{0.001, 3, 1, 1}, {0.001, 3, 3, 3}};
static const load overshoot = {{0.001, 1, 1, 1}, {0.001, 1, 4, 3}};
static const load beyond = {{0.001, 1, 1, 1}, {0.003, 3, 4, 3}};

static void draw(rope_ride *ride, int n, double r, double stiffness, const load *path)
{
    ride_pull(ride, "arc1d", n, r);
    ride->body[1].position[1] = ride->body[2].position[1] = -0.5 * pi;
    ride->cable.stiffness = ride->contact.normal_stiffness = 2 * stiffness;
    ride->contact.tangential_stiffness = r * r * stiffness;
    ride->contact.spacing = pi / n;
    for (int i = 0; i < 2; i++) {
        ride->force[i].force[1] = (haw_function){
            .count = PATH, .time = times, .value = i == 0 ? path->left : path->right};
    }
}

static void take(const rig *r, field *out)
{
    static haw_wrap_knot knot[KNOTS_MAX];
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    const haw_rope_arc *arc = &cable->rope->arc[0];
    assert_true(model->pair[0].points <= KNOTS_MAX);
    out->nodes = arc->elements + 1;
    assert_int_equal(haw_wrap_knots(haw_simulation_frame(r->simulation), 0, knot), out->nodes);
    for (int i = 0; i < out->nodes; i++) {
        const int e = arc->first_element + (i < arc->elements ? i : i - 1);
        const double s = r->state->q[cable->rope->label[arc->first_element + i]];
        haw_sample at;
        cable->ops->state(cable, e, s, r->state->q, NULL, &at);
        out->tension[i] = at.tension;
        out->tangential[i] = -knot[i].tangential; /* the sheave lies to the right of the rope */
    }
}

static void pull(int n, double r, double stiffness, const load *path, double end, field *out)
{
    rope_ride ride;
    load down = *path;
    rig g;
    for (int k = 0; k < PATH; k++) {
        down.left[k] *= -1;
        down.right[k] *= -1;
    }
    draw(&ride, n, r, stiffness, &down);
    rig_open(&g);
    ride_stepper(&g, "quasi-static");
    rig_set(&g, "step", 0.05);
    rig_set(&g, "end", end);
    g.settings.on_unconverged = HAW_UNCONVERGED_HALVE;
    rig_build(&g, &ride.scene);
    while (!haw_simulation_is_done(g.simulation)) {
        rig_step(&g);
    }
    take(&g, out);
    rig_close(&g);
}

/* Without strain. Knots move by T / (r EA*), a small part of their spacing. */
static void solve(int n, double r, const load *path, double end, field *out)
{
    static field coarse;
    const double stiffness = 2e4 / r;
    pull(n, r, stiffness, path, end, &coarse);
    pull(n, r, 2 * stiffness, path, end, out);
    for (int i = 0; i < out->nodes; i++) {
        out->tension[i] = 2 * out->tension[i] - coarse.tension[i];
        out->tangential[i] = 2 * out->tangential[i] - coarse.tangential[i];
    }
}

/* Largest errors of tension and tangential force. */
static void compare(haw_context *context, int n, double r, double error[2])
{
    static field got;
    const setting set[] = {{"mu", 0.5}, {"r", r}, {"points", n + 1}, {"t1", 1}, {"t2", 3}};
    solve(n, r, &proportional, 1, &got);
    haw_theory_result result = theory_run(context, "bristle", 5, set);
    const haw_quantity *tension = theory_profile(&result, "tension");
    const haw_quantity *tangential = theory_profile(&result, "tangential");
    error[0] = error[1] = 0;
    for (int i = 0; i <= n; i++) {
        error[0] = fmax(error[0], fabs(got.tension[i] - tension->value[i]));
        error[1] = fmax(error[1], fabs(got.tangential[i] - tangential->value[i]));
    }
    haw_theory_result_free(context, &result);
}

/*
 * Errors at 400 cells by an independent return mapping of the same order: T 1.6e-6, 8.7e-8, 1.2e-6,
 * 3e-6, 1.2e-5, 1.5e-4, t 5e-7, 5.7e-7, 2.3e-6, 7e-6, 6e-6, 4.7e-4. What is small here is not far
 * above the tolerance of the equilibrium.
 */
static void errors_fall_with_the_square_of_the_spacing_in_every_regime(void **state)
{
    static const struct {
        double r, error[2];
    } rows[] = {
        {0.2, {1.7e-6, 1.2e-6}},                          /* slips at the low end */
        {0.3, {5e-7, 7e-7}},                              /* sticks */
        {0.6, {1.3e-6, 2.4e-6}},                          /* slips at the high end */
        {1, {3.2e-6, 7.3e-6}},   {1.5, {1.3e-5, 6.3e-6}}, /* slips at both ends */
        {5, {1.6e-4, 4.9e-4}},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double coarse[2], fine[2];
        compare(*state, 100, rows[k].r, coarse);
        compare(*state, 400, rows[k].r, fine);
        for (int i = 0; i < 2; i++) {
            print_message("r %g: error of %s %.2e at 100 cells, %.2e at 400\n", rows[k].r,
                          i == 0 ? "T" : "t", coarse[i], fine[i]);
            assert_near(fine[i], 0, rows[k].error[i], 0);
            assert_true(fine[i] < coarse[i] / 8 || fine[i] < 1e-6);
        }
    }
}

static double at(const field *f, double degrees)
{
    const double place = degrees / 180 * (f->nodes - 1);
    const int i = (int)place;
    return f->tension[i] + (place - i) * (f->tension[i + 1] - f->tension[i]);
}

static void tensions_depend_on_the_path_of_loading(void **state)
{
    (void)state;

    static const struct {
        const load *path;
        double end, r, degrees, want;
    } rows[] = {
        {&proportional, 1, 0.6, 90, 1.3959},   {&right_last, 2, 0.6, 90, 1.3959},
        {&left_last, 2, 0.6, 90, 1.3959},      {&overshoot, 3, 0.6, 90, 1.4855},
        {&proportional, 1, 1.5, 22.5, 0.8417}, {&right_last, 2, 1.5, 22.5, 0.9471},
        {&left_last, 2, 1.5, 22.5, 1.2170},    {&beyond, 3, 1.5, 22.5, 1.0067},
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        static field got;
        solve(400, rows[k].r, rows[k].path, rows[k].end, &got);
        const double tension = at(&got, rows[k].degrees);
        print_message("r %g: T(%g deg) %.5f (%.4f)\n", rows[k].r, rows[k].degrees, tension,
                      rows[k].want);
        assert_near(tension, rows[k].want, 0.6e-4, 0);
    }
}

TEST_FILE(test_rope_arc_static)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(errors_fall_with_the_square_of_the_spacing_in_every_regime,
                                        theory_create, theory_free),
        cmocka_unit_test(tensions_depend_on_the_path_of_loading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
