/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines in the plane: the elements of element/element.h, whose nodes are fixed to the material. */
#include "cable/site.h"

#include <math.h>
#include <string.h>

enum { BLOCK = HAW_ELEMENT_DOFS_MAX * HAW_ELEMENT_DOFS_MAX };

static const double LEG_CHANGE = 0.5; /* of a leg of a control polygon, over its length */

/* ---- coordinates ---- */

static void line_prescribe(const haw_cable *cable, double t, double h, double *u)
{
    for (int end = 0; end < 2; end++) {
        const haw_cable_guide *guide = &cable->guide[end];
        for (int j = 0; cable->end_dof[end] >= 0 && j < 4; j++) {
            if (guide->held[j]) {
                u[cable->first + cable->end_dof[end] + j] =
                    j < 2 ? haw_function_mean(&guide->function[j], t, h) : 0;
            }
        }
    }
}

static double line_longest(const haw_cable *cable)
{
    double longest = 0;
    for (int e = 0; e < cable->line.elements; e++) {
        longest = fmax(longest, cable->line.ops->length(&cable->line, e, cable->start));
    }
    return longest;
}

/* ---- dynamics ---- */

static void line_energy(const haw_cable *cable, const double *q, double energy[2])
{
    cable->line.ops->energy(&cable->line, q + cable->first_q, energy);
}

static double line_kinetic(const haw_cable *cable, const double *q, const double *u)
{
    return cable->line.ops->kinetic(&cable->line, q + cable->first_q, u + cable->first);
}

/* y += factor M(q) x by elements, whose masses depend on q. */
static void add_momentum(const haw_cable *cable, double factor, const double *q, const double *x,
                         double *y)
{
    const haw_line *line = &cable->line;
    const int n = line->ops->dofs;
    double m[BLOCK];
    for (int e = 0; e < line->elements; e++) {
        const ptrdiff_t first = (ptrdiff_t)line->ops->stride * e;
        line->ops->mass(line, e, q + cable->first_q, m);
        for (int a = 0; a < n * n; a++) {
            y[cable->first + first + a / n] += factor * m[a] * x[cable->first + first + a % n];
        }
    }
}

/* The band's product overwrites: mass-proportional damping comes first. */
static void line_forces(const haw_cable *cable, const double *q, const double *u,
                        const haw_forces *forces)
{
    const haw_line *line = &cable->line;
    const double *own_q = q + cable->first_q, *own_u = u + cable->first;
    double *f = forces->conservative + cable->first, *d = forces->damping + cable->first;
    if (cable->damping_mass > 0 && line->ops->mass_constant) {
        haw_band_multiply(&cable->mass, own_u, d);
        for (int a = 0; a < line->dofs; a++) {
            d[a] *= -cable->damping_mass;
        }
    } else if (cable->damping_mass > 0) {
        add_momentum(cable, -cable->damping_mass, q, u, forces->damping);
    }
    if (line->ops->force_rates != NULL) {
        line->ops->force_rates(line, own_q, own_u, f, d);
    } else {
        line->ops->force(line, own_q, f);
    }
}

static void line_mass(const haw_cable *cable, const double *a, double *y)
{
    if (cable->form.is_constant) {
        haw_band_multiply(&cable->mass, a + cable->first, y + cable->first);
    } else {
        memset(y + cable->first, 0, (size_t)cable->line.dofs * sizeof *y);
    }
}

static void line_inertia(const haw_cable *cable, const double *q, const double *u, const double *a,
                         double *y)
{
    const haw_line *line = &cable->line;
    if (cable->form.is_constant) {
        return;
    }
    double *own = y + cable->first;
    for (int i = 0; i < line->dofs; i++) {
        own[i] = -own[i];
    }
    line->ops->gyroscopic(line, q + cable->first_q, u + cable->first, own);
    for (int i = 0; i < line->dofs; i++) {
        own[i] = -own[i];
    }
    add_momentum(cable, 1, q, a, y);
}

/* m [dofs^2] = mass M of element e: a scalar block for each component. */
static void spread_mass(const haw_line *line, int e, const double *own_q, double mass, double *m)
{
    const haw_element_ops *ops = line->ops;
    const int c = ops->mass_copies;
    double scalar[BLOCK];
    ops->mass(line, e, own_q, scalar);
    for (int a = 0; a < ops->dofs * ops->mass_block; a++) {
        const int row = a / ops->mass_block, column = a % ops->mass_block;
        m[row * ops->dofs + column * c + row % c] =
            mass * scalar[row / c * ops->mass_block + column];
    }
}

