/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Quasi-static loading: at the times t_n = n h the equilibrium
 *
 *     0 = f(t_n, q_n, u_n),   u_n = (q_n - q_{n-1}) / h,
 *
 * backward Euler without inertia. Given forces, torques and prescribed motions over time are any
 * path of loading; u_n gives dampers and friction their rates, and histories of contacts are
 * committed at every step, so that what slips depends on the path. Prescribed degrees of freedom
 * move by the integral of their velocity over the step. Newton's method is that of
 * generalized-alpha; its matrix K + C / h + sigma M, with a sigma that is negligible against K,
 * stays regular where nothing resists, as on a frictionless sheave; path.c has what leads it.
 *
 * Set-valued contacts press with forces r at the end of the step: beside the equilibrium hold
 *
 *     0 <= r_N  perpendicular to  gap >= 0,   -way_T in N_{C(mu r_N)}(r_T),
 *
 * with the way that the material point has slid on the moving surface since the equilibrium before
 * (haw_contacts_way). So friction remembers: where a load comes back, what had slipped sticks. The
 * passes are those of moreau-jean (contact_pass.h) with h r for impulses and K + C / h + sigma M
 * for the matrix; forces and laws are looked at where the iterate is, so no sigma is left in what
 * is accepted. Where friction alone holds a body K is singular without its contacts.
 *
 * Ledger: every kind of force does the work of its mean over the step, and numerical_loss =
 * -(dq' mean of conservative + dV) - the work of meshes of ropes + half of that of the forces which
 * are not balanced at the start of the step, there where the run starts out of equilibrium. There
 * is no kinetic energy.
 */
#include "stepper/quasi_static.h"

#include "stepper/contact_pass.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const haw_option path_rows[] = {
    {"step", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.step), 1e-2, DBL_MIN, DBL_MAX, "s",
     "time between two equilibria", NULL},
    {"end", HAW_OPTION_REAL, offsetof(haw_alpha_options, common.end), 1, 0, DBL_MAX, "s",
     "end of the run", NULL},
    HAW_ALPHA_NEWTON(50),
    {NULL, HAW_OPTION_REAL, 0, 0, 0, 0, NULL, NULL, NULL},
};

void haw_path_place(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs, *equation = implicit->system->equation;
    double *u = implicit->u, *at = implicit->direction;
    memset(at, 0, (size_t)n * sizeof *at);
    for (int i = 0; i < n; i++) {
        u[i] = equation[i] < 0 ? 0 : u[i];
    }
    if (!step->is_still) {
        haw_model_prescribe_over(&simulation->model, state->t, step->h, at);
    }
    for (int i = 0; i < n; i++) {
        u[i] += equation[i] < 0 ? step->lead * at[i] : 0;
    }
    haw_model_guide(&simulation->model, state->q, state->u, step->h, u);
    haw_implicit_rest(step->simulation);
    for (int i = 0; i < n; i++) {
        implicit->x[i] += step->h * u[i];
        implicit->a[i] = implicit->acceleration[i] = 0;
    }
    haw_implicit_place(step->simulation, step->t);
}

/* Where what is held turns round or stops, rest is nearer than the velocities of the last step:
 * these would fold an element at a driven end that is drawn forth and then pushed back, and
 * Newton's method stays with the fold, in which the sides of one element pull against each other.
 */
void haw_path_set_out(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    const int n = state->dofs;
    double *u = implicit->u, *at = implicit->direction, off = 0, whole = 0;
    memcpy(u, state->u, (size_t)n * sizeof *u);
    memset(at, 0, (size_t)n * sizeof *at);
    haw_model_prescribe_over(&simulation->model, state->t, step->h, at);
    haw_model_guide(&simulation->model, state->q, state->u, step->h, at);
    for (int i = 0; i < n; i++) {
        const bool is_held = implicit->system->equation[i] < 0;
        off += is_held ? (at[i] - u[i]) * (at[i] - u[i]) : 0;
        whole += is_held ? at[i] * at[i] : 0;
    }
    if (off > whole) {
        memset(u, 0, (size_t)haw_joints_dof(&simulation->model) * sizeof *u);
    }
}

/* ---- set-valued contact ---- */

