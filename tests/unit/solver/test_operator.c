/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator of every structure of M against W, q and M^-1 H written out by dense elimination. */
#include "solver/mobility.h"
#include "solver/operator.h"
#include "support/failing.h"
#include "support/problems.h"
#include "support/random.h"
#include "support/sparse_sample.h"

#include <hawser/problem.h>

typedef struct global_sample {
    haw_problem problem;
    haw_global global;
    dense m, ht, gt; /* [nv][nv], [n d][nv], [p][nv] */
    double *f, *w, *b, *mu;
} global_sample;

typedef struct global_shape {
    int dimension, contacts, nodes; /* nv = nodes * dimension */
    int bilateral;
    int border; /* last nodes that M couples to every node */
    int block;  /* nodes that M couples with each other; 0: a chain */
    bool is_unsymmetric, is_indefinite;
} global_shape;

static double *random_doubles(int count, double low, uint64_t *seed)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < count; ++i) {
        x[i] = low + random_signed(seed);
    }
    return x;
}

static bool global_coupled(const global_shape *shape, int a, int b)
{
    if (a >= shape->nodes - shape->border || b >= shape->nodes - shape->border) {
        return true;
    }
    return shape->block > 0 ? a / shape->block == b / shape->block : abs(a - b) <= 1;
}

static void global_fill_m(global_sample *s, const global_shape *shape, const int *label,
                          uint64_t *seed)
{
    const int d = shape->dimension;
    for (int i = 0; i < s->m.rows; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (global_coupled(shape, i / d, j / d)) {
                const int a = label[i / d] * d + i % d;
                const int b = label[j / d] * d + j % d;
                const double value = 0.3 * random_signed(seed);
                *dense_at(&s->m, a, b) = value;
                *dense_at(&s->m, b, a) = shape->is_unsymmetric ? -value : value;
            }
        }
    }
    for (int i = 0; i < s->m.rows; ++i) { /* diagonally dominant */
        double sum = 1;
        for (int j = 0; j < s->m.rows; ++j) {
            sum += i != j ? fabs(*dense_at(&s->m, i, j)) : 0;
        }
        *dense_at(&s->m, i, i) = shape->is_indefinite && i % 3 == 0 ? -sum : sum;
    }
}

/* Each contact touches two neighbouring nodes. */
static void global_fill_h(global_sample *s, const global_shape *shape, const int *label,
                          uint64_t *seed)
{
    const int d = shape->dimension;
    for (int row = 0; row < s->ht.rows; ++row) {
        const int node = row / d % (shape->nodes - 1);
        for (int a = 0; a < d; ++a) {
            *dense_at(&s->ht, row, label[node] * d + a) = random_signed(seed);
            *dense_at(&s->ht, row, label[node + 1] * d + a) = random_signed(seed);
        }
    }
    for (int row = 0; row < s->gt.rows; ++row) {
        for (int a = 0; a < 2 * d; ++a) {
            *dense_at(&s->gt, row, (row * 2 * d + a) % s->gt.columns) = 1 + random_signed(seed);
        }
    }
}

static void global_sample_make(haw_arena *arena, const global_shape *shape, uint64_t *seed,
                               global_sample *s)
{
    const int d = shape->dimension, nv = d * shape->nodes, rows = d * shape->contacts;
    int *label = calloc((size_t)shape->nodes, sizeof *label);
    *s = (global_sample){.m = dense_make(nv, nv),
                         .ht = dense_make(rows, nv),
                         .gt = dense_make(shape->bilateral, nv)};
    shuffle(shape->nodes, label, seed);
    global_fill_m(s, shape, label, seed);
    global_fill_h(s, shape, label, seed);
    free(label);
    s->f = random_doubles(nv, 0, seed);
    s->w = random_doubles(rows, 0, seed);
    s->b = random_doubles(shape->bilateral, 0, seed);
    s->mu = random_doubles(shape->contacts, 1, seed);
    s->global = (haw_global){.f = s->f, .w = s->w, .b = s->b};
    s->global.m = dense_to_csr(arena, &s->m);
    s->global.ht = dense_to_csr(arena, &s->ht);
    s->global.gt = dense_to_csr(arena, &s->gt);
    s->problem = (haw_problem){.dimension = d,
                               .contacts = shape->contacts,
                               .mu = s->mu,
                               .scale = 0.25,
                               .global = &s->global};
}

