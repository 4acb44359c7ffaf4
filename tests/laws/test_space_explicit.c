/* SPDX-License-Identifier: BSD-3-Clause */
/* Explicit steps in space, of every element: critical step, order, momentum, ledger; and of bodies
 * that turn. */
#include "base/lie.h"
#include "model/dynamics.h"
#include "stepper/simulation.h"
#include "support/rig.h"
#include "support/table.h"

#include <lapacke.h>

enum { MOST = 12 * 9, ELEMENTS = 4 };

/* ---- the bound of a straight cable ---- */

static void straight(const void *user, double xi, haw_section *place)
{
    (void)user;
    const double t[3] = {0.6, 0, 0.8}, turn[3] = {0, -atan2(0.8, 0.6), 0};
    const double unit[4] = {1, 0, 0, 0};
    so3_move(unit, 1, turn, place->quaternion);
    for (int i = 0; i < 3; i++) {
        place->x[i] = xi * t[i];
    }
    place->stretch = 1;
}

/* Largest eigenvalue of K x = w M x; the ends' positions are held where `pinned`. */
static double largest(const haw_beam *beam, const double *q, bool pinned)
{
    static double k[MOST * MOST], m[MOST * MOST];
    double kb[HAW_SPACE_DOFS * HAW_SPACE_DOFS], mb[HAW_SPACE_DOFS * HAW_SPACE_DOFS], w[MOST];
    const int block = beam->ops->dofs, n = haw_space_dofs(beam->ops, beam->elements);
    memset(k, 0, sizeof k);
    memset(m, 0, sizeof m);
    beam->ops->mass(beam, mb);
    for (int e = 0; e < beam->elements; e++) {
        const int first = beam->ops->node_dofs * e;
        beam->ops->tangent(beam, e, q, NULL, 0, kb);
        for (int a = 0; a < block * block; a++) {
            const int at = n * (first + a / block) + first + a % block;
            k[at] += kb[a];
            m[at] += mb[a];
        }
    }
    const int last = beam->ops->node_dofs * beam->elements;
    for (int i = 0; i < 6 && pinned; i++) {
        const int dof = i < 3 ? i : last + i - 3;
        for (int a = 0; a < n; a++) {
            k[n * dof + a] = k[n * a + dof] = m[n * dof + a] = m[n * a + dof] = 0;
        }
        m[n * dof + dof] = 1;
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', n, k, n, m, n, w), 0);
    return w[n - 1];
}

/* Stiff in one strain at a time, so that each mode of the bound is met. */
static haw_beam make_beam(const haw_space_ops *ops, int elements, int strain)
{
    haw_beam beam = {.ops = ops, .elements = elements, .le = 0.4, .density = 0.3};
    const double radius = 0.05;
    for (int i = 0; i < HAW_STRAINS; i++) {
        beam.stiffness[i] = i == strain ? 1e4 : 1;
    }
    for (int i = 0; i < 3; i++) {
        beam.rotary[i] = beam.density * radius * radius * (i == 0 ? 0.5 : 0.2 + 0.05 * i);
    }
    haw_quadrature_init(3, &beam.rule);
    return beam;
}

static void no_frequency_is_above_the_bound(void **state)
{
    (void)state;
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        const bool stretches = space_element_at(i)->stretches_only;
        for (int strain = 0; strain < (stretches ? 1 : HAW_STRAINS); strain++) {
            double sharpest = 0;
            for (int elements = 1; elements <= 8; elements *= 2) {
                const haw_beam beam = make_beam(space_element_at(i), elements, strain);
                double q[HAW_SPACE_COORDINATES * 9];
                beam.ops->interpolate(&beam, straight, NULL, q);
                const double loose = largest(&beam, q, false) / beam.ops->stiffest(&beam, true);
                const double pinned = largest(&beam, q, true) / beam.ops->stiffest(&beam, false);
                assert_true(loose <= 1 + 1e-3 && pinned <= 1 + 1e-3);
                sharpest = fmax(sharpest, loose);
            }
            print_message("%s, strain %d: %.4f of the bound\n", haw_space_elements[i]->name, strain,
                          sharpest);
            assert_true(sharpest > 0.99);
        }
    }
}

/* ---- cables ---- */