enum {
    CUTS = 4,
    HASTY = 6,   /* whole passes, which find what touches, before each has to lead nearer */
    LATE = 12,   /* passes, before what the inside of the cones has solved begins there */
    REFINED = 4, /* passes with minima of the gap over those without */
    LOST = 12,   /* contact problems in a row */
    SOUND = 3,   /* in all, from the velocities of the last step */
    FEW = 100    /* in all, from far away */
};

static const double FLOWN = 1e9; /* residual over the largest force at first */

static const double MILDER = 0.3, HARSHER = 4; /* sigma over that of the pass before */

static const double SHORTER = 1.25; /* a way over its limit, once it was too long */
static const double GROWTH = 300;   /* of the residual in a pass that has gone astray */
static const double QUIET = 1e-9;   /* of EA: a cable with a smaller tension bears nothing */

/* Largest force at hand, by which forces are measured; contacts, whose forces a pass that fails may
 * blow up, bear no more. */
static void find_reference(haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_model *model = &simulation->model;
    const haw_forces *force = &simulation->implicit->now.model;
    const int n = model->dofs - model->multipliers;
    double square = fmax(haw_dot(n, force->conservative, force->conservative),
                         haw_dot(n, force->load, force->load));
    step->reference = fmax(sqrt(square), fmax(step->options->newton_absolute, DBL_MIN));
    for (int i = 0; i < model->cables; i++) {
        const haw_cable *cable = &model->cable[i];
        const double tension = haw_cable_largest_tension(cable, simulation->implicit->q);
        step->reference = fmax(step->reference, fmax(tension, QUIET * cable->line.stiffness));
    }
    step->tolerance = fmax(
        fmax(step->options->newton_tolerance * step->reference, step->options->newton_absolute),
        simulation->implicit->noise);
    haw_pass_bear(simulation->pass, step->h * step->reference,
                  step->h * simulation->implicit->noise);
}

/* Residual and contacts at the iterate, which press as the memory says. */
static haw_status evaluate(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    haw_pass *pass = simulation->pass;
    haw_contacts *contacts = simulation->contacts;
    const int n = simulation->model.dofs;
    const double *before = step->flows ? simulation->q_mid : simulation->state->q;
    HAW_TRY(haw_alpha_evaluate(step));
    HAW_TRY(haw_pass_detect(pass, before, implicit->q, implicit->u, step->margin));
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        pass->shift[i] = pass->way[i] / step->h;
    }
    contacts->problem.scale = pass->reference;
    haw_pass_push(simulation, simulation->push);
    haw_contacts_split(contacts, contacts->impulse, 1 / step->h, implicit->now.normal,
                       implicit->now.tangential);
    haw_model_tie(&simulation->model, implicit->now.normal);
    haw_model_tie(&simulation->model, implicit->now.tangential);
    haw_axpy(n, 1 / step->h, simulation->push, implicit->now.total);
    haw_axpy(n, -1 / step->h, simulation->push, implicit->residual);
    step->norm = haw_free_norm(implicit->system, implicit->residual);
    find_reference(step);
    return HAW_OK;
}

static void assemble(const haw_alpha_step *step, double sigma)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    implicit->factor_h = (double)NAN; /* that of another matrix */
    haw_implicit_assemble(simulation, implicit->q, implicit->u, sigma, step->rate);
    haw_contacts_tangent(simulation->contacts, step->rate, implicit->system);
}

/* h times the forces without contacts, over what is free. */
static const double *find_right(const haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    double *right = simulation->u_free;
    for (int i = 0; i < simulation->model.dofs; i++) {
        right[i] = -step->h * simulation->implicit->residual[i] - simulation->push[i];
    }
    return right;
}

/*
 * What is not met of balance and of the laws of contact, each over the largest force. The more
 * closely a line fits the one that it touches the shorter is the way on which rows and tangent
 * hold, H = 0 where two feet become one: whole passes then go round for ever, and halves come down.
 */
static double find_merit(const haw_alpha_step *step)
{
    return hypot(step->norm / step->reference, haw_pass_measure(step->simulation->pass).stop);
}

static bool is_astray(const haw_alpha_step *step, double limit)
{
    const haw_simulation *simulation = step->simulation;
    return !(step->norm <= limit) ||
           haw_model_guard(&simulation->model, 0, simulation->implicit->q) != HAW_OK ||
           (isfinite(step->bound) && find_merit(step) > step->bound);
}

