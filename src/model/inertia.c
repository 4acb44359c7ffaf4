/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Effective mass M^ = (1 + alpha h / 2) M + theta^2 h^2 K: the half step of mass-proportional
 * damping acts at the mid velocity, the stiffness term is one linearised implicit solve.
 * An explicit step with a constant Cartesian mass keeps the scalar band M_s (x) I_2.
 */
#include "model/dynamics.h"

#include <math.h>
#include <string.h>

enum { BLOCK = HAW_SPACE_DOFS * HAW_SPACE_DOFS };

/* An end that is held in some directions only, row by row of a scalar mass. */
static bool is_partly_held(const haw_cable *cable)
{
    const int copies = cable->form.copies;
    for (int a = 0; a < cable->line.dofs; a++) {
        if (cable->held[a] != cable->held[a - a % copies]) {
            return true;
        }
    }
    return false;
}

/* Full (not scalar) bands are needed where components couple: stiffness, polar mass, turns; and
 * where a prescribed row is not that of all components. */
static bool is_full(const haw_inertia *inertia, const haw_cable *cable)
{
    return inertia->theta > 0 || cable->form.copies == 1 || is_partly_held(cable);
}

static haw_status create_cable(haw_inertia *inertia, int i)
{
    const haw_cable *cable = &inertia->model->cable[i];
    const haw_mass_form *form = &cable->form;
    const int dofs = cable->line.dofs, widest = cable->ops->dofs(cable, 0).count - 1;
    const int width = inertia->theta > 0 ? widest : form->width * form->copies;
    haw_band *effective = &inertia->effective[i];
    if (is_full(inertia, cable)) {
        HAW_TRY(haw_band_create(&inertia->arena, dofs, width, 1, effective));
    } else {
        HAW_TRY(haw_band_create(&inertia->arena, cable->mass.n, cable->mass.width,
                                cable->mass.copies, effective));
    }
    if (form->is_constant) {
        inertia->mass[i] = cable->mass;
    } else {
        HAW_TRY(haw_band_create(&inertia->arena, dofs, widest, 1, &inertia->mass[i]));
    }
    if (inertia->theta > 0) {
        HAW_TRY(haw_band_create(&inertia->arena, dofs, widest, 1, &inertia->stiffness[i]));
    }
    int last = 0;
    const int tied = haw_cable_tied(cable, &last) / effective->copies;
    if (tied > 0) {
        HAW_TRY(haw_ring_create(inertia->model->context, &inertia->arena, effective, tied,
                                &inertia->ring[i]));
    }
    return haw_factor_create_band(inertia->model->context, effective->n, effective->width,
                                  effective->copies, &inertia->factor[i]);
}

static void free_factors(haw_inertia *inertia)
{
    for (int i = 0; inertia->factor != NULL && i < inertia->model->cables; i++) {
        haw_factor_free(inertia->factor[i]);
        haw_ring_free(&inertia->ring[i]);
    }
    haw_arena_fini(&inertia->arena);
    haw_arena_init(&inertia->arena, inertia->model->context);
    inertia->factor = NULL;
}

static haw_status create_arrays(haw_inertia *inertia)
{
    const size_t cables = (size_t)inertia->model->cables + 1;
    haw_arena *arena = &inertia->arena;
    inertia->factor = haw_arena_allocate(arena, cables, sizeof(haw_factor *));
    inertia->ring = haw_arena_allocate(arena, cables, sizeof *inertia->ring);
    inertia->mass = haw_arena_allocate(arena, cables, sizeof *inertia->mass);
    inertia->stiffness = haw_arena_allocate(arena, cables, sizeof *inertia->stiffness);
    inertia->effective = haw_arena_allocate(arena, cables, sizeof *inertia->effective);
    inertia->body_inverse =
        haw_arena_allocate(arena, (size_t)inertia->model->dofs + 1, sizeof(double));
    inertia->held = haw_arena_allocate(arena, (size_t)inertia->model->dofs + 1, sizeof(int));
    return haw_arena_status(arena);
}

