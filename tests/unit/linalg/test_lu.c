/* SPDX-License-Identifier: BSD-3-Clause */
/* LU of every kind against dense elimination by LAPACK; what cannot be factorized is refused. */
#include "linalg/lu_kinds.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/sparse_sample.h"

#include <float.h>

typedef struct fixture {
    haw_context *context;
    haw_arena arena;
} fixture;

static int open_arena(void **state)
{
    static fixture f;
    *state = &f;
    if (haw_context_create(NULL, &f.context) != HAW_OK) {
        return -1;
    }
    haw_arena_init(&f.arena, f.context);
    return 0;
}

static int close_arena(void **state)
{
    fixture *f = *state;
    haw_arena_fini(&f->arena);
    haw_context_free(f->context);
    return 0;
}

static const haw_lu_kind kinds[] = {HAW_LU_DENSE, HAW_LU_BAND, HAW_LU_KLU, HAW_LU_UMFPACK};

/* max |A x - b| over max |A| max |x|: small for a stable method, whatever the condition. */
static double backward_error(const dense *m, const double *x, const double *b)
{
    double error = 0, size = DBL_MIN, largest = 0;
    for (int i = 0; i < m->rows; ++i) {
        double sum = -b[i];
        for (int j = 0; j < m->columns; ++j) {
            sum += *dense_at(m, i, j) * x[j];
            size = fmax(size, fabs(*dense_at(m, i, j)));
        }
        error = fmax(error, fabs(sum));
        largest = fmax(largest, fabs(x[i]));
    }
    return error / (size * largest);
}

static void check_solve(haw_lu *lu, const dense *m, uint64_t *seed)
{
    const int n = m->rows;
    dense want = dense_make(n, 1);
    dense x = dense_make(n, 1);
    dense b = dense_make(n, 1);
    double largest = 0;
    for (int i = 0; i < n; ++i) {
        want.a[i] = x.a[i] = b.a[i] = random_signed(seed);
    }
    dense_solve(m, &want);
    haw_lu_solve(lu, x.a);
    assert_near(backward_error(m, x.a, b.a), 0, 1e-14 * n, 0);
    for (int i = 0; i < n; ++i) {
        largest = fmax(largest, fabs(want.a[i]));
    }
    for (int i = 0; i < n; ++i) {
        assert_near(x.a[i], want.a[i], 1e-8 * largest, 0);
    }
    free(want.a);
    free(x.a);
    free(b.a);
}

static void check_kind(fixture *f, dense *m, const haw_lu_kind *kind, uint64_t *seed)
{
    const haw_csr csr = dense_to_csr(&f->arena, m);
    haw_lu *lu = NULL;
    assert_int_equal(kind != NULL ? haw_lu_create_kind(&f->arena, &csr, *kind, &lu)
                                  : haw_lu_create(&f->arena, &csr, &lu),
                     HAW_OK);
    for (int repeat = 0; repeat < 3; ++repeat) {
        assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
        check_solve(lu, m, seed);
        assert_true(haw_lu_factor_flops(lu) >= 0 && haw_lu_solve_flops(lu) > 0);
        for (int k = 0; k < csr.start[csr.rows]; ++k) { /* new values in the same pattern */
            csr.value[k] = random_signed(seed);
        }
        const dense next = dense_from_csr(&csr);
        memcpy(m->a, next.a, (size_t)m->rows * (size_t)m->rows * sizeof(double));
        free(next.a);
    }
    haw_lu_release(lu);
}

static void every_kind_solves_what_dense_elimination_solves(void **state)
{
    static const int rows[] = {1, 2, 3, 7, 20, 61, 150};
    static const double densities[] = {0, 0.02, 1};
    uint64_t seed = 11;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        for (int width = 0; width < 12; width += 3) {
            for (size_t d = 0; d < sizeof densities / sizeof densities[0]; ++d) {
                for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
                    dense m = chain_make(rows[r], width, densities[d], &seed);
                    check_kind(*state, &m, &kinds[k], &seed);
                    free(m.a);
                }
            }
        }
    }
}

