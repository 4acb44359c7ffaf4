/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows applied to velocities and impulses, and the Delassus operator W = H^T M^^-1 H.
 * Columns are solved two contacts at a time, in the window of rows that contacts touch, and
 * contracted with the rows at once: M^^-1 H is never stored, the update of the velocities is one
 * more solve.
 */
#include "contact/grow.h"
#include "linalg/inline.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* What the public functions do, with the numbers of rows and of a body's degrees of freedom known
 * to the compiler. */
static HAW_INLINE void velocity(const haw_contacts *contacts, const double *u, double *gamma,
                                int rows, int body)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        for (int k = 0; k < rows; k++) {
            double sum = 0;
            for (int a = 0; a < c->width; a++) {
                sum += c->row[k][a] * u[c->owner + a];
            }
            for (int a = 0; a < body; a++) {
                sum += c->body_row[k][a] * u[c->body + a];
            }
            gamma[rows * i + k] = sum;
        }
    }
}

void haw_contacts_velocity(const haw_contacts *contacts, const double *u, double *gamma)
{
    if (contacts->dimension == 2) {
        velocity(contacts, u, gamma, 2, 3);
    } else {
        velocity(contacts, u, gamma, 3, 6);
    }
}

static HAW_INLINE void apply(const haw_contacts *contacts, const double *lambda, double *f,
                             int rows, int body)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        for (int k = 0; k < rows; k++) {
            for (int a = 0; a < c->width; a++) {
                f[c->owner + a] += c->row[k][a] * lambda[rows * i + k];
            }
            for (int a = 0; a < body; a++) {
                f[c->body + a] += c->body_row[k][a] * lambda[rows * i + k];
            }
        }
    }
}

void haw_contacts_apply(const haw_contacts *contacts, const double *lambda, double *f)
{
    if (contacts->dimension == 2) {
        apply(contacts, lambda, f, 2, 3);
    } else {
        apply(contacts, lambda, f, 3, 6);
    }
}

static int owner_cable(const haw_contacts *contacts, int i)
{
    return contacts->model->pair[contacts->item[i].pair].cable;
}

static bool shares_body(int a, int b, const haw_inertia *inertia)
{
    return a == b && (inertia->body_inverse[a] > 0 || inertia->body_inverse[a + 2] > 0);
}

/* Two contacts are coupled if they share a cable or a body that can move freely. */
static bool is_coupled(const haw_contacts *contacts, const haw_inertia *inertia, int i, int j)
{
    const haw_contact *a = &contacts->item[i], *b = &contacts->item[j];
    const int cable[2] = {owner_cable(contacts, i), owner_cable(contacts, j)};
    if (i == j || (cable[0] >= 0 && cable[0] == cable[1])) {
        return true;
    }
    return shares_body(a->body, b->body, inertia) ||
           (cable[0] < 0 && shares_body(a->owner, b->body, inertia)) ||
           (cable[1] < 0 && shares_body(a->body, b->owner, inertia)) ||
           (cable[0] < 0 && cable[1] < 0 && shares_body(a->owner, b->owner, inertia));
}

/* Columns of block row i from position `count` on; returns the position behind them. */
static int set_row(haw_contacts *contacts, const haw_inertia *inertia, int i, int count)
{
    haw_bsr *w = &contacts->problem.w;
    w->start[i] = count;
    for (int j = 0; j < contacts->count; j++) {
        if (is_coupled(contacts, inertia, i, j)) {
            w->column[count++] = j;
        }
        w->diagonal[i] = i == j ? count - 1 : w->diagonal[i];
    }
    return count;
}

static void set_pattern(haw_contacts *contacts, const haw_inertia *inertia)
{
    haw_bsr *w = &contacts->problem.w;
    int count = 0;
    w->rows = contacts->count;
    for (int i = 0; i < contacts->count; i++) {
        count = set_row(contacts, inertia, i, count);
    }
    w->start[contacts->count] = count;
    memset(w->value, 0, 4 * (size_t)count * sizeof *w->value);
}

