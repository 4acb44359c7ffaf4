/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows applied to velocities and impulses, and the Delassus operator W = H^T M^^-1 H.
 * Columns are solved two contacts at a time, in the window of rows that contacts touch, and
 * contracted with the rows at once: M^^-1 H is never stored, the update of the velocities is one
 * more solve.
 */
#include "contact/contact.h"
#include "linalg/inline.h"
#include "linalg/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* gamma += row u of one side. */
static HAW_INLINE void add_velocity(const haw_touch_side *side, const double *u, double *gamma,
                                    int d)
{
    double sum[HAW_DIRECTIONS];
    memcpy(sum, gamma, (size_t)d * sizeof *sum);
    for (int a = 0; a < side->count; a++) {
        const double own = u[haw_side_dof(side, a)];
        for (int k = 0; k < d; k++) {
            sum[k] += side->row[k][a] * own;
        }
    }
    memcpy(gamma, sum, (size_t)d * sizeof *sum);
}

static HAW_INLINE void find_velocity(int d, const haw_contacts *contacts, const double *u,
                                     double *gamma)
{
    for (int i = 0; i < contacts->count; i++, gamma += d) {
        memset(gamma, 0, (size_t)d * sizeof *gamma);
        add_velocity(&contacts->item[i].side[0], u, gamma, d);
        add_velocity(&contacts->item[i].side[1], u, gamma, d);
    }
}

void haw_contacts_velocity(const haw_contacts *contacts, const double *u, double *gamma)
{
    HAW_BY_DIMENSION(contacts->dimension, find_velocity, contacts, u, gamma);
}

static HAW_INLINE void split(int d, const haw_contacts *contacts, const double *lambda,
                             double factor, double *normal, double *tangential)
{
    for (int i = 0; i < 2 * contacts->count; i++) {
        const haw_touch_side *side = &contacts->item[i / 2].side[i % 2];
        double load[HAW_DIRECTIONS] = {0};
        for (int k = 0; k < d; k++) {
            load[k] = factor * lambda[d * (i / 2) + k];
        }
        for (int a = 0; a < side->count; a++) {
            const int dof = haw_side_dof(side, a);
            normal[dof] += side->row[0][a] * load[0];
            for (int k = 1; k < d; k++) {
                tangential[dof] += side->row[k][a] * load[k];
            }
        }
    }
}

void haw_contacts_split(const haw_contacts *contacts, const double *lambda, double factor,
                        double *normal, double *tangential)
{
    HAW_BY_DIMENSION(contacts->dimension, split, contacts, lambda, factor, normal, tangential);
}

/* Two sides are coupled if they share a cable, or a body that can move freely in any direction that
 * contact pushes it in. */
static bool shares(const haw_touch_side *a, const haw_touch_side *b, const haw_inertia *inertia)
{
    const double *inverse = inertia->body_inverse + a->first;
    bool is_shared = a->cable >= 0 && a->cable == b->cable;
    for (int k = 0; k < a->count && a->body >= 0 && a->body == b->body; k++) {
        is_shared = is_shared || inverse[k] > 0;
    }
    return is_shared;
}

static bool is_coupled(const haw_contacts *contacts, const haw_inertia *inertia, int i, int j)
{
    const haw_touch_side *a = contacts->item[i].side, *b = contacts->item[j].side;
    return i == j || shares(&a[0], &b[0], inertia) || shares(&a[1], &b[1], inertia) ||
           shares(&a[0], &b[1], inertia) || shares(&a[1], &b[0], inertia);
}

/* Joints may connect any two of them. */
static void set_pattern(haw_contacts *contacts, const haw_inertia *inertia, bool joined)
{
    haw_bsr *w = &contacts->problem.w;
    int count = 0;
    w->rows = contacts->count;
    for (int i = 0; i < contacts->count; i++) {
        w->start[i] = count;
        for (int j = 0; j < contacts->count; j++) {
            if (joined || is_coupled(contacts, inertia, i, j)) {
                w->column[count++] = j;
            }
            w->diagonal[i] = i == j ? count - 1 : w->diagonal[i];
        }
    }
    w->start[contacts->count] = count;
    memset(w->value, 0, (size_t)(w->block * w->block * count) * sizeof *w->value);
}

/* block += row_i . m^-1 . row_j of a body that both sides are. */
static HAW_INLINE void add_body(int d, const haw_touch_side *a, const haw_touch_side *b,
                                const haw_inertia *inertia, double *block)
{
    const double *inverse = inertia->body_inverse + a->first;
    for (int rc = 0; rc < d * d; rc++) {
        const double *x = a->row[rc / d], *y = b->row[rc % d];
        double sum = x[0] * inverse[0] * y[0];
        for (int k = 1; k < a->count; k++) {
            sum += x[k] * inverse[k] * y[k];
        }
        block[rc] += sum;
    }
}

