/* SPDX-License-Identifier: BSD-3-Clause */
/* Both planar rope elements against the numbers of an independent program. */
#include "support/ale.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = HAW_ALE_DOFS, TEXT = 16384 };

/* A sample of the file: an element in motion, and what belongs to it. */
typedef struct sample {
    haw_ale_kind kind;
    char text[TEXT]; /* from its name on */
} sample;

static void read_sample(const char *name, sample *to)
{
    FILE *file = fopen("data/rope/alem_regression.json", "r");
    if (file == NULL) {
        fail_msg("cannot read the sample");
        return;
    }
    to->text[fread(to->text, 1, TEXT - 1, file)] = '\0';
    fclose(file);
    const char *start = strstr(to->text, name);
    assert_non_null(start);
    memmove(to->text, start, strlen(start) + 1);
}

/* The next `count` numbers after a key. */
static void values(const sample *from, const char *key, int count, double *x)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(from->text, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    for (int i = 0; i < count; i++) {
        char *end;
        at += strspn(at, " \n[],");
        x[i] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
}

static void check_point(const sample *of, const double *q, const double *u)
{
    static const char *const keys[5] = {"r", "v", "Jdotqd", "dr_ds", "d2r_ds2"};
    double s, want[2];
    haw_ale_point p;
    values(of, "s", 1, &s);
    of->kind.ops->point(&of->kind, s, q, u, HAW_ALE_MOTION | HAW_ALE_GAMMA | HAW_ALE_BEND, &p);
    const double *const got[5] = {p.x, p.v, p.gamma, p.slope, p.bend};
    for (int k = 0; k < 5; k++) {
        values(of, keys[k], 2, want);
        for (int i = 0; i < 2; i++) {
            assert_near(got[k][i], want[i], 1e-12, 1e-12);
        }
    }
}

static void check_inertia(const sample *of, double density, const double *q, const double *u)
{
    const int n = of->kind.dofs;
    const haw_ale_section section = {.density = density};
    const double none[N] = {0};
    double mass[N * N], forces[N], m[N * N], y[N] = {0}, kinetic;
    values(of, "M", n * n, mass);
    values(of, "Qv", n, forces);
    values(of, "T", 1, &kinetic);
    of->kind.ops->mass(&of->kind, &section, q, m);
    of->kind.ops->inertia(&of->kind, &section, q, u, none, y);
    for (int i = 0; i < n * n; i++) {
        assert_near(m[i], mass[i], 1e-12, 1e-12);
    }
    for (int i = 0; i < n; i++) {
        assert_near(-y[i], forces[i], 1e-12, 1e-12);
    }
    assert_near(of->kind.ops->kinetic(&of->kind, &section, q, u), kinetic, 0, 1e-12);
}

/* EA = 1e4 N, EI = 10 N m^2, over the places of the test: that of the sample has twenty of them. */
static double strain_energy(const sample *of, const double *q)
{
    ale_trial t = {.kind = of->kind, .section = {.stiffness = 1e4, .bending = 10}};
    double sum = 0;
    memcpy(t.q, q, sizeof t.q);
    for (int k = 0; k < ALE_FINE; k++) {
        double weight;
        haw_ale_axial at;
        of->kind.ops->axial(&of->kind, &t.section, ale_fine(&t, k, &weight), q, NULL, &at);
        sum += weight / 2 * (1e4 * at.strain * at.strain + 10 * at.curvature * at.curvature);
    }
    return sum;
}

static void check_sample(const char *name, haw_ale_kind kind)
{
    sample of = {.kind = kind};
    double q[N] = {0}, u[N] = {0}, density, energy;
    read_sample(name, &of);
    values(&of, "q", kind.dofs, q);
    values(&of, "qd", kind.dofs, u);
    values(&of, "rhoA", 1, &density);
    values(&of, "U_EA1e4_EI10", 1, &energy);
    check_point(&of, q, u);
    check_inertia(&of, density, q, u);
    assert_near(strain_energy(&of, q), energy, 0, 1e-9);
}

static void cubic_agrees_with_the_independent_program(void **state)
{
    (void)state;
    check_sample("ALEC2", ale_kind_of(&haw_ale_cubic, 0, 0));
}

static void span_agrees_with_the_independent_program(void **state)
{
    (void)state;
    check_sample("ALEM2_na1_nb2", ale_kind_of(&haw_alem_span, 1, 2));
}

/* By the rules of the elements: a strongly bent cubic shows the error of five points. */
static void energies_of_the_elements_are_those_of_their_strains(void **state)
{
    (void)state;
    const haw_ale_section section = {.stiffness = 1e4, .bending = 10};
    sample of = {.kind = ale_kind_of(&haw_alem_span, 1, 2)};
    double q[N] = {0}, want, energy[2] = {0, 0}, cubic[2] = {0, 0};
    read_sample("ALEM2_na1_nb2", &of);
    values(&of, "q", of.kind.dofs, q);
    values(&of, "U_EA1e4_EI10", 1, &want);
    of.kind.ops->energy(&of.kind, &section, q, energy);
    assert_near(energy[0], want, 0, 1e-9);
    of.kind = ale_kind_of(&haw_ale_cubic, 0, 0);
    read_sample("ALEC2", &of);
    values(&of, "q", of.kind.dofs, q);
    values(&of, "U_EA1e4_EI10", 1, &want);
    of.kind.ops->energy(&of.kind, &section, q, cubic);
    assert_near(cubic[0], want, 0, 1e-2);
}

TEST_FILE(test_ale_regression)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubic_agrees_with_the_independent_program),
        cmocka_unit_test(span_agrees_with_the_independent_program),
        cmocka_unit_test(energies_of_the_elements_are_those_of_their_strains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
