/* SPDX-License-Identifier: BSD-3-Clause */
/* Contact problems in a bordered band and in a sparse matrix, against the general solver and the
 * referee. */
#include "solver/band_newton.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/rows.h"
#include "support/sparse_sample.h"

enum { NODE = 4, NODES = 14, BORDER = 2, N = NODE * NODES + BORDER, CONTACTS = 5 };

typedef struct sample {
    int d;
    haw_matrix *matrix;
    haw_csr pattern, m, ht;
    double f[N], w[3 * CONTACTS], mu[CONTACTS], weight[CONTACTS];
    double r[3 * CONTACTS], v[N], u[3 * CONTACTS], free[3 * CONTACTS];
    haw_band_result result;
} sample;

static haw_context *home;
static haw_arena memory;
static haw_matrix_kind matrix_kind; /* of the group of tests that runs */
static haw_matrix *last;            /* at most one at a time */

static int open_memory(void **state)
{
    (void)state;
    if (haw_context_create(NULL, &home) != HAW_OK) {
        return -1;
    }
    haw_arena_init(&memory, home);
    return 0;
}

static int open_sparse_memory(void **state)
{
    matrix_kind = HAW_MATRIX_SPARSE;
    return open_memory(state);
}

static void forget(void)
{
    haw_matrix_release(last);
    last = NULL;
    haw_arena_reset(&memory);
}

static int close_memory(void **state)
{
    (void)state;
    forget();
    haw_arena_fini(&memory);
    haw_context_free(home);
    return 0;
}

static const double SCALE = 0.25; /* of the entries over A */

static bool is_coupled(int i, int j)
{
    const bool border = i >= N - BORDER || j >= N - BORDER;
    return border || abs(i / NODE - j / NODE) <= 1;
}

/* Diagonally dominant; what is added to the upper triangle is taken from the lower one. */
static dense random_matrix(double skew, uint64_t *seed)
{
    dense a = dense_make(N, N);
    for (int i = 0; i < N; i++) {
        *dense_at(&a, i, i) = 6;
        for (int j = 0; j < i; j++) {
            if (is_coupled(i, j)) {
                const double value = 0.4 * random_signed(seed), odd = skew * random_signed(seed);
                *dense_at(&a, i, j) = value - odd;
                *dense_at(&a, j, i) = value + odd;
            }
        }
    }
    return a;
}

/* The entries of A / SCALE in a bordered matrix. */
static void fill_matrix(const dense *a, sample *s)
{
    haw_triplets pattern;
    assert_int_equal(haw_triplets_create(&memory, N * N, false, &pattern), HAW_OK);
    for (int k = 0; k < N * N; k++) {
        if (is_coupled(k / N, k % N)) {
            haw_triplets_add(&pattern, k / N, k % N, 0);
        }
    }
    assert_int_equal(haw_triplets_compress(&memory, &pattern, N, N, &s->pattern), HAW_OK);
    assert_null(last);
    assert_int_equal(haw_matrix_create(&memory, &s->pattern, BORDER, &matrix_kind, &s->matrix),
                     HAW_OK);
    last = s->matrix;
    for (int k = 0; k < N * N; k++) {
        const double entry = *dense_at(a, k / N, k % N);
        if (entry != 0) {
            const ptrdiff_t place = haw_matrix_place(s->matrix, k / N, k % N);
            haw_matrix_value(s->matrix)[place] = entry / SCALE;
        }
    }
}

/* Each contact acts on two neighbouring nodes and on the border. */
static dense random_rows(int d, uint64_t *seed)
{
    dense ht = dense_make(d * CONTACTS, N);
    for (int i = 0; i < d * CONTACTS; i++) {
        const int node = i / d;
        *dense_at(&ht, i, NODE * node + i % d) = 1;
        for (int j = NODE * node; j < NODE * (node + 2); j++) {
            *dense_at(&ht, i, j) += 0.3 * random_signed(seed);
        }
        *dense_at(&ht, i, N - 1) = 0.3 * random_signed(seed);
    }
    return ht;
}

