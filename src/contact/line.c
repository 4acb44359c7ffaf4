/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The centreline of a cable as the partner of a point: y(s), with its section of radius a around
 * it. With the distance d of x from its foot y and n = (x - y) / d the gap is d - a less the radius
 * of the point, and (doc/theory/cable-cable.md)
 *
 *     ds = [y' . (dx - dy) + d n . dy'] / H,   H = |y'|^2 - d n . y'',
 *     dn = (1 - n n^T)(dx - dy - y' ds) / d,
 *
 * dy, dy' those of the material at the foot; a foot that rests has ds = 0. t1 lies along the line.
 * Where the sections of the cable turn friction acts on them beside the centreline, at the same
 * place as on the point, so that equal and opposite forces keep angular momentum.
 */
#include "base/lie.h"
#include "contact/partner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A stretch of cable that turns by less has no feet on itself, unless it moves by this part of the
 * length of an element. */
static const double BENT = 0.5, BENDS = 0.125;

/*
 * How many elements the own cable goes on from element e, in a direction, before it may have come
 * back to its place in it. Two places at the arc length a are a cos(turn / 2) apart at least;
 * nearer than `apart` they are no partners. Elements longer than that would else always be near
 * themselves.
 */
static int find_straight(const haw_view *view, int e, int direction)
{
    const double touching = 1.05 * (2 * view->radius + view->margin) / view->pair->apart;
    haw_line_memory *memory = view->curve->memory;
    double most = memory->bent;
    if (!(memory->bent >= 0 && memory->touching == touching)) {
        most = touching < 1 ? fmin(2 * acos(touching), BENT) : 0;
    }
    const int steps = haw_centreline_straight(view->curve, e, direction > 0, most);
    memory->touching = memory->bent == most ? touching : memory->touching;
    return steps;
}

/* A corner that turns by this keeps the places on both sides of it apart by the diameter, and three
 * quarters of a radius, where they are half a turn of arc apart. */
static const double CORNER = 1, HALF_TURN = 3.14159265358979323846;

/* Whether the cable has a corner between element e and the end of the arc of neighbours. That of a
 * curve, whose curvature its section bounds, leads away from a place all through that arc. */
static bool has_corner(const haw_view *view, int e, double end)
{
    const int direction = end > e ? 1 : -1;
    const int steps = abs((int)floor(end) - e);
    int last = e;
    for (int k = 1; k <= steps; k++) {
        const int next = haw_cable_beside(view->line, e, direction * k);
        if (next < 0) {
            return false;
        }
        const int low = direction > 0 ? last : next, high = direction > 0 ? next : last;
        if (haw_centreline_corner(view->curve, low, high) >= CORNER) {
            return true;
        }
        last = next;
    }
    return false;
}

/*
 * Where the feet of places from one label of the own cable to another, in one element, are not
 * looked for: within the arc length of neighbours. Under a set-valued law every two places meet
 * once; the points of the first have the grid: behind, which of a closed cable is half of it, there
 * are none, nor on the cables before it, and before the ends that look back none ahead.
 */
static void add_own_windows(const haw_view *view, double from, double to, haw_windows *windows)
{
    const haw_line *own = &view->line->line;
    const int e = from < own->elements ? (int)from : own->elements - 1;
    const int part = haw_cable_part_of(view->line, e);
    const int first = haw_cable_part_first(view->line, part);
    const int end = haw_cable_part_first(view->line, part + 1),
              turn = own->closed ? end - first : 0;
    const double apart = view->pair->apart / haw_cable_part(view->line, part)->line.le;
    const double ahead = fmax(from + apart, e + find_straight(view, e, 1));
    const double behind = fmin(to - apart, e + 1 - find_straight(view, e, -1));
    const bool folds = from == to && view->pair->apart >= HALF_TURN * view->line->radius;
    haw_window near = {.from = behind, .to = ahead, .first = first, .end = end, .turn = turn};
    near.closes = folds && ahead == from + apart && has_corner(view, e, ahead);
    near.begins = folds && behind == to - apart && has_corner(view, e, behind);
    if (view->is_back) {
        near.to = near.end = own->elements;
        near.to += 1;
        near.closes = false;
    } else if (view->pair->law->set_valued) {
        near.from = turn > 0 ? to - 0.5 * turn : -1;
        near.begins = false;
        if (first > 0) {
            windows->item[windows->count++] =
                (haw_window){.from = -1, .to = first + 1, .end = first};
        }
    }
    windows->item[windows->count++] = near;
}

/* Also within that arc through a joint: what is left of it behind the joint. */
static void add_meetings(const haw_view *view, double from, double to, haw_windows *windows)
{
    const haw_meetings *beside = &view->pair->meetings[view->is_back ? 1 : 0];
    const int elements = view->cable->line.elements;
    const int e = from < elements ? (int)from : elements - 1;
    for (int k = beside->first[e]; k < beside->first[e + 1]; k++) {
        const haw_meeting *at = &beside->list[k];
        const double way = fmax(fabs(from - at->own), fabs(to - at->own));
        const double left = (at->reach - way) * at->ratio;
        if (left > 0) {
            windows->item[windows->count++] =
                (haw_window){.from = at->other - left,
                             .to = at->other + left,
                             .first = at->begin,
                             .end = at->end,
                             .turn = view->line->line.closed ? at->end - at->begin : 0};
        }
    }
}

static void find_windows(const haw_view *view, double from, double to, haw_windows *windows)
{
    windows->count = 0;
    if (view->pair->apart > 0) {
        add_own_windows(view, from, to, windows);
    }
    if (view->pair->meetings[0].first != NULL) {
        add_meetings(view, from, to, windows);
    }
}

/* How far a clearance reaches that says nothing of the own cable [m]. */
static double find_sight(const haw_view *view)
{
    const haw_cable *line = view->line;
    const double shortest = line->bundle != NULL ? line->bundle->shortest : line->line.le;
    return view->pair->apart > 0 ? BENDS * shortest : HUGE_VAL;
}

/* t1: the direction of the line, or at its end what of it lies across n; in the plane there is one
 * across n. */
static void find_tangent(const haw_view *view, const double n[3], const double along[3],
                         double t[3])
{
    const double part = vec3_dot(n, along);
    for (int i = 0; i < 3; i++) {
        t[i] = along[i] - part * n[i];
    }
    if (view->turns == 1) {
        t[0] = n[1];
        t[1] = -n[0];
    }
    const double size = vec3_norm(t);
    if (!(size > 1e-8 * vec3_norm(along))) { /* the point is straight ahead of the end */
        double frame[9];
        mat3_frame(n, frame);
        for (int i = 0; i < 3; i++) {
            t[i] = frame[3 * i + 1];
        }
        return;
    }
    for (int i = 0; i < 3; i++) {
        t[i] /= size;
    }
}

/* False on the centreline itself. */
static bool set_foot(const haw_view *view, const double x[3], haw_line_foot *on, haw_foot *foot)
{
    double *n = foot->normal;
    if (!(on->distance > 0)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        n[i] = (x[i] - on->x[i]) / on->distance;
    }
    foot->gap = on->distance - view->line->radius - view->radius;
    foot->element = on->element;
    foot->s = on->s;
    foot->rests = on->rests;
    find_tangent(view, n, on->d[0], foot->tangent);
    foot->bend[1] = 1 / on->distance;
    const double sharpness = haw_line_sharpness(n, on->distance, on->d[0], on->d[1]);
    foot->bend[0] = on->rests ? foot->bend[1] : -vec3_dot(n, on->d[1]) / sharpness;
    return true;
}

/* True if one of the feet on a member is so near that it may touch. */
static bool is_close(const haw_view *view, const haw_feet *feet, int member)
{
    for (int i = 0; i < feet->count; i++) {
        if (haw_cable_part_of(view->line, feet->foot[i].element) == member &&
            feet->foot[i].gap <= view->margin) {
            return true;
        }
    }
    return false;
}

/* On many cables the slot of a foot is that of its cable, or the next free one: what other cables
 * come near or leave does not move it. Those that touch choose first. */
static void choose_slots(const haw_view *view, haw_feet *feet)
{
    const int slots = view->pair->feet;
    const haw_feet found = *feet;
    int taken[HAW_LINE_FEET];
    memset(taken, -1, sizeof taken);
    for (int k = 0; k < 2 * feet->count; k++) {
        const int i = k % feet->count;
        const int member = haw_cable_part_of(view->line, feet->foot[i].element);
        if (is_close(view, feet, member) == (k < feet->count)) {
            int at = member % slots;
            while (taken[at] >= 0) {
                at = (at + 1) % slots;
            }
            taken[at] = i;
        }
    }
    int count = 0;
    for (int at = 0; at < slots; at++) {
        if (taken[at] >= 0) {
            feet->foot[count] = found.foot[taken[at]];
            feet->slot[count++] = at;
        }
    }
}

static void find_feet(const haw_view *view, const double x[3], double label, double reach,
                      haw_feet *feet)
{
    haw_windows windows;
    find_windows(view, label, label, &windows);
    haw_line_foot on[HAW_LINE_FEET];
    const int count = haw_centreline_feet(view->curve, x, reach + view->radius + view->line->radius,
                                          &windows, view->pair->feet, on);
    feet->count = 0;
    for (int i = 0; i < count; i++) {
        feet->slot[feet->count] = feet->count;
        feet->count += set_foot(view, x, &on[i], &feet->foot[feet->count]) ? 1 : 0;
    }
    if (view->line->bundle != NULL) {
        choose_slots(view, feet);
    }
}

/* ---- feet that are held ---- */

/* A foot takes the force of a place along if it is this near to it, in elements; or up to so far
 * away, if it is so much nearer to the point: of what a straight line has. */
static const double STEADY = 0.02, FARTHEST = 1, SHARP = 0.5;

/* The place of a force as a foot. */
static bool stay(const haw_view *view, const double x[3], double held, haw_foot *foot)
{
    const int e = (int)fmin(held, view->line->line.elements - 1);
    haw_line_foot on = {.element = e, .s = held - e, .rests = true};
    haw_cable_point at;
    view->line->ops->point(view->line, e, on.s, view->q, NULL, HAW_POINT_POSITION, &at);
    view->line->ops->curve(view->line, e, on.s, view->q, on.d);
    memcpy(on.x, at.x, sizeof on.x);
    const double way[3] = {x[0] - at.x[0], x[1] - at.x[1], x[2] - at.x[2]};
    on.distance = vec3_norm(way);
    return set_foot(view, x, &on, foot);
}

/* With the feet y of x and a place y0 of the same line (|x - y0|^2 - |x - y|^2) / |y - y0|^2 is H
 * of the arc between them: 1 of a straight line. */
static bool is_sharp(const haw_view *view, const haw_foot *there, const haw_foot *foot)
{
    const double both = view->radius + view->line->radius;
    const double far = there->gap + both, near = foot->gap + both;
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double way = far * there->normal[i] - near * foot->normal[i];
        square += way * way;
    }
    return far * far - near * near >= SHARP * square;
}

