/* SPDX-License-Identifier: BSD-3-Clause */
/* Particles between rigid bars with frictional contacts: bilateral rows beside contacts, against
 * exact rational solutions (all states enumerated, in fractions). */
#include "solver/operator.h"
#include "support/near.h"

#include <hawser/solver.h>

#include <string.h>

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"

enum { PARTICLES = 3, BARS = 2, CONTACTS_MAX = 3, MOST = 9 };

typedef struct scene {
    int dimension, contacts;
    int under[CONTACTS_MAX];        /* particle of each contact */
    bool unique;                    /* impulses too */
    double bar[BARS][3];            /* directions, from particle k to k + 1 */
    double row[CONTACTS_MAX][3][3]; /* n, t1, t2 */
    double mu[CONTACTS_MAX];
    double f[MOST], w[MOST], b[BARS];
    double v[MOST], r[MOST], l[BARS]; /* the solution */
} scene;

#define PLANE                                                                                      \
    .dimension = 2, .contacts = 3, .bar = {{0.6, 0.8}, {0.6, -0.8}}, .under = {0, 2, 1},           \
    .row = {{{0, 1}, {1, 0}}, {{0, 1}, {1, 0}}, {{0, 1}, {1, 0}}}, .mu = {0.5, 0.1, 0.3},          \
    .f = {2, -1, 2, -12, 0, -6}

static const scene scenes[] = {
    {PLANE},
    {PLANE, .w = {0, 0, 0, 0, 10, 0}, .unique = true,
     .v = {0, 0, 200. / 353, -150. / 353, 400. / 353, 0},
     .r = {2117. / 353, 617. / 353, 4290. / 353, -429. / 353, 0, 0},
     .l = {2205. / 353, 2715. / 353}},
    {PLANE, .w = {0, 0, 0, 0, 10, 0}, .b = {0.5, -1}, .unique = true,
     .v = {0, 0, -359. / 706, -86. / 353, 1047. / 706, 0},
     .r = {1675. / 353, 571. / 706, 4860. / 353, -486. / 353, 0, 0},
     .l = {3305. / 706, 6855. / 706}},
    {.dimension = 3,
     .contacts = 2,
     .bar = {{2. / 7, 3. / 7, 6. / 7}, {6. / 7, 2. / 7, 3. / 7}},
     .under = {0, 2},
     .row = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{0, -0.6, 0.8}, {1, 0, 0}, {0, 0.8, 0.6}}},
     .mu = {0.3, 0.5},
     .unique = true,
     .f = {311. / 70, 214. / 35, -46. / 7, -12. / 7, -11. / 7, -47. / 7, 11. / 7, 212. / 35,
           -81. / 35},
     .b = {23. / 14, 4. / 7},
     .v = {1.5, 2, 0, 1, 0.5, -1, 0, 0, 0},
     .r = {10, -1.8, -2.4, 6, 1, -2},
     .l = {4, -3}},
};

static haw_problem *make(const scene *s)
{
    const int d = s->dimension, nv = PARTICLES * d;
    const haw_problem_size size = {.dimension = d,
                                   .contacts = s->contacts,
                                   .velocities = nv,
                                   .bilateral = BARS,
                                   .m_count = nv,
                                   .h_count = s->contacts * d * d,
                                   .g_count = 2 * BARS * d};
    haw_problem *problem;
    assert_int_equal(haw_problem_create(NULL, &size, &problem), HAW_OK);
    haw_global *g = problem->global;
    for (int i = 0; i < nv; i++) {
        g->m.start[i + 1] = i + 1;
        g->m.column[i] = i;
        const int particle = i / d;
        g->m.value[i] = 1 + particle; /* 1, 2 and 3 kg */
        g->f[i] = s->f[i];
    }
    for (int i = 0; i < s->contacts * d; i++) {
        g->ht.start[i + 1] = d * (i + 1);
        g->w[i] = s->w[i];
        problem->mu[i / d] = s->mu[i / d];
        for (int j = 0; j < d; j++) {
            g->ht.column[d * i + j] = d * s->under[i / d] + j;
            g->ht.value[d * i + j] = s->row[i / d][i % d][j];
        }
    }
    for (int k = 0; k < BARS; k++) {
        g->gt.start[k + 1] = 2 * d * (k + 1);
        g->b[k] = s->b[k];
        for (int j = 0; j < d; j++) {
            g->gt.column[2 * d * k + j] = d * k + j;
            g->gt.column[2 * d * k + d + j] = d * (k + 1) + j;
            g->gt.value[2 * d * k + j] = -s->bar[k][j];
            g->gt.value[2 * d * k + d + j] = s->bar[k][j];
        }
    }
    return problem;
}

/* @return false: not a solver of this form */
static bool check(const haw_row *solver, const scene *s)
{
    haw_problem *problem = make(s);
    haw_workspace *workspace;
    haw_solver_settings settings;
    haw_report report;
    haw_operator op;
    double r[MOST] = {0}, u[MOST], v[MOST], l[BARS];
    assert_int_equal(haw_workspace_create(context, &workspace), HAW_OK);
    assert_int_equal(haw_solver_settings_init(context, solver->name, &settings), HAW_OK);
    assert_int_equal(haw_solver_set(context, &settings, "tolerance", 2e-14), HAW_OK);
    const haw_status status = haw_solve(problem, &settings, workspace, r, u, &report);
    const bool takes = status == HAW_OK;
    if (takes) {
        if (report.outcome != HAW_CONVERGED) {
            fail_msg("%s: %s at %g", solver->name, haw_outcome_text(report.outcome),
                     report.residual.natural);
        }
        assert_int_equal(haw_operator_create(&arena, problem, &op), HAW_OK);
        haw_operator_state(&op, r, v, l);
        double worst = 0;
        for (int i = 0; i < PARTICLES * s->dimension; i++) {
            worst = fmax(worst, fabs(v[i] - s->v[i]));
            assert_near(v[i], s->v[i], 1e-12, 0);
        }
        print_message("%-10s %.1e m/s\n", solver->name, worst);
        for (int i = 0; i < s->contacts * s->dimension && s->unique; i++) {
            assert_near(r[i], s->r[i], 1e-11, 0);
        }
        for (int i = 0; i < BARS && s->unique; i++) {
            assert_near(l[i], s->l[i], 1e-11, 0);
        }
        haw_operator_release(&op);
    }
    haw_workspace_free(workspace);
    haw_problem_free(NULL, problem);
    return takes;
}

static void bars_and_contacts_have_the_exact_solution(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        int solvers = 0;
        for (int i = 0; haw_solvers[i] != NULL; i++) {
            const bool takes = check(haw_solvers[i], &scenes[k]);
            solvers += takes ? 1 : 0;
            if (!takes) {
                print_message("scene %zu: not %s\n", k, haw_solvers[i]->name);
            }
        }
        assert_true(solvers >= 5);
    }
}

TEST_FILE(test_bars)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_and_contacts_have_the_exact_solution),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