/* sigma falls with the residual, and at least by MILDER while steps are whole; it rises where a
 * pass has failed, or was cut because it led astray, not where it has to lead nearer. */
static void adapt(const haw_alpha_step *step, bool cut, double growth, double *sigma)
{
    if ((cut && isinf(step->bound)) || step->simulation->report.outcome != HAW_CONVERGED) {
        *sigma *= HARSHER;
    } else {
        *sigma = fmax(*sigma * fmax(0.1, fmin(MILDER * growth, 2)), step->mass);
    }
}

/*
 * What nothing keeps and nothing touches yet has to be caught before there is an equilibrium. It
 * falls with the flow sigma M dq = f + H r, each pass a step of backward Euler that falls into
 * rest as sigma vanishes (equilibrium.c). Friction acts on the way of each pass, and on that of a
 * point which lands from where its last way leads it to: what falls straight lands below. A way
 * beyond the gaps would land on contacts that are not met there, so it is not cut, but gone with a
 * larger sigma. Where the flow comes to rest forces are balanced within the cones of friction, and
 * that is an equilibrium.
 */

static const double HEAVY = 1e6; /* sigma of a first pass over the next: it finds the way */

static void take_back(haw_simulation *simulation)
{
    haw_pass_shorten(simulation->pass, 0);
    haw_pass_recall(simulation->pass);
    memset(simulation->implicit->direction, 0, (size_t)simulation->model.dofs * sizeof(double));
}

/* Ways count from the iterate; of open points from where they land. */
static void set_out(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    double *last = contacts->gamma_plus, *shift = simulation->pass->shift;
    memcpy(simulation->q_mid, simulation->implicit->q,
           (size_t)simulation->state->coordinates * sizeof *last);
    haw_contacts_velocity(contacts, simulation->implicit->direction, last);
    for (int i = 0; i < d * contacts->count; i++) {
        const int normal = i - i % d;
        const bool lands = shift[normal] > 0 && last[normal] < 0;
        if (i != normal) {
            shift[i] = lands ? shift[normal] * last[i] / last[normal] : 0;
        }
    }
}

/* The part of the direction that may be gone; @param sees  the gaps around bodies */
static double find_longest(const haw_alpha_step *step, bool sees)
{
    const haw_simulation *simulation = step->simulation;
    const haw_implicit *implicit = simulation->implicit;
    const haw_free_way free = {simulation->contacts->gap_min, step->margin};
    return haw_equilibrium_longest(&simulation->model, 1, sees ? &free : NULL, implicit->q,
                                   implicit->direction);
}

/* One linearised step; half of it, at most CUTS times, as long as it leads astray. From far away a
 * contact problem without a solution is no step, but asks for a larger sigma: what contact alone
 * holds, as a knot along and about its rod, is unstable where the iterate has no contact. */
static haw_status pass_on(haw_alpha_step *step, bool adapts, double *sigma)
{
    haw_simulation *simulation = step->simulation;
    haw_implicit *implicit = simulation->implicit;
    const double limit = fmax(GROWTH * step->norm, step->reference), before = step->norm;
    const int n = simulation->model.dofs;
    double *direction = implicit->direction;
    step->gone = 0;
    assemble(step, *sigma);
    HAW_TRY(haw_pass_solve(simulation->pass, step->h * step->h, find_right(step), direction));
    if ((step->flows || adapts) && simulation->report.outcome != HAW_CONVERGED) {
        simulation->certificate.newton_iterations++;
        *sigma *= HARSHER;
        take_back(simulation);
        return HAW_OK;
    }
    haw_pass_rates(simulation, implicit->x, direction);
    for (int i = 0; i < n; i++) {
        direction[i] *= step->h;
    }
    const double near = find_longest(step, false), whole = find_longest(step, step->flows);
    double part = whole;
    if (near < whole && whole < 1) {
        *sigma *= SHORTER / whole;
        take_back(simulation);
        return HAW_OK;
    }
    haw_alpha_move(step, part, implicit->x, implicit->u);
    step->gone = part;
    HAW_TRY(evaluate(step));
    for (int cut = 0; cut < CUTS && is_astray(step, limit); cut++) {
        part *= 0.5;
        haw_alpha_move(step, -part, implicit->x, implicit->u);
        step->gone = part;
        haw_pass_shorten(simulation->pass, 0.5);
        HAW_TRY(evaluate(step));
    }
    if (adapts && (whole == 1 || part < whole)) {
        adapt(step, part < whole, step->norm / before, sigma);
    }
    simulation->certificate.newton_iterations++;
    return HAW_OK;
}

