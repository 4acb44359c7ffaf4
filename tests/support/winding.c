/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/winding.h"

#include "stepper/simulation.h"

winding winding_default(double friction)
{
    return (winding){.friction = friction, .step = 5e-3, .theta = 0.6, .elements = 50, .end = 12};
}

haw_body_spec winding_drum(void)
{
    static const double time[] = {0, 1, 5, 6}, spin[] = {0, 1.2, 1.2, 0};
    haw_body_spec drum = haw_body_spec_default();
    drum.name = "drum";
    drum.shape = "cylinder";
    drum.shape_options[0] = winding_radius;
    drum.shape_options[1] = (double)NAN;
    drum.motion = HAW_MOTION_PRESCRIBED;
    drum.motion_spin =
        (haw_function){.count = 4, .time = time, .value = spin, .ramp = HAW_RAMP_SMOOTHSTEP};
    return drum;
}

haw_cable_spec winding_cable(const winding *w)
{
    static const double time[] = {6, 6.25}, traverse[] = {0, 0.15};
    const double r = winding_yarn, pi = 3.14159265358979323846;
    const double area = pi * r * r, second = pi * r * r * r * r / 4, e = winding_modulus;
    haw_cable_spec yarn = haw_cable_spec_default();
    yarn.name = "yarn";
    yarn.element = "se3";
    yarn.elements = w->elements;
    yarn.radius = r;
    yarn.stiffness = e * area;
    yarn.shear_stiffness = e / (2 * (1 + winding_poisson)) * area;
    yarn.torsional_stiffness = e / (2 * (1 + winding_poisson)) * 2 * second;
    yarn.bending_stiffness = e * second;
    yarn.density = winding_density * area;
    yarn.from[0] = yarn.to[0] = winding_radius + r;
    yarn.from[1] = yarn.from[2] = yarn.to[2] = 0;
    yarn.to[1] = -winding_length * (1 + winding_tension / yarn.stiffness);
    yarn.tension = (double)NAN;
    yarn.length = winding_length;
    yarn.ends[0] = (haw_end_spec){.kind = HAW_END_PINNED, .body = "drum"};
    yarn.ends[1] = (haw_end_spec){.kind = HAW_END_MOTION,
                                  .guide = {HAW_GUIDE_VELOCITY, HAW_GUIDE_FREE, HAW_GUIDE_VELOCITY},
                                  .tension = {.constant = winding_tension},
                                  .towards = {0, -1, 0}};
    yarn.ends[1].velocity[2] =
        (haw_function){.count = 2, .time = time, .value = traverse, .ramp = HAW_RAMP_SMOOTHSTEP};
    return yarn;
}

void winding_open(winding *w)
{
    static haw_body_spec drum;
    static haw_cable_spec yarn;
    static haw_contact_spec contact;
    rig *r = &w->rig;
    rig_open(r);
    if (w->solver != NULL) {
        assert_int_equal(haw_solver_settings_init(r->context, w->solver, &r->settings.solver),
                         HAW_OK);
    }
    rig_solver_set(r, "tolerance", 1e-8);
    assert_int_equal(haw_stepper_settings_init(r->context, "moreau-jean", &r->settings.stepper),
                     HAW_OK);
    rig_time(r, w->step, w->end, w->theta);
    drum = winding_drum();
    yarn = winding_cable(w);
    yarn.ends[0].kind = HAW_END_CLAMPED;
    contact = haw_contact_spec_default();
    contact.between[0] = "yarn";
    contact.between[1] = "drum";
    contact.friction = w->friction;
    contact.restitution = 0;
    contact.points_per_element = 1;
    contact.arm = HAW_ARM_DISTANCE;
    const haw_scene scene = {.dimension = 3,
                             .start = HAW_START_GIVEN,
                             .bodies = 1,
                             .cables = 1,
                             .contacts = 1,
                             .body = &drum,
                             .cable = &yarn,
                             .contact = &contact};
    rig_build(r, &scene);
}

double winding_highest(const winding *w)
{
    const haw_cable *yarn = &w->rig.simulation->model.cable[0];
    double most = 0;
    for (int e = 0; e < yarn->beam.elements; e++) {
        haw_space_strain strain;
        yarn->beam.ops->strain(&yarn->beam, e, 0.5, w->rig.state->q + yarn->first_q, NULL, &strain);
        most = fmax(most, strain.tension);
    }
    return most / winding_tension - 1;
}