/* Rows of the bodies of a contact as (first dof, row) pairs; a cable owner has none. */
static int body_parts(const haw_contacts *contacts, int i, const double *part[2][2], int first[2])
{
    const haw_contact *c = &contacts->item[i];
    first[0] = c->body;
    part[0][0] = c->body_row[0];
    part[0][1] = c->body_row[1];
    if (owner_cable(contacts, i) >= 0) {
        return 1;
    }
    first[1] = c->owner;
    part[1][0] = c->row[0];
    part[1][1] = c->row[1];
    return 2;
}

/* block += sum over shared bodies of row_i . m^-1 . row_j */
static void add_bodies(const haw_contacts *contacts, const haw_inertia *inertia, int i, int j,
                       double *block)
{
    const double *pi[2][2], *pj[2][2];
    int fi[2], fj[2];
    const int ni = body_parts(contacts, i, pi, fi), nj = body_parts(contacts, j, pj, fj);
    for (int a = 0; a < ni * nj; a++) {
        const int k = a / nj, l = a % nj;
        if (fi[k] != fj[l]) {
            continue;
        }
        const double *inverse = inertia->body_inverse + fi[k];
        for (int rc = 0; rc < 4; rc++) {
            const double *x = pi[k][rc / 2], *y = pj[l][rc % 2];
            block[rc] +=
                x[0] * inverse[0] * y[0] + x[1] * inverse[1] * y[1] + x[2] * inverse[2] * y[2];
        }
    }
}

/* Position of block (i, j); it exists. */
static double *find_block(const haw_bsr *w, int i, int j)
{
    int k = w->start[i];
    if (w->start[i + 1] - k == w->rows) { /* full row */
        return w->value + 4 * (size_t)(k + j);
    }
    int end = w->start[i + 1];
    while (end - k > 1) { /* columns ascend */
        const int middle = k + (end - k) / 2;
        k = w->column[middle] <= j ? middle : k;
        end = w->column[middle] <= j ? end : middle;
    }
    return w->value + 4 * (size_t)k;
}

/* Degrees of freedom of a cable, from the first to behind the last that its contacts touch. */
typedef struct zone {
    int cable, first, end;
} zone;

/* A degree of freedom that an end prescribes. */
static bool is_fixed(const haw_cable *cable, int dof)
{
    for (int end = 0; end < 2; end++) {
        const int first = cable->end_dof[end];
        if (first >= 0 && dof >= first && dof < first + haw_cable_end_held(cable, end)) {
            return true;
        }
    }
    return false;
}

/* Scatter contact j's rows into two of the columns, prescribed ends excluded. */
static void scatter(const haw_contacts *contacts, const zone *z, int j, int columns, int at)
{
    const haw_cable *cable = &contacts->model->cable[z->cable];
    const haw_contact *c = &contacts->item[j];
    double *x = contacts->column;
    for (int a = 0; a < c->width; a++) {
        const int dof = c->owner + a - cable->first;
        const bool fixed = is_fixed(cable, dof);
        const int row = (dof - z->first) * columns + at;
        x[row] = fixed ? 0 : c->row[0][a];
        x[row + 1] = fixed ? 0 : c->row[1][a];
    }
}

/* block += rows of contact i times two of the solved columns. */
static void contract(const haw_contacts *contacts, const zone *z, int i, int columns, int at,
                     double *block)
{
    const haw_contact *c = &contacts->item[i];
    const int first = contacts->model->cable[z->cable].first + z->first;
    const double *x = contacts->column + (size_t)((c->owner - first) * columns + at);
    for (int a = 0; a < c->width; a++, x += columns) {
        block[0] += c->row[0][a] * x[0];
        block[1] += c->row[0][a] * x[1];
        block[2] += c->row[1][a] * x[0];
        block[3] += c->row[1][a] * x[1];
    }
}