/* The body that a flow carries along without end, or NULL. */
static const haw_body *find_mover(const haw_alpha_step *step)
{
    const haw_implicit *implicit = step->simulation->implicit;
    const haw_model *model = &step->simulation->model;
    const haw_body *mover = NULL;
    double most = 0;
    if (!step->flows || !(step->norm <= step->reference) || find_longest(step, false) == 1) {
        return NULL;
    }
    for (int i = 0; i < model->bodies; i++) {
        const double *way = implicit->direction + model->body[i].first;
        const double square = haw_dot(model->dimension, way, way);
        mover = square > most ? &model->body[i] : mover;
        most = fmax(most, square);
    }
    return mover;
}

/* Whether contacts outnumber what they act on, so that which of them carry is not unique. */
static bool is_crowded(const haw_simulation *simulation)
{
    const haw_contacts *contacts = simulation->contacts;
    return contacts->dimension * contacts->count > simulation->implicit->system->equations;
}

static haw_status missed(const haw_alpha_step *step, int passes)
{
    const haw_simulation *simulation = step->simulation;
    const haw_report *report = &simulation->report;
    const haw_body *mover = find_mover(step);
    const bool crowded = is_crowded(simulation);
    if (mover != NULL) {
        return haw_fail(simulation->context, HAW_ERR_INPUT,
                        "no equilibrium after %d Newton passes: what friction does not hold moves "
                        "away, here '%s', with %.3g N left over: hold it, raise the friction, or "
                        "begin nearer to where it is caught",
                        passes, mover->name, step->norm);
    }
    return haw_fail(simulation->context, HAW_ERR_UNCONVERGED,
                    "step %ld at t = %g s: no equilibrium after %d Newton passes: residual force "
                    "%.3g N (tolerance %.3g), residual of %d contacts %.3g (tolerance %.3g): %s; "
                    "else use a smaller step",
                    simulation->state->step + 1, simulation->state->t, passes, step->norm,
                    step->tolerance, simulation->contacts->count, report->residual.stop,
                    report->tolerance,
                    crowded ? "contacts outnumber what they act on, and which of them carry is not "
                              "unique: use fewer points_per_element or a larger solver.tolerance"
                            : "what friction does not hold moves away");
}

/* Whether nothing will come of further passes: forces that outgrow all others have left where the
 * laws mean anything, and contact problems that are not solved again and again cost the most; those
 * with more points than are needed may be solved by turns for ever. */
static bool is_hopeless(const haw_alpha_step *step, double first, int lost)
{
    const haw_simulation *simulation = step->simulation;
    const long spent = simulation->certificate.factorizations - step->spent;
    const bool halves = simulation->settings.on_unconverged == HAW_UNCONVERGED_HALVE;
    return !(step->norm <= FLOWN * first) || lost >= LOST ||
           (spent > simulation->crowded_most[halves] && is_crowded(simulation));
}

/* The laws hold, forces balance, and joints are closed. */
static bool is_met(const haw_alpha_step *step)
{
    const haw_simulation *simulation = step->simulation;
    const double miss =
        haw_joints_miss(&simulation->model, simulation->implicit->hold, HAW_JOINT_TOLERANCE);
    return simulation->pass->holds && step->norm <= step->tolerance && miss <= 1;
}

static bool is_done(const haw_alpha_step *step)
{
    return is_met(step) && (step->is_still || haw_alpha_closes(step));
}

/*
 * Passes beyond what is met only sharpen it, in the regimes at hand. Where more points press than
 * are needed these may be none of the forces that come of it: such a pass is taken back, and gone
 * anew without them; what is met stays where that leads nowhere, too.
 */
