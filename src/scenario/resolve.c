/* SPDX-License-Identifier: BSD-3-Clause */
/* A scenario with every default written out, as YAML that reads back to the same scenario. */
#include "scenario/resolve.h"

#include "scenario/locale.h"
#include "stepper/stepper.h"

#include <math.h>
#include <string.h>

/* Lines of the root, of a mapping below it, of an item of a list, and of what has begun already. */
static const haw_resolve_lines scene_lines = {"", "", "start"};
static const haw_resolve_lines outer_lines = {"  ", "  ", NULL};
static const haw_resolve_lines item_lines = {"  - ", "    ", NULL};
static const haw_resolve_lines inner_lines = {"    ", "    ", NULL};
static const haw_resolve_lines arc_lines = {"          ", "          ", NULL};

static void add_motion(haw_resolve *out, const haw_body_spec *body)
{
    if (body->motion == HAW_MOTION_FIXED) {
        haw_text_add(&out->text, "    motion: {fixed: true}\n");
    } else if (body->motion == HAW_MOTION_PRESCRIBED) {
        haw_text_add(&out->text, "    motion: {spin: ");
        haw_resolve_function(out, &body->motion_spin);
        haw_text_add(&out->text, ", ");
        haw_resolve_functions(out, "velocity", body->motion_velocity);
        haw_text_add(&out->text, "}\n");
    }
}

static void add_body(haw_resolve *out, const haw_body_spec *body)
{
    haw_resolve_options(out, &item_lines, haw_body_options, body);
    haw_text_add(&out->text, "    type: rigid\n");
    if (out->dimension == 3) {
        haw_text_add(&out->text, "    orientation: ");
        haw_resolve_numbers(out, 4, body->orientation);
        haw_text_add(&out->text, "\n");
    }
    if (body->shape != NULL) {
        haw_resolve_shape(out, body);
    }
    add_motion(out, body);
    haw_text_add(&out->text, "    torque: ");
    haw_resolve_function(out, &body->torque);
    haw_text_add(&out->text, "\n");
}

static void add_path(haw_resolve *out, const haw_cable_spec *cable)
{
    haw_text_add(&out->text, "    path:\n");
    for (int i = 0; i < cable->segments; ++i) {
        const haw_path_segment *segment = &cable->path[i];
        if (segment->is_arc) {
            haw_text_add(&out->text, "      - arc:\n");
            haw_resolve_options(out, &arc_lines, haw_arc_options, segment);
            continue;
        }
        haw_text_add(&out->text, "      - line: ");
        haw_resolve_numbers(out, out->dimension, segment->to);
        haw_text_add(&out->text, "\n");
    }
}

static void add_cable(haw_resolve *out, const haw_cable_spec *cable)
{
    haw_resolve_options(out, &item_lines, haw_cable_options, cable);
    if (cable->segments > 0) {
        add_path(out, cable);
    }
    if (cable->sheaves > 0) {
        haw_resolve_reeving(out, cable);
    }
    if (!cable->closed) {
        haw_resolve_ends(out, cable);
    }
}

/* `start` with all its parts. */
static void add_start(haw_resolve *out, const haw_scene *scene)
{
    haw_text_add(&out->text, "start:\n");
    haw_resolve_options(out, &outer_lines, haw_start_options, scene);
    haw_text_add(&out->text, "  lock: [");
    for (int i = 0; i < scene->locks; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        haw_text_quote(&out->text, scene->lock[i]);
    }
    haw_text_add(&out->text, "]\n");
}

static void add_contact(haw_resolve *out, const haw_contact_spec *contact)
{
    haw_text_add(&out->text, "  - between: [");
    haw_text_quote(&out->text, contact->between[0]);
    haw_text_add(&out->text, ", ");
    haw_text_quote(&out->text, contact->between[1]);
    haw_text_add(&out->text, "]\n");
    haw_resolve_options(out, &inner_lines, haw_contact_options, contact);
}

