/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Derivatives of the forces of a clasp, column by column over the degrees of freedom of its two
 * sides. With rho = -a n, eta = rho - g n where friction acts at the foot (view.h), else rho, the
 * lever L = x + eta - X, motions dx, dphi of the first side and dX, dPhi of the body,
 *
 *     dn = B (dx - dX - dPhi x (x - X)) + dPhi x n,   dg = n . (dx - dX - dPhi x (x - X)),
 *     v = v_x + omega x rho - V - Omega x L,
 *     dw = dx - dX - dPhi x c + drho - C (drho - dphi x rho)   (c carried arm, C rho its part),
 *
 * and the forces F on x, rho x F on the section, -F and -L x F on the body. The axes of a node turn
 * with it. Between nodes that turn the Jacobian of x changes too, haw_cable_ops.point_tangent; what
 * that makes of v, and how the shares of the nodes in omega change, is left out, as in turn.c.
 *
 * The place z on a chord c moves with its nearest point, n . c = 0, by
 *
 *     dz = -(dn . c + n . dc) / (c . B c),   dn at a place that stays,
 *
 * and x by c dz more, which is no way of the material: w goes from that of one end to that of the
 * other. omega = c x c' / |c|^2 of a chord that turns its sections changes with c.
 *
 * A cable that is touched has its foot y in place of X, whose motion along it, ds (line.c), changes
 *
 *     d(x - X) = dx - dy - y' ds,   dn = B (dx - dy) - (n . dy') y' ds/d(n . dy'),
 *     dV = y'_t ds,   dOmega = w'_t ds,   dw = ... - (y' - y_0') ds
 *
 * with y_0' where the step began. How its section differs from one foot to the next between the
 * start and the end of a step is left out.
 */
#include "base/lie.h"
#include "contact/clasp.h"
#include "contact/partner.h"

#include <string.h>

enum { COLUMNS = 2 * HAW_SIDE_DOFS, NODES = 4 /* two of either side */ };

static const double none[3] = {0, 0, 0};

/* A motion of the two sides, or one of the rates. */
typedef struct motion {
    double x[3], turn[3];      /* of the first side */
    double body[3], spin[3];   /* of the second */
    double carry[3];           /* of the frame that takes the way and bristles along: spin, or that
                                  of a section that tilts since the start of the step */
    double slope[3], roll[3];  /* of a line: derivatives of these two along it */
    double axis[3];            /* of the turn, of a node or of the ball */
    double along[3], twist[3]; /* of a chord, from end to end: x and turn */
    double end_turn[2][3];     /* of what the way takes along: of each of its places */
    int node;
} motion;

typedef struct setting {
    const haw_clasp *clasp;
    const haw_touch *touch;
    const haw_pair *pair;
    double rate;
    bool slides, to_foot;
    double rho[3], eta[3], lever[3], arm[3]; /* L, x - X [m] */
    haw_places at;
    double turned[2][9]; /* Q Q_0^T R_0 R^T of each place */
    double force[3];     /* F [N] */
    motion rates;
    int count[2];
    motion column[COLUMNS];
    double node_rate[NODES][3]; /* what the turns of a node, or of the ball, make of rates.turn, or
                                   of rates.spin */
    /* of a line: */
    const haw_cable *line;     /* or NULL */
    double distance, sharp;    /* d, H */
    double along[3], shift[3]; /* y', y' - Q Q_0^T y_0' */
    bool tilts;                /* its sections with y' */
    double first[3];           /* unit vector along y_0' */
    double drift[3];           /* what Q Q_0^T turns by from one foot to the next, where it tilts */
    /* of a chord: */
    haw_chord chord;
    bool turns;       /* its sections with itself */
    double bend;      /* c . B c, 0: its place stays */
    double unlike[3]; /* w of its second end less that of the first [m] */
    /* of a body that touches with a corner: */
    double corner[3]; /* from its centre [m] */
    double excess, unit[3];
} setting;

/* ---- the two sides ---- */

