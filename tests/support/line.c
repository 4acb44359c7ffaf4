/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/line.h"

#include "support/finite.h"

haw_line line_make(const char *kind, int elements, double length)
{
    const haw_element_ops *ops = (const haw_element_ops *)haw_row_find(haw_elements, kind);
    haw_line line = {.ops = ops,
                     .elements = elements,
                     .dofs = ops->stride * (elements - 1) + ops->dofs,
                     .le = length / elements,
                     .stiffness = 4.0e4,
                     .density = 0.1};
    haw_quadrature_init(3, &line.rule);
    return line;
}

void line_straight(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const double *p = user;
    t[0] = p[1];
    t[1] = p[2];
    x[0] = p[0] * xi * p[1];
    x[1] = p[0] * xi * p[2];
    *stretch = p[0];
}

void line_wavy(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    (void)user;
    const double dx = 1.02 + 0.05 * cos(5.0 * xi), dy = 0.3 * cos(3.0 * xi);
    x[0] = 1.02 * xi + 0.01 * sin(5.0 * xi);
    x[1] = 0.1 * sin(3.0 * xi);
    *stretch = sqrt(dx * dx + dy * dy);
    t[0] = dx / *stretch;
    t[1] = dy / *stretch;
}

void line_energy_function(const void *user, const double *q, double *v)
{
    const haw_line *line = user;
    double energy[2] = {0.0, 0.0};
    line->ops->energy(line, q, energy);
    v[0] = energy[0] + energy[1];
}

void line_force_function(const void *user, const double *q, double *f)
{
    const haw_line *line = user;
    memset(f, 0, (size_t)line->dofs * sizeof *f);
    line->ops->force(line, q, f);
}

void line_stiffness(const haw_line *line, const double *q, bool clip, double *k)
{
    const int n = line->dofs, m = line->ops->dofs;
    double block[HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX];
    memset(k, 0, (size_t)(n * n) * sizeof *k);
    for (int e = 0; e < line->elements; e++) {
        const int first = line->ops->stride * e;
        line->ops->tangent(line, e, q, clip, block);
        for (int i = 0; i < m * m; i++) {
            k[n * (first + i / m) + first + i % m] += block[i];
        }
    }
}

void line_mass(const haw_line *line, const double *q, double *mass)
{
    const int n = line->dofs, c = line->ops->mass_copies, m = line->ops->mass_block;
    double block[HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX];
    memset(mass, 0, (size_t)(n * n) * sizeof *mass);
    for (int e = 0; e < line->elements; e++) {
        const int first = line->ops->stride * e;
        line->ops->mass(line, e, q, block);
        for (int i = 0; i < m * m * c; i++) {
            const int row = i / c / m, column = i / c % m, copy = i % c;
            mass[n * (first + c * row + copy) + first + c * column + copy] += block[i / c];
        }
    }
}

void line_check_derivatives(const haw_line *line, const double *q, double h)
{
    const int n = line->dofs;
    double gradient[FINITE_MAX], f[FINITE_MAX];
    static double difference[FINITE_MAX * FINITE_MAX], k[FINITE_MAX * FINITE_MAX];
    finite_jacobian(line_energy_function, line, n, 1, q, h, gradient);
    line_force_function(line, q, f);
    finite_jacobian(line_force_function, line, n, n, q, h, difference);
    line_stiffness(line, q, false, k);
    for (int i = 0; i < n; i++) {
        assert_near(f[i], -gradient[i], 1e-9 * line->stiffness, 0.0);
        for (int j = 0; j < n; j++) {
            assert_near(k[n * i + j], -difference[n * i + j], 1e-9 * line->stiffness / line->le,
                        0.0);
        }
    }
}

/** dx/dq of `position` against differences, and x against the control points. */
static void line_position_function(const void *user, const double *q, double *x)
{
    const haw_line *line = user;
    line->ops->position(line, 0, 0.3, q, x, NULL);
}

void line_check_position(const haw_line *line, const double *q, double h)
{
    const int n = line->ops->dofs;
    double x[2], j[2 * HAW_ELEMENT_DOFS_MAX], difference[2 * HAW_ELEMENT_DOFS_MAX];
    line->ops->position(line, 0, 0.3, q, x, j);
    finite_jacobian(line_position_function, line, n, 2, q, h, difference);
    for (int i = 0; i < 2 * n; i++) {
        assert_near(j[i], difference[i], 1e-11, 0.0);
    }
}

