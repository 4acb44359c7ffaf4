/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/space_contact.h"

#include "base/lie.h"
#include "model/system.h"
#include "support/random.h"
#include "support/surfaces.h"

static const char *touch_surface_name(int i)
{
    static const char *const name[TOUCH_SURFACES] = {"cylinder", "cone", "plane", "sphere",
                                                     "revolution"};
    return name[i];
}

static void touch_surface(haw_body_spec *body, int i, haw_meridian_spec *segment)
{
    haw_meridian_segment piece[GROOVE_PIECES];
    const haw_surface_ops *ops =
        (const haw_surface_ops *)haw_row_find(haw_surfaces, touch_surface_name(i));
    body->shape = ops->row.name;
    haw_options_init(ops->row.options, body->shape_options);
    if (i == 1) {
        body->shape_options[0] = 20; /* half angle, with the radius of the drum at z = 0 */
        body->shape_options[1] = -touch_drum / tan(20 * surface_pi / 180);
    } else if (i == 0 || i == 3) {
        body->shape_options[0] = touch_drum;
    } else if (ops->has_meridian) {
        const haw_meridian meridian = groove_meridian(&groove_sample, piece);
        memcpy(body->meridian_from, meridian.from, sizeof meridian.from);
        body->meridian_segments = meridian.segments;
        body->meridian = segment;
        for (int k = 0; k < meridian.segments; k++) {
            segment[k].is_arc = piece[k].is_arc;
            memcpy(segment[k].to, piece[k].to, sizeof piece[k].to);
            memcpy(segment[k].center, piece[k].center, sizeof piece[k].center);
        }
    }
}

static haw_cable_spec touch_cable(const touch_case *c, double le)
{
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "yarn";
    cable.element = c->element == NULL ? "se3" : c->element;
    cable.elements = c->elements;
    for (int i = 0; i < 3; i++) {
        cable.from[i] = cable.to[i] = i == 0 ? 5 : 0;
    }
    cable.to[1] = le * c->elements;
    cable.stiffness = 1e4;
    cable.bending_stiffness = 1;
    cable.density = 0.1;
    cable.radius = touch_radius;
    cable.ends[0].kind = c->pinned ? HAW_END_PINNED : HAW_END_FREE;
    cable.ends[1].kind = HAW_END_FREE;
    return cable;
}

void touch_open(touch_rig *r, const touch_case *c)
{
    haw_meridian_spec segment[GROOVE_PIECES] = {{.is_arc = false}};
    haw_body_spec body[2] = {haw_body_spec_default(), haw_body_spec_default()};
    haw_contact_spec contact[2] = {haw_contact_spec_default(), haw_contact_spec_default()};
    memset(r, 0, sizeof *r);
    r->random = 0x9e3779b97f4a7c15u;
    r->le = c->length > 0 ? c->length : 0.08;
    const haw_cable_spec cable = touch_cable(c, r->le);
    for (int i = 0; i < 2; i++) {
        body[i].mass = 1;
        body[i].inertia = 1;
        contact[i].between[1] = "drum";
    }
    body[0].name = "drum";
    touch_surface(&body[0], c->surface, segment);
    body[1].name = contact[1].between[0] = "ball";
    touch_surface(&body[1], 3, segment);
    body[1].shape_options[0] = touch_ball;
    body[1].position[0] = -5;
    contact[0].between[0] = cable.name;
    contact[0].points_per_element = c->points;
    contact[0].proxy = c->proxy;
    contact[0].refine = c->refine;
    const haw_scene scene = {.dimension = 3,
                             .load_steps = 1,
                             .bodies = 2,
                             .body = body,
                             .cables = 1,
                             .cable = &cable,
                             .contacts = 2,
                             .contact = contact};
    assert_int_equal(haw_context_create(NULL, &r->context), HAW_OK);
    if (haw_model_build(r->context, &scene, &r->model) != HAW_OK ||
        haw_contacts_create(r->context, r->model, &r->contacts) != HAW_OK) {
        fail_msg("%s", haw_context_message(r->context));
        abort(); /* not reached: the line above jumps out of the test */
    }
    assert_in_range(r->model->coordinates, 1, TOUCH_Q);
    for (int i = 0; i < 2; i++) {
        memcpy(r->q + r->model->body[i].first_q, r->model->body[i].start, 7 * sizeof(double));
    }
    const haw_cable *yarn = &r->model->cable[0];
    memcpy(r->q + yarn->first_q, yarn->start, (size_t)yarn->coordinates * sizeof(double));
}

void touch_close(touch_rig *r)
{
    haw_contacts_free(r->contacts);
    haw_model_free(r->model);
    haw_context_free(r->context);
}

void touch_detect(touch_rig *r, double margin)
{
    r->contacts->margin = margin;
    assert_int_equal(haw_contacts_detect(r->contacts, r->q, NULL, 0), HAW_OK);
}

double touch_number(touch_rig *r, double size)
{
    return size * random_signed(&r->random);
}

