/* SPDX-License-Identifier: BSD-3-Clause */
/* Drawn curves: helices, splines through points, frames that do not twist, cables about cables. */
#include "base/lie.h"
#include "cable/drawing.h"
#include "support/failing.h"
#include "support/space_scene.h"

static const double pi = 3.14159265358979323846;

typedef struct desk {
    haw_context *context;
    haw_arena arena;
} desk;

static void open_desk(desk *d)
{
    assert_int_equal(haw_context_create(NULL, &d->context), HAW_OK);
    haw_arena_init(&d->arena, d->context);
}

static void close_desk(desk *d)
{
    haw_arena_fini(&d->arena);
    haw_context_free(d->context);
}

static haw_path_segment helix_of(double radius, double pitch, double turns)
{
    return (haw_path_segment){.kind = HAW_PIECE_HELIX,
                              .axis = {0, 0, 3},
                              .center = {1, 2, 3},
                              .radius = radius,
                              .pitch = pitch,
                              .lay_deg = (double)NAN,
                              .turns = turns};
}

/* ---- helices ---- */

/* L = N sqrt((2 pi R)^2 + p^2), kappa = R / (R^2 + c^2) with c = p / 2 pi. */
static void a_helix_has_its_length_and_curvature(void **state)
{
    (void)state;
    static const double turns[] = {3.25, -3.25};
    desk d;
    open_desk(&d);
    for (int i = 0; i < 2; i++) {
        const haw_path_segment h = helix_of(0.4, 0.9, turns[i]);
        const double c = 0.9 / (2 * pi), length = 3.25 * hypot(2 * pi * 0.4, 0.9);
        haw_trace trace;
        double x[3], t[3], at;
        assert_int_equal(haw_trace_helix(&d.arena, &h, &trace), HAW_OK);
        assert_near(haw_trace_length(&trace), length, 0, 1e-13);
        assert_near(haw_trace_curvature(&trace, &at), 0.4 / (0.16 + c * c), 0, 1e-3);
        for (int k = 0; k <= 20; k++) {
            const double part = k / 20.0, angle = 2 * pi * turns[i] * part;
            (void)haw_trace_point(&trace, length * part, x, t);
            assert_near(x[0], 1 + 0.4 * cos(angle), 1e-12, 0);
            assert_near(x[1], 2 + 0.4 * sin(angle), 1e-12, 0);
            assert_near(x[2], 3 + 0.9 * 3.25 * part, 1e-12, 0);
            assert_near(t[2], 0.9 / hypot(2 * pi * 0.4, 0.9), 1e-13, 0);
        }
    }
    close_desk(&d);
}

/* An angle to the axis in place of a pitch, and turns that set in: along the axis at the ends, with
 * the full slope in the middle, and as many turns. */
static void a_ramp_leads_a_helix_out_of_its_axis(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    const haw_winding winding = {.radius = 1, .phase = 0.3, .turns = -4, .ramp = 0.25};
    for (int k = 0; k < 50; k++) {
        const double u = 0.01 + 0.02 * k;
        double rate, unused;
        const double step = 1e-6, before = haw_winding_angle(&winding, u - step, &unused);
        const double behind = haw_winding_angle(&winding, u + step, &unused);
        (void)haw_winding_angle(&winding, u, &rate);
        assert_near(rate, (behind - before) / (2 * step), 1e-6, 0);
    }
    haw_path_segment h = helix_of(0.4, (double)NAN, 4);
    h.lay_deg = 30;
    h.ramp = 0.25;
    haw_trace trace;
    double x[3], t[3];
    assert_int_equal(haw_trace_helix(&d.arena, &h, &trace), HAW_OK);
    const double length = haw_trace_length(&trace);
    for (int end = 0; end < 2; end++) {
        (void)haw_trace_point(&trace, end * length, x, t);
        assert_near(t[2], 1, 1e-12, 0);
        assert_near(x[0], 1.4, 1e-12, 0);
        assert_near(x[1], 2, 1e-12, 0);
    }
    (void)haw_trace_point(&trace, 0.5 * length, x, t);
    assert_near(t[2], cos(pi / 6), 1e-12, 0);
    /* the curvature is that of the helix in the middle at most a little before it */
    const double full = pow(sin(pi / 6), 2) / 0.4;
    double at;
    assert_near(haw_trace_curvature(&trace, &at), full, 0, 0.1);
    close_desk(&d);
}