void line_check_mass(const haw_line *line, const double *q, const double *u)
{
    const int n = line->dofs, m = line->ops->dofs;
    static double mass[FINITE_MAX * FINITE_MAX], integral[FINITE_MAX * FINITE_MAX];
    haw_quadrature rule;
    haw_quadrature_init(4, &rule);
    line_mass(line, q, mass);
    memset(integral, 0, sizeof integral);
    for (int i = 0; i < line->elements * rule.points; i++) {
        const int e = i / rule.points, g = i % rule.points, first = line->ops->stride * e;
        double x[2], j[2 * HAW_ELEMENT_DOFS_MAX];
        line->ops->position(line, e, rule.s[g], q, x, j);
        for (int k = 0; k < m * m; k++) {
            const int row = k / m, column = k % m;
            integral[n * (first + row) + first + column] +=
                line->density * line->le * rule.weight[g] *
                (j[row] * j[column] + j[m + row] * j[m + column]);
        }
    }
    double kinetic = 0.0;
    for (int i = 0; i < n * n; i++) {
        assert_near(mass[i], integral[i], 1e-15 * line->density * line->le, 1e-13);
        kinetic += 0.5 * u[i / n] * mass[i] * u[i % n];
    }
    assert_near(line->ops->kinetic(line, q, u), kinetic, 0.0, 1e-13);
}

/* Drop the rows and columns of the ends' positions. @return rows left */
static int line_pin(const haw_line *line, double *matrix)
{
    const int n = line->dofs, last = line->ops->stride * line->elements;
    int rows = 0;
    for (int i = 0; i < n * n; i++) {
        const int row = i / n, column = i % n;
        if (row >= 2 && row != last && row != last + 1 && column >= 2 && column != last &&
            column != last + 1) {
            matrix[rows++] = matrix[i];
        }
    }
    return n - 4;
}

int line_eigenvalues(const haw_line *line, const double *q, bool pinned, double *w)
{
    static double k[LINE_MAX * LINE_MAX], m[LINE_MAX * LINE_MAX];
    int n = line->dofs;
    assert_true(n <= LINE_MAX);
    line_stiffness(line, q, false, k);
    line_mass(line, q, m);
    if (pinned) {
        line_pin(line, k);
        n = line_pin(line, m);
    }
    assert_int_equal(LAPACKE_dsygv(LAPACK_ROW_MAJOR, 1, 'N', 'U', n, k, n, m, n, w), 0);
    return n;
}

int line_string_eigenvalues(const char *kind, int elements, bool pinned, double *w)
{
    double q[LINE_MAX];
    const double straight[3] = {1.0 + 100.0 / 4.0e4, 0.0, 1.0};
    const haw_line line = line_make(kind, elements, 2.0 / straight[0]);
    line.ops->interpolate(&line, line_straight, straight, q);
    return line_eigenvalues(&line, q, pinned, w);
}

double line_string_error(const char *kind, int elements)
{
    double w[LINE_MAX];
    const double pi = 3.14159265358979323846, stretch = 1.0 + 100.0 / 4.0e4;
    line_string_eigenvalues(kind, elements, true, w);
    return sqrt(w[0]) / (2.0 * pi) / (sqrt(100.0 / (0.1 * stretch)) * stretch / 4.0) - 1.0;
}

double line_step_limit(const char *kind, int elements, bool pinned)
{
    double w[LINE_MAX];
    const int n = line_string_eigenvalues(kind, elements, pinned, w);
    const double le = 2.0 / (1.0 + 100.0 / 4.0e4) / elements;
    return 2.0 / sqrt(w[n - 1]) * sqrt(4.0e4 / 0.1) / le;
}

/* Vertical cable under gravity; user: tension at the lower end (disk impact: 400 N). */
static void line_vertical(const void *user, double xi, double x[2], double t[2], double *stretch)
{
    const double tension = *(const double *)user, k = 4.0e4, weight = 0.1 * 9.81;
    x[0] = 0.0;
    x[1] = xi * (1.0 + tension / k) + weight * xi * xi / (2.0 * k);
    t[0] = 0.0;
    t[1] = 1.0;
    *stretch = 1.0 + (tension + weight * xi) / k;
}

double line_vertical_residual(const char *kind, int elements)
{
    const double tension = 400.0, b = 1.0 + tension / 4.0e4, a = 0.981 / 8.0e4;
    haw_line line = line_make(kind, elements, 4.0 / (b + sqrt(b * b + 8.0 * a)));
    double q[LINE_MAX], f[LINE_MAX], largest = 0.0;
    line.gravity[1] = -9.81;
    line.ops->interpolate(&line, line_vertical, &tension, q);
    line_force_function(&line, q, f);
    for (int i = 2; i < line.dofs; i++) {
        const int last = line.ops->stride * elements;
        if (i != last && i != last + 1) {
            largest = fmax(largest, fabs(f[i]));
        }
    }
    return largest;
}
