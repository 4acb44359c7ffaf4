/* SPDX-License-Identifier: BSD-3-Clause */
#include "contact/region.h"

#include "solver/band_newton.h"
#include "solver/referee.h"
#include "solver/solver.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* Scalar rows of a cable, the first of their equations, and how far apart those that a contact
 * couples may be. */
typedef struct zone {
    int first, count, equation, reach;
} zone;

struct haw_region {
    haw_context *context;
    const haw_model *model;
    haw_arena arena;        /* of the window */
    haw_arena layout, pass; /* of the matrix; of one solve */
    zone *zone;             /* [cables] of the matrix */
    zone *touched;          /* [cables] of the contacts at hand */
    bool *is_touched;       /* [bodies] */
    int *equation;          /* [dofs] -1: none */
    int equations, border;  /* all, those of bodies */
    haw_csr pattern;
    haw_matrix *matrix; /* NULL: none yet */
};

enum {
    LEAST = 8,   /* contacts: fewer are a few sweeps */
    MANY = 48,   /* of which to make W costs more than a step in the band, however regular it is */
    BODIES = 4,  /* at most */
    MARGIN = 4,  /* half bandwidths on both sides that contacts may move into */
    SPACIOUS = 4 /* times the rows that are touched: time for a smaller window */
};

haw_status haw_region_create(haw_context *context, const haw_model *model, haw_region **region)
{
    haw_region *made = haw_allocate(context, 1, sizeof *made);
    *region = made;
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    made->context = context;
    made->model = model;
    haw_arena_init(&made->arena, context);
    haw_arena_init(&made->layout, context);
    haw_arena_init(&made->pass, context);
    const size_t cables = (size_t)model->cables + 1;
    made->zone = haw_arena_allocate(&made->arena, cables, sizeof *made->zone);
    made->touched = haw_arena_allocate(&made->arena, cables, sizeof *made->touched);
    made->is_touched =
        haw_arena_allocate(&made->arena, (size_t)model->bodies + 1, sizeof *made->is_touched);
    made->equation =
        haw_arena_allocate(&made->arena, (size_t)model->dofs + 1, sizeof *made->equation);
    return haw_arena_status(&made->arena);
}

void haw_region_free(haw_region *region)
{
    if (region != NULL) {
        haw_matrix_release(region->matrix);
        haw_arena_fini(&region->pass);
        haw_arena_fini(&region->layout);
        haw_arena_fini(&region->arena);
        haw_release(region->context, region);
    }
}

/* ---- what is touched ---- */

static void touch_side(haw_region *region, const haw_inertia *inertia, const haw_touch_side *side)
{
    if (side->cable < 0) {
        if (side->body >= 0) {
            region->is_touched[side->body] = true;
        }
        return;
    }
    zone *z = &region->touched[side->cable];
    const int copies = inertia->effective[side->cable].copies;
    int least = INT_MAX, most = 0;
    for (int a = 0; a < side->count; a++) {
        const int dof = haw_side_dof(side, a) - region->model->cable[side->cable].first;
        least = dof / copies < least ? dof / copies : least;
        most = dof / copies > most ? dof / copies : most;
    }
    const int first = z->count > 0 && z->first < least ? z->first : least;
    const int end = z->first + z->count > most + 1 ? z->first + z->count : most + 1;
    *z = (zone){.first = first,
                .count = end - first,
                .reach = z->reach > most - least ? z->reach : most - least};
}

/* Rows and bodies that the contacts touch. @return false: not of one cable and bodies each, on an
 * open line, or few with no more rows than degrees of freedom */
static bool find_touched(haw_region *region, const haw_contacts *contacts,
                         const haw_inertia *inertia)
{
    const haw_model *model = region->model;
    int rows = 0, bodies = 0;
    memset(region->touched, 0, (size_t)model->cables * sizeof *region->touched);
    memset(region->is_touched, 0, (size_t)model->bodies * sizeof *region->is_touched);
    for (int i = 0; i < contacts->count; i++) {
        const haw_touch_side *side = contacts->item[i].side;
        if (side[0].cable >= 0 && side[1].cable >= 0) {
            return false;
        }
        touch_side(region, inertia, &side[0]);
        touch_side(region, inertia, &side[1]);
    }
    for (int i = 0; i < model->cables; i++) {
        const zone *z = &region->touched[i];
        rows += z->count * inertia->effective[i].copies;
        if (z->count > 0 && inertia->ring[i].tied > 0) {
            return false;
        }
    }
    for (int i = 0; i < model->bodies; i++) {
        bodies += region->is_touched[i];
    }
    rows += bodies * model->kind->dofs;
    return bodies <= BODIES &&
           (contacts->count >= MANY || rows < contacts->dimension * contacts->count);
}