/* ---- splines ---- */

enum { POINTS = 200 };

/* Points on a helix of three turns, `count` + 1 of them. */
static void helix_points(int count, double *p)
{
    for (int k = 0; k <= count; k++) {
        const double angle = 6 * pi * k / count;
        p[4 * k] = cos(angle);
        p[4 * k + 1] = sin(angle);
        p[4 * k + 2] = 0.2 * angle;
        p[4 * k + 3] = 0;
    }
}

/* In the middle, away from the natural ends, the distance from the helix falls by 2^4. */
static double helix_miss(desk *d, int count)
{
    double p[4 * (POINTS + 1)], x[3], t[3], most = 0;
    haw_trace trace;
    helix_points(count, p);
    assert_int_equal(haw_trace_spline(&d->arena, count + 1, p, &trace), HAW_OK);
    for (int k = 40; k <= 60; k++) {
        (void)haw_trace_point(&trace, haw_trace_length(&trace) * k / 100.0, x, t);
        const double angle = x[2] / 0.2;
        most = fmax(most, hypot(x[0] - cos(angle), x[1] - sin(angle)));
    }
    return most;
}

static void a_spline_follows_a_smooth_curve_to_fourth_order(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    const double coarse = helix_miss(&d, 60), fine = helix_miss(&d, 120);
    assert_true(coarse < 1e-4);
    assert_near(log2(coarse / fine), 4, 0.3, 0);
    close_desk(&d);
}

static const double loop[] = {1,  0,    0,    0, 0.5, 1,  0.4, 0, -0.8, 0.7, 0, 0,
                              -1, -0.5, -0.6, 0, 0.3, -1, 0.2, 0, 1,    0,   0, 0};

/* dt/ds just before or behind an arc length. */
static void bend_at(const haw_trace *trace, double s, double side, double bend[3])
{
    const double h = 1e-5, length = haw_trace_length(trace);
    double x[3], near[3], far[3], middle[3];
    const double a = fmod(s + side * h + length, length),
                 b = fmod(s + side * 2 * h + length, length);
    const double c = fmod(s + side * 3 * h + length, length);
    (void)haw_trace_point(trace, a, x, near);
    (void)haw_trace_point(trace, b, x, middle);
    (void)haw_trace_point(trace, c, x, far);
    /* extrapolated to s itself */
    for (int i = 0; i < 3; i++) {
        const double first = (middle[i] - near[i]) / h, second = (far[i] - middle[i]) / h;
        bend[i] = side * (first - 1.5 * (second - first));
    }
}

/* Tangents and curvatures on both sides of every point, the first and last among them. */
static void a_closed_spline_has_continuous_curvature(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    haw_trace trace;
    assert_int_equal(haw_trace_spline(&d.arena, 6, loop, &trace), HAW_OK);
    for (int k = 0; k < 5; k++) {
        const double s = trace.s[4 * k], length = haw_trace_length(&trace);
        double x[3], before[3], behind[3], t[3];
        (void)haw_trace_point(&trace, s, x, behind);
        (void)haw_trace_point(&trace, k == 0 ? length : s, x, t);
        for (int i = 0; i < 3; i++) {
            assert_near(x[i], loop[4 * k + i], 1e-12, 0);
            assert_near(t[i], behind[i], 1e-9, 0);
        }
        bend_at(&trace, s, -1, before);
        bend_at(&trace, s, 1, behind);
        for (int i = 0; i < 3; i++) {
            assert_near(before[i], behind[i], 1e-4, 0);
        }
    }
    close_desk(&d);
}

/* ---- frames ---- */

static void trace_place(const void *data, double s, double x[3], double t[3])
{
    (void)haw_trace_point(data, s, x, t);
}