/* The foot without a slot that takes over the force of a place; -1: none does. */
static int find_heir(const haw_view *view, const haw_feet *feet, const bool *has_slot,
                     const haw_foot *there)
{
    double nearest = FARTHEST;
    int heir = -1;
    for (int i = 0; i < feet->count; i++) {
        const haw_foot *foot = &feet->foot[i];
        const double apart =
            haw_view_apart(view, haw_view_label(view->line, foot->element, foot->s),
                           haw_view_label(view->line, there->element, there->s));
        if (!has_slot[i] && apart <= nearest) {
            nearest = apart;
            heir = i;
        }
    }
    return heir >= 0 && (nearest <= STEADY || is_sharp(view, there, &feet->foot[heir])) ? heir : -1;
}

/* The other feet into their slots, or the next free ones. */
static void fill_slots(const haw_view *view, const bool *has_slot, const haw_feet *feet, int *in)
{
    const int slots = view->pair->feet;
    for (int i = 0; i < feet->count; i++) {
        int k = feet->slot[i];
        while (!has_slot[i] && in[k] >= 0) {
            k = (k + 1) % slots;
        }
        if (!has_slot[i]) {
            in[k] = i;
        }
    }
}

/*
 * Where a line follows the one that it touches with its own curvature, H = 0, the foot of a point
 * moves by half an element as the point moves by nothing, and feet come and go side by side: forces
 * that went with them would leave any balance, as no tangent tells. That all places of the line
 * keep their distance is a constraint for each of them; a pass of Newton's method has those of the
 * feet, and of the places where forces act until others bear them: an exchange method (R. Hettich,
 * K. O. Kortanek, SIAM Rev. 35 (1993) 380-429). What bears a force at the end is a foot:
 * its gap is 0, and none is less.
 */