/* Columns of a body: its centre or a corner, and turns about its own axes or about z. */
static void set_body_columns(const haw_view *view, const double *rotation, int first, setting *s)
{
    const double *corner = first == 0 ? s->corner : none;
    for (int k = 0; k < view->moves + view->turns; k++) {
        motion *m = &s->column[first + k];
        double *move = first == 0 ? m->x : m->body, *turn = first == 0 ? m->turn : m->spin;
        if (k < view->moves) {
            move[k] = 1;
            continue;
        }
        const int axis = k - view->moves + 3 - view->turns;
        for (int i = 0; i < 3; i++) {
            turn[i] = rotation[3 * i + axis];
            m->carry[i] = first == 0 ? 0 : turn[i];
            m->axis[i] = m->turn[i];
            m->end_turn[0][i] = m->turn[i];
        }
        vec3_cross(turn, corner, move);
        vec3_cross(m->turn, s->chord.along, m->along);
    }
}

/* The corner that touches; where it is the nearest place of an axis, that is a chord which turns
 * with its body. */
static void set_corner(const haw_passage *p, setting *s)
{
    const haw_view *view = &p->now;
    const haw_touch *touch = s->touch;
    haw_pose now[2], then[2];
    double way[2][3], carried[3], second[3];
    s->bend = 0;
    memset(&s->chord, 0, sizeof s->chord);
    memset(s->corner, 0, sizeof s->corner);
    for (int i = 0; i < view->moves; i++) {
        s->corner[i] = s->at.now[0].x[i] - view->q[view->ball->first_q + i];
    }
    if (!touch->floats) {
        return;
    }
    const int first = view->ball->surface.ops->first_edge;
    const double edge = first + 2 * floor((touch->s - first) / 2);
    for (int k = 0; k < 2; k++) {
        haw_view_place(view, -1, edge + k, view->q, &now[k]);
        haw_view_place(view, -1, edge + k, p->q0, &then[k]);
        haw_passage_find(p, &now[k], &then[k], touch->normal, way[k], carried);
    }
    for (int i = 0; i < 3; i++) {
        s->chord.along[i] = now[1].x[i] - now[0].x[i];
        s->unlike[i] = way[1][i] - way[0][i];
    }
    vec3_cross(touch->normal, touch->tangent, second);
    const double part[2] = {vec3_dot(touch->tangent, s->chord.along),
                            vec3_dot(second, s->chord.along)};
    s->bend = touch->bend[0] * part[0] * part[0] + touch->bend[1] * part[1] * part[1];
}

/* A direction b along c, turned to there from a, least of all ways, turns with it by w = b x db and
 * about itself, - b a . w / (1 + a . b). */
static void add_spin(const double a[3], const double c[3], const double w[3], double turn[3])
{
    vec3_add(-vec3_dot(a, w) / (vec3_norm(c) + vec3_dot(a, c)), c, turn);
}

/* What the ends of a chord have of a column. */
static void set_chord_column(const haw_view *view, int a, setting *s)
{
    const haw_cable_point *end = s->chord.end;
    motion *m = &s->column[a];
    for (int i = 0; i < 3; i++) {
        m->along[i] = i < view->moves ? end[1].j[i][a] - end[0].j[i][a] : 0;
        for (int k = 0; k < 2 && view->arm != 0; k++) {
            m->end_turn[k][i] = s->turns ? m->turn[i] : end[k].w[i][a];
            m->twist[i] += s->turns ? 0 : (2 * k - 1) * end[k].w[i][a];
        }
    }
    if (s->turns && view->arm != 0) {
        add_spin(s->at.from, s->chord.along, m->turn, m->end_turn[0]);
        add_spin(s->at.from, s->chord.along, m->turn, m->end_turn[1]);
    }
}

static void set_cable_columns(const haw_view *view, const haw_touch *touch, setting *s)
{
    haw_cable_point point;
    double slope[3][HAW_CABLE_DOFS];
    haw_view_point(view, touch->element, touch->s, view->q, true, &point);
    if (view->tilts) { /* as a chord of no length, whose place stays */
        view->cable->ops->slope(view->cable, touch->element, touch->s, view->q, s->chord.along,
                                slope);
        s->chord.square = vec3_dot(s->chord.along, s->chord.along);
        s->turns = true;
        mat3_apply_t(s->at.now[0].rotation, s->chord.along, s->at.from);
        for (int i = 0; i < 3; i++) {
            s->at.from[i] /= sqrt(s->chord.square);
        }
    }
    for (int a = 0; a < touch->side[0].count; a++) {
        motion *m = &s->column[a];
        for (int i = 0; i < 3; i++) {
            m->x[i] = i < view->moves ? point.j[i][a] : 0;
            m->turn[i] = m->end_turn[0][i] = view->arm != 0 ? point.w[i][a] : 0;
        }
        if (view->chords > 0) {
            set_chord_column(view, a, s);
        }
        for (int i = 0; i < 3 && view->tilts; i++) {
            m->along[i] = slope[i][a];
        }
        if (view->tilts) {
            add_spin(s->at.from, s->chord.along, m->turn, m->end_turn[0]);
        }
    }
    for (int end = 0; end < 2 && view->arm != 0 && !s->turns; end++) {
        haw_pose node;
        haw_cable_point at;
        view->cable->ops->point(view->cable, touch->element, end, view->q, NULL, 0, &at);
        memcpy(node.rotation, at.rotation, sizeof node.rotation);
        for (int k = 0; k < 9; k++) {
            motion *m = &s->column[touch->side[0].count / 2 * end + 3 + k % 3];
            m->node = end;
            m->axis[k / 3] = node.rotation[k];
        }
    }
}