/* Columns of `n` <= 2 contacts of one cable, listed in j, against all contacts of that cable. */
static void add_columns(haw_contacts *contacts, const haw_inertia *inertia, const zone *z, int n,
                        const int j[2])
{
    const int columns = 2 * n, copies = inertia->effective[z->cable].copies;
    const int dofs = z->end - z->first;
    memset(contacts->column, 0, (size_t)(dofs * columns) * sizeof(double));
    for (int k = 0; k < n; k++) {
        scatter(contacts, z, j[k], columns, 2 * k);
    }
    haw_factor_solve_window(inertia->factor[z->cable], columns, z->first / copies, dofs / copies,
                            contacts->column);
    for (int i = 0; i < contacts->count; i++) {
        for (int k = 0; k < n && owner_cable(contacts, i) == z->cable; k++) {
            contract(contacts, z, i, columns, 2 * k, find_block(&contacts->problem.w, i, j[k]));
        }
    }
}

static zone find_zone(const haw_contacts *contacts, int cable)
{
    const int origin = contacts->model->cable[cable].first;
    zone z = {cable, INT_MAX, 0};
    for (int i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        const int dof = c->owner - origin;
        if (owner_cable(contacts, i) == cable) {
            z.first = dof < z.first ? dof : z.first;
            z.end = dof + c->width > z.end ? dof + c->width : z.end;
        }
    }
    return z;
}

/* Contacts come in the order of pairs, so those of one cable may stand apart: collect in twos. */
static void add_cables(haw_contacts *contacts, const haw_inertia *inertia)
{
    for (int cable = 0; cable < contacts->model->cables; cable++) {
        const zone z = find_zone(contacts, cable);
        int j[2], n = 0;
        for (int i = 0; i < contacts->count; i++) {
            if (owner_cable(contacts, i) == cable) {
                j[n++] = i;
            }
            if (n == 2) {
                add_columns(contacts, inertia, &z, n, j);
                n = 0;
            }
        }
        if (n > 0) {
            add_columns(contacts, inertia, &z, n, j);
        }
    }
}

/* Squares of the speeds of a contact's material point and of its surface point. */
static HAW_INLINE double speed_square(const haw_contact *c, const double *u, int rows, int body)
{
    double material = 0, surface = 0;
    for (int k = 0; k < rows; k++) {
        double v = 0, w = 0;
        for (int a = 0; a < c->width; a++) {
            v += c->row[k][a] * u[c->owner + a];
        }
        for (int a = 0; a < body; a++) {
            w += c->body_row[k][a] * u[c->body + a];
        }
        material += v * v;
        surface += w * w;
    }
    return fmax(material, surface);
}

double haw_contacts_speed(const haw_contacts *contacts, const double *u)
{
    double speed = 0;
    for (int i = 0; i < contacts->count; i++) {
        const haw_contact *c = &contacts->item[i];
        const double square =
            contacts->dimension == 2 ? speed_square(c, u, 2, 3) : speed_square(c, u, 3, 6);
        speed = square > speed ? square : speed;
    }
    return sqrt(speed);
}

void haw_contacts_assemble(haw_contacts *contacts, const haw_inertia *inertia, const double *u_free)
{
    haw_problem *problem = &contacts->problem;
    problem->contacts = contacts->count;
    set_pattern(contacts, inertia);
    for (int i = 0; i < contacts->count; i++) {
        for (int k = problem->w.start[i]; k < problem->w.start[i + 1]; k++) {
            add_bodies(contacts, inertia, i, problem->w.column[k], problem->w.value + 4 * k);
        }
    }
    add_cables(contacts, inertia);
    haw_contacts_velocity(contacts, u_free, contacts->gamma_free);
    for (int i = 0; i < contacts->count; i++) {
        const haw_pair *pair = &contacts->model->pair[contacts->item[i].pair];
        double shift[2];
        pair->law->shift(&pair->options, 2, contacts->gamma_minus + 2 * i, shift);
        problem->q[2 * i] = contacts->gamma_free[2 * i] + shift[0];
        problem->q[2 * i + 1] = contacts->gamma_free[2 * i + 1] + shift[1];
        problem->mu[i] = pair->options.friction;
    }
    problem->scale = haw_contacts_speed(contacts, u_free);
}
