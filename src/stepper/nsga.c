/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decoupled nonsmooth generalized-alpha for spatial models (O. Bruels, V. Acary, A. Cardona,
 * Comput. Methods Appl. Mech. Eng. 281 (2014) 131-161; A. Cosimo, J. Galvez, F. J. Cavalieri, A.
 * Cardona, O. Bruels, Multibody Syst. Dyn. 48 (2020) 127-149): the smooth motion q~, v~ of
 * nsga_smooth.c knows no contact; two problems then correct it, q+ = q~ exp(U), v+ = v~ + W,
 *
 *     position:  c_M M U - (F(q+, v~ + c_C U) - F~) = H nu,   0 <= nu_N  perp  g(q+) >= 0,
 *                -way_T in N_{C(mu nu_N)}(nu_T),
 *     velocity:  M W - (c_C / c_M) (F(q+, v~ + c_C U) - F~) = H P,
 *                0 <= P_N  perp  v_N+ + e v_N >= 0,   -v_T+ in N_{C(mu P_N)}(P_T)  where closed,
 *
 * with c_M = (1 - alpha_m) / (beta h^2 (1 - alpha_f)), c_C = gamma / (beta h), so that U changes
 * velocities by c_C U and accelerations by c_M U as in the smooth motion. The forces that U changes
 * belong to both problems: without them a stiff cable rings. P is the whole impulse of the step;
 * (c_C / c_M) nu is what P would be if the velocities c_C U were right.
 *
 * Friction on velocities alone, the published wording, lets what sticks creep: on a slope the
 * smooth motion falls by g sin(theta) h^2 / 2 in every step, and only its velocity is taken back,
 * which is a speed of h g sin(theta) / 2. With the same law on the way of the step it stays.
 *
 * Newton's method starts from the displacement of the last step: a run that goes on from a
 * checkpoint agrees with one that was not interrupted to the tolerance of Newton's method.
 */
#include "stepper/nsga.h"

#include "model/space.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

static const char *const levels[] = {"position-and-velocity", "velocity", NULL};

static const haw_option options[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_nsga_options, common.step), 1e-3, DBL_MIN, DBL_MAX, "s",
     "time step", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_nsga_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    {"rho_infinity", HAW_OPTION_REAL, offsetof(haw_nsga_options, rho_infinity), 0.8, 0, 1, "",
     "spectral radius at infinite frequency; 1: no damping", NULL},
    {"newton_tolerance", HAW_OPTION_REAL, offsetof(haw_nsga_options, newton_tolerance), 1e-8, 1e-15,
     1e-1, "", "residual impulse over the largest impulse or momentum of the step", NULL},
    {"max_newton", HAW_OPTION_INT, offsetof(haw_nsga_options, max_newton), 50, 1, 1000, "",
     "Newton iterations of the smooth motion, and passes of the position problem", NULL},
    {"friction_level", HAW_OPTION_CHOICE, offsetof(haw_nsga_options, friction_level),
     HAW_FRICTION_POSITION, HAW_FRICTION_POSITION, HAW_FRICTION_VELOCITY, "",
     "where friction acts; on velocities alone sticking contacts creep", levels},
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

static const haw_nsga_options *get_options(const haw_simulation *simulation)
{
    return (const void *)simulation->settings.stepper.options;
}

/* ---- creation ---- */

static haw_status create(haw_simulation *simulation)
{
    const size_t dofs = (size_t)simulation->model.dofs + 1;
    const size_t coordinates = (size_t)simulation->model.coordinates + 1;
    haw_nsga *nsga = haw_space_stage_own(simulation, sizeof *nsga);
    if (nsga == NULL) {
        return HAW_ERR_NOMEM;
    }
    HAW_TRY(haw_force_set_create(&nsga->arena, simulation->model.dofs, &nsga->smooth));
    nsga->q_smooth = haw_arena_allocate(&nsga->arena, coordinates, sizeof(double));
    nsga->v_smooth = haw_arena_allocate(&nsga->arena, dofs, sizeof(double));
    nsga->increment = haw_arena_allocate(&nsga->arena, dofs, sizeof(double));
    nsga->jump = haw_arena_allocate(&nsga->arena, dofs, sizeof(double));
    nsga->corrected = haw_arena_allocate(&nsga->arena, dofs, sizeof(double));
    nsga->last = haw_arena_allocate(&nsga->arena, dofs, sizeof(double));
    return nsga->q_smooth != NULL && nsga->v_smooth != NULL && nsga->increment != NULL &&
                   nsga->jump != NULL && nsga->corrected != NULL && nsga->last != NULL
               ? HAW_OK
               : HAW_ERR_NOMEM;
}