/* block += what the bodies of two contacts have in common. */
static void add_bodies(const haw_contacts *contacts, const haw_inertia *inertia, int i, int j,
                       double *block)
{
    for (int k = 0; k < 4; k++) {
        const haw_touch_side *a = &contacts->item[i].side[1 - k / 2];
        const haw_touch_side *b = &contacts->item[j].side[1 - k % 2];
        if (a->body >= 0 && a->body == b->body) {
            HAW_BY_DIMENSION(contacts->dimension, add_body, a, b, inertia, block);
        }
    }
}

/* Position of block (i, j); it exists. */
static double *find_block(const haw_bsr *w, int i, int j)
{
    const size_t size = (size_t)w->block * (size_t)w->block;
    int k = w->start[i];
    if (w->start[i + 1] - k == w->rows) { /* full row */
        return w->value + size * (size_t)(k + j);
    }
    int end = w->start[i + 1];
    while (end - k > 1) { /* columns ascend */
        const int middle = k + (end - k) / 2;
        k = w->column[middle] <= j ? middle : k;
        end = w->column[middle] <= j ? end : middle;
    }
    return w->value + size * (size_t)k;
}

/* Degrees of freedom of a cable, from the first to behind the last that its contacts touch. */
typedef struct zone {
    int cable, first, end;
} zone;

/* Scatter a side's rows into d of the columns, prescribed ends excluded. */
static HAW_INLINE void scatter(int d, const haw_contacts *contacts, const zone *z,
                               const haw_touch_side *side, int columns, int at)
{
    const haw_cable *cable = &contacts->model->cable[z->cable];
    double *x = contacts->column;
    for (int a = 0; a < side->count; a++) {
        const int dof = haw_side_dof(side, a) - cable->first;
        const bool fixed = cable->held[dof];
        double *row = x + (ptrdiff_t)(dof - z->first) * columns + at;
        for (int k = 0; k < d; k++) {
            row[k] += fixed ? 0 : side->row[k][a];
        }
    }
}

/* block += a side's rows times d of the solved columns. */
static HAW_INLINE void contract(const haw_touch_side *side, const double *x, int first, int columns,
                                int d, double *block)
{
    double sum[HAW_DIRECTIONS * HAW_DIRECTIONS];
    memcpy(sum, block, (size_t)(d * d) * sizeof *sum);
    for (int a = 0; a < side->count; a++) {
        const double *row = x + (ptrdiff_t)(haw_side_dof(side, a) - first) * columns;
        for (int k = 0; k < d; k++) {
            for (int c = 0; c < d; c++) {
                sum[d * k + c] += side->row[k][a] * row[c];
            }
        }
    }
    memcpy(block, sum, (size_t)(d * d) * sizeof *sum);
}

/* Contract all contacts with the columns of `n` <= 2 of them, listed in j. */
static HAW_INLINE void contract_all(int d, haw_contacts *contacts, const zone *z, int n,
                                    const int j[2])
{
    const int first = contacts->model->cable[z->cable].first + z->first, columns = d * n;
    for (int i = 0; i < contacts->count; i++) {
        for (int k = 0; k < 2 * n; k++) {
            const haw_touch_side *side = &contacts->item[i].side[k % 2];
            if (side->cable == z->cable) {
                contract(side, contacts->column + (ptrdiff_t)d * (k / 2), first, columns, d,
                         find_block(&contacts->problem.w, i, j[k / 2]));
            }
        }
    }
}

/* What the columns of `n` <= 2 contacts do to the joints of their cable. */
static void move_joints(haw_contacts *contacts, const haw_projection *projection, const zone *z,
                        int n, const int j[2])
{
    const haw_model *model = contacts->model;
    const ptrdiff_t d = contacts->dimension;
    for (int k = 0; k < n; k++) {
        const haw_response motion = {.cable = z->cable,
                                     .body = -1,
                                     .first = model->cable[z->cable].first + z->first,
                                     .columns = (int)d,
                                     .stride = (int)d * n,
                                     .x = contacts->column + d * k};
        haw_projection_rates(projection, &motion, contacts->joint + d * j[k] * model->multipliers);
    }
}