/* y = B A^T x. */
static void turn_along(const double a[9], const double b[9], const double x[3], double y[3])
{
    double local[3];
    mat3_apply_t(a, x, local);
    mat3_apply(b, local, y);
}

/* Unit vector of a slope, and t x dt / ds. */
static void direct(double d[3][3], double t[3], double turn[3])
{
    const double size = vec3_norm(d[0]);
    for (int i = 0; i < 3; i++) {
        t[i] = d[0][i] / size;
    }
    vec3_cross(t, d[1], turn);
    for (int i = 0; i < 3; i++) {
        turn[i] /= size;
    }
}

/* C = Q Q_0^T turns a = t_0 to b = t, least of all ways, and back: along the line it turns as b
 * does less what C makes of how a does. */
static void set_drift(const double turned[9], bool tilts, double d[3][3], double then[3][3],
                      setting *s)
{
    double to[3], back[3], carried[3];
    memset(s->drift, 0, sizeof s->drift);
    memset(s->first, 0, sizeof s->first);
    s->tilts = tilts;
    if (tilts) {
        direct(then, s->first, back);
        direct(d, to, s->drift);
        add_spin(s->first, to, s->drift, s->drift);
        add_spin(to, s->first, back, back);
        mat3_apply(turned, back, carried);
        vec3_add(-1, carried, s->drift);
    }
}

/* Columns of a line: the material at the foot, its slope, and the section with the axes of its
 * nodes, where friction acts on it. */
static void set_line_columns(const haw_passage *p, int first, setting *s)
{
    const haw_view *view = &p->now;
    const haw_cable *line = view->line;
    const haw_touch *touch = s->touch;
    const bool tilts = haw_view_line_tilts(view), rolls = haw_cable_turns(line) || tilts;
    const int count = touch->side[1].count;
    double x[3], d[3][3], then[3][3], carried[3], slope[3][HAW_CABLE_DOFS],
        twist[3][HAW_CABLE_DOFS] = {{0}};
    haw_cable_point at;
    if (tilts) {
        haw_cable_direct(line, touch->on, touch->at, view->q, &at);
    } else {
        line->ops->point(line, touch->on, touch->at, view->q, NULL, HAW_POINT_JACOBIAN, &at);
    }
    line->ops->slope(line, touch->on, touch->at, view->q, x, slope);
    line->ops->curve(line, touch->on, touch->at, view->q, d);
    line->ops->curve(line, touch->on, touch->at, p->q0, then);
    if (rolls) {
        (tilts ? haw_cable_direct_twist : line->ops->twist)(line, touch->on, touch->at, view->q,
                                                            twist);
    }
    turn_along(p->before.rotation, view->pose.rotation, then[0], carried);
    set_drift(view->pose.rotation, tilts, d, then, s);
    for (int i = 0; i < 3; i++) {
        s->along[i] = d[0][i];
        s->shift[i] = d[0][i] - carried[i];
        for (int a = 0; a < count; a++) {
            motion *m = &s->column[first + a];
            m->body[i] = at.j[i][a];
            m->slope[i] = slope[i][a];
            m->spin[i] = m->carry[i] = rolls ? at.w[i][a] : 0;
            m->roll[i] = twist[i][a];
        }
    }
    for (int a = 0; a < count && tilts; a++) {
        add_spin(s->first, s->along, s->column[first + a].spin, s->column[first + a].carry);
    }
    s->distance = touch->gap + touch->dip + view->radius + line->radius;
    s->sharp = haw_line_sharpness(touch->normal, s->distance, d[0], d[1]);
    for (int end = 0; end < 2 && rolls && !tilts; end++) {
        line->ops->point(line, touch->on, end, view->q, NULL, HAW_POINT_PLACE, &at);
        for (int k = 0; k < 9; k++) {
            motion *m = &s->column[first + count / 2 * end + 3 + k % 3];
            m->node = 2 + end;
            m->axis[k / 3] = at.rotation[k];
        }
    }
}