static haw_cable_spec cable_of(const char *element, int elements, haw_end_kind end)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "cable";
    cable.element = element;
    cable.elements = elements;
    cable.from[0] = cable.from[1] = cable.from[2] = 0;
    cable.to[0] = 1.2;
    cable.to[1] = 0.4;
    cable.to[2] = -0.3;
    cable.stiffness = 1e3;
    cable.radius = 0.05;
    cable.density = 0.2;
    cable.tension = end == HAW_END_FREE ? 0 : 20;
    cable.ends[0].kind = cable.ends[1].kind = end;
    return cable;
}

static void open_cable(rig *r, const char *element, int elements, haw_end_kind end)
{
    haw_cable_spec cable = cable_of(element, elements, end);
    const haw_row *row = haw_row_find(haw_space_elements, element);
    cable.bending_stiffness = ((const haw_space_ops *)row)->stretches_only ? 0 : 0.5;
    const haw_scene scene = {
        .dimension = 3, .cables = 1, .cable = &cable, .start = HAW_START_GIVEN};
    rig_build(r, &scene);
}

/* Largest kinetic energy of a stirred cable in units of the first, at a multiple of h_crit. */
static double growth(const char *element, int elements, haw_end_kind end, double factor)
{
    rig r;
    rig_open(&r);
    open_cable(&r, element, elements, end);
    return rig_growth(&r, factor, 1e-5, 3000);
}

static void below_the_critical_step_every_mesh_is_stable_and_above_it_none(void **state)
{
    (void)state;
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        const char *name = haw_space_elements[i]->name;
        for (int n = 1; n <= 16; n *= 4) {
            assert_true(growth(name, n, HAW_END_FREE, 0.999) < 3);
            /* tension stiffens what the bound takes without stress */
            assert_true(n == 1 || growth(name, n, HAW_END_PINNED, 0.98) < 3);
        }
        assert_true(growth(name, 1, HAW_END_FREE, 1.02) > 100);
    }
}

/* Strains that decay some times as fast as they vibrate, or bending: one element, whose mode the
 * bound is that of. */
static double damped_growth(const haw_space_ops *ops, const double damping[3], double factor)
{
    rig r;
    haw_cable_spec cable = cable_of(ops->row.name, 1, HAW_END_FREE);
    const haw_scene scene = {
        .dimension = 3, .cables = 1, .cable = &cable, .start = HAW_START_GIVEN};
    rig_open(&r);
    cable.bending_stiffness = 0.5;
    cable.damping_strain = damping[0];
    cable.damping_curvature = damping[1];
    cable.damping_shear = ops->has_rotations ? damping[2] : 0;
    rig_build(&r, &scene);
    return rig_growth(&r, factor, 1e-5, 3000);
}

static void dampers_shorten_the_critical_step(void **state)
{
    (void)state;
    static const double damping[][3] = {{0.5, 0, 0},  {5, 0, 0},   {0, 0.02, 0},
                                        {5, 0.02, 0}, {0, 0, 0.5}, {0, 0, 20}};
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        const haw_space_ops *ops = (const void *)haw_space_elements[i];
        for (int k = 0; k < 6 && !ops->stretches_only; k++) {
            const double below = damped_growth(ops, damping[k], 0.999);
            const double above = damped_growth(ops, damping[k], 1.02);
            print_message("%s, %g N s, %g N m2 s, %g N s: %.2g below, %.2g above\n", ops->row.name,
                          damping[k][0], damping[k][1], damping[k][2], below, above);
            assert_true(below < 3);
            /* of the others other modes are damped than are fast */
            assert_true((k > 0 && k < 4) || above > 100);
        }
    }
}

static void a_step_above_the_critical_one_is_refused(void **state)
{
    (void)state;
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        rig r;
        haw_simulation *refused = NULL;
        rig_open(&r);
        open_cable(&r, haw_space_elements[i]->name, ELEMENTS, HAW_END_PINNED);
        rig_set(&r, "step", 1.02 * haw_model_critical_step(r.model));
        assert_int_equal(haw_simulation_create(r.context, r.model, &r.settings, &refused),
                         HAW_ERR_INPUT);
        assert_non_null(strstr(haw_context_message(r.context), "critical step"));
        rig_close(&r);
    }
}

static void run_cable(const char *element, double theta, double step, double *q)
{
    rig r;
    rig_open(&r);
    rig_time(&r, step, 1, theta);
    open_cable(&r, element, ELEMENTS, HAW_END_PINNED);
    rig_stir(&r, 0.02);
    rig_steps(&r, lround(2e-3 / step));
    assert_true(r.state->coordinates <= MOST);
    memcpy(q, r.state->q, (size_t)r.state->coordinates * sizeof *q);
    assert_true(fabs(r.simulation->ledger.balance_drift) < 1e-13);
    rig_close(&r);
}