static void long_bands_of_every_width_are_solved(void **state)
{
    uint64_t seed = 17;
    for (int width = 0; width <= 40; width += width < 16 ? 1 : 8) {
        dense m = chain_make(400, width, 0, &seed);
        check_kind(*state, &m, &kinds[1], &seed);
        free(m.a);
    }
}

/* Of both sparse kinds, whose triangles are told apart; of the others there are none. */
static void products_need_the_triangles_of_a_sparse_kind(void **state)
{
    fixture *f = *state;
    uint64_t seed = 31;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        dense m = chain_make(90, 5, 0, &seed);
        const haw_csr csr = dense_to_csr(&f->arena, &m);
        haw_lu *lu = NULL;
        haw_lu_products *products;
        assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
        assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
        assert_int_equal(haw_lu_prepare_products(lu, NULL, &f->arena, &products), HAW_OK);
        assert_true((products != NULL) == (kinds[k] == HAW_LU_KLU || kinds[k] == HAW_LU_UMFPACK));
        for (int i = 0; i < 88 && products != NULL; i += 3) {
            const int column[] = {i + 2, i};
            const double h[] = {random_signed(&seed), random_signed(&seed)};
            dense x = dense_make(90, 1);
            x.a[i + 2] = h[0];
            x.a[i] = h[1];
            dense_solve(&m, &x);
            const double want = h[0] * x.a[i + 2] + h[1] * x.a[i];
            assert_near(haw_lu_product(products, 2, column, h, 1), want, 1e-9, 1e-9 * fabs(want));
            free(x.a);
        }
        haw_lu_release(lu);
        free(m.a);
    }
}

/* [D e; e^T 0] with zeros on the diagonal: nothing goes without row exchanges. */
static void zeros_on_the_diagonal_are_no_obstacle(void **state)
{
    fixture *f = *state;
    uint64_t seed = 19;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        dense m = chain_make(40, 4, 0, &seed);
        for (int i = 0; i < 40; ++i) {
            *dense_at(&m, i, i) = 0;
        }
        check_kind(f, &m, &kinds[k], &seed);
        free(m.a);
    }
}

static void the_choice_follows_the_pattern(void **state)
{
    fixture *f = *state;
    uint64_t seed = 23;

    const struct {
        int n, width;
        double density;
        const haw_lu_ops *kind;
    } row[] = {{12, 3, 1, &haw_lu_dense_ops},
               {300, 4, 0, &haw_lu_band_ops},
               {300, 0, 1, &haw_lu_dense_ops}};

    for (size_t r = 0; r < sizeof row / sizeof row[0]; ++r) {
        dense m = chain_make(row[r].n, row[r].width, row[r].density, &seed);
        const haw_csr csr = dense_to_csr(&f->arena, &m);
        haw_lu *lu = NULL;
        assert_int_equal(haw_lu_create(&f->arena, &csr, &lu), HAW_OK);
        assert_ptr_equal(lu->ops, row[r].kind);
        haw_lu_release(lu);
        check_kind(f, &m, NULL, &seed);
        free(m.a);
    }
}

/* A chain, and one row and column that couple to everything: no order makes it banded. */
static void a_bordered_chain_is_left_to_umfpack(void **state)
{
    fixture *f = *state;
    uint64_t seed = 29;
    dense m = chain_make(900, 2, 0, &seed);
    for (int i = 0; i < 900; ++i) {
        *dense_at(&m, i, 450) = random_signed(&seed);
        *dense_at(&m, 450, i) = random_signed(&seed);
    }
    const haw_csr csr = dense_to_csr(&f->arena, &m);
    haw_lu *lu = NULL;
    assert_int_equal(haw_lu_create(&f->arena, &csr, &lu), HAW_OK);
    assert_ptr_equal(lu->ops, &haw_lu_umfpack_ops);
    haw_lu_release(lu);
    check_kind(f, &m, NULL, &seed);
    free(m.a);
}

