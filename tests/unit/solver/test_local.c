/* SPDX-License-Identifier: BSD-3-Clause */
/* The problem of one contact: Signorini's and Coulomb's laws by their words, on blocks of W of
 * every kind, and against the enumeration, which shares no code with it. */
#include "solver/local.h"
#include "solver/solver.h"
#include "support/enum.h"
#include "support/near.h"
#include "support/random.h"

/* Largest violation of the laws by r, over the largest term of u = W r + v. */
static double violation(const double *w, double mu, const double *v, const double *r)
{
    double u[3], size = 0.0;

    for (int i = 0; i < 3; i++) {
        double terms = fabs(v[i]);

        u[i] = v[i];
        for (int j = 0; j < 3; j++) {
            u[i] += w[3 * i + j] * r[j];
            terms += fabs(w[3 * i + j] * r[j]);
        }
        size = fmax(size, terms);
    }
    const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]);

    if (!(r[0] >= 0.0) || !(rt <= mu * r[0] * (1.0 + 1.0e-14))) {
        return INFINITY;
    }
    double worst = r[0] > 0.0 ? fabs(u[0]) : fmax(0.0, -u[0]);

    if (ut > 0.0 && r[0] > 0.0 && mu > 0.0) { /* r_T = -mu r_N u_T/|u_T| unless u_T = 0 */
        worst =
            fmax(worst, ut * hypot(r[1] / (mu * r[0]) + u[1] / ut, r[2] / (mu * r[0]) + u[2] / ut));
    }
    return worst / size;
}

typedef struct block_case {
    double w[9], v[3], mu;
} block_case;

/* W = H^T H of `rank` random rows, v = H^T c if that is below 3 (else there is no solution). */
static void random_case(block_case *k, int rank, uint64_t *seed)
{
    double h[8][3], c[8];

    *k = (block_case){.mu = 0.5 * (1.0 + random_signed(seed))};
    for (int row = 0; row < rank; row++) {
        c[row] = random_signed(seed);
        for (int i = 0; i < 3; i++) {
            h[row][i] = random_signed(seed);
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int row = 0; row < rank; row++) {
            k->v[i] += h[row][i] * c[row];
            for (int j = 0; j < 3; j++) {
                k->w[3 * i + j] += h[row][i] * h[row][j];
            }
        }
        k->v[i] = rank < 3 ? k->v[i] : random_signed(seed);
    }
}

static void well_posed(block_case *k, uint64_t *seed)
{
    random_case(k, 3 + (int)(*seed % 4), seed);
}

static void rank_one(block_case *k, uint64_t *seed)
{
    random_case(k, 1, seed);
}

static void rank_two(block_case *k, uint64_t *seed)
{
    random_case(k, 2, seed);
}

static void no_tangential_mobility(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    for (int i = 1; i < 9; i++) {
        k->w[i] = 0.0;
    }
}

static void no_friction(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    k->mu = 0.0;
}

static void huge_friction(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    k->mu = 1.0e6 * (1.0 + random_signed(seed));
}

static void unsymmetric(block_case *k, uint64_t *seed)
{
    random_case(k, 5, seed);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < i; j++) {
            const double skew = 0.3 * random_signed(seed);

            k->w[3 * i + j] += skew;
            k->w[3 * j + i] -= skew;
        }
    }
}

static void extreme_units(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    const double mobility = pow(10.0, 100.0 * random_signed(seed));
    const double velocity = pow(10.0, 120.0 * random_signed(seed));

    for (int i = 0; i < 9; i++) {
        k->w[i] *= mobility;
    }
    for (int i = 0; i < 3; i++) {
        k->v[i] *= velocity;
    }
}

static void extreme_directions(block_case *k, uint64_t *seed)
{
    double scale[3];

    random_case(k, 5, seed);
    k->mu = pow(10.0, 2.0 * random_signed(seed));
    for (int i = 0; i < 3; i++) {
        scale[i] = pow(10.0, 4.0 * random_signed(seed));
    }
    for (int i = 0; i < 9; i++) {
        k->w[i] *= scale[i / 3] * scale[i % 3];
    }
}

/* The sticking impulse lies on the cone up to some machine epsilons. */
static void on_the_edge(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    const double angle = 3.0 * random_signed(seed), normal = 1.0 + 0.5 * random_signed(seed);
    const double tangent = k->mu * normal * (1.0 + 8.0e-16 * random_signed(seed));
    const double r[3] = {normal, tangent * cos(angle), tangent * sin(angle)};

    for (int i = 0; i < 3; i++) {
        k->v[i] = -k->w[3 * i] * r[0] - k->w[3 * i + 1] * r[1] - k->w[3 * i + 2] * r[2];
    }
}

/* W_NN - mu W_NT = 0 up to 1e-12: friction almost jams the contact. */
static void almost_jammed(block_case *k, uint64_t *seed)
{
    random_case(k, 4, seed);
    k->mu += 0.1;
    const double w = k->w[0] / k->mu * (1.0 + 1.0e-12 * random_signed(seed));
    const double block[9] = {k->w[0], -w, 0.0, -w, w * w / k->w[0] + 0.7, 0.0, 0.0, 0.0, 1.0};

    memcpy(k->w, block, sizeof block);
}

