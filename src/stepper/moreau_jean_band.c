/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Newton steps of a contact problem in the band of the mechanics: from
 *
 *     A dv - H dr = -rest,   a (du + alpha w dr) + b w dr = -g,   du = H^T dv
 *
 * the impulses are eliminated point by point, with c = (b + alpha a) w, D = c^-1 a, e = c^-1 g:
 *
 *     (A + H D H^T) dv = -rest - H e,   dr = -e - D du,
 *
 * a matrix with the pattern of the elements: a step costs what one with compliant contact costs.
 */
#include "stepper/moreau_jean_band.h"

#include "solver/newton_residual.h"

#include <math.h>
#include <string.h>

enum { ROW = HAW_ELEMENT_DOFS_MAX + 3 };

static double *doubles(haw_jean_pass *x, int each)
{
    const size_t n = (size_t)x->n * (size_t)each;
    return haw_arena_allocate(&x->step->jean->arena, n, sizeof(double));
}

haw_status haw_jean_band_create(haw_jean_step *step, const double *right, haw_jean_pass *x)
{
    haw_simulation *simulation = step->simulation;
    haw_bordered *matrix = simulation->implicit->system->matrix;
    const size_t values = (size_t)haw_bordered_spare(matrix) + 1;
    const double rate = 1 / (step->theta * step->h);
    *x = (haw_jean_pass){.step = step,
                         .contacts = simulation->contacts,
                         .right = right,
                         .dv = simulation->work[0],
                         .rest = simulation->work[1],
                         .scale = rate * rate,
                         .n = simulation->contacts->count,
                         .r = simulation->contacts->impulse};
    double **const vector[] = {&x->u, &x->dr, &x->du, &x->g, &x->r_trial, &x->u_trial};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = doubles(x, 2);
        if (*vector[i] == NULL) {
            return HAW_ERR_NOMEM;
        }
    }
    x->w = doubles(x, 1);
    x->a = doubles(x, 4);
    x->b = doubles(x, 4);
    x->gain = doubles(x, 4);
    x->state = haw_arena_allocate(&step->jean->arena, (size_t)x->n, 1);
    x->base = haw_arena_allocate(&step->jean->arena, values, sizeof(double));
    if (x->w == NULL || x->a == NULL || x->b == NULL || x->gain == NULL || x->state == NULL ||
        x->base == NULL) {
        return HAW_ERR_NOMEM;
    }
    memcpy(x->base, haw_bordered_value(matrix), values * sizeof(double));
    return HAW_OK;
}

/* y [dofs] = H r, tied. */
void haw_jean_band_push(const haw_jean_pass *x, const double *r, double *y)
{
    const haw_model *model = &x->step->simulation->model;
    memset(y, 0, (size_t)model->dofs * sizeof *y);
    haw_contacts_apply(x->contacts, r, y);
    haw_model_tie(model, y);
}

/* ---- weights, with the factor of A at hand ---- */

/* W_kk of row k of contact i. */
static double mobility(haw_jean_pass *x, int i, int k)
{
    const haw_simulation *simulation = x->step->simulation;
    const haw_contact *c = &x->contacts->item[i];
    double *y = x->rest, sum = 0;
    memset(y, 0, (size_t)simulation->model.dofs * sizeof *y);
    for (int a = 0; a < c->width + 3; a++) {
        y[a < c->width ? c->owner + a : c->body + a - c->width] +=
            a < c->width ? c->row[k][a] : c->body_row[k][a - c->width];
    }
    haw_model_tie(&simulation->model, y);
    haw_system_solve(simulation->implicit->system, y);
    for (int a = 0; a < c->width + 3; a++) {
        sum += a < c->width ? c->row[k][a] * y[c->owner + a]
                            : c->body_row[k][a - c->width] * y[c->body + a - c->width];
    }
    return x->scale * sum;
}

/* Weights of points are kept as long as the step is: only their order of magnitude matters. */
bool haw_jean_band_weights(haw_jean_pass *x)
{
    haw_jean *jean = x->step->jean;
    if (jean->weight_h != x->step->h) {
        memset(jean->weight, 0, (size_t)x->step->simulation->model.points * sizeof(double));
        jean->weight_h = x->step->h;
    }
    for (int i = 0; i < x->n; i++) {
        double *kept = &jean->weight[x->contacts->item[i].id];
        if (!(*kept > 0)) {
            *kept = 0.5 * (mobility(x, i, 0) + mobility(x, i, 1));
        }
        if (!(*kept > 0) || !isfinite(*kept)) {
            return false;
        }
        x->w[i] = *kept;
    }
    return true;
}