typedef struct kind {
    int d;
    double skew, normal, tangential, mu; /* of A; velocities w; coefficient of friction */
} kind;

static sample make(const kind *of, uint64_t seed)
{
    sample s = {.d = of->d};
    dense a = random_matrix(of->skew, &seed), ht = random_rows(of->d, &seed);
    fill_matrix(&a, &s);
    s.m = dense_to_csr(&memory, &a);
    s.ht = dense_to_csr(&memory, &ht);
    for (int i = 0; i < N; i++) {
        s.f[i] = 0.2 * random_signed(&seed);
    }
    for (int i = 0; i < s.d * CONTACTS; i++) {
        s.w[i] = i % s.d == 0 ? of->normal : of->tangential * random_signed(&seed);
    }
    for (int i = 0; i < CONTACTS; i++) {
        s.mu[i] = of->mu;
    }
    free(a.a);
    free(ht.a);
    return s;
}

static haw_band_problem problem_of(sample *s, double tolerance)
{
    return (haw_band_problem){.matrix = s->matrix,
                              .scale = SCALE,
                              .dimension = s->d,
                              .contacts = CONTACTS,
                              .ht = &s->ht,
                              .f = s->f,
                              .w = s->w,
                              .mu = s->mu,
                              .weight = s->weight,
                              .speed = 0.1,
                              .tolerance = tolerance};
}

static void solve(sample *s, double tolerance)
{
    haw_band_problem problem = problem_of(s, tolerance);
    problem.free = s->free;
    assert_int_equal(haw_band_newton(&problem, &memory, s->r, s->v, s->u, &s->result), HAW_OK);
}

/* The same problem in its global form, for the general solver and the referee. */
typedef struct general {
    haw_global global;
    haw_problem problem;
} general;

static void generalize(sample *s, general *g)
{
    *g = (general){.global = {.m = s->m, .ht = s->ht, .f = s->f, .w = s->w}};
    assert_int_equal(haw_csr_create(&memory, 0, N, 0, true, &g->global.gt), HAW_OK);
    g->problem = (haw_problem){
        .dimension = s->d, .contacts = CONTACTS, .mu = s->mu, .scale = 0.1, .global = &g->global};
}

static void assert_same(int count, const double *got, const double *want, double tolerance)
{
    for (int i = 0; i < count; i++) {
        assert_near(got[i], want[i], tolerance, 0);
    }
}

static void compare(sample *s)
{
    double r[3 * CONTACTS] = {0}, u[3 * CONTACTS], balance[N] = {0};
    general g;
    haw_report report;
    generalize(s, &g);
    assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "newton"), &g.problem,
                           1e-12, r, u, &report));
    assert_int_equal(report.outcome, HAW_CONVERGED);
    assert_same(s->d * CONTACTS, s->r, r, 1e-9);
    assert_same(s->d * CONTACTS, s->u, u, 1e-10);
    haw_csr_add(&s->m, 1, s->v, balance); /* A v = f + H r */
    haw_csr_add_transposed(&s->ht, -1, s->r, balance);
    assert_same(N, balance, s->f, 1e-11);
}

/* ---- tests ---- */

static void every_regime_is_that_of_the_general_solver(void **state)
{
    static const kind kinds[] = {
        {2, 0, -1, 0.1, 0.8},   {3, 0, -1, 0.1, 0.8},   /* stick */
        {2, 0, -1, 3, 0.3},     {3, 0, -1, 3, 0.3},     /* slip */
        {2, 0, -0.1, 0.5, 0.4}, {3, 0, -0.1, 0.5, 0.4}, /* some of each */
        {2, 0, -1, 1, 0},       {3, 0, -1, 1, 0},       /* no friction */
        {2, 0.2, -0.3, 1, 0.4}, {3, 0.2, -0.3, 1, 0.4}, /* A is not symmetric */
    };
    (void)state;
    for (size_t i = 0; i < 20 * (sizeof kinds / sizeof *kinds); i++) {
        sample s = make(&kinds[i / 20], 11 + i);
        solve(&s, 1e-12);
        assert_true(s.result.met);
        assert_true(s.result.residual <= 1e-12);
        compare(&s);
        forget();
    }
}

