/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rigid disk hits a prestressed cable with friction: the scene of disk-impact.yaml, without YAML.
 *
 *     cc disk_impact.c $(pkg-config --cflags --libs hawser) -o disk_impact && ./disk_impact
 */
#include <hawser/hawser.h>

#include <stdio.h>

/* Leave the function on failure; the context keeps one line that says why. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const haw_status status_ = (call);                                                         \
        if (status_ != HAW_OK) {                                                                   \
            return status_;                                                                        \
        }                                                                                          \
    } while (0)

static haw_status build(haw_context *context, haw_model **model)
{
    haw_body_spec disk = haw_body_spec_default();
    haw_cable_spec cable = haw_cable_spec_default();
    haw_contact_spec contact = haw_contact_spec_default();
    haw_scene scene = haw_scene_default();

    disk.name = "disk";
    disk.mass = 2.0; /* [kg] */
    disk.position[0] = -0.15;
    disk.position[1] = 1.0;
    disk.velocity[0] = 3.0;
    disk.spin = 40.0;
    TRY(haw_body_set_shape(context, &disk, "circle", "radius", 0.1));

    cable.name = "cable";
    TRY(haw_cable_set_text(context, &cable, "element", "bezier"));
    TRY(haw_cable_set(context, &cable, "elements", 20));
    TRY(haw_cable_set_text(context, &cable, "from", "[0, 0]"));
    TRY(haw_cable_set_text(context, &cable, "to", "[0, 2]"));
    cable.stiffness = 4.0e+4; /* EA [N] */
    cable.density = 0.1;      /* [kg/m] */
    cable.tension = 400.0;    /* at `from` [N] */

    contact.between[0] = "cable";
    contact.between[1] = "disk";
    contact.points_per_element = 8;
    contact.friction = 0.3;

    scene.gravity[1] = -9.81;
    scene.bodies = scene.cables = scene.contacts = 1;
    scene.body = &disk;
    scene.cable = &cable;
    scene.contact = &contact;
    return haw_model_build(context, &scene, model); /* copies all it needs */
}

static haw_status choose(haw_context *context, haw_run_settings *settings)
{
    static const haw_probe_spec probes[] = {
        {.of = "disk.position"}, {.of = "disk.velocity"}, {.of = "disk.spin"}};

    TRY(haw_run_settings_init(context, settings)); /* moreau with auto */
    TRY(haw_stepper_set(context, &settings->stepper, "step", 1.0e-5));
    TRY(haw_stepper_set(context, &settings->stepper, "end", 0.25));
    TRY(haw_solver_settings_init(context, "pgs", &settings->solver));
    TRY(haw_solver_set(context, &settings->solver, "tolerance", 1.0e-8));
    settings->probes = 3;
    settings->probe = probes;
    return HAW_OK;
}

/* Step to the end, then print what the probes saw and what the energy balance lost. */
static haw_status run(haw_simulation *simulation)
{
    haw_status status = HAW_OK;

    while (status == HAW_OK) {
        status = haw_simulation_step(simulation);
    }
    if (status != HAW_DONE) {
        return status;
    }
    const haw_frame *frame = haw_simulation_frame(simulation);
    const double *p = frame->probe;

    printf("position      %.15g %.15g m\n", p[0], p[1]);
    printf("velocity      %.15g %.15g m/s\n", p[2], p[3]);
    printf("spin          %.15g rad/s\n", p[4]);
    printf("balance error %.3g of E0\n", frame->ledger->balance_error / frame->ledger->initial);
    return HAW_OK;
}

/* The largest way of the centreline from the straight line that it was. */
static haw_status print_deflection(haw_context *context, haw_simulation *simulation)
{
    static double position[1000][3];
    const haw_frame *frame = haw_simulation_frame(simulation);
    const int cable = haw_model_find_cable(frame->model, "cable");
    const int count = haw_cable_sample_count(frame->model, cable);
    const haw_samples samples = {.position = position[0]};
    double largest = 0.0;

    if (count > 1000) {
        return HAW_ERR_ARG;
    }
    TRY(haw_cable_sample(context, frame->model, frame->state, cable, &samples));
    for (int i = 0; i < count; i++) {
        const double x = position[i][0] < 0.0 ? -position[i][0] : position[i][0];

        largest = x > largest ? x : largest;
    }
    printf("deflection    %.3g m\n", largest);
    return HAW_OK;
}

static haw_status simulate(haw_context *context, const haw_model *model)
{
    haw_run_settings settings;
    haw_simulation *simulation = NULL;

    TRY(choose(context, &settings));
    TRY(haw_simulation_create(context, model, &settings, &simulation));
    haw_status status = run(simulation);

    if (status == HAW_OK) {
        status = print_deflection(context, simulation);
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
        status = simulate(context, model);
    }
    if (status != HAW_OK) {
        (void)fprintf(stderr, "disk_impact: %s: %s\n", haw_status_text(status),
                      context != NULL ? haw_context_message(context) : "");
    }
    haw_model_free(model);
    haw_context_free(context);
    return status == HAW_OK ? 0 : 1;
}