static void hold(const haw_view *view, const double x[3], const double *held, haw_feet *feet)
{
    const int slots = view->pair->feet;
    int in[HAW_LINE_FEET], room = slots - feet->count;
    bool has_slot[HAW_LINE_FEET] = {false};
    haw_foot all[2 * HAW_LINE_FEET]; /* those of the point, then of the slots */
    memcpy(all, feet->foot, sizeof feet->foot);
    for (int k = 0; k < slots; k++) {
        haw_foot *there = &all[HAW_LINE_FEET + k];
        in[k] = -1;
        if (held[k] >= 0 && stay(view, x, held[k], there)) {
            const int heir = find_heir(view, feet, has_slot, there);
            if (heir >= 0) {
                has_slot[heir] = true;
                in[k] = heir;
            } else if (room-- > 0) {
                in[k] = HAW_LINE_FEET + k;
            }
        }
    }
    fill_slots(view, has_slot, feet, in);
    feet->count = 0;
    for (int k = 0; k < slots; k++) {
        if (in[k] >= 0) {
            feet->slot[feet->count] = k;
            feet->foot[feet->count++] = all[in[k]];
        }
    }
}

static bool follow(const haw_view *view, const double x[3], const haw_touch *touch, haw_foot *foot)
{
    haw_line_foot on = {.element = touch->on, .s = touch->at};
    if (view->pair->apart > 0 && touch->rests && touch->at > 0 && touch->at < 1) {
        return stay(view, x, touch->on + touch->at, foot); /* where neighbours end */
    }
    return haw_centreline_follow(view->line, view->q, x, &on) && set_foot(view, x, &on, foot);
}