/* K + rate C of an element, and factor M: constant masses of all elements of a cable are the same.
 * Of masses that depend on q the derivatives are left out. */
static void line_blocks(const haw_cable *cable, const double *q, const double *u,
                        const double factor[2], haw_block_sink add, void *user)
{
    const haw_line *line = &cable->line;
    const haw_element_ops *ops = line->ops;
    const double mass = factor[0] + factor[1] * cable->damping_mass;
    const double *own_q = q + cable->first_q, *own_u = u + cable->first;
    double m[BLOCK] = {0}, k[BLOCK];
    for (int e = 0; e < line->elements; e++) {
        if (e == 0 || !ops->mass_constant) {
            spread_mass(line, e, own_q, mass, m);
        }
        if (ops->tangent_rates != NULL) {
            ops->tangent_rates(line, e, own_q, own_u, factor[1], k);
        } else {
            ops->tangent(line, e, own_q, false, k);
        }
        for (int a = 0; a < ops->dofs * ops->dofs; a++) {
            k[a] += m[a];
        }
        add(user, e, k);
    }
}

static void line_force(const haw_cable *cable, const double *q, double *f)
{
    cable->line.ops->force(&cable->line, q + cable->first_q, f + cable->first);
}

static void line_gyroscopic(const haw_cable *cable, const double *q, const double *u, double *f)
{
    const haw_element_ops *ops = cable->line.ops;
    if (ops->gyroscopic != NULL) {
        ops->gyroscopic(&cable->line, q + cable->first_q, u + cable->first, f + cable->first);
    }
}

static void line_mass_block(const haw_cable *cable, int e, const double *q, double *m)
{
    cable->line.ops->mass(&cable->line, e, q != NULL ? q + cable->first_q : NULL, m);
}

static void line_stiffness_block(const haw_cable *cable, int e, const double *q, double *k)
{
    cable->line.ops->tangent(&cable->line, e, q + cable->first_q, true, k);
}

/* Longitudinal and transverse waves are modes apart: the smaller step counts. */
static double line_critical_step(const haw_cable *cable)
{
    const haw_line *line = &cable->line;
    const double c = sqrt(line->stiffness / line->density);
    const bool is_free = !line->closed && (cable->end_dof[0] < 0 || cable->end_dof[1] < 0);
    const double limit = is_free ? line->ops->step_limit_free : line->ops->step_limit;
    double step = limit * line->le / c;
    if (line->bending > 0) {
        const double b = sqrt(line->bending / line->density);
        step = fmin(step, line->ops->step_limit_bending * line->le * line->le / b);
    }
    return step;
}

/* (2 / h)^2 of those limits with dampers in place of stiffnesses. */
static double line_damping_rate(const haw_cable *cable)
{
    const haw_line *line = &cable->line;
    const haw_element_ops *ops = line->ops;
    const double axial = fmin(ops->step_limit, ops->step_limit_free) * line->le;
    const double bending = ops->step_limit_bending * line->le * line->le;
    double rate = line->damping_strain / (axial * axial);
    if (line->damping_curvature > 0) {
        rate = fmax(rate, line->damping_curvature / (bending * bending));
    }
    return 4 * rate / line->density;
}

/* The polar element loses its direction as a handle shrinks: stop before it is singular. */
static haw_status line_guard(const haw_cable *cable, haw_context *context, double t,
                             const double *q)
{
    const haw_element_ops *ops = cable->line.ops;
    const double handle =
        ops->handle != NULL ? ops->handle(&cable->line, q + cable->first_q) : (double)INFINITY;
    return handle >= ops->handle_min
               ? HAW_OK
               : haw_fail(context, HAW_ERR_GUARD,
                          "cable '%s': a tangent handle fell to %g of its rest length (limit %g) "
                          "at t = %g s: the %s coordinates are singular there; use element: "
                          "bezier",
                          cable->name, handle, ops->handle_min, t, ops->row.name);
}

/* ---- given forces ---- */