static void global_sample_free(global_sample *s)
{
    free(s->m.a);
    free(s->ht.a);
    free(s->gt.a);
    free(s->f);
    free(s->w);
    free(s->b);
    free(s->mu);
}

/* K^-1 [H 0; 0 ...] and K^-1 [f; -b] as columns: [nv + p][n d + 1], by LAPACK. */
static dense global_sample_solve(const global_sample *s)
{
    const int nv = s->m.rows, p = s->gt.rows, rows = s->ht.rows;
    dense k = dense_make(nv + p, nv + p);
    dense x = dense_make(nv + p, rows + 1);
    for (int i = 0; i < nv; ++i) {
        for (int j = 0; j < nv; ++j) {
            *dense_at(&k, i, j) = *dense_at(&s->m, i, j);
        }
        for (int row = 0; row < rows; ++row) {
            *dense_at(&x, i, row) = *dense_at(&s->ht, row, i);
        }
        for (int row = 0; row < p; ++row) {
            *dense_at(&k, i, nv + row) = -*dense_at(&s->gt, row, i);
            *dense_at(&k, nv + row, i) = *dense_at(&s->gt, row, i);
        }
        *dense_at(&x, i, rows) = s->f[i];
    }
    for (int row = 0; row < p; ++row) {
        *dense_at(&x, nv + row, rows) = -s->b[row];
    }
    dense_solve(&k, &x);
    free(k.a);
    return x;
}

/* H^T times the columns: [n d][n d + 1], W and q - w. */
static dense global_sample_delassus(const global_sample *s, const dense *x)
{
    dense w = dense_make(s->ht.rows, x->columns);
    for (int i = 0; i < s->ht.rows; ++i) {
        for (int j = 0; j < x->columns; ++j) {
            for (int k = 0; k < s->ht.columns; ++k) {
                *dense_at(&w, i, j) += *dense_at(&s->ht, i, k) * *dense_at(x, k, j);
            }
        }
    }
    return w;
}

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"

/* One problem, its operator and what dense elimination makes of it. */
typedef struct trial {
    global_sample s;
    haw_operator op;
    dense x; /* M^-1 H and velocities at rest */
    dense w; /* W and q - w */
} trial;

static void trial_open(trial *t, const global_shape *shape, haw_mobility_kind kind, uint64_t *seed)
{
    global_sample_make(&arena, shape, seed, &t->s);
    t->x = global_sample_solve(&t->s);
    t->w = global_sample_delassus(&t->s, &t->x);
    assert_int_equal(haw_operator_create(&arena, &t->s.problem, &t->op), HAW_OK);
    assert_int_equal(t->op.mobility->kind, kind);
}

static void trial_close(trial *t)
{
    haw_operator_release(&t->op);
    assert_null(t->op.mobility);
    global_sample_free(&t->s);
    free(t->x.a);
    free(t->w.a);
}

static void check_blocks(const trial *t)
{
    const int d = t->s.problem.dimension, rows = t->s.ht.rows;
    for (int row = 0; row < rows; ++row) {
        const double *block = haw_operator_block(&t->op, row / d);
        for (int a = 0; a < d; ++a) {
            assert_near(block[row % d * d + a], *dense_at(&t->w, row, row / d * d + a), 1e-12,
                        1e-12);
        }
        assert_near(t->op.q[row], *dense_at(&t->w, row, rows) + t->s.w[row], 1e-12, 1e-12);
    }
}

static void check_products(const trial *t, uint64_t *seed)
{
    const int rows = t->s.ht.rows;
    double *r = random_doubles(rows, 0, seed);
    double *u = random_doubles(rows, 0, seed);
    double *v = random_doubles(rows, 0, seed);
    haw_operator_multiply(&t->op, r, u);
    haw_operator_velocity(&t->op, r, v);
    for (int i = 0; i < rows; ++i) {
        double want = 0;
        for (int j = 0; j < rows; ++j) {
            want += *dense_at(&t->w, i, j) * r[j];
        }
        assert_near(u[i], want, 1e-11, 1e-11);
        assert_near(v[i], want + t->op.q[i], 1e-11, 1e-11);
    }
    assert_true(t->op.flops > 0 || rows == 0);
    free(r);
    free(u);
    free(v);
}