/* A spring behind a contact, along each of its directions, is an unknown of its own: (1 / c) v = r,
 * u = H^T v + w. */
static void springs_give_way_as_further_unknowns_do(void **state)
{
    const double softness = 0.07, part[3] = {1, 0.4, 0.4}; /* a law of friction has no sides */
    const kind kinds[] = {{2, 0, -0.1, 0.5, 0.4}, {3, 0.2, -0.3, 1, 0.4}, {3, 0, -1, 1, 0}};
    (void)state;
    for (int k = 0; k < 60; k++) {
        const int d = kinds[k % 3].d;
        uint64_t seed = 201 + (uint64_t)k;
        double f[N + 3 * CONTACTS] = {0}, compliance[3 * CONTACTS], r[3 * CONTACTS] = {0};
        double u[3 * CONTACTS];
        sample s = make(&kinds[k % 3], seed);
        haw_band_problem problem = problem_of(&s, 1e-12);
        general g;
        haw_report report;
        dense a = random_matrix(kinds[k % 3].skew, &seed), ht = random_rows(d, &seed);
        const int all = N + d * CONTACTS;
        dense wide = dense_make(all, all), rows = dense_make(d * CONTACTS, all);
        for (int i = 0; i < N * N; i++) {
            *dense_at(&wide, i / N, i % N) = *dense_at(&a, i / N, i % N);
        }
        for (int i = 0; i < d * CONTACTS * N; i++) {
            *dense_at(&rows, i / N, i % N) = *dense_at(&ht, i / N, i % N);
        }
        for (int i = 0; i < d * CONTACTS; i++) {
            const int contact = i / d;
            compliance[i] = softness * (1 + contact) * part[i % d];
            *dense_at(&wide, N + i, N + i) = 1 / compliance[i];
            *dense_at(&rows, i, N + i) = 1;
        }
        memcpy(f, s.f, sizeof s.f);
        problem.free = s.free;
        problem.compliance = compliance;
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met && s.result.iterations <= 6); /* derivatives count them */
        generalize(&s, &g);
        g.global.m = dense_to_csr(&memory, &wide);
        g.global.ht = dense_to_csr(&memory, &rows);
        g.global.f = f;
        assert_int_equal(haw_csr_create(&memory, 0, all, 0, true, &g.global.gt), HAW_OK);
        assert_true(rows_solve((const haw_solver_ops *)haw_row_find(haw_solvers, "newton"),
                               &g.problem, 1e-12, r, u, &report));
        assert_same(d * CONTACTS, s.r, r, 1e-9);
        assert_same(d * CONTACTS, s.u, u, 1e-10);
        free(a.a);
        free(ht.a);
        free(wide.a);
        free(rows.a);
        forget();
    }
}

static void open_contacts_have_no_impulse(void **state)
{
    const double zero[3 * CONTACTS] = {0};
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, 5, 1, 0.5}, 3);
        s.r[d] = 1e-170; /* what a solve before has left of an opened contact */
        solve(&s, 1e-12);
        assert_true(s.result.met);
        assert_int_equal(s.result.iterations, 1);
        assert_same(d * CONTACTS, s.r, zero, 1e-170);
        assert_same(d * CONTACTS, s.u, s.free, 1e-14);
        forget();
    }
}

/* Products with the last digits of an impulse that steps have shortened again and again underflow,
 * and Newton's method leaves it where it is: a load of 1e-309 N would count as contact. */
static void an_impulse_that_is_next_to_none_is_none(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -1, 0.5, 0.4}, 7);
        s.w[d] = 5; /* the second opens */
        s.weight[1] = 1e-20;
        s.r[d] = 1e-306;
        for (int i = 0; i < CONTACTS; i++) {
            s.r[d * i] += i == 1 ? 0 : 1;
        }
        solve(&s, 1e-12);
        assert_true(s.result.met && s.r[0] > 0);
        assert_true(s.r[d] == 0);
        forget();
    }
}