/* Columns of `n` <= 2 contacts of one cable, listed in j, against all contacts of that cable. */
static void add_columns(haw_contacts *contacts, const haw_inertia *inertia,
                        const haw_projection *projection, const zone *z, int n, const int j[2])
{
    const int columns = contacts->dimension * n;
    const int dofs = z->end - z->first;
    memset(contacts->column, 0, (size_t)(dofs * columns) * sizeof(double));
    for (int k = 0; k < 2 * n; k++) {
        const haw_touch_side *side = &contacts->item[j[k / 2]].side[k % 2];
        if (side->cable == z->cable) {
            HAW_BY_DIMENSION(contacts->dimension, scatter, contacts, z, side, columns,
                             contacts->dimension * (k / 2));
        }
    }
    haw_inertia_solve_window(inertia, z->cable, columns, z->first, dofs, contacts->column);
    HAW_BY_DIMENSION(contacts->dimension, contract_all, contacts, z, n, j);
    if (projection != NULL) {
        move_joints(contacts, projection, z, n, j);
    }
}

/* All of a cable where joints look on. */
static zone find_zone(const haw_contacts *contacts, int cable, bool joined)
{
    const haw_line *line = &contacts->model->cable[cable].line;
    zone z = {cable, INT_MAX, 0};
    if (line->closed || joined) {
        return (zone){cable, 0, line->dofs};
    }
    for (int i = 0; i < 2 * contacts->count; i++) {
        const haw_touch_side *side = &contacts->item[i / 2].side[i % 2];
        for (int a = 0; a < side->count && side->cable == cable; a++) {
            const int dof = haw_side_dof(side, a) - contacts->model->cable[cable].first;
            z.first = dof < z.first ? dof : z.first;
            z.end = dof + 1 > z.end ? dof + 1 : z.end;
        }
    }
    return z;
}

/* Contacts come in the order of pairs, so those of one cable may stand apart: collect in twos. */
static void add_cables(haw_contacts *contacts, const haw_inertia *inertia,
                       const haw_projection *projection)
{
    for (int cable = 0; cable < contacts->model->cables; cable++) {
        const zone z = find_zone(contacts, cable, projection != NULL);
        int j[2], n = 0;
        for (int i = 0; i < contacts->count; i++) {
            const haw_touch_side *side = contacts->item[i].side;
            if (side[0].cable == cable || side[1].cable == cable) {
                j[n++] = i;
            }
            if (n == 2) {
                add_columns(contacts, inertia, projection, &z, n, j);
                n = 0;
            }
        }
        if (n > 0) {
            add_columns(contacts, inertia, projection, &z, n, j);
        }
    }
}

/* ---- joints ---- */

/* What unit impulses on bodies do to their joints. */
static void move_bodies(haw_contacts *contacts, const haw_inertia *inertia,
                        const haw_projection *projection)
{
    const ptrdiff_t d = contacts->dimension;
    for (int i = 0; i < 2 * contacts->count; i++) {
        const haw_touch_side *side = &contacts->item[i / 2].side[i % 2];
        double x[HAW_BODY_DOFS * HAW_DIRECTIONS];
        for (int a = 0; a < side->count && side->body >= 0; a++) {
            for (int k = 0; k < d; k++) {
                x[d * a + k] = inertia->body_inverse[side->first + a] * side->row[k][a];
            }
        }
        if (side->body >= 0) {
            const haw_response motion = {-1, side->body, side->first, (int)d, (int)d, x};
            haw_projection_rates(projection, &motion,
                                 contacts->joint + d * (i / 2) * contacts->model->multipliers);
        }
    }
}

/* Which joints contact j moves. @return their number */
static int find_loaded(const haw_contacts *contacts, int j)
{
    const ptrdiff_t d = contacts->dimension, n = contacts->model->multipliers;
    const double *joint = contacts->joint + d * j * n;
    int count = 0;
    for (int a = 0; a < n; a++) {
        bool moves = false;
        for (int k = 0; k < d; k++) {
            moves = moves || joint[n * k + a] != 0;
        }
        if (moves) {
            contacts->loaded[count++] = a;
        }
    }
    return count;
}

/* S^-1 G' M^^-1 H_j. */
static haw_status find_answer(haw_contacts *contacts, haw_projection *projection, int j)
{
    const haw_model *model = contacts->model;
    const ptrdiff_t d = contacts->dimension, n = model->multipliers;
    const double *joint = contacts->joint + d * j * n;
    double *answer = contacts->answer + d * j * n;
    memset(answer, 0, (size_t)(d * n) * sizeof *answer);
    for (int i = 0, first = 0; i < model->joints; first += model->joint[i++].rows) {
        for (int k = 0; k < d * model->joint[i].rows; k++) {
            const int row = k / (int)d, column = k % (int)d;
            const double rate = joint[n * column + first + row];
            const double *inverse = rate != 0 ? haw_projection_inverse(projection, i) : NULL;
            if (inverse != NULL) {
                haw_axpy((int)n, rate, inverse + n * row, answer + n * column);
            } else if (rate != 0) {
                return HAW_ERR_NOMEM;
            }
        }
    }
    return HAW_OK;
}

