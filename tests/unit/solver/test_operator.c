/* SPDX-License-Identifier: BSD-3-Clause */
/* The operator of every structure of M against W, q and M^-1 H written out by dense elimination. */
#include "solver/mobility.h"
#include "support/global_sample.h"
#include "support/problems.h"

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
        double dr[3], u[3];
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
            dr[a] = random_signed(seed);
            r[c * d + a] += dr[a];
        }
        haw_operator_contact_push(&t->op, c, dr, v);
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
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