void touch_node(touch_rig *r, int node, const double pose[7])
{
    static const double first[3] = {1, 0, 0};
    const haw_cable *cable = &r->model->cable[0];
    double *to = r->q + cable->first_q + (ptrdiff_t)cable->beam.ops->node_coordinates * node;
    memcpy(to, pose, 3 * sizeof(double));
    if (cable->beam.ops->has_rotations) {
        memcpy(to + 3, pose + 3, 4 * sizeof(double));
    } else {
        quaternion_rotate(pose + 3, first, to + 3);
    }
}

static void touch_turn(touch_rig *r, double size, double quaternion[4])
{
    const double turn[3] = {touch_number(r, size), touch_number(r, size), touch_number(r, size)};
    so3_exp(turn, quaternion);
}

/* What a pose in the frame of the drum is in the inertial one. */
static void touch_carry(const touch_rig *r, const double local[7], double pose[7])
{
    const double *drum = r->q + r->model->body[0].first_q;
    quaternion_rotate(drum + 3, local, pose);
    vec3_add(1, drum, pose);
    quaternion_product(drum + 3, local + 3, pose + 3);
}

void touch_scatter(touch_rig *r, double turn)
{
    const haw_cable *cable = &r->model->cable[0];
    double *drum = r->q + r->model->body[0].first_q, *ball = r->q + r->model->body[1].first_q;
    const bool is_plane = r->model->body[0].surface.ops ==
                          (const haw_surface_ops *)haw_row_find(haw_surfaces, "plane");
    const double angle = touch_number(r, surface_pi), start = is_plane ? 0 : touch_drum;
    double local[7] = {start * cos(angle), start * sin(angle), touch_number(r, 0.05)}, pose[7];
    for (int i = 0; i < 3; i++) {
        drum[i] = touch_number(r, 1);
    }
    touch_turn(r, 2, drum + 3);
    touch_turn(r, 2, local + 3);
    for (int node = 0; node <= cable->beam.elements; node++) {
        const double step[3] = {r->le * (1 + touch_number(r, 0.03)), touch_number(r, 0.003),
                                touch_number(r, 0.003)};
        const double half[3] = {touch_number(r, turn / 2), touch_number(r, turn / 2),
                                touch_number(r, turn / 2)};
        double next[3];
        touch_carry(r, local, pose);
        touch_node(r, node, pose);
        so3_move(local + 3, 1, half, local + 3);
        quaternion_rotate(local + 3, step, next);
        vec3_add(1, next, local);
        so3_move(local + 3, 1, half, local + 3);
    }
    const double near[7] = {(start + touch_ball) * cos(1 - angle),
                            (start + touch_ball) * sin(1 - angle), touch_number(r, 0.05), 1};
    touch_carry(r, near, ball);
    touch_turn(r, 2, ball + 3);
}

double touch_gap(const touch_rig *r, const double x[3], double radius)
{
    const haw_body *drum = &r->model->body[0];
    const double *pose = r->q + drum->first_q;
    double d[3], rotation[9], local[3];
    haw_foot foot[HAW_FEET_MAX];
    for (int i = 0; i < 3; i++) {
        d[i] = x[i] - pose[i];
    }
    quaternion_matrix(pose + 3, rotation);
    mat3_apply_t(rotation, d, local);
    const int count = drum->surface.ops->feet(&drum->surface, local, HUGE_VAL, foot);
    return count > 0 ? foot[0].gap - radius : HUGE_VAL;
}

void touch_point(const touch_rig *r, int e, double s, double x[3])
{
    const haw_cable *cable = &r->model->cable[0];
    haw_space_point point;
    cable->beam.ops->point(&cable->beam, e, s, r->q + cable->first_q, false, &point);
    memcpy(x, point.x, sizeof point.x);
}

double touch_least(const touch_rig *r)
{
    double least = HUGE_VAL;
    for (int i = 0; i < r->contacts->count; i++) {
        least = fmin(least, r->contacts->item[i].gap);
    }
    return least;
}

int touch_count(const touch_rig *r)
{
    int count = 0;
    for (int i = 0; i < r->contacts->count; i++) {
        count += r->contacts->item[i].pair == 0;
    }
    return count;
}

const haw_touch *touch_find(const touch_rig *r, int id)
{
    for (int i = 0; i < r->contacts->count; i++) {
        if (r->contacts->item[i].id == id) {
            return &r->contacts->item[i];
        }
    }
    return NULL;
}

void touch_line(touch_rig *r, const double from[3], const double along[3])
{
    const double half[3] = {1 + along[0], -along[2], along[1]}; /* w, y, z of e_x to along */
    const double size = vec3_norm(half);
    for (int node = 0; node <= r->model->cable[0].beam.elements; node++) {
        double pose[7] = {from[0], from[1],        from[2],       half[0] / size,
                          0,       half[1] / size, half[2] / size};
        vec3_add(r->le * node, along, pose);
        touch_node(r, node, pose);
    }
}

void touch_tangent(touch_rig *r)
{
    const double length = r->le * r->model->cable[0].beam.elements;
    const double from[3] = {touch_drum + touch_radius, -0.47 * length, 0}, along[3] = {0, 1, 0};
    touch_line(r, from, along);
}