/* Empty until haw_inertia_set: implicit steps leave it so. */
haw_status haw_inertia_create(haw_context *context, const haw_model *model, haw_inertia **inertia)
{
    *inertia = haw_allocate(context, 1, sizeof **inertia);
    if (*inertia == NULL) {
        return HAW_ERR_NOMEM;
    }
    (*inertia)->model = model;
    (*inertia)->h = (double)NAN;
    haw_arena_init(&(*inertia)->arena, context);
    return HAW_OK;
}

void haw_inertia_free(haw_inertia *inertia)
{
    if (inertia != NULL) {
        free_factors(inertia);
        haw_arena_fini(&inertia->arena);
        haw_release(inertia->model->context, inertia);
    }
}

static void invert_bodies(haw_inertia *inertia)
{
    for (int i = 0; i < inertia->model->bodies; i++) {
        const haw_body *body = &inertia->model->body[i];
        for (int j = 0; j < inertia->model->kind->dofs; j++) {
            inertia->body_inverse[body->first + j] = body->held[j] ? 0 : 1 / body->mass[j];
        }
    }
}

static void list_held(haw_inertia *inertia)
{
    inertia->held_count = 0;
    for (int i = 0; i < inertia->model->cables; i++) {
        const haw_cable *cable = &inertia->model->cable[i];
        for (int a = 0; a < cable->line.dofs; a++) {
            if (cable->held[a]) {
                inertia->held[inertia->held_count++] = cable->first + a;
            }
        }
    }
}

haw_status haw_inertia_set(haw_inertia *inertia, double h, double theta)
{
    const char *refused = haw_model_refuses_explicit(inertia->model);
    if (refused != NULL) {
        return haw_fail(inertia->model->context, HAW_ERR_INPUT, "%s", refused);
    }
    const bool same_pattern = inertia->factor != NULL && (inertia->theta > 0) == (theta > 0);
    inertia->h = h;
    inertia->theta = theta;
    inertia->is_constant = false;
    if (same_pattern) {
        return HAW_OK;
    }
    free_factors(inertia);
    HAW_TRY(create_arrays(inertia));
    invert_bodies(inertia);
    list_held(inertia);
    for (int i = 0; i < inertia->model->cables; i++) {
        HAW_TRY(create_cable(inertia, i));
    }
    return HAW_OK;
}

void haw_mass_expand(const haw_mass_form *form, double factor, const double *block, double *full)
{
    const int m = form->block, copies = form->copies, n = m * copies;
    memset(full, 0, (size_t)(n * n) * sizeof *full);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            for (int a = 0; a < copies; a++) {
                full[(i * copies + a) * n + j * copies + a] = factor * block[i * m + j];
            }
        }
    }
}

static void add_element(haw_inertia *inertia, int i, int e, const double *q)
{
    const haw_cable *cable = &inertia->model->cable[i];
    const haw_mass_form *form = &cable->form;
    const haw_dofs dofs = cable->ops->dofs(cable, e);
    const double damping = 1 + 0.5 * cable->damping_mass * inertia->h;
    const double stiff = inertia->theta * inertia->theta * inertia->h * inertia->h;
    const int first = dofs.first - cable->first;
    double block[BLOCK], full[BLOCK];
    cable->ops->mass_block(cable, e, q, block);
    if (!form->is_constant) {
        haw_band_add(&inertia->mass[i], first, dofs.count, block);
    }
    if (inertia->effective[i].copies > 1) {
        for (int k = 0; k < form->block * form->block; k++) {
            block[k] *= damping;
        }
        haw_band_add(&inertia->effective[i], first / form->copies, form->block, block);
        return;
    }
    haw_mass_expand(form, damping, block, full);
    if (inertia->theta > 0) {
        cable->ops->stiffness_block(cable, e, q, block);
        haw_band_add(&inertia->stiffness[i], first, dofs.count, block);
        for (int k = 0; k < dofs.count * dofs.count; k++) {
            full[k] += stiff * block[k];
        }
    }
    haw_band_add(&inertia->effective[i], first, dofs.count, full);
}