static void the_laws_hold_for_every_kind_of_block(void **state)
{
    static void (*const kinds[])(block_case *, uint64_t *) = {
        well_posed,  rank_one,      rank_two,           no_tangential_mobility,
        no_friction, huge_friction, unsymmetric,        extreme_units,
        on_the_edge, almost_jammed, extreme_directions,
    };

    (void)state;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        uint64_t seed = 31 + kind;
        int closed = 0;

        for (int trial = 0; trial < 30000; trial++) {
            block_case k;
            haw_local_3d local;
            double r[3];

            kinds[kind](&k, &seed);
            haw_local_init_3d(&local, k.w, k.mu);
            haw_local_solve_3d(&local, k.v, r);
            const double worst = violation(k.w, k.mu, k.v, r);

            if (!(worst <= 1.0e-12)) {
                fail_msg("kind %d, trial %d: laws violated by %g (mu %g, v %g %g %g, r %g %g %g)",
                         (int)kind, trial, worst, k.mu, k.v[0], k.v[1], k.v[2], r[0], r[1], r[2]);
            }
            closed += r[0] > 0.0;
        }
        assert_true(closed > 8000);
    }
}

/* Rounding of a singular block must not blow the impulse up: it stays of the size of v/W. */
static void impulses_of_singular_blocks_are_moderate(void **state)
{
    uint64_t seed = 51;

    (void)state;
    for (int trial = 0; trial < 30000; trial++) {
        block_case k;
        haw_local_3d local;
        double r[3];

        random_case(&k, 1 + trial % 2, &seed);
        haw_local_init_3d(&local, k.w, k.mu);
        haw_local_solve_3d(&local, k.v, r);
        const double trace = k.w[0] + k.w[4] + k.w[8];

        assert_true(fabs(r[0]) * k.w[0] <= 1.0e4 * trace * hypot(k.v[0], hypot(k.v[1], k.v[2])));
    }
}

/* A jammed contact whose block is singular has no solution unless v lies in its range. */
static void an_impossible_contact_stays_finite_and_admissible(void **state)
{
    const double w[9] = {1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 1.0}, v[3] = {-1.0, 2.0, 0.0};
    const double plane[4] = {1.0, -1.0, -1.0, 1.0};
    haw_local_3d space;
    haw_local_2d flat;
    double r[3];

    (void)state;
    haw_local_init_3d(&space, w, 2.0);
    haw_local_solve_3d(&space, v, r);
    assert_true(isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]));
    assert_true(r[0] >= 0.0 && hypot(r[1], r[2]) <= 2.0 * r[0] * (1.0 + 1.0e-14));
    haw_local_init_2d(&flat, plane, 2.0);
    haw_local_solve_2d(&flat, v, r);
    assert_true(isfinite(r[0]) && isfinite(r[1]));
}

static void not_a_number_ends_the_iteration_too(void **state)
{
    const double w[9] = {1.0, 0.2, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0};

    (void)state;
    for (int slot = 0; slot < 13; slot++) {
        double block[9], v[3] = {-1.0, 3.0, 0.5}, mu = 0.4, r[3];
        haw_local_3d local;

        memcpy(block, w, sizeof block);
        *(slot < 9 ? block + slot : slot < 12 ? v + slot - 9 : &mu) = nan("");
        haw_local_init_3d(&local, block, mu);
        haw_local_solve_3d(&local, v, r); /* returns */
    }
}

/* W with strong coupling W_NT and any friction: the local solution is among the enumerated. */
static void the_plane_has_the_enumerated_solution(void **state)
{
    uint64_t seed = 31;
    int jammed = 0;

    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        small_problem s;
        enumeration e;
        haw_local_2d local;
        double r[2], nearest = INFINITY;

        small_problem_init(&s, 2, 1);
        small_problem_random(&s, 2, 0.01, trial % 2 == 0 ? 1.0 : 10.0, &seed);
        enum_solve(&s, &e);
        haw_local_init_2d(&local, s.value, s.mu[0]);
        haw_local_solve_2d(&local, s.q, r);
        for (int k = 0; k < e.count; k++) {
            nearest = fmin(nearest, enum_distance(2, r, e.r[k]));
        }
        if (s.q[0] < 0.0) {
            assert_int_equal(e.count, 1); /* unique while it approaches */
        }
        jammed += s.value[0] <= s.mu[0] * fabs(s.value[1]) ? 1 : 0;
        if (!(nearest <= 1.0e-9)) {
            fail_msg("trial %d (seed 31): off by %g of %d solutions", trial, nearest, e.count);
        }
    }
    assert_true(jammed > 500);
}

static void space_has_the_solution_of_enum(void **state)
{
    uint64_t seed = 61;
    haw_solver_settings settings;

    (void)state;
    assert_int_equal(haw_solver_settings_init(NULL, "enum", &settings), HAW_OK);
    settings.options[0] = 1.0e-13;
    for (int trial = 0; trial < 2000; trial++) {
        small_problem s;
        haw_report report;
        haw_local_3d local;
        double r[3], want[3] = {0}, u[3];

        small_problem_init(&s, 3, 1);
        small_problem_random(&s, 4, 0.1, 1.0, &seed);
        haw_local_init_3d(&local, s.value, s.mu[0]);
        haw_local_solve_3d(&local, s.q, r);
        assert_int_equal(small_solve(&s.problem, &settings, want, u, &report), HAW_OK);
        assert_int_equal(report.outcome, HAW_CONVERGED);
        if (!(enum_distance(3, r, want) < 1.0e-9 * (1.0 + want[0]))) {
            fail_msg("trial %d (seed 61): off by %g", trial, enum_distance(3, r, want));
        }
    }
}

TEST_FILE(test_local)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_laws_hold_for_every_kind_of_block),
        cmocka_unit_test(impulses_of_singular_blocks_are_moderate),
        cmocka_unit_test(an_impossible_contact_stays_finite_and_admissible),
        cmocka_unit_test(not_a_number_ends_the_iteration_too),
        cmocka_unit_test(the_plane_has_the_enumerated_solution),
        cmocka_unit_test(space_has_the_solution_of_enum),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
