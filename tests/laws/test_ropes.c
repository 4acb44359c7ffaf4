/* SPDX-License-Identifier: BSD-3-Clause */
/* What every kind of rope over sheaves must fulfil: forces, inertia, tangents, invariance. */
#include "model/system.h"
#include "support/random.h"
#include "support/reeving.h"

#include <stdlib.h>

enum { DOFS_MAX = 512 };

static void open_kind(reeving_case *c, int kind)
{
    reeving_init(c, rope_kind(kind)->name);
    c->cable.tension = 3e3;
    c->cable.bending_stiffness = 12;
    c->cable.damping_strain = 700;
    c->cable.damping_curvature = 0.3;
    c->cable.overflow = 0.4;
    reeving_open(c);
    assert_true(c->model->dofs <= DOFS_MAX);
}

static bool is_label(const haw_rope *rope, int dof)
{
    for (int i = 0; i < rope->labels; i++) {
        if (rope->label[i] == dof) {
            return true;
        }
    }
    return false;
}

/* Off the drawn start by part of a millimetre, in labels too, with velocities of all sorts. */
static void disturb(const reeving_case *c, uint64_t seed, double *q, double *u)
{
    const haw_rope *rope = reeving_rope(c);
    for (int i = 0; i < c->model->dofs; i++) {
        const double way = is_label(rope, i) ? 1e-4 : 3e-4;
        q[i] = c->state->q[i] + way * random_signed(&seed);
        u[i] = 0.3 * random_signed(&seed);
    }
    for (int end = 0; end < 2; end++) {
        const int label = rope->label[end == 0 ? 0 : rope->labels - 1];
        q[label] = c->state->q[label];
        u[label] = 0;
    }
}

static double energy(const reeving_case *c, const double *q)
{
    const haw_energy e = haw_model_energy(c->model, q);
    return e.elastic + e.gravity;
}

/* Conservative and damping forces. */
typedef struct parts {
    double f[DOFS_MAX], d[DOFS_MAX], load[DOFS_MAX];
} parts;

static void find_forces(const reeving_case *c, const double *q, const double *u, parts *p)
{
    const haw_forces forces = {p->f, p->d, p->load, NULL};
    haw_model_forces(c->model, 0, 1, q, u, &forces);
}

/* Weights of held components are in neither forces nor energies. */
static void forces_are_the_slope_of_the_energy_but_for_labels(void **state)
{
    (void)state;
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        reeving_case c;
        double q[DOFS_MAX], u[DOFS_MAX], scale = 0;
        parts p;
        open_kind(&c, kind);
        disturb(&c, 5, q, u);
        find_forces(&c, q, u, &p);
        for (int i = 0; i < c.model->dofs; i++) {
            scale = fmax(scale, fabs(p.f[i]));
        }
        for (int i = 0; i < c.model->dofs; i++) {
            const double h = 1e-6, at = q[i];
            if (is_label(reeving_rope(&c), i)) {
                continue;
            }
            q[i] = at + h;
            const double above = energy(&c, q);
            q[i] = at - h;
            const double below = energy(&c, q);
            q[i] = at;
            assert_near(-(above - below) / (2 * h), p.f[i], 1e-6 * scale, 1e-6);
        }
        reeving_close(&c);
    }
}

static void damping_takes_energy_only(void **state)
{
    (void)state;
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        reeving_case c;
        double q[DOFS_MAX], u[DOFS_MAX], power = 0;
        parts p;
        const double rest[DOFS_MAX] = {0};
        open_kind(&c, kind);
        disturb(&c, 11, q, u);
        find_forces(&c, q, u, &p);
        for (int i = 0; i < c.model->dofs; i++) {
            power += p.d[i] * u[i];
        }
        assert_true(power < -1);
        find_forces(&c, q, rest, &p);
        for (int i = 0; i < c.model->dofs; i++) {
            assert_near(p.d[i], 0, 0, 0);
        }
        reeving_close(&c);
    }
}

/*
 * dT/dt = u . (M a + velocity-dependent inertia forces): at the drawn start the velocity of the
 * material is continuous, so that what flows through the moving nodes cancels between neighbours.
 */