static bool is_spoilt(const haw_alpha_step *step, haw_status status)
{
    haw_pass *pass = step->simulation->pass;
    if (status == HAW_OK) {
        pass->holds = haw_pass_judge(pass);
    }
    return status == HAW_ERR_UNCONVERGED || (status == HAW_OK && !is_met(step));
}

static haw_status turn_back(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    haw_alpha_move(step, -step->gone, simulation->implicit->x, simulation->implicit->u);
    haw_pass_shorten(simulation->pass, 0);
    return evaluate(step);
}

/* Newton's method from free velocities at hand. */
static haw_status pursue(haw_alpha_step *step, double sigma, int most, bool flows)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    haw_pass *pass = simulation->pass;
    const bool far = sigma > step->mass;
    step->flows = flows;
    simulation->implicit->closings = 0;
    memcpy(simulation->q_mid, state->q, (size_t)state->coordinates * sizeof *state->q);
    memset(simulation->implicit->direction, 0, (size_t)state->dofs * sizeof *state->u);
    HAW_TRY(haw_pass_begin(pass));
    haw_path_place(step);
    HAW_TRY(evaluate(step));
    const double first = fmax(step->norm, step->reference);
    const int limit = REFINED * most;
    int hasty = HASTY;
    bool anew = false;
    for (int k = 0, lost = 0, all = 0; k < most; k++) {
        double heavy = HEAVY * sigma;
        step->bound = flows || sigma > step->mass || k < hasty ? HUGE_VAL : find_merit(step);
        HAW_TRY(haw_context_goes_on(simulation->context));
        pass->is_late = k >= LATE;
        pass->is_far = far && all >= SOUND;
        if (flows) {
            set_out(step);
        }
        const bool met = k > 0 && is_met(step);
        pass->holds = pass->holds && !anew;
        const haw_status status = pass_on(step, far, flows && k == 0 ? &heavy : &sigma);
        if (status == HAW_ERR_SINGULAR && met && !haw_implicit_refine(simulation)) {
            return HAW_OK; /* slack all over: it stays where it is, and no pass leaves less */
        }
        lost = simulation->report.outcome == HAW_CONVERGED ? 0 : lost + 1;
        all += lost > 0;
        const bool spoils = met && !flows && is_spoilt(step, status);
        const bool strays = all >= (far ? FEW : SOUND);
        if (!spoils && (status == HAW_ERR_SINGULAR || strays || is_hopeless(step, first, lost))) {
            return missed(step, k + 1);
        }
        HAW_TRY(spoils ? turn_back(step) : status);
        pass->holds = haw_pass_judge(pass);
        anew = spoils && !anew;
        if (anew || (!spoils && !is_done(step))) {
            continue;
        }
        if (!haw_implicit_refine(simulation)) {
            return HAW_OK;
        }
        most = limit;
        hasty = k + 1 + HASTY;
        pass->holds = false;
        HAW_TRY(evaluate(step));
    }
    return missed(step, most);
}

/* Ways over the step for the rates of the contacts. */
static void set_rates(const haw_simulation *simulation)
{
    haw_contacts *contacts = simulation->contacts;
    const int d = contacts->dimension;
    haw_contacts_velocity(contacts, simulation->implicit->u, contacts->gamma_plus);
    for (int i = 0; i < d * contacts->count; i++) {
        double *plus = &contacts->gamma_plus[i];
        *plus = i % d > 0 ? simulation->pass->shift[i] : *plus;
        contacts->gamma_minus[i] = contacts->gamma_free[i] = *plus;
    }
}

static haw_status pursue_here(haw_alpha_step *step)
{
    return pursue(step, step->mass, step->options->max_newton, false);
}

/* From the velocities of the last step, or, where these lead to a fold, of a part of this one. */
static haw_status pursue_near(haw_alpha_step *step)
{
    HAW_TRY(pursue_here(step));
    return haw_path_unfolded(step) == HAW_OK ? HAW_OK : haw_path_lead(step, pursue_here);
}

/* From the velocities of the last step, then from rest and from far away. At rest a flow comes
 * last; or first, where friction would hold what is still in the air. */