/*
 * Along a helix the normal of Frenet's frame turns about the tangent with the torsion c / (R^2 +
 * c^2) against a frame that does not twist, which lags behind by that angle.
 */
static void carried_frames_do_not_twist(void **state)
{
    (void)state;
    desk d;
    open_desk(&d);
    const haw_path_segment h = helix_of(1, 2 * pi * 0.5, 2);
    haw_trace trace;
    double x[3], t[3], n[3], b[3], miss[2];
    assert_int_equal(haw_trace_helix(&d.arena, &h, &trace), HAW_OK);
    const double length = haw_trace_length(&trace), twist = length * 0.5 / 1.25;
    for (int i = 0; i < 2; i++) {
        haw_transport frames = {
            .at = trace_place, .data = &trace, .stations = 64 << i, .length = length};
        const double first[3] = {-1, 0, 0}; /* to the axis */
        assert_int_equal(haw_transport_carry(&d.arena, first, &frames), HAW_OK);
        (void)haw_trace_point(&trace, length, x, t);
        haw_transport_normal(&frames, length, x, t, n);
        vec3_cross(t, first, b);
        miss[i] = remainder(atan2(vec3_dot(n, b), vec3_dot(n, first)) + twist, 2 * pi);
        assert_near(vec3_dot(n, t), 0, 1e-14, 0);
    }
    assert_true(fabs(miss[1]) < 1e-5);
    assert_near(log2(miss[0] / miss[1]), 4, 0.2, 0);
    close_desk(&d);
}

/* ---- cables ---- */

typedef struct stage {
    haw_context *context;
    haw_model *model;
    haw_cable_spec cable[2];
    haw_scene scene;
} stage;

static void open_stage(stage *s)
{
    *s = (stage){.model = NULL};
    assert_int_equal(haw_context_create(NULL, &s->context), HAW_OK);
    for (int i = 0; i < 2; i++) {
        haw_cable_spec *cable = &s->cable[i];
        *cable = haw_cable_spec_default();
        cable->name = i == 0 ? "core" : "wire";
        cable->element = "se3";
        cable->elements = 64;
        cable->stiffness = 1e4;
        cable->density = 0.1;
        cable->bending_stiffness = 1;
        cable->torsional_stiffness = 0.8;
        cable->radius = 0.01;
    }
    s->scene = haw_scene_default();
    s->scene.dimension = 3;
    s->scene.cables = 2;
    s->scene.cable = s->cable;
}

static haw_status build_stage(stage *s)
{
    haw_model_free(s->model);
    s->model = NULL;
    return haw_model_build(s->context, &s->scene, &s->model);
}

static void close_stage(stage *s)
{
    haw_model_free(s->model);
    haw_context_free(s->context);
}

static const haw_path_segment quarter[1] = {
    {.kind = HAW_PIECE_ARC, .center = {0, 0.2, 0}, .radius = 0.2, .angle_deg = 90}};

/* The first axis of a node is the slope of the nodes about it, which stand a length apart: by
 * differences of fourth order. */
static void check_slope(const double *q, double length)
{
    double t[3];
    const double first[3] = {1, 0, 0};
    quaternion_rotate(q + 3, first, t);
    for (int i = 0; i < 3; i++) {
        const double near = q[7 + i] - q[i - 7], far = q[14 + i] - q[i - 14];
        assert_near((8 * near - far) / (12 * length), t[i], 2e-5, 0);
    }
}

/* A hairpin of two lines and half a turn about any axis is that of the plane, turned as a whole:
 * its nodes are, and its sections do not twist. */