static void add_motion(double factor, const motion *a, motion *sum)
{
    vec3_add(factor, a->x, sum->x);
    vec3_add(factor, a->turn, sum->turn);
    vec3_add(factor, a->body, sum->body);
    vec3_add(factor, a->spin, sum->spin);
    vec3_add(factor, a->along, sum->along);
    vec3_add(factor, a->twist, sum->twist);
    vec3_add(factor, a->slope, sum->slope);
    vec3_add(factor, a->roll, sum->roll);
}

static void set_rates(const double *u, setting *s)
{
    memset(&s->rates, 0, sizeof s->rates);
    memset(s->node_rate, 0, sizeof s->node_rate);
    for (int side = 0, at = 0; side < 2; side++) {
        for (int a = 0; a < s->count[side]; a++, at++) {
            const double rate = u[haw_side_dof(&s->touch->side[side], a)];
            add_motion(rate, &s->column[at], &s->rates);
            const motion *m = &s->column[at];
            vec3_add(rate, m->node < 2 ? m->turn : m->spin, s->node_rate[m->node]);
        }
    }
}

static void set_levers(const haw_passage *p, setting *s)
{
    const double *n = s->touch->normal;
    double x[3] = {0, 0, 0};
    for (int k = 0; k < s->at.count; k++) {
        double back[9], relative[9], before[9];
        mat3_transpose(s->at.now[k].rotation, back);
        mat3_product(s->at.then[k].rotation, back, relative);
        mat3_transpose(p->before.rotation, back);
        mat3_product(back, relative, before);
        mat3_product(p->now.pose.rotation, before, s->turned[k]);
        vec3_add(s->at.weight[k], s->at.now[k].x, x);
    }
    for (int i = 0; i < 3; i++) {
        s->rho[i] = -p->now.arm * n[i];
        s->eta[i] = s->rho[i] - (s->to_foot ? s->touch->gap : 0) * n[i];
        s->arm[i] = x[i] - p->now.pose.x[i];
        s->lever[i] = s->arm[i] + s->eta[i];
        s->force[i] = s->clasp->press.n.force * n[i] - s->clasp->f.force[i];
    }
}

/* How the place moves, and what the way has to do with it. */
static void set_chord(const haw_passage *p, setting *s)
{
    const haw_touch *touch = s->touch;
    double way[2][3], carried[3], slope[2];
    haw_view_chord(&p->now, touch->element, touch->s, p->now.q, true, &s->chord);
    s->turns = !haw_cable_turns(p->now.cable);
    for (int k = 0; k < 2; k++) {
        haw_passage_find(p, &s->at.now[k], &s->at.then[k], touch->normal, way[k], carried);
    }
    for (int i = 0; i < 3; i++) {
        s->unlike[i] = way[1][i] - way[0][i];
    }
    s->excess = haw_clasp_excess(&p->now, &s->at, s->unit);
    vec3_add(s->excess, s->unit, s->unlike);
    haw_chord_slope(&s->chord, touch->normal, touch->tangent, touch->bend, s->chord.rho, slope);
    s->bend = fabs(slope[0]) < 1e-8 * sqrt(s->chord.square) ? slope[1] : 0;
}

static void set_up(const haw_compliant *c, const haw_compliant_pair *pair, const haw_passage *p,
                   const haw_clasp *clasp, setting *s)
{
    s->clasp = clasp;
    s->touch = &c->touched->item[clasp->touch];
    s->pair = pair->pair;
    s->to_foot = p->now.to_foot;
    s->line = p->now.line;
    s->slides = pair->tangential != NULL && pair->tangential->uses_slide;
    s->count[0] = s->touch->side[0].count;
    s->count[1] = s->touch->side[1].count;
    memset(s->column, 0, (size_t)(s->count[0] + s->count[1]) * sizeof *s->column);
    haw_passage_places(p, s->touch, &s->at);
    if (p->now.chords > 0) {
        set_chord(p, s);
    }
    if (pair->cable != NULL) {
        set_cable_columns(&p->now, s->touch, s);
    } else {
        set_corner(p, s);
        set_body_columns(&p->now, s->at.now[0].rotation, 0, s);
    }
    if (s->line != NULL) {
        set_line_columns(p, s->count[0], s);
    } else {
        set_body_columns(&p->now, p->now.pose.rotation, s->count[0], s);
    }
    set_rates(c->u, s);
    set_levers(p, s);
}

