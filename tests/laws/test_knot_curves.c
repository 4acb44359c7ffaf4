/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reference curves of knots without friction say about themselves. The bending energy E of
 * a knot with long tails depends on the radius h of the rod and on its shortening e alone, as
 * 1/length where both grow alike, and -F de + 2 P dh is its change: E = e F - 2 h P, and so
 *
 *     e dF + 2 F de = 2 h dP.
 *
 * Curves whose e is told too small by d have the shortening e + d there. */
#include "support/csv.h"

static const double radius = 1.6e-3, stiffness = 1.448; /* h [m], EA [N] */

enum { COUNT = 7 }; /* of rows at either end over which the answer is a mean: they scatter */

/* d from a row to a later one: the integral of e dF + 2 F de - 2 h dP with e + d in place of e.
 * Tension lengthens a rod of 1 m by F / EA. */
static double find_shift(const csv_table *rows, int first, int last)
{
    const int e = csv_column(rows, "e_m"), f = csv_column(rows, "F_N"), p = csv_column(rows, "P_N");
    double sum = 0;
    for (int k = first; k < last; k++) {
        const double force = csv_at(rows, k, f), next = csv_at(rows, k + 1, f);
        const double at = csv_at(rows, k, e) + force / stiffness;
        const double then = csv_at(rows, k + 1, e) + next / stiffness;
        sum += 0.5 * (at + then) * (next - force) + (force + next) * (then - at) -
               2 * radius * (csv_at(rows, k + 1, p) - csv_at(rows, k, p));
    }
    return -sum / (csv_at(rows, last, f) - csv_at(rows, first, f));
}

static int row_at(const csv_table *rows, double e)
{
    int k = 0;
    while (csv_at(rows, k, csv_column(rows, "e_m")) > e) {
        k++;
    }
    return k;
}

/* A row tells the mean of the way since the row before: its forces are those half a row earlier. */
static void rows_tell_the_middle_of_their_way(void **state)
{
    static const struct {
        const char *file;
        double from, to;
    } curves[] = {{"data/knots/ref_n1_mu0.csv", 0.25, 0.12},
                  {"data/knots/ref_n2_mu0.csv", 0.35, 0.20},
                  {"data/knots/ref_n3_mu0.csv", 0.45, 0.32},
                  {"data/knots/ref_n4_mu0.csv", 0.49, 0.37}};

    (void)state;
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        csv_table rows;
        csv_read(curves[i].file, &rows);
        const double half = 0.5 * (csv_at(&rows, 0, 0) - csv_at(&rows, 1, 0));
        const int first = row_at(&rows, curves[i].from), last = row_at(&rows, curves[i].to);
        double mean = 0;
        for (int k = -COUNT / 2; k <= COUNT / 2; k++) {
            mean += find_shift(&rows, first + k, last + k) / COUNT;
        }
        print_message("%s: %.3f mm, half a row is %.3f mm\n", curves[i].file, 1e3 * mean,
                      1e3 * half);
        assert_near(mean, half, 0.2e-3, 0);
        csv_free(&rows);
    }
}

TEST_FILE(test_knot_curves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_tell_the_middle_of_their_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