/* ---- the matrix ---- */

static bool is_free(const haw_inertia *inertia, int dof)
{
    return inertia->body_inverse[dof] > 0;
}

/* Whether the matrix at hand serves. */
static bool holds(const haw_region *region, const haw_inertia *inertia)
{
    const haw_model *model = region->model;
    for (int i = 0; i < model->cables && region->matrix != NULL; i++) {
        const zone *z = &region->zone[i], *t = &region->touched[i];
        const int end = z->first + z->count, margin = MARGIN * inertia->effective[i].width;
        if (t->count > 0 ? t->first < z->first || t->first + t->count > end ||
                               t->reach > z->reach || z->count > SPACIOUS * t->count + 2 * margin
                         : z->count > 0) {
            return false;
        }
    }
    for (int i = 0; i < model->bodies && region->matrix != NULL; i++) {
        const int dof = model->body[i].first;
        bool is_held = true, is_in = false;
        for (int k = 0; k < model->kind->dofs; k++) {
            is_held = is_held && !is_free(inertia, dof + k);
            is_in = is_in || region->equation[dof + k] >= 0;
        }
        if (region->is_touched[i] && !is_held && !is_in) {
            return false;
        }
    }
    return region->matrix != NULL;
}

/* Prescribed degrees of freedom have rows in the band, but none of a contact acts on them. */
static void number_cable(haw_region *region, const haw_inertia *inertia, int cable)
{
    const haw_cable *c = &region->model->cable[cable];
    const haw_band *band = &inertia->effective[cable];
    const zone *t = &region->touched[cable];
    zone *z = &region->zone[cable];
    const int margin = MARGIN * band->width, end = t->first + t->count + margin;
    *z = (zone){.equation = region->equations,
                .reach = t->reach > band->width ? t->reach : band->width};
    if (t->count == 0) {
        return;
    }
    z->first = t->first > margin ? t->first - margin : 0;
    z->count = (end < band->n ? end : band->n) - z->first;
    for (int i = 0; i < z->count * band->copies; i++) {
        const int dof = z->first * band->copies + i;
        region->equation[c->first + dof] = c->held[dof] ? -1 : region->equations + i;
    }
    region->equations += z->count * band->copies;
}

static void number(haw_region *region, const haw_inertia *inertia)
{
    const haw_model *model = region->model;
    region->equations = 0;
    for (int i = 0; i < model->dofs; i++) {
        region->equation[i] = -1;
    }
    for (int i = 0; i < model->cables; i++) {
        number_cable(region, inertia, i);
    }
    const int lines = region->equations;
    for (int i = 0; i < model->bodies; i++) {
        const int dof = model->body[i].first;
        for (int k = dof; region->is_touched[i] && k < dof + model->kind->dofs; k++) {
            region->equation[k] = is_free(inertia, k) ? region->equations++ : -1;
        }
    }
    region->border = region->equations - lines;
}

/* Columns first ... end - 1 of the next entries. */
static void add_columns(haw_csr *pattern, int first, int end, int *count)
{
    for (int j = first; j < end; j++) {
        pattern->column[(*count)++] = j;
    }
}

static haw_status create_pattern(haw_region *region, const haw_inertia *inertia)
{
    const int n = region->equations, lines = n - region->border;
    ptrdiff_t most = (ptrdiff_t)region->border * n;
    for (int i = 0; i < region->model->cables; i++) {
        const haw_band *band = &inertia->effective[i];
        most += (ptrdiff_t)region->zone[i].count * band->copies *
                ((2 * region->zone[i].reach + 1) * band->copies + region->border);
    }
    HAW_TRY(haw_csr_create(&region->layout, n, n, most, false, &region->pattern));
    int row = 0, count = 0;
    for (int i = 0; i < region->model->cables; i++) {
        const haw_band *band = &inertia->effective[i];
        const zone *z = &region->zone[i];
        for (int k = 0; k < z->count * band->copies; k++) {
            const int own = k / band->copies, low = own - z->reach, high = own + z->reach + 1;
            add_columns(&region->pattern, z->equation + (low > 0 ? low : 0) * band->copies,
                        z->equation + (high < z->count ? high : z->count) * band->copies, &count);
            add_columns(&region->pattern, lines, n, &count);
            region->pattern.start[++row] = count;
        }
    }
    while (row < n) {
        add_columns(&region->pattern, 0, n, &count);
        region->pattern.start[++row] = count;
    }
    return HAW_OK;
}