static haw_status attempt_hard(haw_alpha_step *step)
{
    haw_simulation *simulation = step->simulation;
    const haw_state *state = simulation->state;
    const int most = step->options->max_newton;
    double *u = simulation->implicit->u;
    step->margin = haw_pass_margin(simulation, 2, 0.1);
    haw_path_set_out(step);
    if (step->is_still) {
        memset(u, 0, (size_t)haw_joints_dof(&simulation->model) * sizeof *u);
    }
    haw_status status = step->falls ? HAW_ERR_UNCONVERGED : pursue_near(step);
    for (int i = step->falls; i <= step->is_still && status == HAW_ERR_UNCONVERGED; i++) {
        memset(u, 0, (size_t)state->dofs * sizeof *u);
        status = pursue(step, step->mass / HAW_PATH_SIGMA, HAW_PATH_PURSUIT * most, i > 0);
    }
    HAW_TRY(status == HAW_OK ? haw_path_unfolded(step) : status);
    set_rates(simulation);
    return HAW_OK;
}

static haw_status complete_problem(haw_simulation *simulation)
{
    const haw_alpha_step *step = simulation->method;
    if (simulation->pass->global.m.rows > 0) {
        return HAW_OK;
    }
    assemble(step, step->mass);
    return haw_pass_problem(simulation->pass, step->h * step->h, find_right(step));
}

/* ---- row of the table ---- */

static haw_status create_pass(haw_simulation *simulation)
{
    HAW_TRY(haw_pass_create(simulation));
    simulation->pass->is_fixed = true; /* no other solver takes a matrix that may be singular */
    simulation->pass->length = haw_pass_margin(simulation, 0, 1);
    return HAW_OK;
}

/* A path begins where bodies have fallen to. */
static haw_status fall(haw_simulation *simulation)
{
    const haw_alpha_options *o = (const void *)simulation->settings.stepper.options;
    const haw_static_settings settings = {o->newton_tolerance,
                                          4 * HAW_PATH_PURSUIT * o->max_newton};
    HAW_TRY(haw_quasi_static_find(simulation, &settings, NULL));
    simulation->contacts->count = 0;
    simulation->contacts->phase = HAW_DYNAMICS;
    return HAW_OK;
}

static haw_status prepare(haw_simulation *simulation)
{
    const haw_model *model = &simulation->model;
    const bool falls = haw_contacts_any(model) && haw_model_loose(model, NULL) != NULL;
    HAW_TRY(falls ? fall(simulation) : HAW_OK);
    HAW_TRY(haw_alpha_prepare(simulation));
    return haw_contacts_any(model) ? create_pass(simulation) : HAW_OK;
}

static haw_alpha_step *set_step(haw_simulation *simulation)
{
    haw_alpha_step *step = haw_alpha_set(simulation);
    step->attempt = simulation->pass != NULL ? attempt_hard : haw_path_attempt;
    step->settle = haw_path_settle;
    step->is_static = true;
    step->renews = step->renews || simulation->pass != NULL; /* passes keep no matrix */
    step->spent = simulation->certificate.factorizations;
    step->rate = 1 / step->h;
    step->beta = (double)INFINITY; /* no accelerations */
    step->mass = HAW_PATH_SIGMA * haw_equilibrium_sigma(&simulation->model, simulation->state->q);
    return step;
}

static haw_status begin(haw_simulation *simulation)
{
    return haw_alpha_begin(set_step(simulation));
}

/* Reactions are those of the equilibrium at the end, not means over the step as in a motion. */
static void find_work(haw_simulation *simulation, const haw_step_end *end, haw_step_work *work)
{
    const haw_implicit *implicit = simulation->implicit;
    haw_alpha_find_work(simulation, end, work);
    for (int i = 0; i < simulation->model.dofs; i++) {
        const bool is_prescribed = implicit->system->equation[i] < 0;
        simulation->reaction[i] = is_prescribed ? simulation->h * implicit->residual[i] : 0;
    }
}

/* ---- one equilibrium ---- */

/*
 * The loads of one time, raised in steps of a path so slowly that no damper feels it; what moves at
 * that time stands still. From the last step come the forces of the contacts and of what is held.
 */

static const double SLOWLY = 1e12; /* length of a step [s] */

