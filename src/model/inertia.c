/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Effective mass M^ = (1 + alpha h / 2) M + theta^2 h^2 K: the half step of mass-proportional
 * damping acts at the mid velocity, the stiffness term is one linearised implicit solve.
 * An explicit step with a constant Cartesian mass keeps the scalar band M_s (x) I_2.
 */
#include "model/dynamics.h"

#include <math.h>
#include <string.h>

enum { BLOCK = HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX };

/* Full (not scalar) bands are needed where components couple: stiffness, polar mass. */
static bool is_full(const haw_inertia *inertia, const haw_cable *cable)
{
    return inertia->theta > 0 || cable->line.ops->mass_copies == 1;
}

static haw_status create_cable(haw_inertia *inertia, int i)
{
    const haw_cable *cable = &inertia->model->cable[i];
    const haw_line *line = &cable->line;
    const int width = line->ops->dofs - 1;
    haw_band *effective = &inertia->effective[i];
    if (is_full(inertia, cable)) {
        HAW_TRY(haw_band_create(&inertia->arena, line->dofs, width, 1, effective));
    } else {
        HAW_TRY(haw_band_create(&inertia->arena, cable->mass.n, cable->mass.width,
                                cable->mass.copies, effective));
    }
    if (line->ops->mass_constant) {
        inertia->mass[i] = cable->mass;
    } else {
        HAW_TRY(haw_band_create(&inertia->arena, line->dofs, width, 1, &inertia->mass[i]));
    }
    if (inertia->theta > 0) {
        HAW_TRY(haw_band_create(&inertia->arena, line->dofs, width, 1, &inertia->stiffness[i]));
    }
    return haw_factor_create_band(inertia->model->context, effective->n, effective->width,
                                  effective->copies, &inertia->factor[i]);
}

static void free_factors(haw_inertia *inertia)
{
    for (int i = 0; inertia->factor != NULL && i < inertia->model->cables; i++) {
        haw_factor_free(inertia->factor[i]);
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
    inertia->mass = haw_arena_allocate(arena, cables, sizeof *inertia->mass);
    inertia->stiffness = haw_arena_allocate(arena, cables, sizeof *inertia->stiffness);
    inertia->effective = haw_arena_allocate(arena, cables, sizeof *inertia->effective);
    inertia->body_inverse =
        haw_arena_allocate(arena, 3 * (size_t)inertia->model->bodies + 1, sizeof(double));
    return haw_arena_status(arena);
}

/* Empty until haw_inertia_set: spatial models, which take no explicit step, have an empty one. */
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
        for (int j = 0; j < 3; j++) {
            inertia->body_inverse[body->first + j] = body->held[j] ? 0 : 1 / body->mass[j];
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
    for (int i = 0; i < inertia->model->cables; i++) {
        HAW_TRY(create_cable(inertia, i));
    }
    return HAW_OK;
}

/* Spread a scalar block over the c components: E_(ci+a, cj+a) = factor m_ij. */
static void expand(int m, int copies, double factor, const double *block, double *full)
{
    const int n = m * copies;
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
    const haw_element_ops *ops = cable->line.ops;
    const double damping = 1 + 0.5 * cable->damping_mass * inertia->h;
    const double stiff = inertia->theta * inertia->theta * inertia->h * inertia->h;
    const int first = ops->stride * e;
    double block[BLOCK], full[BLOCK];
    ops->mass(&cable->line, e, q, block);
    if (!ops->mass_constant) {
        haw_band_add(&inertia->mass[i], first, ops->dofs, block);
    }
    if (!is_full(inertia, cable)) {
        for (int k = 0; k < ops->mass_block * ops->mass_block; k++) {
            block[k] *= damping;
        }
        haw_band_add(&inertia->effective[i], first / ops->mass_copies, ops->mass_block, block);
        return;
    }
    expand(ops->mass_block, ops->mass_copies, damping, block, full);
    if (inertia->theta > 0) {
        ops->tangent(&cable->line, e, q, true, block);
        haw_band_add(&inertia->stiffness[i], first, ops->dofs, block);
        for (int k = 0; k < ops->dofs * ops->dofs; k++) {
            full[k] += stiff * block[k];
        }
    }
    haw_band_add(&inertia->effective[i], first, ops->dofs, full);
}

static void fix_ends(haw_band *band, const haw_cable *cable)
{
    for (int end = 0; end < 2; end++) {
        for (int j = 0; j < haw_cable_end_held(cable, end); j += band->copies) {
            haw_band_fix(band, (cable->end_dof[end] + j) / band->copies);
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
    if (!cable->line.ops->mass_constant) {
        haw_band_clear(&inertia->mass[i]);
    }
    for (int e = 0; e < cable->line.elements; e++) {
        add_element(inertia, i, e, q + cable->first);
    }
    fix_ends(&inertia->effective[i], cable);
    return haw_factor_band(inertia->factor[i], &inertia->effective[i]);
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
    for (int i = 0; i < 3 * model->bodies; i++) {
        x[i] *= inertia->body_inverse[i];
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        for (int end = 0; end < 2; end++) {
            for (int j = 0; j < haw_cable_end_held(cable, end); j++) {
                x[cable->first + cable->end_dof[end] + j] = 0;
            }
        }
        haw_factor_solve(inertia->factor[i], 1, 0, x + cable->first);
    }
}

void haw_inertia_mass(const haw_inertia *inertia, const double *x, double *y)
{
    const haw_model *model = inertia->model;
    for (int i = 0; i < 3 * model->bodies; i++) {
        y[i] = model->body[i / 3].mass[i % 3] * x[i];
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