static haw_status lay_out(haw_region *region, const haw_inertia *inertia)
{
    static const haw_matrix_kind kind = HAW_MATRIX_BORDERED;
    haw_matrix_release(region->matrix);
    region->matrix = NULL;
    haw_arena_reset(&region->layout);
    number(region, inertia);
    HAW_TRY(create_pattern(region, inertia));
    return haw_matrix_create(&region->layout, &region->pattern, region->border, &kind,
                             &region->matrix);
}

static void fill_cable(haw_region *region, const haw_inertia *inertia, int cable, double *band)
{
    const zone *z = &region->zone[cable];
    const int width = inertia->effective[cable].width, copies = inertia->effective[cable].copies;
    double *value = haw_matrix_value(region->matrix);
    haw_factor_window(inertia->factor[cable], z->first, z->count, band);
    for (int k = 0; k < z->count * (width + 1) * copies; k++) {
        const int entry = k / copies, j = entry / (width + 1), i = j + entry % (width + 1);
        const int row = z->equation + i * copies + k % copies;
        const int column = z->equation + j * copies + k % copies;
        if (i < z->count) {
            value[haw_matrix_place(region->matrix, row, column)] = band[entry];
            value[haw_matrix_place(region->matrix, column, row)] = band[entry];
        }
    }
}

/* M_w. */
static haw_status fill(haw_region *region, const haw_inertia *inertia)
{
    const haw_model *model = region->model;
    haw_matrix_clear(region->matrix);
    for (int i = 0; i < model->cables; i++) {
        const size_t width = (size_t)inertia->effective[i].width + 1;
        double *band =
            haw_arena_allocate(&region->pass, (size_t)region->zone[i].count, width * sizeof *band);
        HAW_TRY(haw_arena_status(&region->pass));
        if (region->zone[i].count > 0) {
            fill_cable(region, inertia, i, band);
        }
    }
    for (int i = 0; i < model->kind->dofs * model->bodies; i++) { /* bodies come first */
        const int at = region->equation[i];
        if (at >= 0) {
            haw_matrix_value(region->matrix)[haw_matrix_place(region->matrix, at, at)] =
                1 / inertia->body_inverse[i];
        }
    }
    return HAW_OK;
}

/* ---- the solution ---- */

/* Part of trace(W_cc) by the side of a cable: its rows times the band of the inverse. */
static double weigh_line(const haw_region *region, const haw_inertia *inertia,
                         const haw_touch_side *side, int d)
{
    const haw_cable *cable = &region->model->cable[side->cable];
    const haw_band *band = &inertia->effective[side->cable];
    const double *inverse = haw_factor_inverse_band(inertia->factor[side->cable]);
    double trace = 0;
    for (int a = 0; a < side->count; a++) {
        const int i = haw_side_dof(side, a) - cable->first;
        for (int b = a; b < side->count && !cable->held[i]; b++) {
            const int j = haw_side_dof(side, b) - cable->first;
            const int low = (i < j ? i : j) / band->copies, high = (i < j ? j : i) / band->copies;
            double sum = 0;
            if (cable->held[j] || (j - i) % band->copies != 0 || high - low > band->width) {
                continue;
            }
            for (int k = 0; k < d; k++) {
                sum += side->row[k][a] * side->row[k][b];
            }
            trace += (a == b ? 1 : 2) * sum * inverse[low * (band->width + 1) + high - low];
        }
    }
    return trace;
}

/* trace(W_cc) / d. */
static double weigh(const haw_region *region, const haw_inertia *inertia, const haw_touch *touch)
{
    const int d = region->model->dimension;
    double trace = 0;
    for (int s = 0; s < 2; s++) {
        const haw_touch_side *side = &touch->side[s];
        for (int a = 0; side->body >= 0 && a < side->count; a++) {
            for (int k = 0; k < d; k++) {
                trace += side->row[k][a] * side->row[k][a] *
                         inertia->body_inverse[haw_side_dof(side, a)];
            }
        }
        trace += side->cable >= 0 ? weigh_line(region, inertia, side, d) : 0;
    }
    return trace / d;
}