static void inertia_forces_work_at_the_rate_of_the_kinetic_energy(void **state)
{
    (void)state;
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        for (uint64_t trial = 0; trial < 4; trial++) {
            reeving_case c;
            double q[DOFS_MAX], u[DOFS_MAX], a[DOFS_MAX], y[DOFS_MAX], t[2], power = 0;
            uint64_t seed = 3 + trial;
            const double h = 1e-6;
            open_kind(&c, kind);
            const int n = c.model->dofs;
            disturb(&c, seed, q, u);
            disturb(&c, seed + 9, q, a);
            haw_model_inertia(c.model, c.state->q, u, a, y);
            for (int k = 0; k < 2; k++) {
                double x[DOFS_MAX], v[DOFS_MAX];
                const double way = k == 0 ? -h : h;
                for (int i = 0; i < n; i++) {
                    x[i] = c.state->q[i] + way * u[i];
                    v[i] = u[i] + way * a[i];
                }
                t[k] = haw_model_kinetic(c.model, x, v);
            }
            for (int i = 0; i < n; i++) {
                power += u[i] * y[i];
            }
            assert_near(power, (t[1] - t[0]) / (2 * h), 1e-6, 1e-6);
            reeving_close(&c);
        }
    }
}

/* A d of the matrix and, by differences, mass M d - d(forces). */
static void compare_tangent(const reeving_case *c, const haw_system *system, const double *q,
                            const double *u, double tolerance)
{
    uint64_t seed = 77;
    const double mass = 30, rate = 7, e = 1e-7;
    const int n = c->model->dofs;
    double d[DOFS_MAX] = {0}, x[DOFS_MAX] = {0}, got[DOFS_MAX] = {0};
    double want[DOFS_MAX] = {0}, m[2][DOFS_MAX], scale = 0;
    const double rest[DOFS_MAX] = {0};
    for (int i = 0; i < system->equations; i++) {
        x[i] = random_signed(&seed);
        d[system->dof[i]] = x[i];
    }
    haw_matrix_multiply(system->matrix, 1, x, got);
    for (int k = 0; k < 2; k++) {
        double at[DOFS_MAX], v[DOFS_MAX];
        parts p;
        for (int i = 0; i < n; i++) {
            const double way = (k == 0 ? -e : e) * d[i];
            at[i] = q[i] + way;
            v[i] = u[i] + rate * way;
        }
        find_forces(c, at, v, &p);
        for (int i = 0; i < n; i++) {
            want[i] += (k == 0 ? 1 : -1) * (p.f[i] + p.d[i]) / (2 * e);
        }
    }
    haw_model_inertia(c->model, q, u, d, m[0]);
    haw_model_inertia(c->model, q, u, rest, m[1]);
    for (int i = 0; i < n; i++) {
        want[i] += mass * (m[0][i] - m[1][i]);
        scale = fmax(scale, fabs(want[i]));
    }
    for (int i = 0; i < system->equations; i++) {
        assert_near(got[i], want[system->dof[i]], tolerance * scale, 0);
    }
}

/* Exact at rest; a kind may leave out how the damping of a moving rope depends on its shape. */
static void the_matrix_is_the_derivative_of_the_forces(void **state)
{
    (void)state;
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        reeving_case c;
        haw_system *system;
        open_kind(&c, kind);
        assert_int_equal(haw_system_create(c.context, c.model, NULL, NULL, &system), HAW_OK);
        for (uint64_t trial = 0; trial < 4; trial++) {
            double q[DOFS_MAX], u[DOFS_MAX];
            const bool moves = trial % 2 == 1;
            disturb(&c, 31 + trial, q, u);
            for (int i = 0; i < c.model->dofs; i++) {
                u[i] = moves ? u[i] : 0;
            }
            haw_system_clear(system);
            haw_system_add_model(system, q, u, 30, 7);
            compare_tangent(&c, system, q, u, moves ? 0.02 : 2e-6);
        }
        haw_system_free(system);
        reeving_close(&c);
    }
}

/* ---- invariance ---- */

