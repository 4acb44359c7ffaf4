/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/winding.h"

#include "base/lie.h"
#include "base/status.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turns = 3.0, radius = 0.5, layer_gap = 0.02;
static const double pitch[] = {[3] = 0.05}; /* rise of a turn by the dimension [m] */
static const double transverse = 1e-3, bending = 1e-4, pull = 3.0, noise = 1e-2;
static const double pi = 3.14159265358979323846;

enum {
    AXIAL = 2,
    REACH = 2,
    STENCIL = 2 * REACH + 1
}; /* second differences couple nodes up to i +- 2 */

static double angle_step(const haw_winding *w)
{
    return 2.0 * pi * turns / (w->nodes - 1);
}

static void node_position(const haw_winding *w, int node, int layer, double x[3])
{
    const double angle = node * angle_step(w), r = radius + layer * layer_gap;

    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
    x[2] = pitch[w->dimension] * angle / (2.0 * pi);
}

/* Unit chord of the element between nodes `element` and `element` + 1. */
static void chord(const haw_winding *w, int element, int layer, double t[3])
{
    double a[3], b[3];

    node_position(w, element, layer, a);
    node_position(w, element + 1, layer, b);
    vec3_add(-1.0, a, b);
    const double length = vec3_norm(b);

    for (int k = 0; k < 3; k++) {
        t[k] = b[k] / length;
    }
}

/* Row k of the contact frame at a node: outward normal, hoop, axis. */
static void frame(const haw_winding *w, int node, int row, double e[3])
{
    const double c = cos(node * angle_step(w)), s = sin(node * angle_step(w));
    const double axes[3][3] = {{c, s, 0.0}, {-s, c, 0.0}, {0.0, 0.0, 1.0}};

    for (int k = 0; k < 3; k++) {
        e[k] = axes[row][k];
    }
}

/* block += factor kappa (t t^T + 1e-3 (I - t t^T)) of one element */
static void add_element(const haw_winding *w, int element, int layer, double factor,
                        double block[9])
{
    const int d = w->dimension;
    double t[3];

    assert(d <= 3);
    chord(w, element, layer, t);
    for (int i = 0; i < d; i++) {
        for (int j = 0; j < d; j++) {
            const double unit = i == j ? transverse : 0.0;

            block[d * i + j] += factor * w->kappa * ((1.0 - transverse) * t[i] * t[j] + unit);
        }
    }
}

/* Coefficient of node i and node j in D2^T D2. */
static double second_differences(const haw_winding *w, int i, int j)
{
    double sum = 0.0;

    for (int k = i > 1 ? i - 1 : 1; k <= i + 1 && k < w->nodes - 1; k++) {
        if (abs(j - k) <= 1) {
            sum += (i == k ? -2.0 : 1.0) * (j == k ? -2.0 : 1.0);
        }
    }
    return sum;
}

/* The d x d block of M that couples node i and node j of a layer. */
static void mass_block(const haw_winding *w, int layer, int i, int j, double block[9])
{
    const int d = w->dimension;
    const double unit = (i == j ? 1.0 : 0.0) + bending * w->kappa * second_differences(w, i, j);

    for (int k = 0; k < d * d; k++) {
        block[k] = k % (d + 1) == 0 ? unit : 0.0;
    }
    if (abs(i - j) == 1) {
        add_element(w, i < j ? i : j, layer, -1.0, block);
    }
    if (i == j && i > 0) {
        add_element(w, i - 1, layer, 1.0, block);
    }
    if (i == j && i < w->nodes - 1) {
        add_element(w, i, layer, 1.0, block);
    }
}

/* Row k of one block of M; its corner that bending alone reaches is diagonal. @return the end */
static int fill_mass_entries(const haw_winding *w, int layer, const int node[2], int k, haw_csr *m,
                             int at)
{
    const int d = w->dimension;
    double block[9];

    mass_block(w, layer, node[0], node[1], block);
    for (int l = 0; l < d; l++) {
        if (l == k || abs(node[1] - node[0]) < REACH) {
            m->column[at] = d * (node[1] * w->layers + layer) + l;
            m->value[at++] = block[d * k + l];
        }
    }
    return at;
}