/* Velocities and bilateral impulses under r, and what one more impulse adds to the velocities. */
static void check_states(const trial *t, uint64_t *seed)
{
    const int d = t->s.problem.dimension, rows = t->s.ht.rows, nv = t->s.m.rows;
    double *r = random_doubles(rows, 0, seed);
    double *v = random_doubles(nv, 0, seed);
    double *l = random_doubles(t->s.gt.rows, 0, seed);
    haw_operator_state(&t->op, r, v, l);
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = 0; i < nv + t->s.gt.rows; ++i) {
            double want = *dense_at(&t->x, i, rows);
            for (int j = 0; j < rows; ++j) {
                want += *dense_at(&t->x, i, j) * r[j];
            }
            if (i < nv || pass == 0) {
                assert_near(i < nv ? v[i] : l[i - nv], want, 1e-11, 1e-11);
            }
        }
        const int c = t->s.problem.contacts / 2;
        double before[3], u[3];
        if (rows == 0) {
            break;
        }
        haw_operator_contact_velocity(&t->op, c, v, u);
        for (int a = 0; a < d; ++a) {
            double want = t->s.w[c * d + a];
            for (int i = 0; i < nv; ++i) {
                want += *dense_at(&t->s.ht, c * d + a, i) * v[i];
            }
            assert_near(u[a], want, 1e-13, 1e-13);
            before[a] = r[c * d + a];
            r[c * d + a] += random_signed(seed);
        }
        assert_true(haw_operator_contact_push(&t->op, c, before, r + (ptrdiff_t)c * d, v));
    }
    haw_operator_state(&t->op, r, v, NULL);
    free(r);
    free(v);
    free(l);
}

static void check_shape(global_shape shape, haw_mobility_kind kind)
{
    uint64_t seed = 5;
    for (int d = 2; d <= 3; ++d) {
        trial t;
        shape.dimension = d;
        trial_open(&t, &shape, kind, &seed);
        check_blocks(&t);
        check_products(&t, &seed);
        check_states(&t, &seed);
        trial_close(&t);
    }
}

static void a_chain_is_banded(void **state)
{
    (void)state;
    check_shape((global_shape){.contacts = 70, .nodes = 80}, HAW_MOBILITY_BAND);
    check_shape((global_shape){.contacts = 120, .nodes = 40}, HAW_MOBILITY_BAND);
}

static void bodies_are_parts(void **state)
{
    (void)state;
    check_shape((global_shape){.contacts = 29, .nodes = 30, .block = 2}, HAW_MOBILITY_PARTS);
    check_shape((global_shape){.contacts = 29, .nodes = 30, .block = 1}, HAW_MOBILITY_PARTS);
    check_shape((global_shape){.contacts = 1, .nodes = 2}, HAW_MOBILITY_PARTS);
    check_shape((global_shape){.contacts = 9, .nodes = 30, .block = 2, .is_unsymmetric = true},
                HAW_MOBILITY_PARTS);
    check_shape((global_shape){.contacts = 9, .nodes = 30, .block = 2, .is_indefinite = true},
                HAW_MOBILITY_PARTS);
}

static void a_chain_with_a_body_coupled_to_all_of_it_is_sparse(void **state)
{
    (void)state;
    check_shape((global_shape){.contacts = 60, .nodes = 150, .border = 1}, HAW_MOBILITY_SPARSE);
}

static void unsymmetric_and_indefinite_masses_are_general(void **state)
{
    (void)state;
    check_shape((global_shape){.contacts = 30, .nodes = 80, .is_unsymmetric = true},
                HAW_MOBILITY_GENERAL);
    check_shape((global_shape){.contacts = 30, .nodes = 80, .is_indefinite = true},
                HAW_MOBILITY_GENERAL);
    check_shape((global_shape){.contacts = 10, .nodes = 150, .border = 1, .is_indefinite = true},
                HAW_MOBILITY_GENERAL);
}