static bool is_cable(const haw_scene *scene, const char *name)
{
    for (int i = 0; i < scene->cables; ++i) {
        if (strcmp(scene->cable[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static void add_force(haw_resolve *out, const haw_force_spec *force)
{
    haw_text_add(&out->text, "  - ");
    haw_resolve_functions(out, "force", force->force);
    haw_text_add(&out->text, "\n    ");
    if (out->dimension == 3) {
        haw_resolve_functions(out, "moment", force->moment);
    } else {
        haw_text_add(&out->text, "moment: ");
        haw_resolve_function(out, &force->moment[2]);
    }
    haw_text_add(&out->text, "\n");
    haw_resolve_options(out, &inner_lines, haw_force_options, force);
}

static void add_spring_end(haw_resolve *out, const haw_scene *scene, const haw_spring_end *end)
{
    if (end->on == NULL) {
        haw_resolve_numbers(out, out->dimension, end->at);
    } else if (is_cable(scene, end->on)) {
        haw_text_add(&out->text, "{");
        haw_text_quote(&out->text, end->on);
        haw_text_add(&out->text, ": ");
        haw_text_number(&out->text, end->at[0]);
        haw_text_add(&out->text, "}");
    } else {
        haw_text_quote(&out->text, end->on);
    }
}

static void add_spring(haw_resolve *out, const haw_scene *scene, const haw_spring_spec *spring)
{
    haw_text_add(&out->text, "  - between: [");
    add_spring_end(out, scene, &spring->between[0]);
    haw_text_add(&out->text, ", ");
    add_spring_end(out, scene, &spring->between[1]);
    haw_text_add(&out->text, "]\n");
    haw_resolve_options(out, &inner_lines, haw_spring_options, spring);
}

static void add_scene(haw_resolve *out, const haw_scene *scene)
{
    haw_text_add(&out->text, "hawser: 1\n");
    haw_resolve_options(out, &scene_lines, haw_scene_options, scene);
    add_start(out, scene);
    haw_text_add(&out->text, "%s", scene->bodies > 0 ? "bodies:\n" : "");
    for (int i = 0; i < scene->bodies; ++i) {
        add_body(out, &scene->body[i]);
    }
    haw_text_add(&out->text, "%s", scene->cables > 0 ? "cables:\n" : "");
    for (int i = 0; i < scene->cables; ++i) {
        add_cable(out, &scene->cable[i]);
    }
    haw_text_add(&out->text, "%s", scene->contacts > 0 ? "contact:\n" : "");
    for (int i = 0; i < scene->contacts; ++i) {
        add_contact(out, &scene->contact[i]);
    }
    haw_text_add(&out->text, "%s", scene->forces > 0 ? "forces:\n" : "");
    for (int i = 0; i < scene->forces; ++i) {
        add_force(out, &scene->force[i]);
    }
    haw_text_add(&out->text, "%s", scene->springs > 0 ? "springs:\n" : "");
    for (int i = 0; i < scene->springs; ++i) {
        add_spring(out, scene, &scene->spring[i]);
    }
}

/* What is watched, and how the result is scaled: only where it is. */
static void add_watch(haw_resolve *out, const haw_probe_watch *watch)
{
    if (watch->kind == HAW_WATCH_MAXIMUM) {
        haw_text_add(&out->text, ", maximum: true");
    } else if (watch->kind == HAW_WATCH_FIRST_ABOVE) {
        haw_text_add(&out->text, ", first_above: ");
        haw_text_number(&out->text, watch->level);
    }
    haw_text_add(&out->text, ", after: ");
    haw_text_number(&out->text, watch->after);
    haw_text_add(&out->text, ", until: ");
    if (isinf(watch->until)) {
        haw_text_add(&out->text, "end");
    } else {
        haw_text_number(&out->text, watch->until);
    }
    haw_text_add(&out->text, ", scale: ");
    haw_text_number(&out->text, watch->scale);
    haw_text_add(&out->text, ", shift: ");
    haw_text_number(&out->text, watch->shift);
}

static bool is_trivial(const haw_probe_watch *watch)
{
    return watch->kind == HAW_WATCH_NONE && watch->scale == 1 && watch->shift == 0;
}

/* The short form unless there is more to say than the quantity. */
static void add_probe(haw_resolve *out, const haw_run_settings *run, int i)
{
    const char *name = run->probe_name != NULL ? run->probe_name[i] : run->probe[i];
    const double mean = run->probe_mean != NULL ? run->probe_mean[i] : 0;
    const haw_probe_watch *watch = run->probe_watch != NULL ? &run->probe_watch[i] : NULL;
    const bool has_name = strcmp(name, run->probe[i]) != 0;
    const bool is_watched = watch != NULL && !is_trivial(watch);
    if (!has_name && mean == 0 && !is_watched) {
        haw_text_quote(&out->text, run->probe[i]);
        return;
    }
    haw_text_add(&out->text, "{");
    if (has_name) {
        haw_text_add(&out->text, "name: ");
        haw_text_quote(&out->text, name);
        haw_text_add(&out->text, ", ");
    }
    haw_text_add(&out->text, "of: ");
    haw_text_quote(&out->text, run->probe[i]);
    haw_text_add(&out->text, ", mean_over: ");
    haw_text_number(&out->text, mean);
    if (is_watched) {
        add_watch(out, watch);
    }
    haw_text_add(&out->text, "}");
}

static void add_run(haw_resolve *out, const haw_run_settings *run)
{
    haw_text_add(&out->text, "stepper:\n  type: %s\n", run->stepper.ops->row.name);
    haw_resolve_options(out, &outer_lines, run->stepper.ops->row.options, run->stepper.options);
    haw_text_add(&out->text, "solver:\n  type: %s\n", run->solver.ops->row.name);
    haw_resolve_options(out, &outer_lines, run->solver.ops->row.options, run->solver.options);
    haw_resolve_options(out, &outer_lines, haw_solver_run_options, run);
    haw_text_add(&out->text, "output:\n");
    haw_resolve_options(out, &outer_lines, haw_output_options, run);
    haw_text_add(&out->text, "  probes: [");
    for (int i = 0; i < run->probes; ++i) {
        haw_text_add(&out->text, "%s", i > 0 ? ", " : "");
        add_probe(out, run, i);
    }
    haw_text_add(&out->text, "]\n");
}

haw_status haw_scenario_resolve(haw_context *context, const haw_scenario *scenario, char **text)
{
    haw_resolve out = {.text = {.context = context}, .dimension = scenario->scene.dimension};
    const haw_locale before = haw_locale_begin();
    add_scene(&out, &scenario->scene);
    add_run(&out, &scenario->run);
    haw_locale_end(before);
    return haw_text_finish(&out.text, text);
}
