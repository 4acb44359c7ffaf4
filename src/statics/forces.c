/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces by kind, their matrix, and what equilibria ask of all cables. */
#include "statics/forces.h"

#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NOISE_ROOM = 16; /* rounding of a force over that of one term */

haw_status haw_vectors_create(haw_arena *arena, int dofs, int count, double **const *vector)
{
    for (int i = 0; i < count; i++) {
        *vector[i] = haw_arena_allocate(arena, (size_t)dofs + 1, sizeof(double));
    }
    return haw_arena_status(arena);
}

haw_status haw_force_set_create(haw_arena *arena, int dofs, haw_force_set *set)
{
    double **const vector[] = {&set->model.conservative,
                               &set->model.damping,
                               &set->model.load,
                               &set->model.gyroscopic,
                               &set->normal,
                               &set->tangential,
                               &set->total};
    return haw_vectors_create(arena, dofs, sizeof vector / sizeof *vector, vector);
}

haw_status haw_forces_find(const haw_model *model, haw_compliant *compliant, const double *q,
                           const double *u, haw_force_set *set)
{
    const int n = model->dofs;
    haw_model_forces(model, set->t, set->part, q, u, &set->model);
    for (int i = 0; i < n; i++) {
        set->total[i] = set->model.conservative[i] + set->model.damping[i] + set->model.load[i] +
                        set->model.gyroscopic[i];
    }
    memset(set->normal, 0, (size_t)n * sizeof(double));
    memset(set->tangential, 0, (size_t)n * sizeof(double));
    if (compliant == NULL) {
        return HAW_OK;
    }
    HAW_TRY(haw_compliant_evaluate(compliant, q, u, set->normal, set->tangential));
    haw_model_tie(model, set->normal);
    haw_model_tie(model, set->tangential);
    for (int i = 0; i < n; i++) {
        set->total[i] += set->normal[i] + set->tangential[i];
    }
    return HAW_OK;
}

/* Entries of what may touch by now, all zero. */
static void clear(haw_system *system, haw_compliant *compliant)
{
    if (compliant != NULL) {
        (void)haw_compliant_couple(compliant, system); /* the system keeps what went wrong */
    }
    haw_system_clear(system);
}

static void add_all(haw_system *system, haw_compliant *compliant, const double *q, const double *u,
                    double mass, double rate)
{
    haw_system_add_model(system, q, u, mass, rate);
    if (compliant != NULL) {
        haw_compliant_tangent(compliant, rate, system);
    }
}

void haw_forces_assemble(haw_system *system, haw_compliant *compliant, const double *q,
                         const double *u, double mass, double rate)
{
    clear(system, compliant);
    add_all(system, compliant, q, u, mass, rate);
}

/* Rows give C with K only: (K + rate C) - K. */
void haw_forces_assemble_rates(haw_system *system, haw_compliant *compliant, const double *q,
                               const double *u, double mass, double rate)
{
    clear(system, compliant);
    if (system->matrix != NULL && (compliant != NULL || haw_model_has_dampers(system->model))) {
        double *value = haw_matrix_value(system->matrix);
        const ptrdiff_t entries = haw_matrix_spare(system->matrix);
        add_all(system, compliant, q, u, 0, 0);
        for (ptrdiff_t i = 0; i < entries; i++) {
            value[i] = -value[i];
        }
        add_all(system, compliant, q, u, 0, rate);
    }
    haw_system_add_mass(system, q, mass);
}

double haw_free_norm(const haw_system *system, const double *x)
{
    const int n = system->model->dofs - system->model->multipliers, *equation = system->equation;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += equation[i] >= 0 ? x[i] * x[i] : 0;
    }
    return sqrt(sum);
}

/* Where sections turn, of the nodes' positions alone: directions have no part in the rounding of a
 * length. */
static double farthest(const haw_model *model, const haw_cable *cable, const double *q)
{
    double most = 0;
    if (!cable->ops->turns_first) {
        return haw_largest(cable->coordinates, q + cable->first_q);
    }
    for (int node = 0; node <= cable->line.elements; node++) {
        most = fmax(most, haw_largest(model->dimension, q + cable->ops->node_q(cable, node)));
    }
    return most;
}