static void an_arc_turns_about_any_axis(void **state)
{
    (void)state;
    stage s[2];
    const double turned[4] = {0.5, -0.5, 0.1, 0.7}, up[3] = {0, 0, 1};
    const double to[2][3] = {{0.3, 0, 0}, {0, 0.4, 0}}, center[3] = {0.3, 0.2, 0};
    haw_path_segment path[3] = {
        {.kind = HAW_PIECE_LINE, .to = {0.3, 0, 0}},
        {.kind = HAW_PIECE_ARC, .center = {0.3, 0.2, 0}, .radius = 0.2, .angle_deg = 180},
        {.kind = HAW_PIECE_LINE, .to = {0, 0.4, 0}}};
    for (int k = 0; k < 2; k++) {
        open_stage(&s[k]);
        s[k].scene.cables = 1;
        haw_cable_spec *cable = &s[k].cable[0];
        memset(cable->from, 0, sizeof cable->from);
        cable->path = path;
        cable->segments = 3;
        if (k == 1) {
            quaternion_rotate(turned, to[0], path[0].to);
            quaternion_rotate(turned, center, path[1].center);
            quaternion_rotate(turned, up, path[1].axis);
            quaternion_rotate(turned, to[1], path[2].to);
        }
        assert_int_equal(build_stage(&s[k]), HAW_OK);
    }
    for (int e = 0; e < 64; e++) {
        double x[3];
        haw_space_strain flat, strain;
        const haw_beam *beam = &s[0].model->cable[0].beam, *other = &s[1].model->cable[0].beam;
        const double *q = s[0].model->cable[0].start, *p = s[1].model->cable[0].start;
        quaternion_rotate(turned, q + (ptrdiff_t)7 * e, x);
        for (int i = 0; i < 3; i++) {
            assert_near(p[7 * e + i], x[i], 1e-12, 0);
        }
        beam->ops->strain(beam, e, 0.5, q, NULL, &flat);
        other->ops->strain(other, e, 0.5, p, NULL, &strain);
        assert_near(strain.stress[3], 0, 1e-9, 0);
        assert_near(hypot(strain.stress[4], strain.stress[5]),
                    hypot(flat.stress[4], flat.stress[5]), 1e-9, 0);
    }
    s[0].scene.dimension = 2;
    s[0].cable[0].element = "bezier";
    assert_int_equal(build_stage(&s[0]), HAW_ERR_INPUT);
    close_stage(&s[0]);
    close_stage(&s[1]);
}

/* A helix of the slope beta about a line has the curvature sin(beta)^2 / D: from 45 degrees on it
 * has the points, however coarse it is, and else the finer of both. */
static void a_cable_that_is_wound_has_the_points(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        stage s;
        const bool is_wound = i % 2 == 0;
        const char *const between[2][2] = {{"core", "wire"}, {"wire", "core"}};
        const haw_path_segment helix = {.kind = HAW_PIECE_HELIX,
                                        .axis = {1, 0, 0},
                                        .center = {0.5, 0, 0},
                                        .radius = 0.02,
                                        .turns = 2,
                                        .pitch = NAN,
                                        .lay_deg = is_wound ? 46 : 44};
        haw_contact_spec contact = haw_contact_spec_default();
        open_stage(&s);
        contact.between[0] = between[i / 2][0];
        contact.between[1] = between[i / 2][1];
        s.scene.contact = &contact;
        s.scene.contacts = 1;
        memset(s.cable[0].from, 0, sizeof s.cable[0].from);
        s.cable[0].to[0] = 1.5;
        s.cable[0].to[1] = s.cable[0].to[2] = 0;
        s.cable[0].elements = 400;
        s.cable[1].path = &helix;
        s.cable[1].segments = 1;
        s.cable[1].from[0] = 0.5;
        s.cable[1].from[2] = 0;
        s.cable[1].from[1] = 0.02;
        assert_int_equal(build_stage(&s), HAW_OK);
        assert_int_equal(s.model->pair[0].cable, is_wound ? 1 : 0);
        close_stage(&s);
    }
}

/* Every node of a wire is at the radius of the helix from the core, straight or bent, and meets it
 * at the lay angle there. */
