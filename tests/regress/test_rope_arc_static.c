/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arc model against the static theory of bristles: T1 = 1, T2 = 3, R = 1, mu = 0.5, half a
 * turn, knots on the nodes. The theory is that of small strains; runs with strains of 1e-5 and of
 * half as much are extrapolated to none.
 */
#include "stepper/rope_wrap.h"
#include "support/rope_ride.h"
#include "support/theory.h"

#include <stdio.h>

enum { NODES_MAX = 801, KNOTS_MAX = 4000, PATH = 4 };

/* Tension and tangential force per length at the nodes. */
typedef struct field {
    int nodes;
    double tension[NODES_MAX], tangential[NODES_MAX];
} field;

typedef struct load {
    double time[PATH], left[PATH], right[PATH];
} load;

static const double pi = 3.14159265358979323846;

static const load proportional = {{0, 1, 2, 3}, {0.001, 1, 1, 1}, {0.003, 3, 3, 3}};

static void draw(rope_ride *ride, int n, double r, double stiffness, const load *path)
{
    ride_pull(ride, "arc1d", n, r);
    ride->body[1].position[1] = ride->body[2].position[1] = -0.5 * pi;
    ride->cable.stiffness = ride->contact.normal_stiffness = 2 * stiffness;
    ride->contact.tangential_stiffness = r * r * stiffness;
    ride->contact.spacing = pi / n;
    for (int i = 0; i < 2; i++) {
        ride->force[i].force[1] = (haw_function){
            .count = PATH, .time = path->time, .value = i == 0 ? path->left : path->right};
    }
}

static void take(const rig *r, field *out)
{
    static haw_rope_knot knot[KNOTS_MAX];
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    const haw_rope_arc *arc = &cable->rope->arc[0];
    assert_true(model->pair[0].points <= KNOTS_MAX);
    const int count = haw_rope_wrap_knots(r->simulation, 0, knot);
    out->nodes = arc->elements + 1;
    assert_int_equal(count, out->nodes);
    for (int i = 0; i < out->nodes; i++) {
        const int e = arc->first_element + (i < arc->elements ? i : i - 1);
        const double s = r->state->q[cable->rope->label[arc->first_element + i]];
        double x[2];
        haw_ale_axial axial;
        cable->rope->ops->axial(model, cable, e, s, r->state->q, NULL, x, &axial);
        out->tension[i] = axial.tension;
        out->tangential[i] = knot[i].tangential;
    }
}

static void solve(int n, double r, double stiffness, const load *path, field *out)
{
    rope_ride ride;
    load pull = *path;
    rig g;
    for (int k = 0; k < PATH; k++) {
        pull.left[k] *= -1;
        pull.right[k] *= -1;
    }
    draw(&ride, n, r, stiffness, &pull);
    rig_open(&g);
    ride_stepper(&g, "quasi-static");
    rig_set(&g, "step", 0.05);
    rig_set(&g, "end", 1);
    rig_build(&g, &ride.scene);
    while (!haw_simulation_is_done(g.simulation)) {
        rig_step(&g);
    }
    take(&g, out);
    rig_close(&g);
}

/* Largest errors of tension and tangential force. */
static void compare(int n, double r, double error[2])
{
    static field fine, coarse;
    const double stiffness = 2e4 / r;
    const setting set[] = {{"mu", 0.5}, {"r", r}, {"points", n + 1}, {"t1", 1}, {"t2", 3}};
    solve(n, r, stiffness, &proportional, &coarse);
    solve(n, r, 2 * stiffness, &proportional, &fine);
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_theory_result result = theory_run(context, "bristle", 5, set);
    const haw_quantity *tension = theory_profile(&result, "tension");
    const haw_quantity *tangential = theory_profile(&result, "tangential");
    error[0] = error[1] = 0;
    for (int i = 0; i <= n; i++) {
        const double t = 2 * fine.tension[i] - coarse.tension[i];
        const double f = 2 * fine.tangential[i] - coarse.tangential[i];
        if (0) printf("%d %g %g  %g %g\n", i, t, tension->value[i], f, tangential->value[i]);
        error[0] = fmax(error[0], fabs(t - tension->value[i]));
        error[1] = fmax(error[1], fabs(fabs(f) - fabs(tangential->value[i])));
    }
    haw_theory_result_free(context, &result);
    haw_context_free(context);
}

static void errors_fall_with_the_square_of_the_spacing_in_every_regime(void **state)
{
    (void)state;
    static const double ratio[] = {0.2, 0.3, 0.6, 1, 1.5, 5};
    for (size_t k = 0; k < sizeof ratio / sizeof *ratio; k++) {
        for (int n = 50; n <= 400; n *= 2) {
            double error[2];
            compare(n, ratio[k], error);
            print_message("r %g, n %d: T %.2e, t %.2e\n", ratio[k], n, error[0], error[1]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_fall_with_the_square_of_the_spacing_in_every_regime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