static void keep_forces(haw_simulation *simulation)
{
    const haw_implicit *implicit = simulation->implicit;
    const haw_state *state = simulation->state;
    haw_contacts *contacts = simulation->contacts;
    contacts->phase = HAW_STATICS;
    for (int i = 0; i < contacts->dimension * contacts->count; i++) {
        contacts->force[i] = contacts->impulse[i] / simulation->h;
    }
    simulation->report.residual.cone /= simulation->h;
    for (int i = 0; i < state->dofs; i++) {
        const bool is_held = implicit->system->equation[i] < 0;
        simulation->support[i] = is_held ? implicit->residual[i] : 0;
        state->u[i] = is_held ? state->u[i] : 0;
    }
    memcpy(state->u + haw_joints_dof(&simulation->model),
           implicit->u + haw_joints_dof(&simulation->model),
           (size_t)simulation->model.multipliers * sizeof(double));
    memcpy(simulation->force, implicit->now.total, (size_t)state->dofs * sizeof(double));
    memset(state->impulse, 0, (size_t)state->rows * sizeof(double));
    simulation->closed_count = 0;
}

static haw_status raise_loads(haw_simulation *simulation, const haw_alpha_options *options,
                              bool falls)
{
    haw_model *model = &simulation->model;
    haw_state *state = simulation->state;
    double gravity[3];
    haw_status status = HAW_OK;
    memcpy(gravity, model->gravity, sizeof gravity);
    for (int k = 1; k <= model->load_steps && status == HAW_OK; k++) {
        haw_alpha_step *step = set_step(simulation);
        step->options = options;
        step->t = state->t;
        step->is_still = true;
        step->falls = falls;
        step->part = (double)k / model->load_steps;
        haw_equilibrium_load(model, gravity, step->part);
        status = attempt_hard(step);
        simulation->last_residual = step->norm / step->reference;
        memcpy(state->q, simulation->implicit->q, (size_t)state->coordinates * sizeof(double));
        status = status == HAW_OK ? haw_step_keep_impulses(simulation) : status;
        if (status == HAW_OK && simulation->compliant != NULL) {
            status = haw_compliant_commit(simulation->compliant, state, simulation->contacts);
        }
    }
    haw_equilibrium_load(model, gravity, 1);
    return status;
}

haw_status haw_quasi_static_find(void *simulation, const haw_static_settings *settings,
                                 const bool *held)
{
    haw_simulation *own = simulation;
    const haw_alpha_options options = {.newton_tolerance = settings->tolerance,
                                       .max_newton =
                                           1 + settings->max_iterations / (4 * HAW_PATH_PURSUIT)};
    const double h = own->h;
    own->h = SLOWLY;
    own->method = haw_arena_allocate(&own->arena, 1, sizeof(haw_alpha_step));
    haw_status status = haw_arena_status(&own->arena);
    if (status == HAW_OK) {
        status = haw_implicit_create(own, held);
    }
    if (status == HAW_OK) {
        own->implicit->noise = haw_forces_noise(&own->model, own->state->q);
        status = create_pass(own);
    }
    if (status == HAW_OK) {
        status = raise_loads(own, &options, haw_model_loose(&own->model, held) != NULL);
    }
    if (status == HAW_OK) {
        keep_forces(own);
    }
    if (own->pass != NULL) {
        haw_arena_fini(&own->pass->arena);
    }
    if (own->implicit != NULL) {
        haw_system_free(own->implicit->system);
    }
    own->contacts->problem.global = NULL; /* was in the pass */
    own->method = NULL;
    own->pass = NULL;
    own->implicit = NULL;
    own->h = h;
    return status;
}

const haw_stepper_ops haw_stepper_quasi_static = {
    .row.name = "quasi-static",
    .row.summary = "equilibria along prescribed loads and motions over time, without inertia",
    .row.source = "J. C. Simo, T. J. R. Hughes, Computational Inelasticity (1998), ch. 1",
    .row.options = path_rows,
    .row.options_size = sizeof(haw_alpha_options),
    .flags = HAW_STEPPER_REST | HAW_STEPPER_QUASI_STATIC,
    .order = 0,
    .prepare = prepare,
    .predict = begin,
    .solve = haw_alpha_solve,
    .close = haw_alpha_close,
    .find_work = find_work,
    .turn_over = haw_alpha_turn_over,
    .carry = haw_alpha_carry,
    .complete_problem = complete_problem,
};