/* Of Cartesian kinds, whose points are linear in q. */
static haw_status line_check_load(const haw_cable *cable, haw_context *context, const char *what,
                                  const bool turns[3])
{
    const haw_element_ops *ops = cable->line.ops;
    if (ops->basis == NULL) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "%s on the cable '%s': the element '%s' takes none; use bezier, bezier-c0, "
                        "chain or ancf",
                        what, cable->name, ops->row.name);
    }
    if (turns[2] && !(ops->step_limit_bending > 0)) {
        return haw_fail(context, HAW_ERR_INPUT,
                        "moment on the cable '%s': the element '%s' has no bending stiffness",
                        cable->name, ops->row.name);
    }
    return HAW_OK;
}

/* ---- material points ---- */

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void line_point(const haw_cable *cable, int e, double s, const double *q, const double *u,
                       int want, haw_cable_point *point)
{
    const haw_line *line = &cable->line;
    const int dofs = line->ops->dofs;
    double j[2 * HAW_ELEMENT_DOFS_MAX];
    (void)u;
    point->x[2] = 0;
    memset(point->convection, 0, sizeof point->convection);
    if ((want & HAW_POINT_JACOBIAN) == 0) {
        line->ops->position(line, e, s, q + cable->first_q, point->x, NULL);
        return;
    }
    line->ops->position(line, e, s, q + cable->first_q, point->x, j);
    for (int i = 0; i < 2; i++) {
        memcpy(point->j[i], j + (ptrdiff_t)i * dofs, (size_t)dofs * sizeof *j);
    }
    memset(point->j[2], 0, (size_t)dofs * sizeof *j);
}

/* A component of a curve in Bezier form, by de Casteljau's scheme. */
static double bezier_value(int degree, double p[HAW_HULL_MAX][2], int i, double s)
{
    double at[HAW_HULL_MAX] = {0};
    for (int a = 0; a <= degree; a++) {
        at[a] = p[a][i];
    }
    for (int left = degree; left > 0; left--) {
        for (int a = 0; a < left; a++) {
            at[a] += s * (at[a + 1] - at[a]);
        }
    }
    return at[0];
}

/* The k-th derivative of a curve of degree m in Bezier form is that of the k-th differences of its
 * control points, of degree m - k, times m (m - 1) ... (m - k + 1). */
static void line_curve(const haw_cable *cable, int e, double s, const double *q, double d[3][3])
{
    const haw_element_ops *ops = cable->line.ops;
    double p[HAW_HULL_MAX][2], factor = 1;
    ops->controls(&cable->line, e, q + cable->first_q, p);
    memset(d, 0, 9 * sizeof **d);
    for (int k = 0; k < 3 && k < ops->hull - 1; k++) {
        const int degree = ops->hull - 2 - k;
        factor *= degree + 1;
        for (int i = 0; i < 2; i++) {
            for (int a = 0; a <= degree; a++) {
                p[a][i] = p[a + 1][i] - p[a][i];
            }
            d[k][i] = factor * bezier_value(degree, p, i, s);
        }
    }
}

static bool line_is_cubic(const haw_cable *cable)
{
    (void)cable;
    return true; /* elements have four control points at most */
}

static void line_slope(const haw_cable *cable, int e, double s, const double *q, double d[3],
                       double j[3][HAW_CABLE_DOFS])
{
    const haw_line *line = &cable->line;
    const int dofs = line->ops->dofs;
    const double *at = q + haw_cable_node_q(cable, e);
    double value[HAW_HULL_MAX], slope[HAW_HULL_MAX], own[2 * HAW_ELEMENT_DOFS_MAX] = {0};
    d[0] = d[1] = d[2] = 0;
    if (line->ops->slope != NULL) {
        line->ops->slope(line, e, s, q + cable->first_q, d, own);
    } else {
        line->ops->basis(line, s, value, slope);
        for (int a = 0; a < dofs; a++) {
            d[a % 2] += slope[a / 2] * at[a];
            own[dofs * (a % 2) + a] = slope[a / 2];
        }
    }
    for (int a = 0; a < dofs; a++) {
        j[0][a] = own[a];
        j[1][a] = own[dofs + a];
        j[2][a] = 0;
    }
}

/* The convex hull of the control points contains the element, and the slope of a curve of degree m
 * is m times a mean of their differences. */
