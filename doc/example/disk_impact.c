/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rigid disk hits a prestressed cable with friction: the scene of disk-impact.yaml, without YAML.
 *
 *     cc disk_impact.c $(pkg-config --cflags --libs hawser) -o disk_impact && ./disk_impact
 */
#include <hawser/hawser.h>

#include <stdio.h>

static haw_body_spec disk(void)
{
    haw_body_spec body = haw_body_spec_default();

    body.name = "disk";
    body.shape = "circle";
    body.shape_options[0] = 0.1; /* radius [m] */
    body.mass = 2.0;
    body.position[0] = -0.15;
    body.position[1] = 1.0;
    body.velocity[0] = 3.0;
    body.spin = 40.0;
    return body;
}

static haw_cable_spec cable(void)
{
    haw_cable_spec line = haw_cable_spec_default();

    line.name = "cable";
    line.elements = 20;
    line.from[0] = line.from[1] = 0.0;
    line.to[0] = 0.0;
    line.to[1] = 2.0;
    line.stiffness = 4.0e+4;
    line.density = 0.1;
    line.tension = 400.0; /* at `from` */
    return line;
}

static haw_status build(haw_context *context, haw_model **model)
{
    const haw_body_spec body = disk();
    const haw_cable_spec line = cable();
    haw_contact_spec contact = haw_contact_spec_default();
    haw_scene scene = {.title = "Disk on cable", .gravity = {0.0, -9.81}};

    contact.between[0] = line.name;
    contact.between[1] = body.name;
    contact.points_per_element = 8;
    contact.friction = 0.3;
    scene.bodies = scene.cables = scene.contacts = 1;
    scene.body = &body;
    scene.cable = &line;
    scene.contact = &contact;
    return haw_model_build(context, &scene, model); /* copies all it needs */
}

static haw_status choose(haw_context *context, haw_run_settings *settings)
{
    haw_solver_settings *solver = &settings->solver;
    haw_status status = haw_run_settings_init(context, settings); /* moreau with auto */

    status = status ? status : haw_solver_settings_init(context, "pgs", solver);
    status = status ? status : haw_stepper_set(context, &settings->stepper, "step", 1.0e-5);
    status = status ? status : haw_stepper_set(context, &settings->stepper, "end", 0.25);
    return status ? status
                  : haw_options_set_real(context, solver->ops->row.options, solver->options,
                                         "tolerance", 1.0e-8);
}

/* Run to the end and print the last frame: x y vx vy spin and the balance error over E0. */
static haw_status run(haw_context *context, const haw_model *model)
{
    static const char *const probes[] = {"disk.position", "disk.velocity", "disk.spin"};
    haw_run_settings settings;
    haw_simulation *simulation = NULL;
    haw_summary summary;
    haw_status status = choose(context, &settings);

    settings.probes = 3;
    settings.probe = probes;
    if (status == HAW_OK) {
        status = haw_simulation_create(context, model, &settings, &simulation);
    }
    if (status == HAW_OK) {
        status = haw_simulation_run(simulation, NULL, &summary);
    }
    if (status == HAW_OK) {
        const double *p = haw_simulation_frame(simulation)->probe;

        printf("position      %.15g %.15g m\n", p[0], p[1]);
        printf("velocity      %.15g %.15g m/s\n", p[2], p[3]);
        printf("spin          %.15g rad/s\n", p[4]);
        printf("balance error %.3g of E0\n", summary.ledger.balance_error / summary.ledger.initial);
    }
    haw_simulation_free(simulation);
    return status;
}

int main(void)
{
    haw_context *context = NULL;
    haw_model *model = NULL;
    haw_status status = haw_context_create(NULL, &context);

    if (status == HAW_OK) {
        status = build(context, &model);
    }
    if (status == HAW_OK) {
        status = run(context, model);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "disk_impact: %s: %s\n", haw_status_text(status),
                      context != NULL ? haw_context_message(context) : "");
    }
    haw_model_free(model);
    haw_context_free(context);
    return status == HAW_OK ? 0 : 1;
}
