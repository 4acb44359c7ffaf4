// SPDX-License-Identifier: BSD-3-Clause
// The installed headers serve C++17, and calls go through the installed library: what there is to
// choose from, a scene by setters, and its build.
#include <hawser/hawser.h>

#include <cstdio>
#include <cstring>

static int count(const char *what, const haw_row *const *table)
{
    for (int i = 0; table[i] != nullptr; i++) {
        std::printf("%s %s: %s\n", what, table[i]->name, table[i]->summary);
    }
    return haw_row_count(table);
}

static bool build(haw_context *context)
{
    haw_body_spec ball = haw_body_spec_default();
    haw_scene scene = haw_scene_default();
    haw_model *model = nullptr;
    ball.name = "ball";
    bool good = haw_body_set(context, &ball, "mass", 1.0) == HAW_OK &&
                haw_body_set_text(context, &ball, "position", "[1, 2]") == HAW_OK &&
                haw_body_set_shape(context, &ball, "circle", "radius", 0.1) == HAW_OK &&
                haw_body_set_shape(context, &ball, "circle", "radios", 0.1) == HAW_ERR_INPUT;
    std::printf("%s\n", haw_context_message(context));
    scene.bodies = 1;
    scene.body = &ball;
    good = good && haw_model_build(context, &scene, &model) == HAW_OK;
    good = good && haw_model_find_body(model, "ball") == 0 &&
           haw_model_body_extent(model, 0).dofs == 3;
    haw_model_free(model);
    return good;
}

int main()
{
    haw_context *context = nullptr;
    if (haw_context_create(nullptr, &context) != HAW_OK) {
        return 1;
    }
    const haw_cable_spec cable = haw_cable_spec_default();
    std::printf("%s %s\n", haw_version(), cable.element);
    bool good = count("stepper", haw_steppers) > 1 && count("solver", haw_solvers) > 1;
    good = good && haw_row_find(haw_steppers, "moreau") != nullptr;
    good = build(context) && good;
    haw_context_free(context);
    return good ? 0 : 1;
}