/* Rows in units from 1e-150 to 1e+150: the same pivots, the same bits. */
static void units_of_the_rows_do_not_matter(void **state)
{
    fixture *f = *state;

    enum { N = 60 };

    uint64_t seed = 31;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        double x[2][N];
        dense m = chain_make(N, 3, 0, &seed);
        const haw_csr csr = dense_to_csr(&f->arena, &m);
        haw_lu *lu = NULL;
        assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
        for (int pass = 0; pass < 2; ++pass) {
            for (int i = 0; i < N; ++i) {
                const int unit = pass * (int)(500 * random_signed(&seed));
                x[pass][i] = ldexp(1, unit);
                for (int e = csr.start[i]; e < csr.start[i + 1]; ++e) {
                    csr.value[e] = ldexp(csr.value[e], unit);
                }
            }
            assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
            haw_lu_solve(lu, x[pass]);
        }
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        haw_lu_release(lu);
        free(m.a);
    }
}

/* Every other unknown in a unit 2^40 times smaller or larger: no false refusal. */
static void units_of_the_unknowns_do_not_matter(void **state)
{
    fixture *f = *state;

    enum { N = 60 };

    uint64_t seed = 33;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        for (int unit = -40; unit <= 40; unit += 80) {
            dense m = chain_make(N, 3, 0, &seed);
            for (int i = 0; i < N; ++i) {
                for (int j = 0; j < N; j += 2) {
                    *dense_at(&m, i, j) = ldexp(*dense_at(&m, i, j), unit);
                }
            }
            const haw_csr csr = dense_to_csr(&f->arena, &m);
            haw_lu *lu = NULL;
            assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
            assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
            haw_lu_release(lu);
            free(m.a);
        }
    }
}

/* A column of 2^-60 beside columns of 1: its pivot is below what rounding leaves of those, not of
 * its own entries. */
static void a_small_column_may_have_a_small_pivot(void **state)
{
    fixture *f = *state;

    enum { N = 60 };

    uint64_t seed = 35;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        for (int column = 0; column < N; ++column) {
            dense m = chain_make(N, 3, 0, &seed);
            for (int i = 0; i < N; ++i) {
                *dense_at(&m, i, column) = ldexp(*dense_at(&m, i, column), -60);
            }
            const haw_csr csr = dense_to_csr(&f->arena, &m);
            haw_lu *lu = NULL;
            assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
            assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
            haw_lu_release(lu);
            free(m.a);
        }
    }
}

static void check_refused(fixture *f, const dense *m, haw_lu_kind kind)
{
    const haw_csr csr = dense_to_csr(&f->arena, m);
    haw_lu *lu = NULL;
    double x[64] = {1};
    assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kind, &lu), HAW_OK);
    assert_int_equal(haw_lu_factor(lu, csr.value), HAW_ERR_SINGULAR);
    assert_non_null(strstr(haw_context_message(f->context), "singular"));
    haw_lu_solve(lu, x);
    assert_true(isnan(x[0])); /* never a plausible number */
    haw_lu_release(lu);
}

static void singular_matrices_are_refused(void **state)
{
    enum { N = 50 };

    uint64_t seed = 37;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        for (int trial = 0; trial < 8; ++trial) {
            dense m = chain_make(N, 3, 0, &seed);
            const int twin = 7 + trial;
            for (int j = 0; j < N; ++j) {
                const double a = *dense_at(&m, twin + 1, j);
                const double b = *dense_at(&m, twin + 2, j);
                *dense_at(&m, twin, j) = a / 3 + b * 0.7; /* dependent up to rounding */
            }
            check_refused(*state, &m, kinds[k]);
            for (int j = 0; j < N; ++j) {
                *dense_at(&m, twin, j) = trial % 2 == 0 ? 0 : *dense_at(&m, twin + 1, j);
            }
            check_refused(*state, &m, kinds[k]);
            free(m.a);
        }
    }
}

static void values_that_are_not_finite_are_refused(void **state)
{
    uint64_t seed = 41;
    const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        for (size_t b = 0; b < sizeof bad / sizeof bad[0]; ++b) {
            dense m = chain_make(30, 2, 0, &seed);
            *dense_at(&m, 17, 17) = bad[b];
            check_refused(*state, &m, kinds[k]);
            free(m.a);
        }
    }
}