/* The d rows of M of one node: the stencil i - 2 ... i + 2 of its layer. */
static void fill_mass_rows(const haw_winding *w, int node, int layer, haw_csr *m)
{
    const int d = w->dimension, first = node < REACH ? 0 : node - REACH;
    const int last = node + REACH < w->nodes ? node + REACH : w->nodes - 1;

    for (int k = 0; k < d; k++) {
        const int row = d * (node * w->layers + layer) + k;
        int at = m->start[row];

        for (int j = first; j <= last; j++) {
            at = fill_mass_entries(w, layer, (int[]){node, j}, k, m, at);
        }
        m->start[row + 1] = at;
    }
}

/* The contact velocities of a node with the drum, or with the layer below. */
static void fill_contact_rows(const haw_winding *w, int node, int layer, haw_csr *ht)
{
    const int d = w->dimension, contact = node * w->layers + layer;

    for (int k = 0; k < d; k++) {
        int at = ht->start[d * contact + k];
        double e[3];

        frame(w, node, k, e);
        for (int i = 0; i < d * (layer + 1); i++) {
            const int l = i % d, below = layer - i / d;

            if ((k == AXIAL) == (l == AXIAL)) {
                ht->column[at] = d * (contact - below) + l;
                ht->value[at++] = below > 0 ? -e[l] : e[l];
            }
        }
        ht->start[d * contact + k + 1] = at;
    }
}

/* Unit tangent of the helix at a node. */
static void tangent(const haw_winding *w, int node, int layer, double t[3])
{
    const double angle = node * angle_step(w), r = radius + layer * layer_gap;
    const double rise = pitch[w->dimension] / (2.0 * pi), length = hypot(r, rise);

    t[0] = -r * sin(angle) / length;
    t[1] = r * cos(angle) / length;
    t[2] = rise / length;
}

/* f of a node += impulse t */
static void add_force(const haw_winding *w, int node, int layer, double impulse, const double t[3],
                      double *f)
{
    for (int k = 0; k < w->dimension; k++) {
        f[(ptrdiff_t)w->dimension * (node * w->layers + layer) + k] += impulse * t[k];
    }
}

/* Tensions of the elements, forces at the ends. */
static void fill_tension(const haw_winding *w, int layer, double *f)
{
    const double tension = 1.0 / angle_step(w);
    double t[3];

    for (int e = 0; e < w->nodes - 1; e++) {
        chord(w, e, layer, t);
        add_force(w, e, layer, tension, t, f);
        add_force(w, e + 1, layer, -tension, t, f);
    }
    tangent(w, 0, layer, t);
    add_force(w, 0, layer, -tension, t, f);
    tangent(w, w->nodes - 1, layer, t);
    add_force(w, w->nodes - 1, layer, pull * tension, t, f);
}

static haw_status fill_noise(haw_context *context, const haw_winding *w, double *f)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    if (rng == NULL) {
        return haw_fail(context, HAW_ERR_NOMEM,
                        "out of memory for the random numbers of a winding");
    }
    gsl_rng_set(rng, w->seed);
    for (int i = 0; i < w->dimension * w->layers * w->nodes; i++) {
        f[i] += gsl_ran_gaussian(rng, noise);
    }
    gsl_rng_free(rng);
    return HAW_OK;
}

static haw_status refuse(haw_context *context, const haw_winding *w)
{
    if (w->dimension != 2 && w->dimension != 3) {
        return haw_fail(context, HAW_ERR_ARG, "the dimension of a winding must be 2 or 3 (got %d)",
                        w->dimension);
    }
    if (w->layers != 1 && w->layers != 2) {
        return haw_fail(context, HAW_ERR_ARG, "a winding must have 1 or 2 layers (got %d)",
                        w->layers);
    }
    if (w->nodes < 3 || w->nodes > 1000000) {
        return haw_fail(context, HAW_ERR_ARG, "a winding has 3 to 1000000 nodes, not %d", w->nodes);
    }
    if (!(w->kappa >= 0.0 && isfinite(w->kappa))) {
        return haw_fail(context, HAW_ERR_ARG, "kappa of a winding must be >= 0 (got %g)", w->kappa);
    }
    if (!(w->friction >= 0.0 && isfinite(w->friction))) {
        return haw_fail(context, HAW_ERR_ARG, "friction of a winding must be >= 0 (got %g)",
                        w->friction);
    }
    return HAW_OK;
}

