/* SPDX-License-Identifier: BSD-3-Clause */
/* What a stepper does not take of a model, and states that are no longer finite. */
#include "model/system.h"
#include "stepper/simulation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

haw_status haw_guard_finite(const haw_simulation *simulation, double sum)
{
    if (isfinite(sum)) {
        return HAW_OK;
    }
    return haw_fail(simulation->context, HAW_ERR_DIVERGED,
                    "the state is no longer finite in step %ld at t = %g s",
                    simulation->state->step + 1, simulation->state->t);
}

haw_status haw_guard_held(const haw_simulation *simulation, int contact, double own, double other)
{
    static const double HELD = 1e-13; /* of the other: what rounding leaves */
    const haw_touch *touch = &simulation->contacts->item[contact];
    const haw_pair *pair = &simulation->model.pair[touch->pair];
    if (fabs(own) > HELD * other) { /* A may be indefinite: a rod that buckles */
        return HAW_OK;
    }
    return haw_fail(
        simulation->context, HAW_ERR_DIVERGED,
        "t = %g s: '%s' is pressed on '%s', but contact point %d lies between two sides "
        "that cannot move along its normal: let one of them move (no stepper.step "
        "does it)",
        simulation->state->t, pair->between[0], pair->between[1], touch->id);
}

/* Whether an end goes by itself, or with a body that does. */
static bool is_led(const haw_cable *cable, int end)
{
    const haw_cable_guide *guide = &cable->guide[end];
    bool leads = guide->body >= 0;
    for (int i = 0; i < 3; i++) {
        leads = leads || (guide->held[i] && guide->function[i].count > 0);
    }
    return leads;
}

/* Two elements from an end, or all. */
static int find_fold(const haw_cable *cable, bool at_ends, const double *q)
{
    const int n = cable->line.elements, few = n < 2 ? n : 2;
    if (!at_ends) {
        return haw_cable_fold(cable, 0, n, q);
    }
    const int first = is_led(cable, 0) ? haw_cable_fold(cable, 0, few, q) : -1;
    return first < 0 && is_led(cable, 1) ? haw_cable_fold(cable, n - few, n, q) : first;
}

haw_status haw_guard_folds(const haw_simulation *simulation, const double *q, bool at_ends,
                           haw_status status)
{
    const haw_model *model = &simulation->model;
    for (int i = 0; i < model->cables; i++) {
        const int e = find_fold(&model->cable[i], at_ends, q);
        if (e >= 0) {
            return haw_fail(simulation->context, status,
                            "step %ld at t = %g s: element %d of the cable '%s' is folded upon "
                            "itself, where it was pushed back by more than its length: use a "
                            "smaller step or longer elements",
                            simulation->state->step + 1, simulation->state->t, e + 1,
                            model->cable[i].name);
        }
    }
    return HAW_OK;
}

/* ---- what a stepper takes ---- */

/* Something in a model that only some steppers take: who has it, and where to look for it. */
typedef struct need {
    unsigned flag; /* of haw_stepper_flag, 0: nothing */
    char what[192];
    char place[96];
    const char *instead; /* law that a stepper without the flag takes, or NULL */
} need;

static need of_pair(const haw_pair *pair, unsigned flag, const char *key, const char *what)
{
    need out = {.flag = flag};
    (void)snprintf(out.place, sizeof out.place, "contact.%s-%s.%s", pair->between[0],
                   pair->between[1], key);
    (void)snprintf(out.what, sizeof out.what, "contact of '%s' and '%s': %s", pair->between[0],
                   pair->between[1], what);
    return out;
}

static need of_cable(const haw_cable *cable, unsigned flag)
{
    const haw_line *line = &cable->line;
    const bool is_line = line->ops != NULL;
    const char *what = NULL, *element = "", *end = "";
    need out = {.flag = 0};
    if (flag == HAW_STEPPER_LABELS && cable->ops->moves_along) {
        what = "lies over sheaves";
    } else if (flag == HAW_STEPPER_CLOSED && line->closed) {
        what = "is closed";
    } else if (flag == HAW_STEPPER_VARIABLE_MASS && is_line && line->ops->gyroscopic != NULL) {
        what = "has a mass that depends on its configuration (element: ";
        element = line->ops->row.name;
        end = ")";
    }
    if (what != NULL) {
        out.flag = flag;
        (void)snprintf(out.place, sizeof out.place, "cables.%s", cable->name);
        (void)snprintf(out.what, sizeof out.what, "cable '%s' %s%s%s", cable->name, what, element,
                       end);
    }
    return out;
}

/* A law of the other kind. */
static const char *other_law(const haw_law_ops *law)
{
    for (int i = 0; haw_laws[i] != NULL; i++) {
        if (((const haw_law_ops *)haw_laws[i])->set_valued != law->set_valued) {
            return haw_laws[i]->name;
        }
    }
    return NULL;
}