static void bilateral_rows_are_eliminated(void **state)
{
    (void)state;
    check_shape((global_shape){.contacts = 30, .nodes = 40, .bilateral = 7}, HAW_MOBILITY_GENERAL);
    check_shape((global_shape){.contacts = 30, .nodes = 40, .bilateral = 12, .block = 1},
                HAW_MOBILITY_GENERAL);
    check_shape((global_shape){.contacts = 5, .nodes = 9, .bilateral = 2, .is_unsymmetric = true},
                HAW_MOBILITY_GENERAL);
}

/* Rows and columns of the third velocity of each body in a unit 2^54 times larger: a regular M
 * whose last pivots are 2^-54 of their columns, unless the rows are scaled. */
static void units_of_the_velocities_of_bodies_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 8;
    global_sample s;
    haw_operator one, two;
    const global_shape shape = {.dimension = 3, .contacts = 9, .nodes = 10, .block = 1};
    global_sample_make(&arena, &shape, &seed, &s);
    assert_int_equal(haw_operator_create(&arena, &s.problem, &one), HAW_OK);
    for (int i = 0; i < 30; ++i) {
        for (int j = 0; j < 30; ++j) {
            const int unit = -54 * ((i % 3 == 2) + (j % 3 == 2));
            *dense_at(&s.m, i, j) = ldexp(*dense_at(&s.m, i, j), unit);
        }
        for (int row = 0; row < 27; ++row) {
            *dense_at(&s.ht, row, i) = ldexp(*dense_at(&s.ht, row, i), i % 3 == 2 ? -54 : 0);
        }
    }
    s.global.m = dense_to_csr(&arena, &s.m);
    s.global.ht = dense_to_csr(&arena, &s.ht);
    assert_int_equal(haw_operator_create(&arena, &s.problem, &two), HAW_OK);
    assert_int_equal(two.mobility->kind, HAW_MOBILITY_PARTS);
    for (int k = 0; k < 9 * 9; ++k) {
        assert_near(two.block[k], one.block[k], 1e-13, 1e-13);
    }
    haw_operator_release(&one);
    haw_operator_release(&two);
    global_sample_free(&s);
}

/* Bilateral rows hold what M alone does not: M = 0 for one velocity. */
static void a_constraint_may_stand_for_a_missing_mass(void **state)
{
    (void)state;
    uint64_t seed = 9;
    global_sample s;
    haw_operator op;
    const global_shape shape = {.dimension = 2, .contacts = 6, .nodes = 8, .bilateral = 1};
    global_sample_make(&arena, &shape, &seed, &s);
    for (int j = 0; j < 16; ++j) {
        *dense_at(&s.m, 3, j) = *dense_at(&s.m, j, 3) = 0;
        *dense_at(&s.gt, 0, j) = j == 3 ? 2 : 0;
    }
    s.global.m = dense_to_csr(&arena, &s.m);
    s.global.gt = dense_to_csr(&arena, &s.gt);
    assert_int_equal(haw_operator_create(&arena, &s.problem, &op), HAW_OK);
    double r[12] = {0}, v[16];
    haw_operator_state(&op, r, v, NULL);
    assert_near(2 * v[3] + s.b[0], 0, 1e-13, 0);
    haw_operator_release(&op);
    global_sample_free(&s);
}

static void local_form_is_w_itself(void **state)
{
    (void)state;
    uint64_t seed = 23;
    for (int d = 2; d <= 3; ++d) {
        small_problem s;
        haw_operator op;
        double r[PROBLEM_ROWS], u[PROBLEM_ROWS], v[PROBLEM_ROWS];
        small_problem_init(&s, d, 5);
        small_problem_random(&s, 30, 0.1, 1, &seed);
        for (int i = 0; i < 5 * d; ++i) {
            r[i] = random_signed(&seed);
        }
        assert_int_equal(haw_operator_create(&arena, &s.problem, &op), HAW_OK);
        assert_null(op.mobility);
        haw_operator_multiply(&op, r, u);
        haw_operator_velocity(&op, r, v);
        for (int i = 0; i < 5 * d; ++i) {
            double want = 0;
            for (int j = 0; j < 5 * d; ++j) {
                want += *small_problem_entry(&s, i, j) * r[j];
            }
            assert_near(u[i], want, 1e-14, 1e-14);
            assert_near(v[i], want + s.q[i], 1e-14, 1e-14);
            assert_true(haw_operator_block(&op, i / d)[i % d * (d + 1)] ==
                        *small_problem_entry(&s, i, i));
        }
        assert_near(op.flops, 2.0 * 25 * d * d, 0, 0);
        haw_operator_release(&op);
    }
}

