/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Joints between lines that touch each other. Beside one the lines are nearer than their sections
 * allow, whatever holds them: as along one cable, places are no partners whose arc through the
 * joint is shorter than that of neighbours. Two straight legs that leave it at the angle phi are
 *
 *     sqrt(a^2 + b^2 - 2 a b cos phi) >= (a + b) sin(phi / 2)
 *
 * apart at the arcs a and b from it: at auto the arc is so long that they do not touch as drawn.
 */
#include "base/lie.h"
#include "model/build.h"
#include "model/joint.h"

#include <math.h>

static const double HALF_TURN = 3.14159265358979323846;
static const double TOUCHING = 1.05; /* of the diameter, that legs are apart as drawn */
static const double NARROW = 0.125;  /* sin(phi / 2) of legs that are as good as side by side */

/* Feet by the cable that they are of, so that a pair asks only for the joints of its own cables. */
typedef struct joint_feet {
    int *first; /* [cables + 1] of each cable in the list */
    int *side;  /* [2 joints] 2 joint + foot, ascending */
    int *part;  /* [lines] of the other line of a pair, 1 + its member, 0: it is none */
} joint_feet;

/* Two feet, `own` of the line that has the points. */
typedef struct ends {
    const haw_cable *own, *other; /* lines of the pair */
    double label[2];
    int part[2];
    double apart; /* [m] */
} ends;

/* The direction in which a cable leaves a foot with growing labels, or way = -1 with falling ones.
 * False: it ends there. */
static bool find_leg(const haw_model *model, const haw_spot *foot, int way, const double *q,
                     double leg[3])
{
    const haw_cable *cable = &model->cable[foot->cable];
    const bool is_node = way > 0 ? foot->s >= 1 : foot->s <= 0;
    const int e = is_node ? haw_cable_beside(cable, foot->element, way) : foot->element;
    const double s = !is_node ? foot->s : way > 0 ? 0 : 1;
    double d[3][3];
    if (e < 0) {
        return false;
    }
    cable->ops->curve(cable, e, s, q, d);
    const double size = vec3_norm(d[0]);
    for (int i = 0; i < 3; i++) {
        leg[i] = way * d[0][i] / size;
    }
    return true;
}

/* sin(phi / 2) of the least angle between a leg of one foot and a leg of the other. */
static double find_opening(const haw_model *model, const haw_link *joint, const double *q)
{
    double least = 1;
    for (int k = 0; k < 4; k++) {
        double leg[2][3];
        if (find_leg(model, &joint->foot[0], k % 2 == 0 ? 1 : -1, q, leg[0]) &&
            find_leg(model, &joint->foot[1], k / 2 == 0 ? 1 : -1, q, leg[1])) {
            least = fmin(least, sqrt(fmax(0.5 * (1 - vec3_dot(leg[0], leg[1])), 0)));
        }
    }
    return least;
}

/* Count a meeting at all elements that have places nearer to it than its arc, or list it. */
static void spread(const ends *of, haw_meetings *to)
{
    const haw_cable *own = haw_cable_part(of->own, of->part[0]);
    const haw_cable *other = haw_cable_part(of->other, of->part[1]);
    const int first = haw_cable_part_first(of->own, of->part[0]), n = own->line.elements;
    const double reach = of->apart / own->line.le, at = of->label[0] - first;
    int from = (int)floor(at - reach), end = (int)floor(at + reach) + 1;
    if (!own->line.closed) {
        from = from > 0 ? from : 0;
        end = end < n ? end : n;
    }
    for (int k = from; k < end && k < from + n; k++) {
        const int e = first + (k % n + n) % n;
        if (to->list != NULL) {
            to->list[to->first[e + 1]] =
                (haw_meeting){.own = of->label[0] + e - first - k,
                              .other = of->label[1],
                              .reach = reach,
                              .ratio = own->line.le / other->line.le,
                              .begin = haw_cable_part_first(of->other, of->part[1]),
                              .end = haw_cable_part_first(of->other, of->part[1] + 1)};
        }
        to->first[e + (to->list != NULL ? 1 : 2)]++;
    }
}

/* Element and place of a foot, counted along a line of cables. */
static double find_label(const haw_cable *line, int part, const haw_spot *foot)
{
    return haw_cable_part_first(line, part) + foot->element + foot->s;
}

/* Joints that a cable of the own line has with the other one; spread where there is room. */
static int visit_part(const haw_model *model, const joint_feet *feet, const double *q, ends of,
                      haw_meetings *to)
{
    const int cable = (int)(haw_cable_part(of.own, of.part[0]) - model->cable);
    const double apart = of.apart, radius = 0.5 * (of.own->radius + of.other->radius);
    int count = 0;
    for (int i = feet->first[cable]; i < feet->first[cable + 1]; i++) {
        const haw_link *joint = &model->joint[feet->side[i] / 2];
        const haw_spot *foot = &joint->foot[feet->side[i] % 2],
                       *across = &joint->foot[1 - feet->side[i] % 2];
        of.part[1] = across->cable >= 0 ? feet->part[across->cable] - 1 : -1;
        count += of.part[1] >= 0 ? 1 : 0;
        if (of.part[1] >= 0 && to->first != NULL) {
            const double opening = fmax(find_opening(model, joint, q), NARROW);
            of.label[0] = find_label(of.own, of.part[0], foot);
            of.label[1] = find_label(of.other, of.part[1], across);
            of.apart = isnan(apart) ? fmax(HALF_TURN, TOUCHING * 2 / opening) * radius : apart;
            spread(&of, to);
        }
    }
    return count;
}

