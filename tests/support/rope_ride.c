/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/rope_ride.h"

#include "cable/reeving.h"
#include "contact/contact.h"
#include "stepper/simulation.h"

haw_function ride_constant(double value)
{
    return (haw_function){.constant = value};
}

void ride_mass(rope_ride *r, int i, const char *name, double mass, double x, double y)
{
    r->body[i] = haw_body_spec_default();
    r->body[i].name = name;
    r->body[i].mass = mass;
    r->body[i].inertia = mass;
    r->body[i].position[0] = x;
    r->body[i].position[1] = y;
    r->body[i].joint = HAW_JOINT_VERTICAL;
}

/* Hinged at its centre, its angle held or driven. */
static void ride_sheave(rope_ride *r, double radius)
{
    haw_body_spec *sheave = &r->body[0];
    *sheave = haw_body_spec_default();
    sheave->name = "sheave";
    sheave->shape = "circle";
    sheave->shape_options[0] = radius;
    sheave->motion = HAW_MOTION_PRESCRIBED;
    sheave->motion_spin = ride_constant(0);
    sheave->motion_velocity[0] = sheave->motion_velocity[1] = ride_constant(0);
}

void ride_contact(rope_ride *r, double spacing)
{
    r->contact = haw_contact_spec_default();
    r->contact.between[0] = "rope";
    r->contact.between[1] = "sheave";
    r->contact.law = "penalty";
    r->contact.normal = "linear";
    r->contact.tangential = "bristle";
    r->contact.per = HAW_PER_LENGTH;
    r->contact.spacing = spacing;
    r->contact.points_per_element = 0;
    r->contact.tangential_damping = 0;
}

void ride_rope(rope_ride *r, const char *element, int elements)
{
    haw_cable_spec *rope = &r->cable;
    r->reeving = (haw_reeving_spec){.on = "sheave", .side = HAW_SIDE_RIGHT};
    *rope = haw_cable_spec_default();
    rope->name = "rope";
    rope->element = element;
    rope->elements = elements;
    rope->sheaves = 1;
    rope->reeving = &r->reeving;
    rope->ends[0].body = "car";
    rope->ends[1].body = "counterweight";
    rope->from[0] = rope->from[1] = rope->to[0] = rope->to[1] = (double)NAN;
    rope->modes[0] = 3;
    rope->modes[1] = 2;
}

void ride_scene(rope_ride *r)
{
    r->scene = (haw_scene){.start = HAW_START_STATIC,
                           .bodies = 3,
                           .body = r->body,
                           .cables = 1,
                           .cable = &r->cable,
                           .contacts = 1,
                           .contact = &r->contact,
                           .force = r->force};
}

void ride_elevator(rope_ride *r, const char *element)
{
    static const double time[RIDE_TIMES] = {0.2, 2.2, 8.2, 10.2};
    memset(r, 0, sizeof *r);
    ride_sheave(r, 0.24);
    ride_mass(r, 1, "car", 1330, -0.24, -3);
    ride_mass(r, 2, "counterweight", 1015, 0.24, -11);
    ride_rope(r, element, 30);
    haw_cable_spec *rope = &r->cable;
    rope->stiffness = 1.6e7;
    rope->bending_stiffness = 10;
    rope->density = 1.4;
    rope->damping_strain = 1.6e4;
    ride_contact(r, 0.24 * acos(-1) / 120);
    r->contact.friction = 0.2;
    r->contact.normal_stiffness = 3e8;
    r->contact.tangential_stiffness = 1e7;
    for (int i = 0; i < RIDE_TIMES; i++) {
        r->time[i] = time[i];
        r->spin[i] = i == 1 || i == 2 ? 1 / 0.24 : 0;
    }
    r->body[0].motion_spin = (haw_function){
        .count = RIDE_TIMES, .time = r->time, .value = r->spin, .ramp = HAW_RAMP_CYCLOID};
    ride_scene(r);
    r->scene.gravity[1] = -9.81;
}

void ride_pull(rope_ride *r, const char *element, int elements, double stiffness)
{
    memset(r, 0, sizeof *r);
    ride_sheave(r, 1);
    ride_mass(r, 1, "car", 1, -1, -0.5);
    ride_mass(r, 2, "counterweight", 1, 1, -0.5);
    ride_rope(r, element, elements);
    r->cable.stiffness = 1e7;
    r->cable.density = 1;
    r->cable.overflow = 0.1;
    ride_contact(r, acos(-1) / (10 * elements));
    r->contact.friction = 0.5;
    r->contact.normal_stiffness = 1e7;
    r->contact.tangential_stiffness = stiffness * stiffness * 5e6;
    for (int i = 0; i < 2; i++) {
        r->force[i] = haw_force_spec_default();
        r->force[i].on = i == 0 ? "car" : "counterweight";
    }
    ride_scene(r);
    r->scene.forces = 2;
}

void ride_stepper(rig *r, const char *name)
{
    assert_int_equal(haw_stepper_settings_init(r->context, name, &r->settings.stepper), HAW_OK);
}

void ride_alpha(rig *r, double step, double end)
{
    rig_open(r);
    ride_stepper(r, "generalized-alpha");
    rig_set(r, "step", step);
    rig_set(r, "end", end);
    rig_set(r, "rho_infinity", 0.7);
    r->settings.on_unconverged = HAW_UNCONVERGED_HALVE;
}

void ride_open(rope_ride *ride, rig *r, const char *element, double step, double end)
{
    ride_elevator(ride, element);
    ride_alpha(r, step, end);
    rig_build(r, &ride->scene);
}

double ride_tension(const rig *r, int which)
{
    const haw_model *model = &r->simulation->model;
    const haw_cable *cable = &model->cable[0];
    for (int e = 0, span = 0; e < cable->rope->elements; e++) {
        if (cable->rope->element[e].is_span && span++ == which) {
            return cable->ops->tension(cable, e, r->state->q, NULL);
        }
    }
    fail_msg("no span %d", which);
    return 0;
}

double ride_torque(const rig *r, int i)
{
    const haw_simulation *s = r->simulation;
    return s->contacts->phase == HAW_STATICS ? s->support[3 * i + 2]
                                             : s->reaction[3 * i + 2] / s->h;
}