static haw_status prepare(haw_simulation *simulation)
{
    const haw_nsga_options *o = get_options(simulation);
    simulation->step = o->common.step;
    simulation->end = o->common.end;
    if (simulation->implicit == NULL) {
        HAW_TRY(haw_implicit_create(simulation, NULL, &simulation->implicit));
    }
    HAW_TRY(haw_space_stage_create(simulation));
    return create(simulation);
}

/* ---- one step ---- */

static haw_nsga_step begin(haw_simulation *simulation)
{
    const haw_nsga_options *o = get_options(simulation);
    const double h = simulation->h;
    haw_nsga_step step = {
        .alpha = {.simulation = simulation, .h = h, .t = simulation->state->t + h},
        .judged = {.simulation = simulation, .h = h, .tolerance = o->newton_tolerance},
        .nsga = simulation->space,
        .options = o};
    haw_alpha_coefficients(&step.alpha, o->rho_infinity);
    step.part = step.alpha.rate / step.alpha.mass;
    return step;
}

static haw_status solve(haw_nsga_step *step)
{
    haw_space_stage_begin(step->alpha.simulation);
    HAW_TRY(haw_nsga_smooth(step));
    const haw_status position = haw_nsga_correct_position(step);
    const bool goes_on = position == HAW_ERR_UNCONVERGED && isfinite(step->judged.norm);
    HAW_TRY(goes_on ? HAW_OK : position); /* a miss may only be a warning */
    const haw_status velocity = haw_nsga_correct_velocity(step);
    return position != HAW_OK && velocity == HAW_OK ? position : velocity;
}

/* The forces of the end are those of the next start. */
static void swap_forces(haw_implicit *implicit)
{
    const haw_force_set before = implicit->before;
    implicit->before = implicit->now;
    implicit->now = before;
}

static haw_status accept(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_state *state = simulation->state;
    const haw_model *model = &simulation->model;
    const size_t bytes = (size_t)state->dofs * sizeof(double);
    const haw_energy energy = haw_model_energy(model, implicit->q);
    const double kinetic = haw_model_kinetic(model, implicit->q, simulation->u_plus);
    HAW_TRY(haw_jean_check_finite(simulation, energy.elastic + energy.gravity + kinetic));
    HAW_TRY(haw_guard_handles(simulation, implicit->q));
    HAW_TRY(haw_nsga_correct_acceleration(step));
    haw_nsga_book(step, energy, kinetic);
    HAW_TRY(haw_step_keep_impulses(simulation));
    haw_step_certify(simulation);
    haw_space_difference(model, state->q, implicit->q, step->nsga->last);
    step->nsga->last_h = step->alpha.h;
    memcpy(state->q, implicit->q, (size_t)state->coordinates * sizeof(double));
    memcpy(state->u, simulation->u_plus, bytes);
    memcpy(state->a, implicit->a, bytes);
    memcpy(haw_alpha_acceleration(state), implicit->acceleration, bytes);
    simulation->energy = energy;
    simulation->kinetic = kinetic;
    swap_forces(implicit);
    return HAW_OK;
}

static haw_status step(haw_simulation *simulation)
{
    haw_nsga_step now = begin(simulation);
    simulation->implicit->noise = haw_implicit_noise(simulation, simulation->state->q);
    if (!simulation->implicit->is_current) {
        now.nsga->last_h = 0;
        HAW_TRY(haw_alpha_start(&now.alpha));
    }
    HAW_TRY(haw_jean_settle(&now.judged, solve(&now)));
    return accept(&now);
}

const haw_stepper_ops haw_stepper_nsga = {
    .name = "nsga",
    .summary = "nonsmooth generalized-alpha in space: smooth motion, then positions and velocities "
               "corrected",
    .source =
        "O. Bruels, V. Acary, A. Cardona, Comput. Methods Appl. Mech. Eng. 281 (2014) 131-161",
    .flags = HAW_STEPPER_SPACE | HAW_STEPPER_SET_VALUED,
    .options = options,
    .options_size = sizeof(haw_nsga_options),
    .order = 2,
    .prepare = prepare,
    .step = step,
};