/* All joints between the two lines, as the places of one of them see them. @return their number */
static int visit(const haw_model *model, const joint_feet *feet, const haw_pair *pair,
                 const double *q, bool is_back, haw_meetings *to)
{
    ends of = {.own = &model->cable[is_back ? pair->line : pair->cable],
               .other = &model->cable[is_back ? pair->cable : pair->line],
               .apart = pair->neighbours};
    int count = 0;
    for (int i = 0; i < haw_cable_parts(of.other); i++) {
        feet->part[haw_cable_part(of.other, i) - model->cable] = i + 1;
    }
    for (of.part[0] = 0; of.part[0] < haw_cable_parts(of.own); of.part[0]++) {
        count += visit_part(model, feet, q, of, to);
    }
    for (int i = 0; i < haw_cable_parts(of.other); i++) {
        feet->part[haw_cable_part(of.other, i) - model->cable] = 0;
    }
    return count;
}

static haw_status build(haw_model *model, const joint_feet *feet, haw_pair *pair, const double *q,
                        bool is_back)
{
    haw_meetings *to = &pair->meetings[is_back ? 1 : 0];
    const int elements = model->cable[is_back ? pair->line : pair->cable].line.elements;
    *to = (haw_meetings){.first = NULL};
    if (visit(model, feet, pair, q, is_back, to) == 0) {
        return HAW_OK;
    }
    to->first = haw_arena_allocate(&model->arena, (size_t)elements + 2, sizeof *to->first);
    HAW_TRY(haw_arena_status(&model->arena));
    (void)visit(model, feet, pair, q, is_back, to);
    for (int e = 0; e < elements; e++) {
        if (to->first[e + 2] > HAW_MEETINGS) {
            const haw_status status =
                haw_fail(model->context, HAW_ERR_INPUT,
                         "contact of '%s' and '%s': %d joints lie in one element or beside it, "
                         "at most %d are allowed: use shorter elements",
                         pair->between[0], pair->between[1], to->first[e + 2], HAW_MEETINGS);
            return haw_place(model->context, status, "contact.%s-%s.between", pair->between[0],
                             pair->between[1]);
        }
        to->first[e + 2] += to->first[e + 1];
    }
    to->list =
        haw_arena_allocate(&model->arena, (size_t)to->first[elements + 1] + 1, sizeof *to->list);
    HAW_TRY(haw_arena_status(&model->arena));
    (void)visit(model, feet, pair, q, is_back, to);
    return HAW_OK;
}

/* By counting: the places behind each cable, then each foot at its own. */
static haw_status sort_feet(const haw_model *model, haw_arena *arena, joint_feet *feet)
{
    feet->first = haw_arena_allocate(arena, (size_t)model->cables + 2, sizeof *feet->first);
    feet->side = haw_arena_allocate(arena, 2 * (size_t)model->joints, sizeof *feet->side);
    feet->part = haw_arena_allocate(arena, (size_t)model->lines, sizeof *feet->part);
    HAW_TRY(haw_arena_status(arena));
    for (int i = 0; i < 2 * model->joints; i++) {
        const int cable = model->joint[i / 2].foot[i % 2].cable;
        feet->first[cable >= 0 ? cable + 2 : 0] += cable >= 0 ? 1 : 0;
    }
    for (int i = 0; i < model->cables; i++) {
        feet->first[i + 1] += feet->first[i];
    }
    for (int i = 0; i < 2 * model->joints; i++) {
        const int cable = model->joint[i / 2].foot[i % 2].cable;
        if (cable >= 0) {
            feet->side[feet->first[cable + 1]++] = i;
        }
    }
    return HAW_OK;
}

haw_status haw_build_meetings(haw_model *model)
{
    haw_arena arena;
    haw_state *drawn = NULL;
    joint_feet feet;
    if (model->joints == 0) {
        return HAW_OK;
    }
    haw_arena_init(&arena, model->context);
    haw_status status = sort_feet(model, &arena, &feet);
    if (status == HAW_OK) {
        status = haw_state_create(model->context, model, &drawn);
    }
    for (int i = 0; i < 2 * model->pairs && status == HAW_OK; i++) {
        haw_pair *pair = &model->pair[i / 2];
        status = pair->line >= 0 ? build(model, &feet, pair, drawn->q, i % 2 == 1) : HAW_OK;
    }
    haw_state_free(model->context, drawn);
    haw_arena_fini(&arena);
    return status;
}