haw_status haw_winding_create(haw_context *context, const haw_winding *w, haw_problem **problem)
{
    *problem = NULL;
    HAW_TRY(refuse(context, w));
    const int d = w->dimension, contacts = w->layers * w->nodes;
    const haw_problem_size size = {
        .dimension = d,
        .contacts = contacts,
        .velocities = d * contacts,
        .m_count = w->layers * d * (d * (3 * w->nodes - 2) + 2 * (w->nodes - 2)),
        .h_count = w->nodes * (d + 2) * (w->layers == 1 ? 1 : 3),
    };

    HAW_TRY(haw_problem_create(context, &size, problem));
    haw_global *g = (*problem)->global;

    for (int c = 0; c < contacts; c++) {
        fill_mass_rows(w, c / w->layers, c % w->layers, &g->m);
        fill_contact_rows(w, c / w->layers, c % w->layers, &g->ht);
        (*problem)->mu[c] = w->friction;
    }
    for (int layer = 0; layer < w->layers; layer++) {
        fill_tension(w, layer, g->f);
    }
    const haw_status status = fill_noise(context, w, g->f);

    if (status != HAW_OK) {
        haw_problem_free(context, *problem);
        *problem = NULL;
    }
    return status;
}

void haw_winding_name(const haw_winding *w, char name[HAW_WINDING_NAME_SIZE])
{
    static const char *const kind[2][2] = {{"c2", "c3"}, {"L2c2", "L2"}};
    char digits[32], *exponent;

    (void)snprintf(digits, sizeof digits, "%.5e", w->kappa); /* 1.00000e+04 */
    const double mantissa = strtod(digits, NULL);

    exponent = strchr(digits, 'e');
    const int power = (int)strtol(exponent + 1, NULL, 10);

    *exponent = '\0';
    (void)snprintf(name, HAW_WINDING_NAME_SIZE, "%s_%d_k%ge%d_m%g",
                   kind[w->layers - 1][w->dimension - 2], w->nodes,
                   mantissa == 0.0 ? 0.0 : strtod(digits, NULL), power, w->friction);
}

/* Rows of the suite: all kappas and frictions named by bits, from the smallest on. */
typedef struct suite_row {
    int dimension, layers, nodes;
    unsigned kappas, frictions;
} suite_row;

static const suite_row suite[] = {
    {2, 1, 50, 7, 7},   {2, 1, 200, 7, 7},  {3, 1, 50, 7, 7},   {3, 1, 200, 7, 7},
    {3, 2, 50, 7, 2},   {3, 2, 200, 7, 2},  {2, 1, 1000, 7, 2}, {3, 1, 1000, 7, 2},
    {2, 1, 1000, 2, 5}, {3, 1, 1000, 2, 5}, {3, 1, 2000, 6, 2}, {3, 1, 5000, 6, 2},
};

static const double suite_kappa[] = {1e2, 1e4, 1e6}, suite_friction[] = {0.1, 0.4, 0.8};

enum { SUITE_ROWS = sizeof suite / sizeof suite[0], SUITE_SEED = 1 };

/* Problem `index`, or the last one. @return how many were passed */
static int suite_find(int index, haw_winding *winding)
{
    int count = 0;

    for (int cell = 0; cell < 9 * SUITE_ROWS && count <= index; cell++) {
        const suite_row *row = &suite[cell / 9];
        const int k = cell / 3 % 3, m = cell % 3;

        if ((row->kappas >> k & 1) != 0 && (row->frictions >> m & 1) != 0) {
            *winding = (haw_winding){.dimension = row->dimension,
                                     .nodes = row->nodes,
                                     .layers = row->layers,
                                     .kappa = suite_kappa[k],
                                     .friction = suite_friction[m],
                                     .seed = SUITE_SEED};
            count++;
        }
    }
    return count;
}

int haw_winding_suite_count(void)
{
    haw_winding last;

    return suite_find(INT_MAX, &last);
}

haw_winding haw_winding_suite(int index)
{
    haw_winding winding = {0};

    (void)suite_find(index, &winding);
    return winding;
}