static void line_bounds(const haw_cable *cable, int e, const double *q, haw_bounds *bounds)
{
    const haw_element_ops *ops = cable->line.ops;
    double p[HAW_HULL_MAX][2];
    ops->controls(&cable->line, e, q + cable->first_q, p);
    memcpy(bounds->min, p[0], sizeof p[0]);
    memcpy(bounds->max, p[0], sizeof p[0]);
    double most = 0;
    for (int a = 1; a < ops->hull; a++) {
        const double leg[2] = {p[a][0] - p[a - 1][0], p[a][1] - p[a - 1][1]};
        const double square = leg[0] * leg[0] + leg[1] * leg[1];
        most = square > most ? square : most;
        for (int i = 0; i < 2; i++) {
            bounds->min[i] = p[a][i] < bounds->min[i] ? p[a][i] : bounds->min[i];
            bounds->max[i] = p[a][i] > bounds->max[i] ? p[a][i] : bounds->max[i];
        }
    }
    bounds->slope = (ops->hull - 1) * sqrt(most) * (1 + 8 * DBL_EPSILON);
    double square = 0;
    for (int i = 0; i < 2; i++) {
        const double half = 0.5 * (bounds->max[i] - bounds->min[i]);
        bounds->centre[i] = bounds->min[i] + half;
        square += half * half;
    }
    bounds->centre[2] = 0;
    bounds->radius = sqrt(square);
}

static void line_drift(const haw_cable *cable, double *u)
{
    const haw_element_ops *ops = cable->line.ops;
    for (int a = 0; a < cable->line.dofs; a++) {
        u[cable->first + a] = a % ops->stride < ops->places ? cable->drift[a % ops->stride % 2] : 0;
    }
}

/* ---- results ---- */

static int line_samples(const haw_cable *cable, int e)
{
    (void)e;
    if (cable->samples > 0) {
        return cable->samples;
    }
    return cable->line.ops->hull > 2 ? 4 : 1;
}

/*
 * Elements with bending stiffness interpolate the slope apart from the position, so that their
 * strain swings within an element; the points of Lobatto's rule (s = 0, 1/2, 1) are those to trust
 * (K. Ntarladima, M. Pieber, J. Gerstmayr, 2023), and between them strain and tension are linear.
 */
static void axial_state(const haw_line *line, int e, double s, const double *q, const double *u,
                        haw_axial *axial)
{
    line->ops->axial(line, e, s, q, u, axial);
    const double part = 2 * s - floor(2 * s);
    if (line->ops->force_rates == NULL || part == 0) {
        return;
    }
    haw_axial a, b;
    line->ops->axial(line, e, 0.5 * floor(2 * s), q, u, &a);
    line->ops->axial(line, e, 0.5 * floor(2 * s) + 0.5, q, u, &b);
    axial->strain = (1 - part) * a.strain + part * b.strain;
    axial->tension = (1 - part) * a.tension + part * b.tension;
}

static void line_state(const haw_cable *cable, int e, double s, const double *q, const double *u,
                       haw_sample *sample)
{
    const haw_line *line = &cable->line;
    const double *own_q = q + cable->first_q, *own_u = u != NULL ? u + cable->first : NULL;
    haw_axial axial;
    line->ops->position(line, e, s, own_q, sample->x, NULL);
    axial_state(line, e, s, own_q, own_u, &axial);
    sample->x[2] = sample->tangent[2] = 0;
    memcpy(sample->tangent, axial.tangent, sizeof axial.tangent);
    sample->label = (e + s) * line->le;
    sample->tension = axial.tension;
    sample->strain = axial.strain;
    sample->curvature = axial.curvature;
}

/* The integral of N by the rule of the element's own axial strains. */
static double line_tension(const haw_cable *cable, int e, const double *q, const double *u)
{
    static const haw_quadrature lobatto = {
        .points = 3, .s = {0, 0.5, 1}, .weight = {1.0 / 6, 4.0 / 6, 1.0 / 6}};
    const haw_line *line = &cable->line;
    const double *own_q = q + cable->first_q, *own_u = u != NULL ? u + cable->first : NULL;
    const bool has_scheme = line->ops->force_rates != NULL;
    haw_quadrature gauss;
    const haw_quadrature *rule = &line->rule;
    if (!line->slack && !has_scheme) {
        return line->stiffness * (line->ops->length(line, e, own_q) / line->le - 1);
    }
    if (has_scheme && line->scheme == HAW_SCHEME_C) {
        rule = &lobatto;
    } else if (has_scheme) {
        haw_quadrature_init(line->scheme == HAW_SCHEME_A ? 5 : 4, &gauss);
        rule = &gauss;
    }
    double sum = 0;
    for (int g = 0; g < rule->points; g++) {
        haw_axial axial;
        line->ops->axial(line, e, rule->s[g], own_q, own_u, &axial);
        sum += rule->weight[g] * axial.tension;
    }
    return sum;
}

