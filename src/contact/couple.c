/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements of cables that touch cables are coupled in the matrix of implicit steps. */
#include "contact/view.h"

#include <string.h>

enum { AROUND = 1, EACH = (2 * AROUND + 1) * (2 * AROUND + 1) }; /* elements that come with one */

/* Elements of both sides; false: they are not both cables. */
static bool find_elements(const haw_contacts *contacts, const haw_touch *touch,
                          const haw_cable *cable[2], int element[2])
{
    const haw_view view = haw_view_at(contacts, touch, contacts->q);
    if (touch->side[0].cable < 0 || touch->side[1].cable < 0) {
        return false;
    }
    for (int k = 0; k < 2; k++) {
        element[k] = k == 0 ? touch->element : touch->on;
        cable[k] = haw_cable_member(k == 0 ? view.cable : view.line, &element[k]);
    }
    return true;
}

/* Elements beside a node that share a force by where their feet are (clasp.c): touches i and i + 1
 * of one point. */
static bool find_sharers(const haw_contacts *contacts, int i, haw_couple *couple)
{
    const haw_touch *a = &contacts->item[i], *b = a + 1;
    if (!contacts->is_compliant || i + 1 >= contacts->count || a->pair != b->pair ||
        a->element != b->element || a->s != b->s || a->on == b->on || a->side[1].cable < 0 ||
        a->side[0].cable != b->side[0].cable) {
        return false;
    }
    const haw_cable *cable[2];
    int e[2][2];
    for (int k = 0; k < 2; k++) {
        if (!find_elements(contacts, a + k, cable, e[k])) {
            return false;
        }
        couple->side[k] = cable[1]->ops->dofs(cable[1], e[k][1]);
    }
    return a->side[1].cable == b->side[1].cable &&
           (haw_cable_beside(cable[1], e[0][1], 1) == e[1][1] ||
            haw_cable_beside(cable[1], e[1][1], 1) == e[0][1]);
}

static bool all_coupled(const haw_contacts *contacts, const haw_system *system)
{
    for (int i = 0; i < contacts->count; i++) {
        const haw_cable *cable[2];
        int e[2];
        if (find_elements(contacts, &contacts->item[i], cable, e)) {
            const haw_dofs a = cable[0]->ops->dofs(cable[0], e[0]);
            const haw_dofs b = cable[1]->ops->dofs(cable[1], e[1]);
            if (!haw_system_has_couple(system, &a, &b)) {
                return false;
            }
        }
        haw_couple shared;
        if (find_sharers(contacts, i, &shared) &&
            !haw_system_has_couple(system, &shared.side[0], &shared.side[1])) {
            return false;
        }
    }
    return true;
}

/* The couples of a touch and those next to it. @return their number */
static int list_couples(const haw_contacts *contacts, const haw_touch *touch, haw_couple *couple)
{
    const haw_cable *cable[2];
    int e[2], count = 0;
    if (!find_elements(contacts, touch, cable, e)) {
        return 0;
    }
    for (int i = -AROUND; i <= AROUND; i++) {
        for (int j = -AROUND; j <= AROUND; j++) {
            const int a = haw_cable_beside(cable[0], e[0], i);
            const int b = haw_cable_beside(cable[1], e[1], j);
            if (a >= 0 && b >= 0) {
                couple[count++] = (haw_couple){
                    {cable[0]->ops->dofs(cable[0], a), cable[1]->ops->dofs(cable[1], b)}};
            }
        }
    }
    return count;
}

haw_status haw_contacts_couple(const haw_contacts *contacts, bool keeps, haw_system *system,
                               bool *renewed)
{
    haw_arena scratch;
    int count = 0, last[2] = {-1, -1};
    *renewed = false;
    if (all_coupled(contacts, system)) {
        return HAW_OK;
    }
    haw_arena_init(&scratch, contacts->context);
    const size_t kept = keeps ? (size_t)system->couples : 0;
    haw_couple *couple =
        haw_arena_allocate(&scratch, kept + (EACH + 1) * (size_t)contacts->count, sizeof *couple);
    haw_status status = haw_arena_status(&scratch);
    if (kept > 0 && status == HAW_OK) {
        memcpy(couple, system->couple, kept * sizeof *couple);
        count = (int)kept;
    }
    for (int i = 0; i < contacts->count && status == HAW_OK; i++) {
        const haw_touch *touch = &contacts->item[i];
        if (touch->side[0].first != last[0] || touch->side[1].first != last[1]) {
            count += list_couples(contacts, touch, couple + count);
        }
        count += find_sharers(contacts, i, &couple[count]) ? 1 : 0;
        last[0] = touch->side[0].first;
        last[1] = touch->side[1].first;
    }
    *renewed = true;
    status = status == HAW_OK ? haw_system_couple(system, count, couple) : status;
    haw_arena_fini(&scratch);
    return status;
}
