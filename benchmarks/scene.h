/* SPDX-License-Identifier: BSD-3-Clause */
/* HAWSER-DISK-1 with friction: a disk hits a prestressed vertical cable. */
#ifndef HAWSER_BENCHMARKS_SCENE_H
#define HAWSER_BENCHMARKS_SCENE_H

#include <hawser/hawser.h>

/* Centre of the disk at the start of the scene, and where it just touches the cable [m]. */
#define SCENE_START   (-0.15)
#define SCENE_TOUCH   (-0.1)
#define SCENE_SECONDS 0.25

/* @param x  horizontal position of the disk's centre [m] */
static inline haw_status scene_build(haw_context *context, int elements, int points, double x,
                                     haw_model **model)
{
    haw_body_spec disk = haw_body_spec_default();
    disk.name = "disk";
    disk.shape = "circle";
    disk.shape_options[0] = 0.1;
    disk.mass = 2;
    disk.position[0] = x;
    disk.position[1] = 1;
    disk.velocity[0] = 3;
    disk.spin = 40;
    haw_cable_spec cable = haw_cable_spec_default();
    cable.name = "cable";
    cable.element = "bezier";
    cable.elements = elements;
    cable.from[0] = cable.from[1] = cable.to[0] = 0;
    cable.to[1] = 2;
    cable.stiffness = 4e4;
    cable.density = 0.1;
    cable.tension = 400;
    haw_contact_spec contact = haw_contact_spec_default();
    contact.between[0] = "cable";
    contact.between[1] = "disk";
    contact.points_per_element = points;
    contact.friction = 0.3;
    const haw_scene scene = {.title = "HAWSER-DISK-1",
                             .gravity = {0, -9.81},
                             .bodies = 1,
                             .cables = 1,
                             .contacts = 1,
                             .body = &disk,
                             .cable = &cable,
                             .contact = &contact};
    return haw_model_build(context, &scene, model);
}

#endif