static double line_stretched(const haw_cable *cable, const double *q)
{
    double sum = 0;
    for (int e = 0; e < cable->line.elements; e++) {
        sum += cable->line.ops->length(&cable->line, e, q + cable->first_q);
    }
    return sum;
}

/* NOLINTNEXTLINE(readability-function-size): a row of haw_cable_ops */
static void line_reaction(const haw_cable *cable, int end, const double *q, const double *u,
                          double *work, double wrench[6])
{
    const haw_line *line = &cable->line;
    memset(work, 0, (size_t)line->dofs * sizeof *work);
    memset(wrench, 0, 6 * sizeof *wrench);
    if (line->ops->force_rates != NULL) {
        line->ops->force_rates(line, q + cable->first_q, u + cable->first, work, work);
    } else {
        line->ops->force(line, q + cable->first_q, work);
    }
    for (int i = 0; i < 2 && cable->end_dof[end] >= 0; i++) {
        wrench[i] = -work[cable->end_dof[end] + i];
    }
    haw_cable_joint_reaction(cable, end, u, wrench);
}

/* ---- equilibria ---- */

/* By half a leg of a control polygon, beyond which lines fold into equilibria of their own. */
static double line_excess(const haw_cable *cable, const double *q, const double *d, double move)
{
    const haw_line *line = &cable->line;
    const int legs = line->ops->hull - 1;
    const double most_change = LEG_CHANGE * line->le / legs;
    double most = 0;
    (void)q;
    for (int e = 0; e < line->elements; e++) {
        double p[HAW_HULL_MAX][2];
        line->ops->controls(line, e, d + cable->first, p);
        for (int k = 0; k < legs; k++) {
            const double change = hypot(p[k + 1][0] - p[k][0], p[k + 1][1] - p[k][1]);
            most = fmax(most, fmax(change / most_change, hypot(p[k][0], p[k][1]) / move));
        }
    }
    return most;
}

/* ---- from its description ---- */

/* A property that not every element has. */
typedef struct feature {
    const char *key, *what;
    double value;
    bool is_known; /* the element has it; without it only 0 is allowed */
} feature;

/* Bending, damping of rates and a stress-free shape of their own are not for every element. */
static haw_status check_features(const haw_site *site, const haw_cable_spec *spec,
                                 const haw_element_ops *ops)
{
    const bool bends = ops->step_limit_bending > 0, has_rates = ops->force_rates != NULL;
    const feature rows[] = {
        {"bending_stiffness", "bending stiffness", spec->bending_stiffness, bends},
        {"reference_curvature", "bending stiffness", spec->reference_curvature, bends},
        {"damping.strain", "damping of strain rates", spec->damping_strain, has_rates},
        {"damping.curvature", "damping of curvature rates", spec->damping_curvature, has_rates},
        {"reference_strain", "reference strain", spec->reference_strain, has_rates},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].is_known && rows[i].value != 0) {
            return haw_cable_refuse(site, spec, rows[i].key, "the element '%s' has no %s",
                                    ops->row.name, rows[i].what);
        }
    }
    if (spec->reference == HAW_REFERENCE_DRAWN && ops->natural == NULL) {
        return haw_cable_refuse(site, spec, "reference",
                                "the element '%s' is straight where it is free of stress",
                                ops->row.name);
    }
    if (spec->reference == HAW_REFERENCE_DRAWN && !isnan(spec->tension)) {
        return haw_cable_refuse(
            site, spec, "reference",
            "a cable that is free of stress as drawn cannot be given a tension; use "
            "reference_strain for pretension");
    }
    return HAW_OK;
}