static void a_factor_recovers_from_a_refusal(void **state)
{
    fixture *f = *state;
    uint64_t seed = 43;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        dense m = chain_make(40, 3, 0, &seed);
        const haw_csr csr = dense_to_csr(&f->arena, &m);
        double zero[40 * 7] = {0};
        haw_lu *lu = NULL;
        assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
        assert_int_equal(haw_lu_factor(lu, zero), HAW_ERR_SINGULAR);
        assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
        check_solve(lu, &m, &seed);
        haw_lu_release(lu);
        free(m.a);
    }
}

static void a_matrix_that_is_not_square_is_an_error_of_the_caller(void **state)
{
    fixture *f = *state;
    haw_csr csr;
    haw_lu *lu = NULL;
    assert_int_equal(haw_csr_create(&f->arena, 2, 3, 0, false, &csr), HAW_OK);
    assert_int_equal(haw_lu_create(&f->arena, &csr, &lu), HAW_ERR_ARG);
    assert_int_equal(haw_csr_create(&f->arena, 0, 0, 0, false, &csr), HAW_OK);
    assert_int_equal(haw_lu_create(&f->arena, &csr, &lu), HAW_ERR_ARG);
    haw_lu_release(NULL);
}

/* max |A x - b|_i / (|A| |x| + |b|)_i */
static double componentwise_error(const dense *m, const double *x, const double *b)
{
    double worst = 0;
    for (int i = 0; i < m->rows; ++i) {
        double sum = -b[i], size = fabs(b[i]);
        for (int j = 0; j < m->columns; ++j) {
            sum += *dense_at(m, i, j) * x[j];
            size += fabs(*dense_at(m, i, j) * x[j]);
        }
        worst = fmax(worst, fabs(sum) / size);
    }
    return worst;
}

/* How factors by light pivots were used, and the largest error that refinement spared. */
typedef struct light_use {
    int plain, refined, firm;
    double spared;
} light_use;

static void check_light(fixture *f, const dense *m, haw_lu_kind kind, uint64_t *seed,
                        light_use *use)
{
    enum { N = 200 };

    const haw_csr csr = dense_to_csr(&f->arena, m);
    const haw_sparse_calls *count = haw_context_sparse(f->context);
    const int before = (int)(count->klu_factorizations + count->umfpack_factorizations);
    double b[N], x[N], plain[N];
    haw_lu *lu = NULL;
    assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kind, &lu), HAW_OK);
    lu->light = 1e-20; /* any */
    assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
    for (int i = 0; i < N; ++i) {
        b[i] = x[i] = plain[i] = random_signed(seed);
    }
    haw_lu_solve(lu, x);
    lu->ops->solve(lu, plain);
    assert_true(componentwise_error(m, x, b) <= 1e-13);
    const int tries = (int)(count->klu_factorizations + count->umfpack_factorizations) - before;
    use->plain += tries == 1 && lu->refinements == 0;
    use->refined += tries == 1 && lu->refinements > 0;
    use->firm += tries == 2;
    use->spared = fmax(use->spared, componentwise_error(m, plain, b));
    haw_lu_release(lu);
}

/* The smaller all or half of the diagonal, the more is lost on it: nothing, what a step of
 * refinement takes back, or more. */
static void light_pivots_cost_no_digits(void **state)
{
    uint64_t seed = 47;
    for (size_t k = 2; k < sizeof kinds / sizeof kinds[0]; ++k) {
        light_use use = {0};
        for (int trial = 0; trial < 36; ++trial) {
            const int digits = trial / 2 - 1;
            dense m = chain_make(200, trial % 4 < 2 ? 1 : 3, 0, &seed);
            for (int i = 0; i < 200; i += 1 + trial % 2) {
                *dense_at(&m, i, i) *= pow(10, -digits);
            }
            check_light(*state, &m, kinds[k], &seed, &use);
            free(m.a);
        }
        assert_true(use.plain > 0 && use.refined > 0 && use.spared > 1e-12);
        assert_true(use.firm > 0 || kinds[k] != HAW_LU_KLU);
    }
}

