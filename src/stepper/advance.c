/* SPDX-License-Identifier: BSD-3-Clause */
/* One step on the grid of times: whole, or in parts where the tolerance is missed. */
#include "stepper/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PARTS = 256 }; /* on_unconverged: halve tries steps down to h / 256 */

static const double NO_STEP = 1e-6;      /* of a step, left to the end: its impulses are rounding */
static const double PUSHES = 1e-6;       /* strain of a span below zero that is worth a word */
static const double DAMPS = 0.55;        /* theta that sliding needs */
static const double CONTACT_GAIN = 0.05; /* of the energy, made by compliant contact */
static const double LEAP = 0.5;          /* of all energies, that a path may make */
static const double UNBALANCED = 1e-6;   /* of all energies, that no term of the ledger has */

/* Whether shorter steps may do what a step has not done. */
static bool is_for_parts(haw_status status)
{
    return status == HAW_ERR_UNCONVERGED || status == HAW_ERR_GUARD;
}

/* A step of length h, in parts of h / 2^k where the tolerance is missed, or something moves further
 * than guards allow, and halving is asked for. */
static haw_status advance(haw_simulation *simulation, double h)
{
    const bool halves = simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE &&
                        !haw_stepper_has(simulation, HAW_STEPPER_STATIC);
    const double start = simulation->state->t;
    bool missed = false;
    int done = 0, part = PARTS;
    while (done < PARTS) {
        const haw_certificate before = simulation->certificate;
        simulation->h = h * part / PARTS;
        const haw_status status = haw_step(simulation);
        if (is_for_parts(status) && halves && part > 1) {
            /* the state is as it was; only the work of the attempt and the fact itself are kept */
            haw_certificate *now = &simulation->certificate;
            const haw_certificate tried = *now;
            *now = before;
            now->iterations_total = tried.iterations_total;
            now->newton_iterations = tried.newton_iterations;
            now->factorizations = tried.factorizations;
            now->rejected_steps = tried.rejected_steps + 1;
            missed = missed || status == HAW_ERR_UNCONVERGED;
            part /= 2;
            continue;
        }
        HAW_TRY(status);
        done += part;
        simulation->state->t = start + h * done / PARTS;
        HAW_TRY(simulation->observe != NULL ? simulation->observe(simulation) : HAW_OK);
        part = done % (2 * part) == 0 ? 2 * part : part;
    }
    simulation->certificate.unconverged_steps += missed ? 1 : 0;
    return HAW_OK;
}

/* Energy that went through the system [J]: what drives, loads and losses moved. */
static double flows(const haw_ledger *ledger)
{
    return fabs(ledger->external_work) + fabs(ledger->friction_loss) + fabs(ledger->impact_loss) +
           fabs(ledger->damping_loss);
}

/*
 * A stable step neither makes nor loses energy worth mentioning, beside what is there and what went
 * through: a hoist of a stiff rope stores little of the work that it does. What creates it (a step
 * too large for a stiffness that jumps between slack and taut, friction flutter) looks like motion.
 * Polar elements exchange energy with their mass matrix and get more room; their handles are
 * guarded. So do paths: the work of a step is that of its last forces, and less than it was where
 * they have fallen; but what goes to an equilibrium of more energy than it is given has leapt
 * there.
 */
static haw_status guard_gain(haw_simulation *simulation)
{
    const haw_ledger *ledger = &simulation->ledger;
    const bool is_path = haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC);
    const double most = haw_model_is_gyroscopic(&simulation->model) ? 1 : 0.01;
    const double part = is_path ? LEAP : most;
    const double scale = ledger->kinetic + ledger->elastic;
    simulation->energy_scale = fmax(simulation->energy_scale, scale);
    const bool is_explicit =
        haw_stepper_has(simulation, HAW_STEPPER_EXPLICIT); /* dampers may run away */
    if (is_explicit && -ledger->damping_loss > 0.01 * simulation->energy_scale) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "dampers made %.3g J up to t = %g s, more than explicit steps of this "
                        "length can take: use a smaller step, or generalized-alpha",
                        -ledger->damping_loss, simulation->state->t);
    }
    if (-ledger->numerical_loss <=
        part * (simulation->energy_scale + flows(ledger)) + 1e-12 * fabs(ledger->gravity)) {
        return HAW_OK;
    }
    const haw_option *option = simulation->settings.stepper.ops->row.options;
    const haw_option *theta = haw_options_find(option, "theta");
    const char *options = (const char *)simulation->settings.stepper.options;
    const bool has_theta = theta != NULL;
    const bool flutters = has_theta && ledger->friction_loss > 0 &&
                          *(const double *)(const void *)(options + theta->offset) < DAMPS;
    /* positions and velocities of what lands go by problems of their own, and work with them */
    const bool lands = !has_theta && ledger->impact_loss > -ledger->numerical_loss;
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the time-stepping made %.3g J, more than %g %% of the energy, up to t = %g s: "
                    "use a smaller step%s",
                    -ledger->numerical_loss, 100 * part, simulation->state->t,
                    flutters ? "; sustained sliding needs theta >= 0.55"
                    : lands  ? ", or moreau-jean where impacts feed stiff elements"
                             : "");
}