/* ---- one column ---- */

static void subtract_cross(const double a[3], const double b[3], double y[3])
{
    double cross[3];
    vec3_cross(a, b, cross);
    vec3_add(-1, cross, y);
}

/* What a motion changes of a touch. */
typedef struct change {
    double place;  /* of the place on its chord */
    double foot;   /* of the foot on its line */
    double arm[3]; /* x - X of the touch */
    double gap, normal[3], rho[3], eta[3];
} change;

/* dn += B xi. */
static void bend_normal(const haw_touch *touch, const double xi[3], double dn[3])
{
    double second[3];
    vec3_cross(touch->normal, touch->tangent, second);
    vec3_add(touch->bend[0] * vec3_dot(touch->tangent, xi), touch->tangent, dn);
    vec3_add(touch->bend[1] * vec3_dot(second, xi), second, dn);
}

static void turn_normal(const setting *s, const motion *m, change *d)
{
    const haw_touch *touch = s->touch;
    const double *n = touch->normal, *c = s->chord.along;
    const double a = -vec3_dot(s->rho, n), foot = -vec3_dot(s->eta, n);
    double xi[3], on[3];
    for (int i = 0; i < 3; i++) {
        xi[i] = d->arm[i] = m->x[i] - m->body[i];
    }
    d->foot = 0;
    memset(d->normal, 0, sizeof d->normal);
    if (s->line == NULL) {
        subtract_cross(m->spin, s->arm, xi);
        vec3_cross(m->spin, n, d->normal);
    } else if (!touch->rests) {
        const double turned = vec3_dot(n, m->slope) / s->sharp;
        d->foot = vec3_dot(s->along, xi) / s->sharp + s->distance * turned;
        vec3_add(-turned, s->along, d->normal);
        vec3_add(-d->foot, s->along, d->arm);
    }
    bend_normal(touch, xi, d->normal);
    d->gap = vec3_dot(n, xi);
    d->place = s->bend != 0 ? -(vec3_dot(d->normal, c) + vec3_dot(n, m->along)) / s->bend : 0;
    for (int i = 0; i < 3; i++) {
        on[i] = d->place * c[i];
        d->arm[i] += on[i];
    }
    bend_normal(touch, on, d->normal);
    d->gap += vec3_dot(n, on);
    for (int i = 0; i < 3; i++) {
        d->rho[i] = -a * d->normal[i];
        d->eta[i] = -foot * d->normal[i] - (s->to_foot ? d->gap : 0) * n[i];
    }
}

/* dw += of w = c x c' / |c|^2, where c' stays and c changes by dc. */
static void turn_spin(const double c[3], const double dc[3], const double rate[3],
                      const double w[3], double dw[3])
{
    double part[3];
    const double square = vec3_dot(c, c);
    vec3_cross(dc, rate, part);
    vec3_add(1 / square, part, dw);
    vec3_add(-2 * vec3_dot(c, dc) / square, w, dw);
}

/* dv of the touch: by its turned levers, and by rates in proportion to the motion. */
static void turn_rate(const setting *s, const motion *m, const change *d, double dv[3])
{
    const motion *r = &s->rates;
    double lever[3], spin[3], turn[3], part[3];
    for (int i = 0; i < 3; i++) {
        lever[i] = d->arm[i] + d->eta[i];
        dv[i] = s->rate * (m->x[i] - m->body[i]) + d->place * r->along[i] - d->foot * r->slope[i];
        spin[i] = turn[i] = 0;
    }
    subtract_cross(r->spin, lever, dv);
    if (s->line == NULL) {
        vec3_cross(m->spin, r->spin, spin);
    }
    vec3_cross(m->axis, s->node_rate[m->node], m->node < 2 ? turn : spin);
    vec3_add(d->foot, r->roll, spin);
    vec3_add(s->rate, m->spin, spin);
    vec3_add(s->rate, m->turn, turn);
    vec3_add(d->place, r->twist, turn);
    if (s->turns) {
        turn_spin(s->chord.along, m->along, r->along, r->turn, turn);
    }
    if (s->tilts) {
        turn_spin(s->along, m->slope, r->slope, r->spin, spin);
    }
    subtract_cross(spin, s->lever, dv);
    vec3_cross(turn, s->rho, part);
    vec3_add(1, part, dv);
    vec3_cross(r->turn, d->rho, part);
    vec3_add(1, part, dv);
    if (s->pair->cable < 0) { /* omega x r of its corner */
        vec3_cross(m->turn, s->corner, spin);
        vec3_cross(r->turn, spin, part);
        vec3_add(1, part, dv);
        vec3_cross(m->axis, s->node_rate[0], spin);
        vec3_cross(spin, s->corner, part);
        vec3_add(1, part, dv);
    }
}