static void a_right_warm_start_takes_one_factorization(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -1, d == 2 ? 0.6 : 0.1, d == 2 ? 0.4 : 5}, 5);
        const haw_band_problem problem = problem_of(&s, 1e-7);
        solve(&s, 1e-12);
        for (int i = 0; i < N; i++) {
            s.f[i] *= 1.001;
        }
        for (int i = 0; i < d * CONTACTS; i++) {
            s.r[i] *= 1.01;
        }
        haw_matrix_forget(s.matrix);
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met);
        assert_int_equal(s.result.factorizations, 1);
        forget();
    }
}

/* After many steps more than the tolerance will do where another solution follows, not before. */
static void what_will_do_does_after_many_steps(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        for (int allows = 0; allows < 2; allows++) {
            sample s = make(&(kind){d, 0, -1, 0.5, 0.4}, 7);
            haw_band_problem problem = problem_of(&s, 0); /* which rounding misses */
            problem.enough = allows * 1e-8;
            assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
            assert_true(s.result.met == (allows > 0) && s.result.iterations > 40);
            assert_true(s.result.residual <= 1e-8 || allows == 0);
            assert_true(s.result.iterations == 41 || allows == 0);
            forget();
        }
    }
}

/* A problem about its solution, v = 0 with the impulses at hand, which are off by a part. */
static void approach(sample *s, double part)
{
    double impulse[N] = {0};
    solve(s, 1e-12);
    assert_true(s->result.met);
    haw_csr_add_transposed(&s->ht, -1, s->r, impulse);
    memcpy(s->f, impulse, sizeof s->f); /* A 0 = f + H r */
    memcpy(s->w, s->u, sizeof s->w);
    for (int i = 0; i < s->d * CONTACTS; i++) {
        s->r[i] *= 1 + part;
    }
}

/* Directions of slip and regimes are those where the steps are, and the matrix without contact is
 * not needed. */
static void steps_go_on_from_near_the_solution(void **state)
{
    const double zero[N] = {0};
    (void)state;
    for (int k = 0; k < 20; k++) {
        sample s = make(&(kind){3, 0.2, -0.3, 1, 0.4}, 31 + (uint64_t)k);
        approach(&s, 1e-4);
        haw_band_problem problem = problem_of(&s, 1e-9);
        problem.is_near = true;
        haw_matrix_forget(s.matrix);
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met && s.result.residual <= 1e-9);
        assert_int_equal(s.result.factorizations, s.result.iterations);
        assert_true(s.result.iterations <= 3);
        assert_same(N, s.v, zero, 1e-8);
        forget();
    }
}

/* Laws that are obeyed at the start say nothing of the mechanics. */
static void the_mechanics_counts_where_the_laws_are_obeyed(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        uint64_t seed = 71 + (uint64_t)k;
        sample s = make(&(kind){3, 0.2, -0.3, 1, 0.4}, seed);
        approach(&s, 0);
        for (int i = 0; i < N; i++) {
            s.f[i] += 1e-2 * random_signed(&seed);
        }
        haw_band_problem problem = problem_of(&s, 1e-12);
        problem.is_near = true;
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met);
        compare(&s);
        forget();
    }
}

/* Where it is not near after all, the regimes of the impulses are taken as ever. */
static void a_start_that_is_not_near_costs_steps_alone(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        sample s = make(&(kind){3, 0.2, -0.3, 1, 0.4}, 51 + (uint64_t)k);
        haw_band_problem problem = problem_of(&s, 1e-12);
        problem.is_near = true;
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met);
        compare(&s);
        forget();
    }
}

static void the_residual_is_that_of_the_referee(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -0.1, 0.7, 0.4}, 7);
        general g;
        haw_residual residual;
        double u[3 * CONTACTS];
        solve(&s, 1); /* ends after the first step, from r = 0 */
        assert_int_equal(s.result.iterations, 1);
        generalize(&s, &g);
        assert_int_equal(haw_problem_residual(home, &g.problem, s.r, u, &residual), HAW_OK);
        assert_true(residual.natural > 1e-3);
        assert_same(1, &s.result.residual, &residual.natural, 1e-9);
        forget();
    }
}