static void fix_ends(haw_band *band, const haw_cable *cable)
{
    for (int a = 0; a < cable->line.dofs; a += band->copies) {
        if (cable->held[a]) {
            haw_band_fix(band, a / band->copies);
        }
    }
}

static haw_status update_cable(haw_inertia *inertia, int i, const double *q)
{
    const haw_cable *cable = &inertia->model->cable[i];
    haw_band_clear(&inertia->effective[i]);
    if (inertia->theta > 0) {
        haw_band_clear(&inertia->stiffness[i]);
    }
    if (!cable->form.is_constant) {
        haw_band_clear(&inertia->mass[i]);
    }
    for (int e = 0; e < cable->line.elements; e++) {
        add_element(inertia, i, e, q);
    }
    fix_ends(&inertia->effective[i], cable);
    return inertia->ring[i].tied > 0
               ? haw_ring_factor(&inertia->ring[i], &inertia->effective[i], inertia->factor[i])
               : haw_factor_band(inertia->factor[i], &inertia->effective[i]);
}

haw_status haw_inertia_update(haw_inertia *inertia, const double *q)
{
    if (inertia->is_constant) {
        return HAW_OK;
    }
    for (int i = 0; i < inertia->model->cables; i++) {
        HAW_TRY(update_cable(inertia, i, q));
    }
    inertia->is_constant = inertia->theta == 0 && !haw_model_is_gyroscopic(inertia->model);
    return HAW_OK;
}

void haw_inertia_solve(const haw_inertia *inertia, double *x)
{
    const haw_model *model = inertia->model;
    for (int i = 0; i < model->kind->dofs * model->bodies; i++) { /* bodies come first */
        x[i] *= inertia->body_inverse[i];
    }
    for (int i = 0; i < inertia->held_count; i++) {
        x[inertia->held[i]] = 0;
    }
    for (int i = 0; i < model->cables; i++) {
        const int first = model->cable[i].first;
        if (inertia->ring[i].tied > 0) {
            haw_inertia_solve_window(inertia, i, 1, 0, model->cable[i].line.dofs, x + first);
        } else {
            haw_factor_solve(inertia->factor[i], 1, 0, x + first);
        }
    }
}

void haw_inertia_solve_window(const haw_inertia *inertia, int cable, int columns, int first,
                              int count, double *x)
{
    const haw_ring *ring = &inertia->ring[cable];
    const haw_band *band = &inertia->effective[cable];
    haw_factor *factor = inertia->factor[cable];
    if (ring->tied > 0) {
        haw_ring_solve(ring, band, factor, columns, x);
    } else {
        haw_factor_solve_window(factor, columns, first / band->copies, count / band->copies, x);
    }
}

void haw_inertia_mass(const haw_inertia *inertia, const double *x, double *y)
{
    const haw_model *model = inertia->model;
    const int dofs = model->kind->dofs;
    for (int i = 0; i < dofs * model->bodies; i++) {
        y[i] = model->body[i / dofs].mass[i % dofs] * x[i];
    }
    for (int i = 0; i < model->cables; i++) {
        const int first = model->cable[i].first;
        haw_band_multiply(&inertia->mass[i], x + first, y + first);
    }
}

void haw_inertia_stiffness(const haw_inertia *inertia, const double *x, double *y)
{
    const haw_model *model = inertia->model;
    memset(y, 0, (size_t)model->dofs * sizeof *y);
    for (int i = 0; i < model->cables && inertia->theta > 0; i++) {
        const int first = model->cable[i].first;
        haw_band_multiply(&inertia->stiffness[i], x + first, y + first);
    }
}