static void a_problem_without_contacts_has_an_operator(void **state)
{
    (void)state;
    check_shape((global_shape){.nodes = 80}, HAW_MOBILITY_BAND);
    check_shape((global_shape){.nodes = 80, .bilateral = 1}, HAW_MOBILITY_GENERAL);
}

static void reduction_writes_the_delassus_operator_out(void **state)
{
    (void)state;
    uint64_t seed = 29;
    for (int d = 2; d <= 3; ++d) {
        trial t;
        haw_problem *local = NULL, *again = NULL;
        const global_shape shape = {.dimension = d, .contacts = 11, .nodes = 40, .bilateral = d};
        trial_open(&t, &shape, HAW_MOBILITY_GENERAL, &seed);
        assert_int_equal(haw_problem_reduce(context, &t.s.problem, &local), HAW_OK);
        assert_int_equal(local->contacts, 11);
        assert_null(local->global);
        assert_near(local->scale, 0.25, 0, 0);
        for (int i = 0; i < 11 * d; ++i) {
            for (int j = 0; j < 11 * d; ++j) {
                const int k = local->w.start[i / d] + j / d;
                assert_int_equal(local->w.column[k], j / d);
                assert_near(local->w.value[(k * d + i % d) * d + j % d], *dense_at(&t.w, i, j),
                            1e-12, 1e-12);
            }
            assert_int_equal(local->w.column[local->w.diagonal[i / d]], i / d);
            assert_near(local->q[i], t.op.q[i], 0, 0);
            assert_near(local->mu[i / d], t.s.mu[i / d], 0, 0);
        }
        assert_int_equal(haw_problem_reduce(context, local, &again), HAW_ERR_ARG);
        haw_problem_free(context, local);
        trial_close(&t);
    }
}

/* ---- problems without an operator, and the memory that operators take ---- */

/* Behind the others: its names are theirs for parameters. */
#include "support/arena_fixture.h"

static void check_singular(const global_sample *s)
{
    haw_operator op;
    haw_problem *local = NULL;
    assert_int_equal(haw_operator_create(&arena, &s->problem, &op), HAW_ERR_SINGULAR);
    assert_non_null(strstr(haw_context_message(context), "singular"));
    haw_operator_release(&op); /* nothing is left to release */
    assert_int_equal(haw_problem_reduce(context, &s->problem, &local), HAW_ERR_SINGULAR);
    assert_null(local);
}

static void velocities_that_are_not_determined_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 13;
    const global_shape shapes[] = {{.contacts = 30, .nodes = 60},
                                   {.contacts = 30, .nodes = 60, .block = 2},
                                   {.contacts = 30, .nodes = 150, .border = 1},
                                   {.contacts = 30, .nodes = 60, .is_unsymmetric = true}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        global_shape shape = shapes[k];
        global_sample s;
        shape.dimension = 2;
        global_sample_make(&arena, &shape, &seed, &s);
        for (int j = 0; j < s.m.columns; ++j) { /* rows and columns 4 and 5 alike */
            *dense_at(&s.m, 5, j) = *dense_at(&s.m, 4, j);
        }
        for (int j = 0; j < s.m.columns; ++j) {
            *dense_at(&s.m, j, 5) = *dense_at(&s.m, j, 4);
        }
        s.global.m = dense_to_csr(&arena, &s.m);
        check_singular(&s);
        global_sample_free(&s);
    }
}

/* The third row of a body is a sum of the others but for rounding. */
static void bodies_that_are_singular_but_for_rounding_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 14;
    for (int node = 0; node < 30; ++node) {
        const global_shape shape = {.dimension = 3, .contacts = 29, .nodes = 30, .block = 1};
        global_sample s;
        global_sample_make(&arena, &shape, &seed, &s);
        for (int j = 3 * node; j < 3 * node + 3; ++j) {
            *dense_at(&s.m, 3 * node + 2, j) =
                *dense_at(&s.m, 3 * node, j) / 3 + 0.7 * *dense_at(&s.m, 3 * node + 1, j);
        }
        s.global.m = dense_to_csr(&arena, &s.m);
        check_singular(&s);
        assert_non_null(strstr(haw_context_message(context), "singular at velocity"));
        global_sample_free(&s);
    }
}

