/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Steps at rest. What one pass has solved, touches, rows, factors and the reference of residuals,
 * serves the next step as long as a tenth of the tolerances is met with it, and the impulses at
 * hand are those of then. Touches, rows and factors are forgotten with all that only saves time;
 * weights and the reference, which such a run would find again, are carried on for LONG times as
 * long: they are part of a checkpoint.
 */
#include "stepper/contact_pass.h"

#include <math.h>

enum { LONG = 10 };

/* Largest change of the impulses at hand by which the velocities that they stop are as they were.
 */
static const double STEADY = 0.1;

/* Way of a step, over the size of what touches, up to which nothing is said to move. */
static const double STILL = 1e-5;

static bool is_still(const haw_pass *pass)
{
    const haw_simulation *simulation = pass->simulation;
    const double size = haw_pass_margin(simulation, 0, 1);
    return simulation->h * haw_pass_speed(simulation) <= STILL * size;
}

static bool bears_alike(const haw_pass *pass)
{
    return fabs(pass->simulation->balance.reference - pass->bore) <= STEADY * pass->bore;
}

void haw_pass_stir(haw_pass *pass)
{
    pass->kept = 0;
    pass->rests = pass->is_at_hand = false;
}

void haw_pass_rest(haw_pass *pass, bool stays)
{
    const haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    const haw_matrix *matrix = simulation->implicit->system->matrix;
    const bool is_sparse = matrix != NULL && haw_matrix_kind_of(matrix) == HAW_MATRIX_SPARSE;
    const bool is_whole = contacts->dip == NULL && simulation->compliant == NULL;
    const bool is_same = pass->kept > 0 && pass->reference == pass->kept;
    if (!is_sparse || !is_whole || !pass->is_fast || contacts->count == 0 ||
        simulation->report.effort.iterations != 1 || pass->has_missed || !is_still(pass)) {
        haw_pass_stir(pass);
        return;
    }
    pass->kept = pass->reference;
    pass->bore = is_same ? pass->bore : simulation->balance.reference;
    pass->rests = stays;
    pass->is_at_hand = !pass->is_renewed;
    pass->t = simulation->state->t + simulation->h;
    pass->listed = contacts->count;
}

void haw_pass_renew(haw_pass *pass)
{
    pass->is_at_hand = false;
    if (!pass->rests || pass->simulation->state->step % (LONG * HAW_RENEWAL) == 0) {
        haw_pass_stir(pass);
        pass->weight_scale = (double)NAN;
    }
}

void haw_pass_go_on(haw_pass *pass)
{
    if (pass->kept > 0 && bears_alike(pass)) {
        pass->reference = pass->kept;
    } else if (pass->kept > 0) {
        haw_pass_stir(pass);
        pass->weight_scale = (double)NAN;
    }
}

void haw_pass_carry(haw_pass *pass, haw_pack *pack)
{
    const int points = pass->simulation->model.points;
    haw_pack_flag(pack, &pass->rests);
    HAW_PACK(pack, pass->kept);
    HAW_PACK(pack, pass->bore);
    HAW_PACK(pack, pass->weight_scale);
    haw_pack_reals(pack, pass->weight, points);
    haw_pack_reals(pack, pass->unpushed, pass->d * points);
    pass->is_at_hand = pass->is_at_hand && !pack->loads;
}

void haw_pass_resume(haw_pass *pass, const double *ahead)
{
    const ptrdiff_t d = pass->d;
    haw_simulation *simulation = pass->simulation;
    haw_contacts *contacts = simulation->contacts;
    contacts->count = pass->listed;
    haw_pass_recall(pass);
    contacts->problem.scale =
        fmax(haw_contacts_speed(contacts, simulation->state->u), pass->rounding);
    haw_contacts_velocity(contacts, ahead, pass->way);
    for (ptrdiff_t i = 0; i < d * contacts->count; i++) {
        pass->way[i] *= simulation->h;
        pass->way[i] += i % d == 0 ? contacts->item[i / d].gap : 0;
    }
}

bool haw_pass_judge_sharply(haw_pass *pass)
{
    const haw_simulation *simulation = pass->simulation;
    const haw_contacts *contacts = simulation->contacts;
    bool is_known = true;
    for (int i = 0; i < contacts->count; i++) {
        is_known = is_known && pass->weight[contacts->item[i].id] > 0;
    }
    return haw_pass_judge(pass) && is_known && bears_alike(pass) &&
           simulation->report.residual.stop <= HAW_PASS_SHARPER * simulation->report.tolerance;
}
