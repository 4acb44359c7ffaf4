/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Smooth part of a step of nsga: generalized-alpha on the manifold of configurations without the
 * forces of contacts (O. Bruels, A. Cardona, M. Arnold, Mech. Mach. Theory 48 (2012) 121-137),
 *
 *     q~ = q exp(dq),   dq = h v + h^2 ((1/2 - beta) a + beta a+),
 *     v~ = v + h ((1 - gamma) a + gamma a+),   M vdot~ = F(t+, q~, v~),
 *     (1 - alpha_m) a+ + alpha_m a = (1 - alpha_f) vdot~ + alpha_f vdot,
 *
 * by Newton's method on dq with c_M M + c_C C + K. The tangent of the exponential beside K is left
 * out: it is 1 up to half the angle of the step, and costs an iteration now and then. A cable that
 * lies on a surface is far from the equilibrium that it has without: turns are limited.
 */
#include "model/space.h"
#include "stepper/nsga.h"

#include <float.h>
#include <math.h>

enum { NODE = 6, AXES = 3 }; /* velocities of a node or body, and those of positions */

static const double LIMIT = 0.3; /* turn in one Newton step [rad] */

/*
 * First guess: the displacement of the last step, or h v where there was none. The accelerations of
 * closed contacts, which nothing holds here, would lead far astray, and so would the spins that
 * impulses at the surface of a thin cable leave behind. Prescribed velocities hold.
 */
static void predict(const haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const double h = c->h, *a = state->a, *vdot = haw_alpha_acceleration(state);
    const haw_nsga *nsga = step->nsga;
    double *plus = implicit->a, *v = nsga->v_smooth;
    haw_space_prescribe(&simulation->model, c->t, v);
    for (int i = 0; i < state->dofs; i++) {
        const double known = state->u[i] + (1 - c->gamma) * h * a[i];
        if (implicit->system->equation[i] < 0) {
            plus[i] = (v[i] - known) / (c->gamma * h);
        } else {
            const double dq = nsga->last_h > 0 ? h / nsga->last_h * nsga->last[i] : h * state->u[i];
            plus[i] = (dq / h - state->u[i]) / (c->beta * h) + (c->beta - 0.5) / c->beta * a[i];
            v[i] = known + c->gamma * h * plus[i];
        }
        nsga->increment[i] = h * state->u[i] + h * h * ((0.5 - c->beta) * a[i] + c->beta * plus[i]);
        implicit->acceleration[i] =
            ((1 - c->alpha_m) * plus[i] + c->alpha_m * a[i] - c->alpha_f * vdot[i]) /
            (1 - c->alpha_f);
    }
}

void haw_nsga_find_reference(haw_nsga_step *step)
{
    haw_simulation *simulation = step->alpha.simulation;
    haw_implicit *implicit = simulation->implicit;
    const haw_forces *force = &step->nsga->smooth.model;
    const int n = simulation->model.dofs;
    const double h = step->alpha.h;
    haw_model_mass(&simulation->model, simulation->state->u, implicit->mass_work);
    double square = h * h *
                    fmax(haw_dot(n, force->conservative, force->conservative),
                         haw_dot(n, force->load, force->load));
    square = fmax(square, haw_dot(n, implicit->mass_work, implicit->mass_work));
    square = fmax(square, haw_dot(n, simulation->push, simulation->push));
    step->judged.reference = fmax(sqrt(square), DBL_MIN);
}

/* residual = h (M vdot~ - F) at the iterate. */
static haw_status evaluate(haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_nsga *nsga = step->nsga;
    haw_space_move(&simulation->model, simulation->state->q, nsga->increment, nsga->q_smooth);
    haw_space_place(&simulation->model, c->t, nsga->q_smooth);
    HAW_TRY(
        haw_implicit_forces(simulation, c->t, 1, nsga->q_smooth, nsga->v_smooth, &nsga->smooth));
    haw_model_mass(&simulation->model, implicit->acceleration, implicit->mass_work);
    for (int i = 0; i < simulation->model.dofs; i++) {
        implicit->residual[i] = c->h * (implicit->mass_work[i] - nsga->smooth.total[i]);
    }
    step->judged.norm = haw_implicit_norm(implicit, implicit->residual);
    return HAW_OK;
}

double haw_nsga_limit(int n, double scale, const double *direction)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = i % NODE >= AXES ? fmax(most, fabs(scale * direction[i])) : most;
    }
    return most > LIMIT ? LIMIT / most : 1;
}

static haw_status iterate(haw_nsga_step *step)
{
    const haw_alpha_step *c = &step->alpha;
    haw_simulation *simulation = c->simulation;
    haw_implicit *implicit = simulation->implicit;
    const int n = simulation->model.dofs;
    double *direction = implicit->direction;
    HAW_TRY(haw_implicit_factor(simulation, step->nsga->q_smooth, step->nsga->v_smooth, c->mass,
                                c->rate));
    for (int i = 0; i < n; i++) {
        direction[i] = -implicit->residual[i] / c->h;
    }
    haw_system_solve(implicit->system, direction);
    const double part = haw_nsga_limit(n, 1, direction);
    haw_axpy(n, part, direction, step->nsga->increment);
    haw_axpy(n, part * c->rate, direction, step->nsga->v_smooth);
    haw_axpy(n, part / (c->beta * c->h * c->h), direction, implicit->a);
    haw_axpy(n, part * c->mass, direction, implicit->acceleration);
    simulation->certificate.newton_iterations++;
    return evaluate(step);
}

/* Nothing can be built on this: the norm is left infinite. */
static haw_status missed(haw_nsga_step *step, int iterations)
{
    const haw_simulation *simulation = step->alpha.simulation;
    const double norm = step->judged.norm;
    step->judged.norm = (double)INFINITY;
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: residual impulse of the smooth motion %.3g N s > %.3g "
                    "N s after %d Newton iterations: use a smaller step or on_unconverged: halve",
                    simulation->state->step + 1, simulation->state->t, norm,
                    haw_jean_tolerance(&step->judged), iterations);
}

haw_status haw_nsga_smooth(haw_nsga_step *step)
{
    predict(step);
    HAW_TRY(evaluate(step));
    haw_nsga_find_reference(step);
    for (int k = 0; k < step->options->max_newton; k++) {
        if (step->judged.norm <= haw_jean_tolerance(&step->judged)) {
            return HAW_OK;
        }
        const haw_status status = iterate(step);
        if (status == HAW_ERR_SINGULAR || !isfinite(step->judged.norm)) {
            return missed(step, k + 1);
        }
        HAW_TRY(status);
        haw_nsga_find_reference(step);
    }
    const bool met = step->judged.norm <= haw_jean_tolerance(&step->judged);
    return met ? HAW_OK : missed(step, step->options->max_newton);
}