/* d(P x) = P dx - dn (n . x) - n (dn . x). */
static void project_change(const double n[3], const double dn[3], const double x[3],
                           const double dx[3], double y[3])
{
    const double along = vec3_dot(n, x), turned = vec3_dot(dn, x) + vec3_dot(n, dx);
    for (int i = 0; i < 3; i++) {
        y[i] = dx[i] - along * dn[i] - turned * n[i];
    }
}

/* What the frame turns by that takes the way and bristles along. */
static void carry_turn(const setting *s, const motion *m, const change *d, double turn[3])
{
    memcpy(turn, m->carry, 3 * sizeof *turn);
    if (s->line != NULL) {
        vec3_add(d->foot, s->drift, turn);
    }
}

/* d(T(n) b) as b turns with the body: c = T b is P b at the constant length of b, c . b = |b| |P
 * b|, so that dc = (|b|^2 d(P b) - (c . d(P b)) c) / (c . b). */
static void carry_change(const setting *s, const motion *m, const change *d, double y[3])
{
    const double *n = s->touch->normal, *b = s->clasp->bristle, *dn = d->normal;
    double turn[3], db[3], c[3], dp[3];
    carry_turn(s, m, d, turn);
    vec3_cross(turn, b, db);
    haw_clasp_carry(n, b, c);
    project_change(n, dn, b, db, dp);
    const double along = vec3_dot(c, b), square = vec3_dot(b, b), stretch = vec3_dot(c, dp);
    for (int i = 0; i < 3; i++) {
        y[i] = along > 0 ? (square * dp[i] - stretch * c[i]) / along : 0;
    }
}

/* dw: what the body carries turns with it, and its part C rho with the section too. */
static void way_change(const setting *s, const motion *m, const change *d, double dw[3])
{
    double turn[3];
    for (int i = 0; i < 3; i++) {
        dw[i] = m->x[i] - m->body[i] + d->rho[i] + d->place * s->unlike[i] -
                (s->line != NULL ? d->foot * s->shift[i] : 0);
    }
    for (int k = 0; k < s->at.count; k++) {
        double inner[3], turned[3];
        vec3_cross(m->end_turn[k], s->rho, inner);
        for (int i = 0; i < 3; i++) {
            inner[i] = d->rho[i] - inner[i];
        }
        mat3_apply(s->turned[k], inner, turned);
        vec3_add(-s->at.weight[k], turned, dw);
    }
    if (s->at.travel != 0) { /* d((|c| - l) c / |c|) */
        const double part = s->excess / sqrt(s->chord.square), along = vec3_dot(s->unit, m->along);
        vec3_add(s->at.travel * part, m->along, dw);
        vec3_add(s->at.travel * (1 - part) * along, s->unit, dw);
    }
    carry_turn(s, m, d, turn);
    subtract_cross(turn, s->clasp->carried, dw);
}