/* D and e of a point; the 2 x 2 matrix b + alpha a is regular for alpha > 0. */
static void eliminate(haw_jean_pass *x, int i, double e[2])
{
    const double *a = x->a + (ptrdiff_t)4 * i, *b = x->b + (ptrdiff_t)4 * i;
    const double *g = x->g + (ptrdiff_t)2 * i;
    double c[4], *d = x->gain + (ptrdiff_t)4 * i;
    for (int k = 0; k < 4; k++) {
        c[k] = b[k] + x->alpha * a[k];
    }
    const double inverse = 1 / ((c[0] * c[3] - c[1] * c[2]) * x->w[i]);
    for (int k = 0; k < 2; k++) {
        d[k] = inverse * (c[3] * a[k] - c[1] * a[2 + k]);
        d[2 + k] = inverse * (c[0] * a[2 + k] - c[2] * a[k]);
    }
    e[0] = inverse * (c[3] * g[0] - c[1] * g[1]);
    e[1] = inverse * (c[0] * g[1] - c[2] * g[0]);
}

/* Matrix += H D H^T of one point. */
static void add_point(haw_jean_pass *x, int i)
{
    const haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const haw_contact *c = &x->contacts->item[i];
    const haw_pair *pair = &simulation->model.pair[c->pair];
    const double *d = x->gain + (ptrdiff_t)4 * i;
    const int n = c->width + 3;
    double row[2][ROW] = {{0}}, k[ROW * ROW] = {0};
    for (int j = 0; j < 2; j++) {
        memcpy(row[j], c->row[j], (size_t)c->width * sizeof(double));
        memcpy(row[j] + c->width, c->body_row[j], 3 * sizeof(double));
    }
    for (int p = 0; p < n; p++) {
        const double left[2] = {x->scale * (row[0][p] * d[0] + row[1][p] * d[2]),
                                x->scale * (row[0][p] * d[1] + row[1][p] * d[3])};
        for (int q = 0; q < n; q++) {
            k[p * n + q] = left[0] * row[0][q] + left[1] * row[1][q];
        }
    }
    if (pair->cable >= 0) {
        const haw_cable *cable = &simulation->model.cable[pair->cable];
        const int element = (c->owner - cable->first) / cable->line.ops->stride;
        haw_system_add_contact(system, pair->cable, element, pair->body, k);
        return;
    }
    for (int pq = 0; pq < n * n; pq++) {
        const int p = pq / n, q = pq % n;
        haw_system_add(system, p < 3 ? c->owner + p : c->body + p - 3,
                       q < 3 ? c->owner + q : c->body + q - 3, k[pq]);
    }
}

/* rest <- A v - right - H r over the equations, from the entries of A. */
static void find_rest(haw_jean_pass *x)
{
    haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const int dofs = simulation->model.dofs;
    double *product = x->dv;
    haw_jean_band_push(x, x->r, x->rest);
    for (int i = 0; i < dofs; i++) {
        x->rest[i] = -x->rest[i] - x->right[i];
    }
    for (int i = 0; i < system->equations; i++) {
        system->unknown[i] = x->v[system->dof[i]];
        product[i] = 0;
    }
    haw_bordered_multiply(system->matrix, 1 / x->scale, system->unknown, product);
    for (int i = 0; i < system->equations; i++) {
        x->rest[system->dof[i]] += product[i];
    }
}

void haw_jean_band_restore(haw_jean_pass *x)
{
    haw_bordered *matrix = x->step->simulation->implicit->system->matrix;
    memcpy(haw_bordered_value(matrix), x->base,
           ((size_t)haw_bordered_spare(matrix) + 1) * sizeof(double));
}

/* dv, dr, du. @return false if the matrix is singular */
bool haw_jean_band_step(haw_jean_pass *x)
{
    haw_simulation *simulation = x->step->simulation;
    haw_system *system = simulation->implicit->system;
    const int dofs = simulation->model.dofs;
    double *e = x->dr;
    haw_jean_band_restore(x);
    find_rest(x);
    for (int i = 0; i < x->n; i++) {
        eliminate(x, i, e + (ptrdiff_t)2 * i);
        if (x->state[i] != HAW_CONTACT_OPEN) {
            add_point(x, i);
        }
    }
    haw_jean_band_push(x, e, x->dv);
    for (int i = 0; i < dofs; i++) {
        x->dv[i] = -x->scale * (x->dv[i] + x->rest[i]);
    }
    simulation->certificate.factorizations++;
    if (haw_system_factor(system) != HAW_OK) {
        return false;
    }
    haw_system_solve(system, x->dv);
    haw_contacts_velocity(x->contacts, x->dv, x->du);
    for (int i = 0; i < x->n; i++) {
        const double *d = x->gain + (ptrdiff_t)4 * i, *du = x->du + (ptrdiff_t)2 * i;
        e[2 * i] = -e[2 * i] - d[0] * du[0] - d[1] * du[1];
        e[2 * i + 1] = -e[2 * i + 1] - d[2] * du[0] - d[3] * du[1];
    }
    return true;
}