static void a_wire_is_wound_about_its_core(void **state)
{
    (void)state;
    for (int is_bent = 0; is_bent < 2; is_bent++) {
        stage s;
        open_stage(&s);
        memset(s.cable[0].from, 0, sizeof s.cable[0].from);
        s.cable[0].to[0] = 1.5;
        s.cable[0].to[1] = s.cable[0].to[2] = 0;
        s.cable[0].path = quarter;
        s.cable[0].segments = is_bent;
        s.cable[1].elements = 256;
        s.cable[1].lay.cable = "core";
        s.cable[1].lay.angle_deg = is_bent ? -20 : 20;
        assert_int_equal(build_stage(&s), HAW_OK);
        const haw_cable *wire = &s.model->cable[1];
        const double axial = 1.5;
        for (int k = 0; k <= 256; k++) {
            const double *q = wire->start + (ptrdiff_t)7 * k, *x = q;
            const double away =
                is_bent ? hypot(hypot(x[0], x[1] - 0.2) - 0.2, x[2]) : hypot(x[1], x[2]);
            assert_near(away, 0.02, 1e-9, 0);
            if (k > 1 && k < 255) {
                check_slope(q, wire->beam.le);
            }
        }
        if (!is_bent) {
            assert_near(wire->beam.le * 256, axial / cos(20 * pi / 180), 0, 1e-12);
            double t[3] = {1, 0, 0}, along[3];
            quaternion_rotate(wire->start + 3, t, along);
            assert_near(along[0], cos(20 * pi / 180), 1e-12, 0);
        }
        /* not twisted, not stretched, not sheared as drawn */
        for (int e = 0; e < 256; e++) {
            haw_space_strain strain;
            wire->beam.ops->strain(&wire->beam, e, 0.5, wire->start, NULL, &strain);
            assert_near(strain.stress[0], 0, 1e-6 * 1e4, 0);
            assert_near(strain.stress[3], 0, 3e-3 * 0.8, 0);
        }
        close_stage(&s);
    }
}

/* Without stress as drawn, elements of a sixth of a turn are pieces of the helix. */
static void a_wire_without_stress_follows_its_helix(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    memset(s.cable[0].from, 0, sizeof s.cable[0].from);
    s.cable[0].to[0] = 1.5;
    s.cable[0].to[1] = s.cable[0].to[2] = 0;
    s.cable[1].elements = 26;
    s.cable[1].lay.cable = "core";
    s.cable[1].lay.angle_deg = 20;
    s.cable[1].reference = HAW_REFERENCE_DRAWN;
    assert_int_equal(build_stage(&s), HAW_OK);
    const haw_cable *wire = &s.model->cable[1];
    double q[7 * (65 + 27)];
    assert_true(s.model->coordinates <= (int)(sizeof q / sizeof *q));
    memcpy(q + wire->first_q, wire->start, sizeof(double) * 7 * 27);
    for (int e = 0; e < 26; e++) {
        haw_cable_point at;
        wire->ops->point(wire, e, 0.3, q, NULL, HAW_POINT_PLACE, &at);
        assert_near(hypot(at.x[1], at.x[2]), 0.02, 1e-10, 0);
    }
    close_stage(&s);
}

/* Neighbours of six wires, as helices of radius r and slope a = r / tan(beta) that are 60 deg
 * apart: the least distance over u of 2 r^2 (1 - cos(u + pi / 3)) + a^2 u^2. */
static void wires_of_a_strand_keep_their_distance(void **state)
{
    (void)state;
    stage s;
    open_stage(&s);
    memset(s.cable[0].from, 0, sizeof s.cable[0].from);
    s.cable[0].to[0] = s.cable[0].to[1] = 0;
    s.cable[0].to[2] = 0.2;
    const double beta = 17 * pi / 180, r = 0.02, a = r / tan(beta);
    haw_cable_spec wires[3] = {s.cable[0], s.cable[1], s.cable[1]};
    for (int i = 1; i < 3; i++) {
        wires[i].name = i == 1 ? "first" : "second";
        wires[i].lay.cable = "core";
        wires[i].lay.angle_deg = 17;
        wires[i].lay.phi_deg = 60 * i;
        wires[i].elements = 400;
    }
    s.scene.cables = 3;
    s.scene.cable = wires;
    assert_int_equal(build_stage(&s), HAW_OK);
    double want = r, found = r;
    for (int k = -10000; k < 10000; k++) {
        const double u = 1e-4 * k;
        want = fmin(want, sqrt(2 * r * r * (1 - cos(u + pi / 3)) + a * a * u * u));
    }
    const double *x = s.model->cable[1].start + (ptrdiff_t)7 * 200;
    for (int k = 0; k <= 400; k++) {
        const double *y = s.model->cable[2].start + (ptrdiff_t)7 * k;
        found = fmin(found, hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]));
    }
    assert_near(found, want, 0, 1e-4);
    assert_true(want < 0.02); /* closer than parallel wires */
    close_stage(&s);
}