/*
 * Whatever the tolerances are, energy neither appears nor disappears unseen: balance_error is what
 * no term of the ledger accounts for, the work of forces that Newton's method has left over.
 */
static haw_status guard_balance(const haw_simulation *simulation)
{
    const haw_ledger *ledger = &simulation->ledger;
    const double energy = fmax(simulation->energy_scale, ledger->kinetic + ledger->elastic);
    const double all = energy + flows(ledger) + fabs(ledger->numerical_loss);
    const double limit = UNBALANCED * all + 1e-12 * fabs(ledger->gravity);
    if (!(ledger->balance_error > limit)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the energy ledger misses %.3g J in one step, more than %g of the energies, up "
                    "to t = %g s: use a smaller newton_tolerance or a smaller step",
                    ledger->balance_error, UNBALANCED, simulation->state->t);
}

/*
 * Hard contact gives nothing back. What begins a little inside a surface is out of it after a step:
 * the shorter that is the faster it is thrown.
 */
static haw_status guard_hard_contact(const haw_simulation *simulation)
{
    const haw_ledger *ledger = &simulation->ledger;
    const double through = fabs(ledger->external_work) + fabs(ledger->friction_loss);
    const double limit = CONTACT_GAIN * (simulation->energy_scale + through);
    /* beside compliant contact: its own part in steps; at an equilibrium both are booked as one */
    const double lost = simulation->compliant != NULL ? simulation->hard[0] : ledger->impact_loss;
    if (-lost <= limit) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "hard contact made %.3g J, more than %g %% of the energy, up to t = %g s: draw "
                    "what begins inside a surface outside of it, use start: auto, more elements or "
                    "another stepper.step",
                    -lost, 100 * CONTACT_GAIN, simulation->state->t);
}

/*
 * What contact springs give back they have stored before. More of it is made by the stepping:
 * points that close and open within a step that is too large for their stiffness. Bristles too give
 * back what they have stored, friction else takes energy: those so stiff that they load and slip
 * within a step pump the rope, which slides where it should hold.
 */
static haw_status guard_contact(const haw_simulation *simulation)
{
    const haw_ledger *ledger = &simulation->ledger;
    const double limit = CONTACT_GAIN * simulation->energy_scale, t = simulation->state->t;
    HAW_TRY(guard_hard_contact(simulation));
    if (simulation->compliant == NULL) {
        return HAW_OK;
    }
    const double pressed = haw_compliant_energy(simulation->compliant) -
                           (ledger->impact_loss - simulation->hard[0]) - simulation->contact_energy;
    const bool has_theta =
        haw_options_find(simulation->settings.stepper.ops->row.options, "theta") != NULL;
    if (!(pressed <= limit) && !haw_stepper_has(simulation, HAW_STEPPER_STATIC)) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "compliant contact generated %.3g J, more than %g %% of the energy, up to "
                        "t = %g s: use a smaller step, %s or a softer contact",
                        pressed, 100 * CONTACT_GAIN, t,
                        has_theta ? "a theta nearer 0.5" : "a smaller rho_infinity");
    }
    const double rubbed = simulation->hard[1] - ledger->friction_loss - simulation->bristle_energy;
    if (!(rubbed <= limit)) {
        return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                        "friction made %.3g J, more than %g %% of the energy, up to t = %g s: the "
                        "tangential stiffness needs a smaller step",
                        rubbed, 100 * CONTACT_GAIN, t);
    }
    return HAW_OK;
}

/* Spans are straight lines that do not go slack: what pushes is no rope any more. Said once. */
static void warn_slack(haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    for (int i = 0; i < simulation->model.cables && !simulation->is_warned; i++) {
        const haw_cable *cable = &simulation->model.cable[i];
        if (cable->ops->least_tension == NULL) {
            continue;
        }
        const double tension = cable->ops->least_tension(cable, state->q, state->u);
        simulation->is_warned = tension < -PUSHES * cable->line.stiffness;
        if (simulation->is_warned) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "the rope '%s' is in compression (%.3g N) at t = %g s: ropes over sheaves "
                    "cannot go slack; from now on it acts as a rod",
                    cable->name, -tension, state->t);
        }
    }
}

/*
 * Friction mu N v / v_r brakes what sticks by h mu N / (m v_r) of its speed in an explicit step:
 * above 2 it goes to and fro by h mu N / m, and the force with its sign is that of no contact.
 * Said once.
 */