static double order_of(const char *element, double theta)
{
    static double q[3][MOST];
    double way[2] = {0, 0};
    memset(q, 0, sizeof q);
    for (int i = 0; i < 3; i++) {
        run_cable(element, theta, 4e-6 / (1 << i), q[i]);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < MOST; i++) {
            way[k] = hypot(way[k], q[k][i] - q[k + 1][i]);
        }
    }
    print_message("%s, theta %g: %.2g, %.2g\n", element, theta, way[0], way[1]);
    return log2(way[0] / way[1]);
}

static void steps_of_cables_have_their_order_and_close_the_ledger(void **state)
{
    (void)state;
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        const char *name = haw_space_elements[i]->name;
        assert_near(order_of(name, 0), 2, 0.1, 0);
        assert_near(order_of(name, 0.5), 2, 0.1, 0);
        assert_near(order_of(name, 0.7), 1, 0.1, 0);
    }
}

/* On translations: nodes, and what else is a place. */
static void find_momentum(const rig *r, double p[3])
{
    double y[MOST];
    const haw_cable *cable = &r->simulation->model.cable[0];
    const bool all = cable->beam.ops->node_dofs != 6;
    memset(p, 0, 3 * sizeof *p);
    haw_model_mass(&r->simulation->model, r->state->u, y);
    for (int a = 0; a < cable->line.dofs; a++) {
        p[a % 3] += all || a % 6 < 3 ? y[a] : 0;
    }
}

static void a_free_cable_keeps_its_momentum(void **state)
{
    (void)state;
    for (int i = 0; haw_space_elements[i] != NULL; i++) {
        double before[3], after[3];
        rig r;
        rig_open(&r);
        open_cable(&r, haw_space_elements[i]->name, ELEMENTS, HAW_END_FREE);
        rig_stir(&r, 0.02);
        find_momentum(&r, before);
        rig_steps(&r, 200);
        find_momentum(&r, after);
        for (int k = 0; k < 3; k++) {
            assert_near(after[k], before[k], 1e-13, 0);
        }
        rig_close(&r);
    }
}

/* ---- a body that turns: three principal moments, no forces ---- */

static void spin_body(double step, int iterations, double q[7], double *drift)
{
    rig r;
    haw_body_spec body = haw_body_spec_default();
    body.name = "top";
    body.shape = "sphere";
    body.shape_options[0] = 0.1;
    body.mass = 1;
    body.inertias[0] = 0.02;
    body.inertias[1] = 0.03;
    body.inertias[2] = 0.045;
    rig_open(&r);
    rig_time(&r, step, 10, 0);
    rig_set(&r, "gyro_iterations", iterations);
    rig_build(&r, &(haw_scene){.dimension = 3, .bodies = 1, .body = &body});
    double *u = r.simulation->state->u;
    u[3] = 1;
    u[4] = 3;
    u[5] = -0.7;
    assert_int_equal(haw_simulation_restore(r.simulation, r.simulation->state), HAW_OK);
    const double kinetic = r.simulation->kinetic;
    rig_steps(&r, lround(1 / step));
    *drift = fabs(r.simulation->kinetic / kinetic - 1);
    memcpy(q, r.state->q, 7 * sizeof *q);
    rig_close(&r);
}

static void a_free_body_keeps_its_energy_and_turns_to_second_order(void **state)
{
    (void)state;
    double q[3][7], way[2] = {0, 0}, drift;
    for (int i = 0; i < 3; i++) {
        spin_body(1e-2 / (1 << i), 20, q[i], &drift);
        assert_true(drift < 1e-13);
    }
    for (int k = 0; k < 7; k++) {
        way[0] = hypot(way[0], q[0][k] - q[1][k]);
        way[1] = hypot(way[1], q[1][k] - q[2][k]);
    }
    assert_near(log2(way[0] / way[1]), 2, 0.1, 0);
}

TEST_FILE(test_space_explicit)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_frequency_is_above_the_bound),
        cmocka_unit_test(below_the_critical_step_every_mesh_is_stable_and_above_it_none),
        cmocka_unit_test(dampers_shorten_the_critical_step),
        cmocka_unit_test(a_step_above_the_critical_one_is_refused),
        cmocka_unit_test(steps_of_cables_have_their_order_and_close_the_ledger),
        cmocka_unit_test(a_free_cable_keeps_its_momentum),
        cmocka_unit_test(a_free_body_keeps_its_energy_and_turns_to_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