/* ---- the second side ---- */

/* From the foot to where friction acts [m]: on the sections of the line where they turn, else on
 * its centreline. */
static double find_arm(const haw_view *view, double gap)
{
    const bool turns = haw_cable_turns(view->line) || haw_view_line_tilts(view);
    return turns ? gap + view->line->radius + view->radius - view->arm : 0;
}

static void find_point(const haw_cable *cable, bool tilts, int e, double s, const double *q,
                       haw_cable_point *at)
{
    if (tilts) {
        haw_cable_direct(cable, e, s, q, at);
    } else {
        cable->ops->point(cable, e, s, q, NULL, HAW_POINT_JACOBIAN, at);
    }
}

/* -k . (j + w x L), L = arm n. */
static void set_side(const haw_view *view, const double x[3], const haw_foot *foot,
                     double direction[HAW_DIRECTIONS][3], haw_touch *touch)
{
    haw_touch_side *side = &touch->side[1];
    const haw_dofs dofs = view->line->ops->dofs(view->line, foot->element);
    const double arm = find_arm(view, foot->gap);
    haw_cable_point at;
    (void)x;
    find_point(view->line, haw_view_line_tilts(view), foot->element, foot->s, view->q, &at);
    int own = foot->element;
    const haw_cable *owner = haw_cable_member(view->line, &own);
    haw_side_set(side, (int)(owner - view->model->cable), -1, dofs.first, dofs.count);
    side->list = dofs.list;
    for (int k = 0; k < view->moves; k++) {
        double moment[3];
        vec3_cross(foot->normal, direction[k], moment);
        for (int a = 0; a < dofs.count; a++) {
            side->row[k][a] = 0;
            for (int i = 0; i < 3; i++) {
                side->row[k][a] -= direction[k][i] * at.j[i][a];
                side->row[k][a] -= arm != 0 ? arm * moment[i] * at.w[i][a] : 0;
            }
        }
    }
}