static double trace_of(const double *block, int d)
{
    double trace = 0;
    for (int k = 0; k < d; k++) {
        trace += block[(d + 1) * k];
    }
    return trace;
}

/* Blocks of contact i. Where joints hold both its sides W_ii would be noise: it becomes zero, as
 * between sides that are held. */
static void subtract_row(haw_contacts *contacts, int i)
{
    static const double NOISE = 1e-12;
    const int d = contacts->dimension, loaded = find_loaded(contacts, i);
    const ptrdiff_t n = contacts->model->multipliers;
    const double *joint = contacts->joint + d * i * n;
    double *own = find_block(&contacts->problem.w, i, i);
    const double before = trace_of(own, d);
    for (int j = 0; j < contacts->count; j++) {
        const double *answer = contacts->answer + d * j * n;
        double *block = find_block(&contacts->problem.w, i, j);
        for (int rc = 0; rc < d * d; rc++) {
            const double *a = joint + n * (rc / d), *b = answer + n * (rc % d);
            for (int k = 0; k < loaded; k++) {
                block[rc] -= a[contacts->loaded[k]] * b[contacts->loaded[k]];
            }
        }
    }
    if (trace_of(own, d) <= NOISE * before) {
        memset(own, 0, (size_t)(d * d) * sizeof *own);
    }
}

/* W -= H' M^^-1 G S^-1 G' M^^-1 H. */
static haw_status subtract_joints(haw_contacts *contacts, const haw_inertia *inertia,
                                  haw_projection *projection)
{
    move_bodies(contacts, inertia, projection);
    for (int j = 0; j < contacts->count; j++) {
        HAW_TRY(find_answer(contacts, projection, j));
    }
    for (int i = 0; i < contacts->count; i++) {
        subtract_row(contacts, i);
    }
    return HAW_OK;
}

static HAW_INLINE double find_speed(int d, const haw_contacts *contacts, const double *u)
{
    double largest = 0;
    for (int i = 0; i < 2 * contacts->count; i++) {
        double v[HAW_DIRECTIONS] = {0}, square = 0;
        add_velocity(&contacts->item[i / 2].side[i % 2], u, v, d);
        for (int k = 0; k < d; k++) {
            square += v[k] * v[k];
        }
        largest = square > largest ? square : largest;
    }
    return sqrt(largest);
}

double haw_contacts_speed(const haw_contacts *contacts, const double *u)
{
    return HAW_BY_DIMENSION(contacts->dimension, find_speed, contacts, u);
}

haw_status haw_contacts_pose(haw_contacts *contacts, const double *u_free)
{
    haw_problem *problem = &contacts->problem;
    const int d = contacts->dimension;
    HAW_TRY(haw_contacts_reserve(contacts, contacts->count));
    problem->contacts = contacts->count;
    problem->global = NULL;
    haw_contacts_velocity(contacts, u_free, contacts->gamma_free);
    for (int i = 0; i < contacts->count; i++) {
        const haw_pair *pair = &contacts->model->pair[contacts->item[i].pair];
        double shift[HAW_DIRECTIONS];
        pair->law->shift(&pair->options, d, contacts->gamma_minus + (ptrdiff_t)d * i, shift);
        for (int k = 0; k < d; k++) {
            problem->q[d * i + k] = contacts->gamma_free[d * i + k] + shift[k];
        }
        problem->mu[i] = pair->options.friction;
    }
    problem->scale = haw_contacts_speed(contacts, u_free);
    return HAW_OK;
}

haw_status haw_contacts_delassus(haw_contacts *contacts, const haw_inertia *inertia,
                                 haw_projection *projection)
{
    haw_problem *problem = &contacts->problem;
    const int d = contacts->dimension;
    HAW_TRY(haw_contacts_reserve(contacts, contacts->count));
    set_pattern(contacts, inertia, projection != NULL);
    if (projection != NULL) {
        const size_t rows = (size_t)(d * contacts->count) * (size_t)contacts->model->multipliers;
        memset(contacts->joint, 0, rows * sizeof(double));
    }
    for (int i = 0; i < contacts->count; i++) {
        for (int k = problem->w.start[i]; k < problem->w.start[i + 1]; k++) {
            add_bodies(contacts, inertia, i, problem->w.column[k],
                       problem->w.value + (ptrdiff_t)d * d * k);
        }
    }
    add_cables(contacts, inertia, projection);
    return projection != NULL ? subtract_joints(contacts, inertia, projection) : HAW_OK;
}

haw_status haw_contacts_assemble(haw_contacts *contacts, const haw_inertia *inertia,
                                 haw_projection *projection, const double *u_free)
{
    HAW_TRY(haw_contacts_delassus(contacts, inertia, projection));
    return haw_contacts_pose(contacts, u_free);
}