static haw_status init_line(const haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_line *line = &cable->line;
    line->ops = (const haw_element_ops *)haw_row_find(cable->ops->elements, spec->element);
    HAW_TRY(check_features(site, spec, line->ops));
    cable->stride_q = cable->stride = line->ops->stride;
    cable->element_dofs = line->ops->dofs;
    line->elements = spec->elements;
    line->dofs = line->ops->stride * spec->elements + line->ops->dofs - line->ops->stride;
    cable->form = (haw_mass_form){.copies = line->ops->mass_copies,
                                  .width = line->ops->mass_width,
                                  .block = line->ops->mass_block,
                                  .is_constant = line->ops->mass_constant};
    line->closed = spec->closed;
    line->gravity[0] = site->gravity[0];
    line->gravity[1] = site->gravity[1];
    haw_quadrature_init(spec->gauss_points, &line->rule);
    line->stiffness = spec->stiffness;
    line->density = spec->density;
    line->slack = spec->slack;
    line->bending = spec->bending_stiffness * spec->bending_factor;
    line->damping_strain = spec->damping_strain;
    line->damping_curvature = spec->damping_curvature;
    line->strain0 = spec->reference_strain;
    line->curvature0 = spec->reference_curvature;
    line->scheme = spec->quadrature;
    cable->radius = spec->radius;
    memcpy(cable->drift, spec->velocity, sizeof cable->drift);
    return HAW_OK;
}

haw_status haw_cable_set_length(haw_arena *arena, haw_cable *cable, double length)
{
    cable->line.le = length / cable->line.elements;
    return cable->form.is_constant ? haw_cable_set_mass(arena, cable) : HAW_OK;
}

/* The end position of bezier-c0 is its last control point; of all others, the last node. */
static haw_status lay_out(haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    haw_course course;
    HAW_TRY(haw_course_init(site, spec, site->gravity, &course));
    HAW_TRY(haw_cable_check_positive(site, spec, "length", course.length));
    cable->start = haw_arena_allocate(site->arena, (size_t)cable->line.dofs, sizeof *cable->start);
    HAW_TRY(haw_arena_status(site->arena));
    cable->tension = course.is_static ? spec->tension : (double)NAN;
    site->starts_static = site->starts_static || course.is_static;
    cable->line.le = course.length / spec->elements;
    haw_line *line = &cable->line;
    line->ops->interpolate(line, haw_course_point, &course, cable->start);
    haw_course_keep(site, &course, cable);
    if (line->closed) {
        memcpy(cable->start + (ptrdiff_t)line->ops->stride * line->elements, cable->start,
               (size_t)(line->ops->dofs - line->ops->stride) * sizeof *cable->start);
    }
    if (spec->reference == HAW_REFERENCE_DRAWN) {
        const size_t count = (size_t)line->elements * HAW_NATURAL_MAX;
        double *natural = haw_arena_allocate(site->arena, count, sizeof *natural);
        HAW_TRY(haw_arena_status(site->arena));
        for (int e = 0; e < line->elements; e++) {
            line->ops->natural(line, e, cable->start, natural + (ptrdiff_t)HAW_NATURAL_MAX * e);
        }
        line->natural = natural; /* as drawn there is no stress */
    }
    return haw_cable_set_length(site->arena, cable, course.length);
}

static haw_status line_build(haw_site *site, const haw_cable_spec *spec, haw_cable *cable)
{
    HAW_TRY(init_line(site, spec, cable));
    HAW_TRY(lay_out(site, spec, cable));
    HAW_TRY(haw_cable_number(site, cable));
    HAW_TRY(haw_cable_build_end(site, spec, 0, cable));
    return haw_cable_build_end(site, spec, 1, cable);
}

const haw_cable_ops haw_cable_line = {
    HAW_LINE_ROW("line", "cable in the plane", "element/element.h"),
    .dimension = 2,
    .elements = haw_elements,
    .build = line_build,
    .longest = line_longest,
    .drift = line_drift,
    .move = haw_cable_move,
    .difference = haw_cable_difference,
    .prescribe = line_prescribe,
    .energy = line_energy,
    .kinetic = line_kinetic,
    .forces = line_forces,
    .mass = line_mass,
    .inertia = line_inertia,
    .blocks = line_blocks,
    .force = line_force,
    .gyroscopic = line_gyroscopic,
    .mass_block = line_mass_block,
    .stiffness_block = line_stiffness_block,
    .critical_step = line_critical_step,
    .damping_rate = line_damping_rate,
    .guard = line_guard,
    .check_load = line_check_load,
    .point = line_point,
    .slope = line_slope,
    .curve = line_curve,
    .is_cubic = line_is_cubic,
    .bounds = line_bounds,
    .samples = line_samples,
    .state = line_state,
    .tension = line_tension,
    .stretched = line_stretched,
    .reaction = line_reaction,
    .excess = line_excess,
};