static need of_law(const haw_model *model, const haw_pair *pair, unsigned flag)
{
    const haw_law_ops *law = pair->law;
    char what[64];
    if (flag == (law->set_valued ? HAW_STEPPER_SET_VALUED : HAW_STEPPER_COMPLIANT)) {
        (void)snprintf(what, sizeof what, "law: %s", law->row.name);
        need out = of_pair(pair, flag, "law", what);
        out.instead = other_law(law);
        return out;
    }
    if (flag == HAW_STEPPER_HARD_KNOTS && law->set_valued && pair->cable >= 0 &&
        model->cable[pair->cable].ops->moves_along) { /* gaps change as the mesh goes on */
        need out = of_pair(pair, flag, "law", "hard knots of a rope pass through its mesh");
        out.instead = other_law(law);
        return out;
    }
    if (flag == HAW_STEPPER_MINIMA && pair->proxies == HAW_PROXY_MINIMA) {
        return of_pair(pair, flag, "proxy", "proxy: minima");
    }
    if (flag == HAW_STEPPER_LINES && law->set_valued && pair->line >= 0) {
        return of_pair(pair, flag, "between", "cables touch each other");
    }
    if (flag == HAW_STEPPER_SWITCHING && pair->compliance.post_newton) {
        return of_pair(pair, flag, "switching", "switching: post-newton");
    }
    return (need){.flag = 0};
}

/* The first thing in the model that asks for this flag; of a mixture of laws the last pair. */
static need find_need(const haw_model *model, unsigned flag)
{
    static const char *const words[] = {"the model is planar", "the model is spatial"};
    const haw_pair *pair = model->pair;
    need out = {.flag = 0};
    if (flag == (unsigned)HAW_STEPPER_PLANE << (model->dimension - 2)) {
        out = (need){.flag = flag, .place = "stepper.type"};
        (void)snprintf(out.what, sizeof out.what, "%s", words[model->dimension - 2]);
    }
    if (flag == HAW_STEPPER_JOINTS && model->joints > 0) {
        out.flag = flag;
        (void)snprintf(out.place, sizeof out.place, "%s", model->joint[0].place);
        (void)snprintf(out.what, sizeof out.what, "'%s' is a joint", model->joint[0].name);
    }
    for (int i = 1; i < model->pairs && flag == HAW_STEPPER_MIXED; i++) {
        if (pair[i].law->set_valued != pair[0].law->set_valued) {
            out = of_pair(&pair[i], flag, "law", "set-valued and compliant laws in one model");
        }
    }
    for (int i = 0; i < model->cables && out.flag == 0; i++) {
        out = of_cable(&model->cable[i], flag);
    }
    for (int i = 0; i < model->pairs && out.flag == 0; i++) {
        out = of_law(model, &pair[i], flag);
    }
    return out;
}

/* In the order of their messages. */
static const unsigned asked[] = {
    HAW_STEPPER_PLANE,         HAW_STEPPER_SPACE,     HAW_STEPPER_LABELS,     HAW_STEPPER_CLOSED,
    HAW_STEPPER_SET_VALUED,    HAW_STEPPER_COMPLIANT, HAW_STEPPER_MIXED,      HAW_STEPPER_SWITCHING,
    HAW_STEPPER_VARIABLE_MASS, HAW_STEPPER_JOINTS,    HAW_STEPPER_HARD_KNOTS, HAW_STEPPER_MINIMA,
    HAW_STEPPER_LINES};

enum { ASKED = sizeof asked / sizeof *asked };

/* True if a row takes models with all these needs, by its own steps or by those of a deputy. */
static bool takes(const haw_stepper_ops *row, unsigned needs)
{
    bool any = (needs & ~row->flags) == 0;
    const haw_stepper_deputy *deputy = row->nonsmooth;
    for (; (needs & HAW_STEPPER_SET_VALUED) != 0 && deputy != NULL && deputy->row != NULL;
         deputy++) {
        any = any || (needs & ~deputy->row->flags) == 0;
    }
    return any;
}

/* Names of the rows with all these flags, "a or b or c"; equilibria stand for no motion. */
static void list_rows(unsigned flags, char *text, size_t room)
{
    text[0] = '\0';
    for (int i = 0; haw_steppers[i] != NULL; i++) {
        const haw_stepper_ops *row = (const void *)haw_steppers[i];
        const size_t used = strlen(text);
        if (takes(row, flags) && (row->flags & HAW_STEPPER_STATIC) == 0) {
            (void)snprintf(text + used, room - used, "%s%s", used > 0 ? " or " : "",
                           haw_steppers[i]->name);
        }
    }
}

static haw_status refuse(const haw_simulation *simulation, const char *name, const need *missing,
                         unsigned needed)
{
    char rows[160];
    haw_status status;
    list_rows(needed, rows, sizeof rows);
    if (rows[0] != '\0') {
        status =
            haw_fail(simulation->context, HAW_ERR_INPUT, "%s, which %s cannot handle: use %s%s%s",
                     missing->what, name, rows, missing->instead != NULL ? ", or law: " : "",
                     missing->instead != NULL ? missing->instead : "");
    } else {
        status =
            haw_fail(simulation->context, HAW_ERR_INPUT,
                     "%s, which %s cannot handle, nor can any other stepper", missing->what, name);
    }
    return haw_place(simulation->context, status, "%s", missing->place);
}

unsigned haw_guard_needs(const haw_model *model)
{
    unsigned needs = 0;
    for (int i = 0; i < ASKED; i++) {
        needs |= find_need(model, asked[i]).flag;
    }
    return needs;
}

haw_status haw_guard_model(const haw_simulation *simulation, const char *name, unsigned flags)
{
    need missing = {.flag = 0};
    unsigned needed = 0;
    for (int i = 0; i < ASKED; i++) {
        const need found = find_need(&simulation->model, asked[i]);
        needed |= found.flag;
        if (missing.flag == 0 && (found.flag & ~flags) != 0) {
            missing = found;
        }
    }
    return missing.flag == 0 ? HAW_OK : refuse(simulation, name, &missing, needed);
}