/* u = H^T M^-1 H r + q by the factors of the inertia, which know nothing of M_w. */
static void find_velocity(const haw_region *region, const haw_contacts *contacts,
                          const haw_inertia *inertia, const haw_csr *ht, double *x, double *u)
{
    const haw_model *model = region->model;
    memset(x, 0, (size_t)region->equations * sizeof *x);
    haw_csr_add_transposed(ht, 1, contacts->impulse, x);
    for (int i = 0; i < model->cables; i++) {
        const zone *z = &region->zone[i];
        const int copies = inertia->effective[i].copies;
        if (z->count > 0) {
            haw_inertia_solve_window(inertia, i, 1, z->first * copies, z->count * copies,
                                     x + z->equation);
        }
    }
    for (int i = 0; i < model->kind->dofs * model->bodies; i++) {
        if (region->equation[i] >= 0) {
            x[region->equation[i]] *= inertia->body_inverse[i];
        }
    }
    memcpy(u, contacts->problem.q, (size_t)ht->rows * sizeof *u);
    haw_csr_add(ht, 1, x, u);
}

/* Through the inside of the cones, then through other states, should a course end in a circle: from
 * the impulses at hand or from zero, in rounds of so many steps. */
static const struct attempt {
    bool walks, is_cold;
    int round;
} attempts[] = {{true, false, 8},  {false, true, 8}, {false, true, 40},
                {false, true, 20}, {false, true, 5}, {false, true, 12}};

enum { ATTEMPTS = sizeof attempts / sizeof attempts[0] };

static haw_status find_impulses(haw_band_problem *problem, haw_arena *arena, double *impulse,
                                double *v, double *u, haw_report *report)
{
    haw_band_result result = {.fits = true};
    for (int i = 0; i < (problem->is_brief ? 1 : ATTEMPTS) && result.fits && !result.met; i++) {
        if (attempts[i].is_cold) {
            memset(impulse, 0, (size_t)problem->ht->rows * sizeof *impulse);
        }
        problem->walks = attempts[i].walks;
        problem->round = attempts[i].round;
        HAW_TRY(haw_band_newton(problem, arena, impulse, v, u, &result));
        report->iterations = report->effort.iterations += result.iterations;
        report->effort.factorizations += result.factorizations;
    }
    return HAW_OK;
}

static haw_status solve(haw_region *region, haw_contacts *contacts, const haw_inertia *inertia,
                        double *u, haw_report *report)
{
    haw_arena *arena = &region->pass;
    const size_t n = (size_t)contacts->count;
    double *weight = haw_arena_allocate(arena, n, sizeof *weight);
    double *v = haw_arena_allocate(arena, (size_t)region->equations, sizeof *v);
    haw_csr ht;
    HAW_TRY(haw_contact_rows(contacts, region->equation, region->equations, arena, &ht));
    HAW_TRY(haw_arena_status(arena));
    for (size_t i = 0; i < n; i++) {
        weight[i] = weigh(region, inertia, &contacts->item[i]);
        if (!(weight[i] > 0)) {
            return HAW_OK;
        }
    }
    const haw_operator op = {
        .problem = &contacts->problem, .q = contacts->problem.q, .weight = weight};
    haw_band_problem problem = {.matrix = region->matrix,
                                .scale = 1,
                                .dimension = contacts->dimension,
                                .contacts = contacts->count,
                                .ht = &ht,
                                .w = contacts->problem.q,
                                .mu = contacts->problem.mu,
                                .weight = weight,
                                .speed = haw_referee_reference(&op),
                                .is_judged = true,
                                .is_brief = haw_lemke_pays(&contacts->problem),
                                .tolerance = 0.5 * report->tolerance};
    HAW_TRY(find_impulses(&problem, arena, contacts->impulse, v, u, report));
    find_velocity(region, contacts, inertia, &ht, v, u);
    haw_referee_measure(&op, contacts->impulse, u, &report->residual);
    report->outcome =
        report->residual.stop <= report->tolerance ? HAW_CONVERGED : HAW_ITERATION_LIMIT;
    return HAW_OK;
}

haw_status haw_region_solve(haw_region *region, haw_contacts *contacts, const haw_inertia *inertia,
                            double tolerance, double *u, haw_report *report)
{
    *report = (haw_report){.outcome = HAW_ITERATION_LIMIT,
                           .tolerance = fmax(tolerance, 64 * DBL_EPSILON)};
    if (contacts->count < LEAST || !find_touched(region, contacts, inertia)) {
        return HAW_OK;
    }
    haw_arena_reset(&region->pass);
    if (!holds(region, inertia)) {
        HAW_TRY(lay_out(region, inertia));
    }
    contacts->problem.w.rows = 0; /* of an earlier step */
    HAW_TRY(fill(region, inertia));
    return solve(region, contacts, inertia, u, report);
}