/* dF of a column. */
static void force_change(const setting *s, const motion *m, const change *d, double df[3])
{
    const haw_clasp *clasp = s->clasp;
    const double *n = s->touch->normal, *dn = d->normal;
    double dv[3], slip[3], dw[3], slide[3], carried[3], part[3];
    turn_rate(s, m, d, dv);
    const double d_rate = vec3_dot(dn, clasp->rate) + vec3_dot(n, dv);
    const double normal = clasp->press.n.d_gap * d->gap + clasp->press.n.d_rate * d_rate;
    project_change(n, dn, clasp->rate, dv, slip);
    mat3_apply(clasp->f.d_rate, slip, df);
    if (!clasp->is_bare || (s->slides && clasp->entry[0] > 0)) {
        const double later = s->slides ? clasp->entry[1] * d->gap : 0;
        memset(slide, 0, sizeof slide);
        if (!clasp->is_bare) {
            carry_change(s, m, d, slide);
        }
        way_change(s, m, d, dw);
        project_change(n, dn, clasp->way, dw, carried);
        vec3_add(s->slides ? clasp->entry[0] : 0, carried, slide);
        vec3_add(later, clasp->way, slide);
        vec3_add(-later * vec3_dot(n, clasp->way), n, slide);
        mat3_apply(s->slides ? clasp->f.d_slide : clasp->f.d_memory, slide, part);
        vec3_add(1, part, df);
    }
    vec3_add(-clasp->slope[0] * d->foot, s->force, df); /* the share of two feet */
    const double turned = vec3_dot(dn, clasp->given);   /* out of the plane: d(T f) = -n (dn . f) */
    for (int i = 0; i < 3; i++) {
        df[i] = (normal + turned) * n[i] + clasp->press.n.force * dn[i] - df[i] -
                clasp->f.d_normal[i] * normal;
    }
}

/* What a moment M on sections does to a row as their turns w = c x c' / |c|^2 change with c. */
static double turn_of_row(const double c[3], const double dc[3], const double row[3],
                          const double w[3], const double moment[3])
{
    double dw[3] = {0, 0, 0};
    turn_spin(c, dc, row, w, dw);
    return vec3_dot(dw, moment);
}

/* Change of the generalized forces that a column makes, into column `at` of k. */
static void add_column(const setting *s, int at, double *k)
{
    const motion *m = &s->column[at];
    const int width = s->count[0] + s->count[1];
    double df[3], moment[3], turned[3], part[3], lever[3], own[3], twist[3];
    change d;
    turn_normal(s, m, &d);
    force_change(s, m, &d, df);
    /* on the section, d(rho x F), and as the axes of its nodes turn */
    vec3_cross(s->rho, s->force, twist);
    vec3_cross(s->rho, df, turned);
    vec3_cross(d.rho, s->force, part);
    vec3_add(1, part, turned);
    vec3_cross(twist, m->axis, own);
    /* on the body, -d(L x F) */
    double on_body[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++) {
        lever[i] = d.arm[i] + d.eta[i];
    }
    subtract_cross(lever, s->force, on_body);
    subtract_cross(s->lever, df, on_body);
    vec3_cross(s->lever, s->force, moment);
    if (s->line == NULL) { /* else haw_cable_ops.point_tangent */
        vec3_cross(m->spin, moment, part);
        vec3_add(1, part, on_body);
    }
    for (int a = 0; a < width; a++) {
        const motion *row = &s->column[a];
        k[a * width + at] -=
            vec3_dot(row->x, df) + vec3_dot(row->turn, turned) - vec3_dot(row->body, df) +
            vec3_dot(row->spin, on_body) + (row->node == m->node ? vec3_dot(row->turn, own) : 0) +
            d.place * (vec3_dot(row->along, s->force) + vec3_dot(row->twist, twist)) -
            d.foot * (vec3_dot(row->slope, s->force) + vec3_dot(row->roll, moment)) +
            (s->turns ? turn_of_row(s->chord.along, m->along, row->along, row->turn, twist) : 0) -
            (s->tilts ? turn_of_row(s->along, m->slope, row->slope, row->spin, moment) : 0);
    }
}

/* ---- into the matrix ---- */

/* The share of a force that two feet have (clasp.c) changes with the other one, too, whose columns
 * these are: dF = F dp / p. */
static void add_share(haw_compliant *c, const setting *s, haw_system *system)
{
    haw_clasp other = *s->clasp;
    setting its = {.rate = s->rate};
    double twist[3], moment[3];
    change d;
    if (other.with < 0 || other.slope[1] == 0) {
        return;
    }
    other.touch = other.with;
    const haw_passage p = haw_clasp_passage(c, &c->touched->item[other.touch], c->q, c->start_q);
    set_up(c, other.pair, &p, &other, &its);
    vec3_cross(s->rho, s->force, twist);
    vec3_cross(s->lever, s->force, moment);
    for (int at = 0; at < its.count[0] + its.count[1]; at++) {
        const int of = at < its.count[0] ? 0 : 1;
        const int column = haw_side_dof(&its.touch->side[of], at - of * its.count[0]);
        turn_normal(&its, &its.column[at], &d);
        for (int a = 0; a < s->count[0] + s->count[1]; a++) {
            const motion *row = &s->column[a];
            const int side = a < s->count[0] ? 0 : 1;
            const double work = vec3_dot(row->x, s->force) + vec3_dot(row->turn, twist) -
                                vec3_dot(row->body, s->force) - vec3_dot(row->spin, moment);
            haw_system_add(system, haw_side_dof(&s->touch->side[side], a - side * s->count[0]),
                           column, -other.slope[1] * d.foot * work);
        }
    }
}