/* Springs of 1e8 in a row, each node on one of 1: integers, so that b of a solution of integers is
 * exact. What cancels in residuals leaves 6e-10 of it, if they are not taken in longer numbers. */
static void refinement_finds_what_cancels(void **state)
{
    enum { N = 60 };

    fixture *f = *state;
    const double stiff = 1e8;
    uint64_t seed = 3;
    for (size_t k = 2; k < sizeof kinds / sizeof kinds[0] && LDBL_MANT_DIG > DBL_MANT_DIG; ++k) {
        dense m = dense_make(N, N);
        double want[N], x[N], error = 0;
        haw_lu *lu = NULL;
        for (int i = 0; i < N; ++i) {
            *dense_at(&m, i, i) = 2 * stiff + 1;
            *dense_at(&m, i, (i + 1) % N) = *dense_at(&m, i, (i + N - 1) % N) = -stiff;
            want[i] = floor(1000 * random_signed(&seed));
        }
        const haw_csr csr = dense_to_csr(&f->arena, &m);
        for (int i = 0; i < N; ++i) {
            const double sides = want[(i + 1) % N] + want[(i + N - 1) % N];
            x[i] = (2 * stiff + 1) * want[i] - stiff * sides;
        }
        assert_int_equal(haw_lu_create_kind(&f->arena, &csr, kinds[k], &lu), HAW_OK);
        assert_int_equal(haw_lu_factor(lu, csr.value), HAW_OK);
        lu->refinements = 3;
        haw_lu_solve(lu, x);
        for (int i = 0; i < N; ++i) {
            error = fmax(error, fabs(x[i] - want[i]) / 1000);
        }
        assert_near(error, 0, 1e-11, 0);
        haw_lu_release(lu);
        free(m.a);
    }
}

static haw_status build_and_factor(haw_context *context, void *user)
{
    const haw_lu_kind *kind = user;
    haw_arena arena;
    haw_csr csr = {0};
    haw_lu *lu = NULL;
    haw_arena_init(&arena, context);
    haw_status status = haw_csr_create(&arena, 300, 300, 300 * 9, true, &csr);
    for (int i = 0, count = 0; status == HAW_OK && i < 300; ++i) {
        for (int j = i - 4 < 0 ? 0 : i - 4; j <= i + 4 && j < 300; ++j) {
            csr.column[count] = j;
            csr.value[count++] = i == j ? 3 : 0.5 / (1 + abs(i - j));
        }
        csr.start[i + 1] = count;
    }
    status = status == HAW_OK ? haw_lu_create_kind(&arena, &csr, *kind, &lu) : status;
    status = status == HAW_OK ? haw_lu_factor(lu, csr.value) : status;
    haw_lu_release(lu);
    haw_arena_fini(&arena);
    return status;
}

static void every_failing_allocation_is_told_and_leaks_nothing(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k) {
        haw_lu_kind kind = kinds[k];
        assert_true(failing_loop(build_and_factor, &kind) > 3);
    }
}

TEST_FILE(test_lu)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_solves_what_dense_elimination_solves),
        cmocka_unit_test(long_bands_of_every_width_are_solved),
        cmocka_unit_test(products_need_the_triangles_of_a_sparse_kind),
        cmocka_unit_test(zeros_on_the_diagonal_are_no_obstacle),
        cmocka_unit_test(the_choice_follows_the_pattern),
        cmocka_unit_test(a_bordered_chain_is_left_to_umfpack),
        cmocka_unit_test(units_of_the_rows_do_not_matter),
        cmocka_unit_test(units_of_the_unknowns_do_not_matter),
        cmocka_unit_test(a_small_column_may_have_a_small_pivot),
        cmocka_unit_test(singular_matrices_are_refused),
        cmocka_unit_test(values_that_are_not_finite_are_refused),
        cmocka_unit_test(a_factor_recovers_from_a_refusal),
        cmocka_unit_test(a_matrix_that_is_not_square_is_an_error_of_the_caller),
        cmocka_unit_test(light_pivots_cost_no_digits),
        cmocka_unit_test(refinement_finds_what_cancels),
        cmocka_unit_test(every_failing_allocation_is_told_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