/* A closed curve through points closes, twisted by what is asked for and nothing else, although its
 * frames meet after a turn: with the writhe that turn is a whole number of turns. */
static void a_closed_curve_has_the_twist_that_is_asked_for(void **state)
{
    (void)state;
    static const haw_path_segment through[1] = {
        {.kind = HAW_PIECE_POINTS, .points = 6, .point = loop}};
    stage s;
    open_stage(&s);
    s.scene.cables = 1;
    haw_cable_spec *cable = &s.cable[0];
    cable->closed = true;
    memcpy(cable->from, loop, sizeof cable->from);
    cable->path = through;
    cable->segments = 1;
    cable->twist_deg = 100;
    assert_int_equal(build_stage(&s), HAW_OK);
    const haw_beam *beam = &s.model->cable[0].beam;
    double geometric = 0;
    for (int e = 0; e < 64; e++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5, s.model->cable[0].start, NULL, &strain);
        geometric += strain.strain[3] * beam->le;
        assert_near(strain.stress[3], 0.8 * 100 * pi / 180 / (64 * beam->le), 0, 2e-2);
    }
    assert_true(fabs(geometric) > 0.1);
    assert_memory_equal(s.model->cable[0].start, s.model->cable[0].start + (ptrdiff_t)7 * 64,
                        7 * sizeof(double));
    close_stage(&s);
}

/* Nodes may stand where frames are known, to the last digits and on either side: the way between is
 * rounding then, and has no direction. */
static void a_plane_ring_has_no_twist_wherever_it_stands(void **state)
{
    enum { AROUND = 48 };

    (void)state;
    double point[4 * (AROUND + 1)];
    const haw_path_segment through[1] = {
        {.kind = HAW_PIECE_POINTS, .points = AROUND + 1, .point = point}};
    stage s;
    open_stage(&s);
    s.scene.cables = 1;
    haw_cable_spec *cable = &s.cable[0];
    cable->elements = 24;
    cable->radius = 4e-3;
    cable->closed = true;
    cable->path = through;
    cable->segments = 1;
    for (int place = 0; place < 40; place++) {
        for (int k = 0; k <= AROUND; k++) {
            const double angle = 2 * pi * (k % AROUND) / AROUND;
            const double p[4] = {0.03 * cos(angle), 0, 0.03 * sin(angle) - 0.0103 * place, 0};
            memcpy(point + (ptrdiff_t)4 * k, p, sizeof p);
        }
        memcpy(cable->from, point, sizeof cable->from);
        assert_int_equal(build_stage(&s), HAW_OK);
        const haw_beam *beam = &s.model->cable[0].beam;
        for (int e = 0; e < 24; e++) {
            haw_space_strain strain;
            beam->ops->strain(beam, e, 0.5, s.model->cable[0].start, NULL, &strain);
            assert_near(strain.strain[3] * beam->le, 0, 1e-9, 0);
        }
    }
    close_stage(&s);
}

/* The fourth number of a point turns the section against the frame that does not twist. */
static void a_drawn_twist_turns_the_sections(void **state)
{
    (void)state;
    static const double line[] = {0, 0, 0, 0, 0.5, 0, 0, 45, 1, 0, 0, 90};
    static const haw_path_segment through[1] = {
        {.kind = HAW_PIECE_POINTS, .points = 3, .point = line}};
    stage s;
    open_stage(&s);
    s.scene.cables = 1;
    haw_cable_spec *cable = &s.cable[0];
    memset(cable->from, 0, sizeof cable->from);
    cable->path = through;
    cable->segments = 1;
    assert_int_equal(build_stage(&s), HAW_OK);
    const haw_beam *beam = &s.model->cable[0].beam;
    for (int e = 0; e < 64; e++) {
        haw_space_strain strain;
        beam->ops->strain(beam, e, 0.5, s.model->cable[0].start, NULL, &strain);
        assert_near(strain.strain[3], 0.5 * pi, 0, 1e-9);
        assert_near(strain.stress[3], 0.8 * 0.5 * pi, 0, 1e-9);
    }
    close_stage(&s);
}