/* Contacts that would close, with a friction cone that is nearly a half-space: r = 0 obeys the
 * natural map to 1e-8, but not the referee. */
static void an_approach_does_not_pass_for_solved(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -1, 0.1, 1e9}, 21);
        general g;
        haw_residual residual;
        double u[3 * CONTACTS];
        solve(&s, 1e-8);
        generalize(&s, &g);
        assert_int_equal(haw_problem_residual(home, &g.problem, s.r, u, &residual), HAW_OK);
        assert_true(s.result.met == (residual.stop <= 1e-8 * (1 + 1e-6)));
        assert_true(!s.result.met || residual.normal_min > -1e-6);
        memset(s.r, 0, sizeof s.r);
        assert_int_equal(haw_problem_residual(home, &g.problem, s.r, u, &residual), HAW_OK);
        assert_true(residual.natural <= 1e-8 && residual.stop > 0.01);
        forget();
    }
}

static void the_entries_of_the_matrix_stay(void **state)
{
    (void)state;
    sample s = make(&(kind){3, 0, -1, 1, 0.4}, 9);
    const size_t count = (size_t)haw_matrix_spare(s.matrix);
    double *before = haw_arena_allocate(&memory, count, sizeof(double));
    memcpy(before, haw_matrix_value(s.matrix), count * sizeof(double));
    solve(&s, 1e-12);
    assert_memory_equal(before, haw_matrix_value(s.matrix), count * sizeof(double));
    forget();
}

static void without_contacts_the_mechanics_is_solved(void **state)
{
    (void)state;
    sample s = make(&(kind){3, 0, -1, 1, 0.4}, 13);
    haw_band_problem problem = problem_of(&s, 1e-12);
    double balance[N] = {0};
    s.ht.rows = problem.contacts = 0;
    assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
    assert_true(s.result.met);
    haw_csr_add(&s.m, 1, s.v, balance);
    assert_same(N, balance, s.f, 1e-12);
    forget();
}

/* A node that would run away by itself, pressed on its contact: trace(W_cc) is negative. */
static void an_unstable_node_is_held_by_its_contact(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -1, 0.1, 0.8}, 19);
        const haw_band_problem problem = problem_of(&s, 1e-12);
        double balance[N] = {0};
        for (int j = 0; j < NODE; j++) {
            haw_matrix_value(s.matrix)[haw_matrix_place(s.matrix, j, j)] -= 12 / SCALE;
        }
        s.f[0] -= 20;
        s.r[0] = 10;
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.met);
        assert_true(s.r[0] > 5 && s.weight[0] > 0);
        assert_near(s.u[0], 0, 1e-12, 0);
        haw_matrix_multiply(s.matrix, SCALE, s.v, balance);
        haw_csr_add_transposed(&s.ht, -1, s.r, balance);
        assert_same(N, balance, s.f, 1e-10);
        forget();
    }
}

/* Velocities without impulses, here of 1 m/s, do not loosen a tolerance that is judged later. */
static void what_is_judged_is_solved_at_its_speed(void **state)
{
    (void)state;
    sample s = make(&(kind){2, 0, -1, 3, 0.3}, 11);
    haw_band_problem problem = problem_of(&s, 1e-12);
    problem.is_judged = true;
    assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
    assert_true(s.result.met && s.result.iterations > 1);
    assert_near(s.result.reference, 0.1, 0, 0);
    forget();
}

/* Held by its contact alone: while nothing presses the matrix is singular. */
static void a_loose_node_at_rest_is_found_from_no_impulse(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sample s = make(&(kind){d, 0, -0.1, 0.1, 0.8}, 19);
        haw_band_problem problem = problem_of(&s, 1e-10);
        double balance[N] = {0};
        for (int j = 0; j < N; j++) {
            if (is_coupled(0, j)) {
                haw_matrix_value(s.matrix)[haw_matrix_place(s.matrix, 0, j)] = 0;
                haw_matrix_value(s.matrix)[haw_matrix_place(s.matrix, j, 0)] = 0;
            }
        }
        s.f[0] = -1;
        for (int i = 0; i < CONTACTS; i++) {
            s.weight[i] = 1;
        }
        problem.is_resting = true;
        assert_int_equal(haw_band_newton(&problem, &memory, s.r, s.v, s.u, &s.result), HAW_OK);
        assert_true(s.result.fits && s.result.met && s.result.iterations > 0);
        assert_true(s.r[0] > 0.5);
        haw_matrix_multiply(s.matrix, SCALE, s.v, balance);
        haw_csr_add_transposed(&s.ht, -1, s.r, balance);
        assert_same(N, balance, s.f, 1e-9);
        forget();
    }
}