static void warn_chatter(haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    if (!haw_stepper_has(simulation, HAW_STEPPER_EXPLICIT)) {
        return;
    }
    for (int i = simulation->set_valued; i < contacts->count && !simulation->is_warned; i++) {
        const haw_pair *pair = &simulation->model.pair[contacts->item[i].pair];
        const haw_compliance *law = &pair->compliance;
        const double *rate = contacts->gamma_plus + (ptrdiff_t)d * i;
        const double push = contacts->problem.mu[i] * contacts->impulse[(ptrdiff_t)d * i];
        if (law->tangential == NULL || !law->tangential->is_drag) {
            continue;
        }
        const double mass = haw_pair_point_mass(&simulation->model, pair);
        const double jump = mass > 0 ? push / mass : 0;
        simulation->is_warned =
            jump > 2 * law->t.regularization && hypot(rate[1], d > 2 ? rate[2] : 0) <= jump;
        if (simulation->is_warned) {
            haw_log(simulation->context, HAW_LOG_WARNING,
                    "contact of '%s' and '%s': what sticks goes to and fro by %.3g m/s from step "
                    "to step at t = %g s, as regularization_velocity %g m/s is below h mu N / m: "
                    "use a larger one, a smaller step, tangential: bristle or moreau-jean",
                    pair->between[0], pair->between[1], jump, simulation->state->t,
                    law->t.regularization);
        }
    }
}

bool haw_simulation_is_done(const haw_simulation *simulation)
{
    const haw_state *state = simulation->state;
    if (simulation->steps_total >= 0) {
        return state->step >= simulation->steps_total;
    }
    return state->t >= simulation->end;
}

/* A path that is drawn out of balance leaps in its first step, however short that is. */
static haw_status name_start(haw_simulation *simulation, haw_status status)
{
    char message[HAW_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", haw_context_message(simulation->context));
    return haw_fail(simulation->context, status,
                    "%s; a path that is not drawn in equilibrium needs start: static", message);
}

/* An equilibrium that leaps goes as far in a step half as long: only shorter ones from the same
 * place tell whether there is one nearby. */
static haw_status name_halves(haw_simulation *simulation, haw_status status)
{
    char message[HAW_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", haw_context_message(simulation->context));
    return haw_fail(simulation->context, status, "%s, or solver.on_unconverged: halve", message);
}

/* What ends a run by the length of its steps names one that is likely to do. */
static haw_status name_step(haw_simulation *simulation, haw_status status)
{
    if ((status == HAW_ERR_GUARD || status == HAW_ERR_UNCONVERGED) &&
        simulation->state->step == 0 && haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC) &&
        simulation->model.start != HAW_START_STATIC) {
        return name_start(simulation, status);
    }
    if (status == HAW_ERR_GUARD && haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC) &&
        simulation->settings.on_unconverged != HAW_UNCONVERGED_HALVE &&
        strstr(haw_context_message(simulation->context), "stepper.step") != NULL) {
        return name_halves(simulation, status);
    }
    const bool is_long = status == HAW_ERR_DIVERGED || status == HAW_ERR_GUARD ||
                         (status == HAW_ERR_UNCONVERGED && simulation->implicit != NULL);
    const char *said = haw_context_message(simulation->context);
    if (!is_long || haw_stepper_has(simulation, HAW_STEPPER_STATIC) ||
        strstr(said, "stepper.") != NULL ||
        (status != HAW_ERR_DIVERGED && strstr(said, "smaller step") == NULL)) {
        return status;
    }
    char message[HAW_MESSAGE_SIZE];
    (void)snprintf(message, sizeof message, "%s", said);
    return haw_fail(simulation->context, status, "%s (a quarter of it: stepper.step: %.1e)",
                    message, 0.25 * simulation->step);
}

static haw_status step_and_guard(haw_simulation *simulation)
{
    haw_state *state = simulation->state;
    /* the end of the step on the grid of times; the last one is shorter where the end asks for it,
     * or longer by what would be no step */
    const double h = simulation->step;
    const double next =
        simulation->origin_t + h * (double)(state->step - simulation->origin_step + 1);
    const double rest = fmax(1e-12 * simulation->end, NO_STEP * h);
    const bool last = simulation->steps_total < 0 && next > simulation->end - rest;
    const double t = last ? simulation->end : next, remaining = t - state->t;
    HAW_TRY(state->step % HAW_RENEWAL == 0 ? haw_simulation_renew(simulation) : HAW_OK);
    HAW_TRY(haw_control_take(simulation));
    HAW_TRY(advance(simulation, fabs(remaining - h) <= 1e-9 * h ? h : remaining));
    state->t = t;
    if (simulation->settings.on_unconverged == HAW_UNCONVERGED_WARN &&
        simulation->report.outcome != HAW_CONVERGED) {
        simulation->certificate.unconverged_steps++;
        if (simulation->certificate.unconverged_steps == 1) {
            haw_log(simulation->context, HAW_LOG_WARNING, "%s; further ones are only counted",
                    haw_context_message(simulation->context));
        }
    }
    state->step++;
    warn_slack(simulation);
    warn_chatter(simulation);
    HAW_TRY(guard_balance(simulation));
    HAW_TRY(guard_gain(simulation));
    return haw_stepper_has(simulation, HAW_STEPPER_QUASI_STATIC) ? HAW_OK
                                                                 : guard_contact(simulation);
}

haw_status haw_simulation_advance(haw_simulation *simulation)
{
    if (haw_simulation_is_done(simulation)) {
        return HAW_DONE;
    }
    return name_step(simulation, step_and_guard(simulation));
}