/* ---- refusals ---- */

static void refuse(stage *s, const char *said)
{
    if (build_stage(s) != HAW_ERR_INPUT || strstr(haw_context_message(s->context), said) == NULL) {
        fail_msg("wanted: %s\nheard: %s", said, haw_context_message(s->context));
    }
}

static void curves_that_a_cable_cannot_follow_are_refused(void **state)
{
    (void)state;
    double p[12] = {0, 0, 0, 0, 0.5, 0, 0, 0, 1, 0.5, 0, 0};
    haw_path_segment piece = {.kind = HAW_PIECE_POINTS, .points = 3, .point = p};
    stage s;
    open_stage(&s);
    s.scene.cables = 1;
    s.cable[0].path = &piece;
    s.cable[0].segments = 1;
    memset(s.cable[0].from, 0, sizeof s.cable[0].from);
    assert_int_equal(build_stage(&s), HAW_OK);
    piece.points = 2;
    refuse(&s, "needs at least 3 points (got 2)");
    piece.points = 3;
    p[8] = 0.5;
    p[9] = 0;
    refuse(&s, "points 2 and 3 of piece 1 of its path coincide");
    p[9] = (double)NAN;
    refuse(&s, "point 3 of piece 1 of its path is not finite");
    p[8] = 0;
    p[9] = 1e-3; /* back to the start */
    refuse(&s, "which its section of radius 0.01 m cannot follow");
    p[9] = 1;
    s.cable[0].from[1] = 0.1;
    refuse(&s, "curve 1 of its path starts at [0, 0, 0], 0.1 m from where the path is");
    s.cable[0].segments = 0;
    s.cable[0].lay.cable = "core";
    s.cable[0].lay.angle_deg = 20;
    refuse(&s, "no cable before it has this name");
    close_stage(&s);
}

static haw_status try_stage(haw_context *context, void *user)
{
    stage *s = user;
    haw_model *model = NULL;
    const haw_status status = haw_model_build(context, &s->scene, &model);
    haw_model_free(model);
    return status;
}

static void running_out_of_memory_is_told(void **state)
{
    (void)state;
    static const haw_path_segment through[1] = {
        {.kind = HAW_PIECE_POINTS, .points = 6, .point = loop}};
    stage s;
    open_stage(&s);
    memcpy(s.cable[0].from, loop, sizeof s.cable[0].from);
    s.cable[0].path = through;
    s.cable[0].segments = 1;
    s.cable[1].lay.cable = "core";
    s.cable[1].lay.angle_deg = 20;
    assert_true(failing_loop(try_stage, &s) > 3);
    close_stage(&s);
}

TEST_FILE(test_curves)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_helix_has_its_length_and_curvature),
        cmocka_unit_test(a_ramp_leads_a_helix_out_of_its_axis),
        cmocka_unit_test(a_spline_follows_a_smooth_curve_to_fourth_order),
        cmocka_unit_test(a_closed_spline_has_continuous_curvature),
        cmocka_unit_test(carried_frames_do_not_twist),
        cmocka_unit_test(an_arc_turns_about_any_axis),
        cmocka_unit_test(a_cable_that_is_wound_has_the_points),
        cmocka_unit_test(a_wire_is_wound_about_its_core),
        cmocka_unit_test(a_wire_without_stress_follows_its_helix),
        cmocka_unit_test(wires_of_a_strand_keep_their_distance),
        cmocka_unit_test(a_closed_curve_has_the_twist_that_is_asked_for),
        cmocka_unit_test(a_plane_ring_has_no_twist_wherever_it_stands),
        cmocka_unit_test(a_drawn_twist_turns_the_sections),
        cmocka_unit_test(curves_that_a_cable_cannot_follow_are_refused),
        cmocka_unit_test(running_out_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
