/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ledger of a step of moreau-jean. With u_mean = (u + u+) / 2 and a constant mass
 *
 *     dT = u_mean' M (u+ - u) = u_mean' (h F + H P + R),
 *
 * R the impulses of prescribed motions: every kind of force does the work that it does on u_mean,
 * contacts with the rows at hand, and
 *
 *     numerical_loss = -(h (F_conservative + F_gyroscopic) . u_mean + dV),
 *
 * which holds the damping of theta > 1/2, the curvature of V, and the gyroscopic forces' work on
 * the mean of two velocities (none on either of them). A touch that stays has no impact: its normal
 * impulses H P do on u_mean what the means of elastic forces do with the other sign,
 * (2 theta - 1) omega h / 2 per unit of impulse and speed on a surface that turns by omega h.
 *
 * Where the mass depends on q the inertia impulses I = residual + h F + H P are known, and
 * numerical_loss has besides
 *
 *     u_mean' I - dT - (work of the labels' R on u_mean):
 *
 * what the kinetic energy has grown by less, and the work of the mesh, which is no external one.
 */
#include "stepper/contact_pass.h"
#include "stepper/moreau_jean.h"

void haw_jean_parts(const haw_simulation *simulation, double part[2])
{
    const haw_jean *jean = simulation->method;
    part[1] = jean->at_end ? jean->theta : 1;
    part[0] = 1 - part[1];
}

/* What the kinetic energy has grown by more than the inertia impulses took. */
static double transported(const haw_simulation *simulation, double change)
{
    const haw_implicit *implicit = simulation->implicit;
    const double h = simulation->h;
    double work = 0;
    for (int i = 0; i < simulation->model.dofs; i++) {
        work += simulation->u_mean[i] * (implicit->residual[i] + simulation->push[i] +
                                         h * implicit->now.total[i] + implicit->joint[i]);
    }
    return change - work;
}

static bool rests(const haw_simulation *simulation, int i)
{
    const haw_contacts *contacts = simulation->contacts;
    const haw_jean *jean = simulation->method;
    return jean->at_end ? jean->now[contacts->item[i].id].is_mean
                        : haw_lean_stays(contacts, simulation->state->impulse, i);
}

/* Of the normal impulses of touches that stay, on the mean velocity. */
static double work_of_resting(const haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const ptrdiff_t d = contacts->dimension;
    double work = 0;
    for (int i = 0; i < contacts->count; i++) {
        const double speed = 0.5 * (contacts->gamma_minus[d * i] + contacts->gamma_plus[d * i]);
        work += rests(simulation, i) ? contacts->impulse[d * i] * speed : 0;
    }
    return work;
}

/* Compliant forces work by the mean of both ends over the way dq that was gone, h u_theta but where
 * it is prescribed; what the step makes beside that, theta being no half, it makes with elastic
 * forces too. */
static double mean_compliant(const haw_simulation *simulation, haw_works *of)
{
    static const double half[] = {0.5, 0.5};
    double *dq = simulation->work[0];
    haw_model_difference(&simulation->model, simulation->state->q, simulation->implicit->q, dq);
    const haw_works mean = haw_implicit_work(simulation->implicit, half, 1, dq);
    const double made = of->normal - mean.normal + of->tangential - mean.tangential;
    of->normal = mean.normal;
    of->tangential = mean.tangential;
    return made;
}

void haw_jean_find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    const haw_implicit *implicit = simulation->implicit;
    const haw_jean *jean = simulation->method;
    double part[2];
    haw_jean_parts(simulation, part);
    haw_implicit_mean(simulation);
    haw_step_contact_losses(simulation, &work->friction, &work->impact);
    work->of = haw_implicit_work(implicit, part, simulation->h, simulation->u_mean);
    work->made = work_of_resting(simulation);
    work->impact += work->made;
    if (jean->at_end) {
        work->made += mean_compliant(simulation, &work->of);
    }
    work->reactions = haw_implicit_react(simulation);
    work->mesh = haw_implicit_mesh_work(implicit, simulation->reaction, simulation->u_mean);
    work->made += haw_dot(simulation->model.dofs, implicit->joint, simulation->u_mean);
    if (haw_model_is_gyroscopic(&simulation->model)) {
        work->made += transported(simulation, end->kinetic - simulation->kinetic);
    }
}