/* Rounding of one force of a cable: of its strains, and of its curvatures, which are differences of
 * positions over le^2 that pull by 12 EI / le. */
static double cable_noise(const haw_model *model, const haw_cable *cable, const double *q)
{
    const double le = haw_cable_shortest(cable, q);
    const double stiffness = cable->line.stiffness + 12 * cable->line.bending / (le * le);
    return DBL_EPSILON * stiffness * fmax(farthest(model, cable, q), le) / le;
}

/* Sum of squares and largest of the rounding of forces. */
typedef struct noise {
    double square, most;
} noise;

static void add_noise(int count, double force, noise *sum)
{
    sum->square += count * force * force;
    sum->most = count > 0 ? fmax(sum->most, force) : sum->most;
}

static noise find_noise(const haw_model *model, const double *q)
{
    const double reach = haw_model_reach(model, q);
    noise sum = {0};
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        add_noise(cable->line.dofs, cable_noise(model, cable, q), &sum);
    }
    for (int i = 0; i < model->pairs; i++) {
        const haw_pair *pair = &model->pair[i];
        const haw_normal_ops *law = pair->compliance.normal;
        const double stiffness = law != NULL && law->is_linear ? pair->compliance.n.stiffness : 0;
        add_noise(pair->points, DBL_EPSILON * stiffness * reach, &sum);
    }
    for (int i = 0; i < model->springs; i++) {
        add_noise(1, DBL_EPSILON * model->spring[i].stiffness * reach, &sum);
    }
    return sum;
}

double haw_forces_noise(const haw_model *model, const double *q)
{
    return sqrt(find_noise(model, q).square);
}

double haw_forces_noise_largest(const haw_model *model, const double *q)
{
    return NOISE_ROOM * find_noise(model, q).most;
}

static bool is_zero(const haw_function *function)
{
    for (int i = 0; i < function->count; i++) {
        if (function->value[i] != 0) {
            return false;
        }
    }
    return function->count > 0 || function->constant == 0;
}

static bool damps_strains(const haw_cable *cable)
{
    bool any = cable->line.damping_strain > 0 || cable->line.damping_curvature > 0;
    for (int k = 0; k < HAW_STRAINS; k++) {
        any = any || cable->beam.damping[k] > 0;
    }
    return any;
}

bool haw_model_has_extra_forces(const haw_model *model)
{
    bool any = model->loads + model->springs + model->joints > 0 || haw_compliant_any(model);
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        any = any || body->rotational_damping > 0 || !is_zero(&body->torque);
    }
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        any = any || damps_strains(cable) || cable->guide[0].pulls || cable->guide[1].pulls;
    }
    return any;
}

bool haw_model_has_dampers(const haw_model *model)
{
    bool any = false;
    for (int i = 0; i < model->bodies; i++) {
        any = any || model->body[i].rotational_damping > 0;
    }
    for (int i = 0; i < model->cables; i++) {
        any = any || model->cable[i].damping_mass > 0 || damps_strains(&model->cable[i]);
    }
    for (int i = 0; i < model->springs; i++) {
        any = any || model->spring[i].damping > 0;
    }
    return any;
}

/* ---- cables ---- */

double haw_cable_largest_tension(const haw_cable *cable, const double *q)
{
    double most = 0;
    if (!cable->ops->moves_along) {
        return haw_cable_tension_mean(cable, q);
    }
    for (int e = 0; e < cable->line.elements; e++) {
        most = fmax(most, fabs(cable->ops->tension(cable, e, q, NULL)));
    }
    return most;
}

double haw_model_recentre(const haw_model *model, double *q)
{
    double most = 0;
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        if (cable->ops->recentre != NULL) {
            most = fmax(most, cable->ops->recentre(cable, model->context, q));
        }
    }
    return most;
}

const haw_body *haw_model_loose(const haw_model *model, const bool *held)
{
    for (int i = 0; i < model->bodies; i++) {
        const haw_body *body = &model->body[i];
        for (int k = 0; k < model->dimension; k++) {
            const bool is_held = body->held[k] || (held != NULL && held[body->first + k]);
            if (!is_held && !model->kept[i]) {
                return body;
            }
        }
    }
    return NULL;
}