static void bilateral_rows_that_repeat_each_other_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 17;
    global_sample s;
    const global_shape shape = {.dimension = 3, .contacts = 9, .nodes = 20, .bilateral = 3};
    global_sample_make(&arena, &shape, &seed, &s);
    for (int j = 0; j < s.gt.columns; ++j) {
        *dense_at(&s.gt, 2, j) = 0.3 * *dense_at(&s.gt, 0, j) - 1.7 * *dense_at(&s.gt, 1, j);
    }
    s.global.gt = dense_to_csr(&arena, &s.gt);
    check_singular(&s);
    global_sample_free(&s);
}

static void values_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int block = 0; block <= 2; block += 2) {
        global_sample s;
        const global_shape shape = {.dimension = 2, .contacts = 9, .nodes = 60, .block = block};
        global_sample_make(&arena, &shape, &seed, &s);
        s.global.m.value[7] = (double)NAN;
        check_singular(&s);
        global_sample_free(&s);
    }
}

/* Two operators in a row in the memory of the first. */
static void a_second_operator_asks_the_allocator_for_its_factor_only(void **state)
{
    (void)state;
    uint64_t seed = 37;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *own = NULL;
    haw_arena reused;
    global_sample s;
    const global_shape shape = {.dimension = 3, .contacts = 70, .nodes = 80};
    global_sample_make(&arena, &shape, &seed, &s);
    assert_int_equal(haw_context_create(&allocator, &own), HAW_OK);
    haw_arena_init(&reused, own);
    long calls[4];
    for (int pass = 0; pass < 4; ++pass) {
        haw_operator op;
        const long before = count.calls;
        assert_int_equal(haw_operator_create(&reused, &s.problem, &op), HAW_OK);
        calls[pass] = count.calls - before;
        haw_operator_release(&op);
        haw_arena_reset(&reused);
    }
    assert_true(calls[2] < calls[0]); /* the second one still asks for one block in place of all */
    assert_int_equal(calls[2], calls[3]);
    assert_in_range(calls[3], 1, 6); /* haw_factor and the blocks of its own arena */
    haw_arena_fini(&reused);
    haw_context_free(own);
    assert_int_equal(count.live, 0);
    global_sample_free(&s);
}

static haw_status create_and_reduce(haw_context *given, void *user)
{
    const global_sample *s = user;
    haw_problem *local = NULL;
    const haw_status status = haw_problem_reduce(given, &s->problem, &local);
    haw_problem_free(given, local);
    return status;
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = 41;
    const global_shape shapes[] = {{.contacts = 30, .nodes = 60},
                                   {.contacts = 30, .nodes = 60, .block = 2},
                                   {.contacts = 30, .nodes = 150, .border = 1},
                                   {.contacts = 30, .nodes = 60, .bilateral = 2}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; ++k) {
        global_shape shape = shapes[k];
        global_sample s;
        shape.dimension = 2;
        global_sample_make(&arena, &shape, &seed, &s);
        assert_true(failing_loop(create_and_reduce, &s) >= 4);
        global_sample_free(&s);
    }
}

TEST_FILE(test_operator)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_is_banded),
        cmocka_unit_test(bodies_are_parts),
        cmocka_unit_test(a_chain_with_a_body_coupled_to_all_of_it_is_sparse),
        cmocka_unit_test(unsymmetric_and_indefinite_masses_are_general),
        cmocka_unit_test(bilateral_rows_are_eliminated),
        cmocka_unit_test(units_of_the_velocities_of_bodies_do_not_matter),
        cmocka_unit_test(a_constraint_may_stand_for_a_missing_mass),
        cmocka_unit_test(local_form_is_w_itself),
        cmocka_unit_test(reduction_writes_the_delassus_operator_out),
        cmocka_unit_test(a_problem_without_contacts_has_an_operator),
        cmocka_unit_test(velocities_that_are_not_determined_are_refused),
        cmocka_unit_test(bodies_that_are_singular_but_for_rounding_are_refused),
        cmocka_unit_test(bilateral_rows_that_repeat_each_other_are_refused),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(a_second_operator_asks_the_allocator_for_its_factor_only),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
