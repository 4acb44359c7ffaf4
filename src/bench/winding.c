/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/winding.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double turns = 3.0, radius = 0.5, layer_gap = 0.02, pitch = 0.05;
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
    x[2] = w->dimension == 3 ? pitch * angle / (2.0 * pi) : 0.0;
}

/* Unit chord of the element between nodes `element` and `element` + 1. */
static void chord(const haw_winding *w, int element, int layer, double t[3])
{
    double a[3], b[3];

    node_position(w, element, layer, a);
    node_position(w, element + 1, layer, b);
    for (int k = 0; k < 3; k++) {
        t[k] = b[k] - a[k];
    }
    const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);

    for (int k = 0; k < 3; k++) {
        t[k] /= length;
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
    static const double weight[3] = {1.0, -2.0, 1.0};
    double sum = 0.0;

    for (int k = i > 1 ? i - 1 : 1; k <= i + 1 && k < w->nodes - 1; k++) {
        if (abs(j - k) <= 1) {
            sum += weight[i - k + 1] * weight[j - k + 1];
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

/* The d rows of M of one node: the stencil i - 2 ... i + 2 of its layer. */
static void fill_mass_rows(const haw_winding *w, int node, int layer, haw_csr *m)
{
    const int d = w->dimension, first = node < REACH ? 0 : node - REACH;
    const int last = node + REACH < w->nodes ? node + REACH : w->nodes - 1;
    double block[STENCIL][9];

    for (int j = first; j <= last; j++) {
        mass_block(w, layer, node, j, block[j - first]);
    }
    for (int k = 0; k < d; k++) {
        const int row = d * (node * w->layers + layer) + k;
        int at = m->start[row];

        for (int j = first; j <= last; j++) {
            for (int l = 0; l < d; l++) {
                if (l == k || abs(j - node) < REACH) { /* bending alone reaches that far */
                    m->column[at] = d * (j * w->layers + layer) + l;
                    m->value[at++] = block[j - first][d * k + l];
                }
            }
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
        for (int below = layer; below >= 0; below--) {
            for (int l = 0; l < d; l++) {
                if ((k == AXIAL) == (l == AXIAL)) {
                    ht->column[at] = d * (contact - below) + l;
                    ht->value[at++] = below > 0 ? -e[l] : e[l];
                }
            }
        }
        ht->start[d * contact + k + 1] = at;
    }
}

/* Unit tangent of the helix at a node. */
static void tangent(const haw_winding *w, int node, int layer, double t[3])
{
    const double angle = node * angle_step(w), r = radius + layer * layer_gap;
    const double rise = w->dimension == 3 ? pitch / (2.0 * pi) : 0.0, length = hypot(r, rise);

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
        return haw_fail(context, HAW_ERR_NOMEM, "no memory for the random numbers of a winding");
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
        return haw_fail(context, HAW_ERR_ARG, "a winding is of dimension 2 or 3, not %d",
                        w->dimension);
    }
    if (w->layers != 1 && w->layers != 2) {
        return haw_fail(context, HAW_ERR_ARG, "a winding has 1 or 2 layers, not %d", w->layers);
    }
    if (w->nodes < 3 || w->nodes > 1000000) {
        return haw_fail(context, HAW_ERR_ARG, "a winding has 3 to 1000000 nodes, not %d", w->nodes);
    }
    if (!(w->kappa >= 0.0 && isfinite(w->kappa))) {
        return haw_fail(context, HAW_ERR_ARG, "kappa of a winding is %g, not >= 0", w->kappa);
    }
    if (!(w->friction >= 0.0 && isfinite(w->friction))) {
        return haw_fail(context, HAW_ERR_ARG, "friction of a winding is %g, not >= 0", w->friction);
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
        .h_count = w->nodes * (d == 2 ? 4 : 5) * (w->layers == 1 ? 1 : 3),
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
                   kind[w->layers == 2][w->dimension == 3], w->nodes,
                   mantissa == 0.0 ? 0.0 : strtod(digits, NULL), power, w->friction);
}

/* Groups of the suite: every dimension x nodes x kappa x friction named. */
typedef struct group {
    int layers;
    int dimensions[2], nodes[2]; /* 0: not used */
    double kappas[3], frictions[3];
} group;

static const group groups[] = {
    {1, {2, 3}, {50, 200}, {1e2, 1e4, 1e6}, {0.1, 0.4, 0.8}},
    {2, {3, 0}, {50, 200}, {1e2, 1e4, 1e6}, {0.4, 0.0, 0.0}},
    {1, {2, 3}, {1000, 0}, {1e2, 1e4, 1e6}, {0.4, 0.0, 0.0}},
    {1, {2, 3}, {1000, 0}, {1e4, 0.0, 0.0}, {0.1, 0.8, 0.0}},
    {1, {3, 0}, {2000, 5000}, {1e4, 1e6, 0.0}, {0.4, 0.0, 0.0}},
};

enum { GROUPS = sizeof groups / sizeof groups[0], SEED = 1 };

static int used_int(const int *value, int room)
{
    int n = 0;

    while (n < room && value[n] != 0) {
        n++;
    }
    return n;
}

static int used_real(const double *value)
{
    int n = 0;

    while (n < 3 && value[n] != 0.0) {
        n++;
    }
    return n;
}

static int group_count(const group *g)
{
    return used_int(g->dimensions, 2) * used_int(g->nodes, 2) * used_real(g->kappas) *
           used_real(g->frictions);
}

int haw_winding_suite_count(void)
{
    int count = 0;

    for (int i = 0; i < GROUPS; i++) {
        count += group_count(&groups[i]);
    }
    return count;
}

haw_winding haw_winding_suite(int index)
{
    const group *g = groups;

    while (index >= group_count(g)) {
        index -= group_count(g++);
    }
    const int frictions = used_real(g->frictions), kappas = used_real(g->kappas);
    const int nodes = used_int(g->nodes, 2);

    return (haw_winding){
        .dimension = g->dimensions[index / (frictions * kappas * nodes)],
        .nodes = g->nodes[index / (frictions * kappas) % nodes],
        .layers = g->layers,
        .kappa = g->kappas[index / frictions % kappas],
        .friction = g->frictions[index % frictions],
        .seed = SEED,
    };
}