static void move(reeving_case *c, double turn, const double by[2])
{
    for (int i = 0; i <= REEVING_BODIES; i++) {
        double *x = i < REEVING_BODIES ? c->body[i].position : c->cable.from;
        const double old[2] = {x[0], x[1]};
        x[0] = by[0] + cos(turn) * old[0] - sin(turn) * old[1];
        x[1] = by[1] + sin(turn) * old[0] + cos(turn) * old[1];
    }
}

/* What holds a label, with the energy of the material that would flow, is left out. */
static void a_translation_changes_the_energy_of_position_only(void **state)
{
    (void)state;
    const double by[2] = {-3, 2.5};
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        reeving_case c[2];
        double q[2][DOFS_MAX], u[DOFS_MAX];
        parts p[2];
        haw_energy e[2];
        for (int k = 0; k < 2; k++) {
            reeving_init(&c[k], rope_kind(kind)->name);
            c[k].cable.tension = 3e3;
            if (k == 1) {
                move(&c[k], 0, by);
            }
            reeving_open(&c[k]);
            disturb(&c[k], 13, q[k], u);
            e[k] = haw_model_energy(c[k].model, q[k]);
            find_forces(&c[k], q[k], u, &p[k]);
        }
        const double rope = 1.4 * reeving_rope(&c[0])->length; /* and the car, and the block */
        assert_near(e[1].elastic, e[0].elastic, 0, 1e-8);
        assert_near(e[1].gravity - e[0].gravity, 9.81 * 2.5 * (rope + 100 + 40), 0, 1e-10);
        const haw_cable *cable = &c[0].model->cable[0];
        for (int i = 0; i < c[0].model->dofs; i++) {
            const bool is_free = i < cable->first || !cable->held[i - cable->first];
            assert_near(p[1].f[i], p[0].f[i], is_free ? 1e-4 : (double)INFINITY, 1e-7);
            assert_near(p[1].d[i], p[0].d[i], 1e-6, 1e-7);
        }
        assert_near(haw_model_kinetic(c[1].model, q[1], u), haw_model_kinetic(c[0].model, q[0], u),
                    0, 1e-9);
        reeving_close(&c[0]);
        reeving_close(&c[1]);
    }
}

static void a_turned_rope_stores_the_same_energy_and_pulls_its_end(void **state)
{
    (void)state;
    const double by[2] = {0.4, -1};
    for (int kind = 0; rope_kind(kind) != NULL; kind++) {
        double elastic[2];
        for (int k = 0; k < 2; k++) {
            reeving_case c;
            parts p;
            const double rest[DOFS_MAX] = {0};
            reeving_init(&c, rope_kind(kind)->name);
            c.scene.gravity[1] = 0;
            c.scene.contacts = 0; /* or arcs of arc1d give way with the bed */
            c.cable.tension = 3e3;
            move(&c, k == 0 ? 0 : 2.1, by);
            reeving_open(&c);
            elastic[k] = haw_model_energy(c.model, c.state->q).elastic;
            find_forces(&c, c.state->q, rest, &p);
            reeving_arc course[3];
            reeving_course(&c, c.state->q, course);
            for (int j = 0; j < 2; j++) {
                assert_near(p.f[c.model->body[REEVING_CAR].first + j], -3e3 * course[2].along[j],
                            1e-6, 1e-9);
                assert_near(p.f[reeving_rope(&c)->arc[-1].dof + j], 3e3 * course[0].along[j], 1e-6,
                            1e-9);
            }
            reeving_close(&c);
        }
        assert_near(elastic[1], elastic[0], 0, 1e-9);
    }
}

TEST_FILE(test_ropes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_slope_of_the_energy_but_for_labels),
        cmocka_unit_test(damping_takes_energy_only),
        cmocka_unit_test(inertia_forces_work_at_the_rate_of_the_kinetic_energy),
        cmocka_unit_test(the_matrix_is_the_derivative_of_the_forces),
        cmocka_unit_test(a_translation_changes_the_energy_of_position_only),
        cmocka_unit_test(a_turned_rope_stores_the_same_energy_and_pulls_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