static void find_pose(const haw_view *view, const haw_touch *touch, const double *q, haw_pose *pose)
{
    static const double still[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const bool tilts = haw_view_line_tilts(view);
    haw_cable_point at;
    if (tilts) {
        haw_cable_direct(view->line, touch->on, touch->at, q, &at);
    } else {
        view->line->ops->point(view->line, touch->on, touch->at, q, NULL, HAW_POINT_PLACE, &at);
    }
    memcpy(pose->x, at.x, sizeof pose->x);
    memcpy(pose->rotation, haw_cable_turns(view->line) || tilts ? at.rotation : still,
           sizeof pose->rotation);
}

/* ---- the tangent ---- */

enum { COLUMNS = 2 * HAW_SPACE_DOFS };

/* A side of a touch: what a degree of freedom does to its material, and to the axes of w. */
typedef struct place {
    const haw_cable *cable;
    int element, count;
    double s, sign; /* 1 of the first side, -1 of the second */
    bool tilts;
    double arm; /* w acts on arm n, on the side of the other [m] */
    haw_cable_point at;
    double slope[3][HAW_CABLE_DOFS];  /* of y' */
    double twist[3][HAW_CABLE_DOFS];  /* of w along the line; 0 where no couple acts */
    double turned[3][HAW_CABLE_DOFS]; /* J^T n of a node's place, as the normal turns it */
} place;

/* A touch with its loads. */
typedef struct setting {
    place side[2];
    const haw_touch *touch;
    double n[3], t[2][3], distance;
    double d[3][3]; /* derivatives of the line at the foot */
    double load[HAW_DIRECTIONS];
    double force[3], moment[3]; /* F, n x F */
} setting;

static void set_place(const haw_cable *cable, const double *q, place *at)
{
    double x[3];
    at->cable = cable;
    at->count = cable->ops->dofs(cable, at->element).count;
    find_point(cable, at->tilts, at->element, at->s, q, &at->at);
    memset(at->twist, 0, sizeof at->twist);
    if (at->sign < 0 && at->arm != 0) {
        (at->tilts ? haw_cable_direct_twist : cable->ops->twist)(cable, at->element, at->s, q,
                                                                 at->twist);
    }
    if (at->sign < 0) {
        cable->ops->slope(cable, at->element, at->s, q, x, at->slope);
    }
}

/* A turn by phi takes row k of v = J^T n, of the place of a node, along by e_k . (phi x v), which
 * is phi . (v x e_k). What acts on the axes of its section stays (stepper/lean.h). */
static void set_turned(const double n[3], int d, place *at)
{
    const int node = haw_cable_turns(at->cable) ? HAW_SPACE_DOFS / 2 : d;
    memset(at->turned, 0, sizeof at->turned);
    for (int a = 0; a < at->count; a++) {
        const int k = a % node;
        double v[3] = {0, 0, 0}, e[3] = {0, 0, 0}, across[3];
        for (int i = 0; i < d && k < d; i++) {
            const int b = a - k + i;
            v[i] = n[0] * at->at.j[0][b] + n[1] * at->at.j[1][b] + n[2] * at->at.j[2][b];
            e[i] = i == k;
        }
        vec3_cross(v, e, across);
        for (int i = 0; i < 3; i++) {
            at->turned[i][a] = across[i];
        }
    }
}

static void set_up(const haw_contacts *contacts, const haw_touch *touch, const double *load,
                   double factor, setting *s)
{
    const haw_view view = haw_view_at(contacts, touch, contacts->q);
    s->touch = touch;
    memset(s->load, 0, sizeof s->load);
    memcpy(s->n, touch->normal, sizeof s->n);
    memcpy(s->t[0], touch->tangent, sizeof s->t[0]);
    vec3_cross(touch->normal, touch->tangent, s->t[1]);
    const double gap = touch->gap + touch->dip;
    s->distance = gap + view.radius + view.line->radius;
    s->side[0] = (place){
        .element = touch->element, .s = touch->s, .sign = 1, .arm = view.arm, .tilts = view.tilts};
    s->side[1] = (place){.element = touch->on,
                         .s = touch->at,
                         .sign = -1,
                         .arm = find_arm(&view, gap),
                         .tilts = haw_view_line_tilts(&view)};
    set_place(view.cable, contacts->q, &s->side[0]);
    set_place(view.line, contacts->q, &s->side[1]);
    set_turned(s->n, view.moves, &s->side[0]);
    set_turned(s->n, view.moves, &s->side[1]);
    view.line->ops->curve(view.line, touch->on, touch->at, contacts->q, s->d);
    for (int k = 0; k < view.moves; k++) {
        s->load[k] = factor * load[k];
    }
    for (int i = 0; i < 3; i++) {
        s->force[i] = s->load[0] * s->n[i] + s->load[1] * s->t[0][i] + s->load[2] * s->t[1][i];
        s->moment[i] = s->load[1] * s->t[1][i] - s->load[2] * s->t[0][i];
    }
}

/* What one degree of freedom changes. */
typedef struct change {
    double gap, foot;           /* dd, ds */
    double force[3], moment[3]; /* dF, d(n x F) at held loads */
    double stays[3]; /* n x dn times the load whose rows do not turn (haw_touch.turning) */
} change;

/*
 * With alpha_k = t_k . dn and the turn sigma of the frame about n,
 *
 *     dt1 = -alpha_1 n + sigma t2,   dt2 = -alpha_2 n - sigma t1.
 */
static void turn_frame(const setting *s, const double dn[3], const double slope[3], change *c)
{
    const double *p = s->load, *n = s->n, *along = s->d[0];
    const double stays = (1 - s->touch->turning) * p[0];
    const double alpha[2] = {vec3_dot(s->t[0], dn), vec3_dot(s->t[1], dn)};
    const double across = vec3_dot(s->t[0], along);
    const double turn = vec3_dot(s->t[1], slope) - alpha[1] * vec3_dot(n, along);
    const double sigma = fabs(across) > 0 ? turn / across : 0;
    for (int i = 0; i < 3; i++) {
        c->stays[i] = stays * (alpha[0] * s->t[1][i] - alpha[1] * s->t[0][i]);
        c->force[i] = (p[0] * alpha[0] - p[2] * sigma) * s->t[0][i] +
                      (p[0] * alpha[1] + p[1] * sigma) * s->t[1][i] -
                      (p[1] * alpha[0] + p[2] * alpha[1]) * n[i];
        c->moment[i] = (p[2] * alpha[0] - p[1] * alpha[1]) * n[i] -
                       sigma * (p[1] * s->t[0][i] + p[2] * s->t[1][i]);
    }
}

/* Degree of freedom b of a side. */
static void find_change(const setting *s, int side, int b, change *c)
{
    const place *at = &s->side[side];
    const double square = haw_line_sharpness(s->n, s->distance, s->d[0], s->d[1]);
    double way[3], slope[3], dn[3];
    for (int i = 0; i < 3; i++) {
        way[i] = at->sign * at->at.j[i][b];
        slope[i] = side == 1 ? at->slope[i][b] : 0;
    }
    c->gap = vec3_dot(s->n, way);
    c->foot = s->touch->rests
                  ? 0
                  : (vec3_dot(s->d[0], way) + s->distance * vec3_dot(s->n, slope)) / square;
    vec3_add(-c->foot, s->d[0], way);
    vec3_add(c->foot, s->d[1], slope);
    const double out = vec3_dot(s->n, way);
    for (int i = 0; i < 3; i++) {
        dn[i] = (way[i] - out * s->n[i]) / s->distance;
    }
    turn_frame(s, dn, slope, c);
}

static inline double column(const double j[3][HAW_CABLE_DOFS], int a, const double v[3])
{
    return j[0][a] * v[0] + j[1][a] * v[1] + j[2][a] * v[2];
}

/*
 * Minus the change of the load on degree of freedom a of a side, J^T F - arm w^T (n x F) on the
 * first and -(J^T F + arm w^T (n x F)) on the second, as the force and the foot change.
 */
static double resist(const setting *s, int side, int a, const change *c)
{
    const place *at = &s->side[side];
    double sum = at->sign * (column(at->turned, a, c->stays) - column(at->at.j, a, c->force));
    if (at->arm != 0) {
        sum += at->arm * column(at->at.w, a, c->moment);
        sum += side == 1 ? c->gap * column(at->at.w, a, s->moment) : 0;
    }
    if (side == 1 && c->foot != 0) {
        sum += c->foot * column(at->slope, a, s->force);
        sum += c->foot * at->arm * column(at->twist, a, s->moment);
    }
    return sum;
}

/* What the Jacobians change by themselves, in the block of a side. */
static void add_own(const setting *s, int side, const double *q, int first, int width, double *k)
{
    const place *at = &s->side[side];
    const double *p = s->force, *m = s->moment, arm = -at->arm;
    const double f[3] = {at->sign * p[0], at->sign * p[1], at->sign * p[2]};
    const double couple[3] = {arm * m[0], arm * m[1], arm * m[2]};
    double own[HAW_SPACE_DOFS * HAW_SPACE_DOFS] = {0};
    if (at->tilts) {
        haw_cable_direct_tangent(at->cable, at->element, at->s, q, couple, own);
    } else if (at->cable->ops->point_tangent != NULL) {
        at->cable->ops->point_tangent(at->cable, at->element, at->s, q, f, couple, own);
    }
    for (int i = 0; i < at->count * at->count; i++) {
        k[(first + i / at->count) * width + first + i % at->count] += own[i];
    }
}

static void add_tangent(const haw_contacts *contacts, const haw_touch_part *part,
                        const double *load, double factor, haw_system *system)
{
    setting s;
    double k[COLUMNS * COLUMNS] = {0};
    int dof[COLUMNS];
    set_up(contacts, &part->point, load, factor, &s);
    const int count[2] = {s.side[0].count, s.side[1].count}, width = count[0] + count[1];
    for (int b = 0; b < width; b++) {
        const int turned = b < count[0] ? 0 : 1, own = b - turned * count[0];
        change c;
        find_change(&s, turned, own, &c);
        for (int a = 0; a < width; a++) {
            const int side = a < count[0] ? 0 : 1;
            k[a * width + b] = resist(&s, side, a - side * count[0], &c);
        }
        dof[b] = haw_side_dof(&part->point.side[turned], own);
    }
    add_own(&s, 0, contacts->q, 0, width, k);
    add_own(&s, 1, contacts->q, count[0], width, k);
    const haw_dofs dofs = {.count = width, .list = dof};
    haw_system_add_block(system, &dofs, k);
}

/* ---- the broad phase ---- */

static bool is_within(const haw_view *view, int e, const haw_bounds *bounds, double reach)
{
    haw_windows windows;
    find_windows(view, e, e + 1, &windows);
    const double enough = (reach + view->radius + view->line->radius) * (1 + 1e-12);
    return reach > fmax(find_sight(view), view->margin) ||
           haw_centreline_clear(view->curve, bounds->centre, bounds->radius, enough, enough,
                                &windows) <= enough;
}

static double find_way(const haw_model *model, const haw_pair *pair, const double *before,
                       const double *q, double *turn)
{
    const haw_cable *line = &model->cable[pair->line];
    *turn = 0;
    return 2 * line->ops->reach(line, before, q);
}

/* ---- guards ---- */

static double clear(const haw_view *view, int e, const double centre[3], double radius,
                    double enough)
{
    haw_windows windows;
    find_windows(view, e, e + 1, &windows);
    const double least = view->line->radius;
    const double far =
        haw_centreline_clear(view->curve, centre, radius, enough + least, -HUGE_VAL, &windows) +
        radius - least;
    return fmin(far, find_sight(view) + view->radius + radius);
}

/* The nearest foot within a distance, NULL: there is none. */
static const haw_line_foot *nearest(const haw_view *view, const double x[3], double label,
                                    double reach, haw_line_foot foot[HAW_LINE_FEET])
{
    haw_windows windows;
    find_windows(view, label, label, &windows);
    const int count = haw_centreline_feet(view->curve, x, reach, &windows, view->pair->feet, foot);
    const haw_line_foot *least = count > 0 ? foot : NULL;
    for (int i = 1; i < count; i++) {
        least = foot[i].distance < least->distance ? &foot[i] : least;
    }
    return least;
}

static double gap(const haw_view *view, const double x[3], double label, double enough,
                  double normal[3])
{
    haw_line_foot foot[HAW_LINE_FEET];
    const double radius = view->line->radius;
    const haw_line_foot *on = nearest(view, x, label, enough + radius, foot);
    memset(normal, 0, 3 * sizeof *normal);
    if (on == NULL) {
        return enough;
    }
    for (int i = 0; i < 3 && on->distance > 0; i++) {
        normal[i] = (x[i] - on->x[i]) / on->distance;
    }
    return on->distance - radius;
}

static void carry(const haw_view *view, const double x[3], double label, double reach,
                  const double *q_plus, double x_plus[3])
{
    haw_line_foot foot[HAW_LINE_FEET];
    const haw_line_foot *on = nearest(view, x, label, reach + view->line->radius, foot);
    haw_cable_point at;
    memcpy(x_plus, x, 3 * sizeof *x_plus);
    if (on == NULL) {
        return;
    }
    view->line->ops->point(view->line, on->element, on->s, q_plus, NULL, HAW_POINT_POSITION, &at);
    for (int i = 0; i < 3; i++) {
        x_plus[i] += at.x[i] - on->x[i];
    }
}

const haw_partner haw_partner_line = {
    .name = "line",
    .summary = "the centreline of a cable, its section around it",
    .feet = find_feet,
    .hold = hold,
    .follow = follow,
    .set_side = set_side,
    .pose = find_pose,
    .tangent = add_tangent,
    .within = is_within,
    .sight = find_sight,
    .way = find_way,
    .clear = clear,
    .gap = gap,
    .carry = carry,
};