static void add_turn(const haw_compliant *c, const haw_view *view, const setting *s,
                     haw_system *system)
{
    const haw_cable *cable = view->cable;
    const haw_cable_ops *ops = cable->ops;
    const int e = s->touch->element;
    double own[HAW_SIDE_DOFS * HAW_SIDE_DOFS];
    memset(own, 0, (size_t)(s->count[0] * s->count[0]) * sizeof *own);
    for (int k = 0; k < s->at.count && ops->point_tangent != NULL; k++) {
        double force[3] = {0, 0, 0};
        vec3_add(s->at.weight[k], s->force, force);
        ops->point_tangent(cable, e, s->at.count > 1 ? s->chord.s[k] : s->touch->s, c->q, force,
                           NULL, own);
    }
    haw_system_add_element(system, (int)(cable - c->model->cable), e, own);
}

/* What the turns of a body do to the row of its corner. */
static void add_corner(const haw_compliant *c, const haw_view *view, const setting *s,
                       haw_system *system)
{
    const haw_surface *surface = &view->ball->surface;
    const haw_dofs dofs = {.count = s->count[0], .first = view->ball->first};
    double own[HAW_BODY_DOFS * HAW_BODY_DOFS] = {0}, at[3];
    if (surface->ops->corner == NULL) {
        return;
    }
    surface->ops->corner(surface, s->touch->s, at);
    c->model->kind->point_tangent(view->ball, c->q, at, s->force, own);
    haw_system_add_block(system, &dofs, own);
}

/* What turns of the line's nodes do to the row of its foot. */
static void add_line(const haw_compliant *c, const setting *s, haw_system *system)
{
    const haw_cable *line = s->line;
    const haw_touch *touch = s->touch;
    double own[HAW_SIDE_DOFS * HAW_SIDE_DOFS] = {0}, force[3] = {0, 0, 0}, moment[3] = {0, 0, 0};
    if (line->ops->point_tangent == NULL) {
        return;
    }
    vec3_add(-1, s->force, force);
    subtract_cross(s->lever, s->force, moment);
    line->ops->point_tangent(line, touch->on, touch->at, c->q, force,
                             haw_cable_turns(line) ? moment : NULL, own);
    haw_system_add_element(system, (int)(line - c->model->cable), touch->on, own);
}

/* Two sides that are no cable and a body. */
static void add_pair(const setting *s, const double *k, haw_system *system)
{
    int list[COLUMNS];
    const haw_dofs dofs = {.count = s->count[0] + s->count[1], .list = list};
    for (int a = 0; a < dofs.count; a++) {
        const int side = a < s->count[0] ? 0 : 1;
        list[a] = haw_side_dof(&s->touch->side[side], a - side * s->count[0]);
    }
    haw_system_add_block(system, &dofs, k);
}

void haw_clasp_tangent(haw_compliant *c, const haw_patch *patch, double rate, haw_system *system)
{
    const haw_compliant_pair *pair = &c->pair[patch->pair];
    double k[COLUMNS * COLUMNS];
    setting s = {.rate = rate};
    for (int i = 0; i < patch->count; i++) {
        const haw_clasp *clasp = &c->clasp[patch->touch + i];
        const haw_passage p =
            haw_clasp_passage(c, &c->touched->item[clasp->touch], c->q, c->start_q);
        set_up(c, pair, &p, clasp, &s);
        const int width = s.count[0] + s.count[1];
        memset(k, 0, (size_t)(width * width) * sizeof *k);
        for (int at = 0; at < width; at++) {
            add_column(&s, at, k);
        }
        if (pair->cable != NULL) {
            add_turn(c, &p.now, &s, system);
        } else {
            add_corner(c, &p.now, &s, system);
        }
        if (s.line != NULL) {
            add_line(c, &s, system);
            add_pair(&s, k, system);
            add_share(c, &s, system);
        } else if (pair->cable != NULL) {
            haw_system_add_contact(system, pair->pair->cable, s.touch->element, pair->pair->body,
                                   k);
        } else {
            add_pair(&s, k, system);
        }
    }
}