static void what_it_cannot_solve_is_not_met(void **state)
{
    (void)state;
    sample s = make(&(kind){3, 0, -1, 1, 0.4}, 15);
    s.ht.column[s.ht.start[1] - 2] = NODE * 5; /* nodes 0 and 5 in one contact */
    solve(&s, 1e-12);
    assert_false(s.result.met || s.result.fits);
    assert_int_equal(s.result.factorizations, 0);
    forget();
    s = make(&(kind){3, 0, -1, 1, 0.4}, 15);
    haw_matrix_clear(s.matrix);
    solve(&s, 1e-12);
    assert_true(!s.result.met && s.result.fits);
    forget();
}

static haw_status attempt(haw_context *failing, void *user)
{
    sample *s = user;
    const haw_band_problem problem = problem_of(s, 1e-12);
    haw_arena own;
    haw_arena_init(&own, failing);
    const haw_status status = haw_band_newton(&problem, &own, s->r, s->v, s->u, &s->result);
    haw_arena_fini(&own);
    return status;
}

/* With a matrix that takes its memory from the same context, some of it for its factors. */
static haw_status attempt_all(haw_context *failing, void *user)
{
    sample s = *(const sample *)user;
    haw_arena own;
    haw_arena_init(&own, failing);
    haw_status status = haw_matrix_create(&own, &s.pattern, BORDER, &matrix_kind, &s.matrix);
    if (status == HAW_OK) {
        haw_matrix_exchange(s.matrix, haw_matrix_value(last));
        status = attempt(failing, &s);
        assert_true(status != HAW_OK || s.result.met);
    }
    haw_matrix_release(s.matrix);
    haw_arena_fini(&own);
    return status;
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    sample s = make(&(kind){3, 0, -1, 1, 0.4}, 17);
    (void)failing_loop(attempt_all, &s);
    (void)failing_loop(attempt, &s);
    forget();
}

TEST_FILE(test_band_newton)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_regime_is_that_of_the_general_solver),
        cmocka_unit_test(springs_give_way_as_further_unknowns_do),
        cmocka_unit_test(open_contacts_have_no_impulse),
        cmocka_unit_test(an_impulse_that_is_next_to_none_is_none),
        cmocka_unit_test(a_right_warm_start_takes_one_factorization),
        cmocka_unit_test(what_will_do_does_after_many_steps),
        cmocka_unit_test(steps_go_on_from_near_the_solution),
        cmocka_unit_test(the_mechanics_counts_where_the_laws_are_obeyed),
        cmocka_unit_test(a_start_that_is_not_near_costs_steps_alone),
        cmocka_unit_test(the_residual_is_that_of_the_referee),
        cmocka_unit_test(an_approach_does_not_pass_for_solved),
        cmocka_unit_test(the_entries_of_the_matrix_stay),
        cmocka_unit_test(without_contacts_the_mechanics_is_solved),
        cmocka_unit_test(an_unstable_node_is_held_by_its_contact),
        cmocka_unit_test(what_is_judged_is_solved_at_its_speed),
        cmocka_unit_test(a_loose_node_at_rest_is_found_from_no_impulse),
        cmocka_unit_test(what_it_cannot_solve_is_not_met),
        cmocka_unit_test(lack_of_memory_is_reported),
    };
    const int failed = cmocka_run_group_tests_name("test_band_newton, in a bordered band", tests,
                                                   open_memory, close_memory);
    return failed + cmocka_run_group_tests_name("test_band_newton, in a sparse matrix", tests,
                                                open_sparse_memory, close_memory);
}
