/* SPDX-License-Identifier: BSD-3-Clause */
/* /hawser/options: what a run was made with, one attribute per option. */
#include "io/writer.h"
#include "stepper/stepper.h"

#include <stdio.h>

static haw_status write_option(haw_hdf5 *file, hid_t group, const char *key,
                               const haw_option *option, const void *options)
{
    const void *member = (const char *)options + option->offset;
    long whole = 0;
    switch (option->type) {
    case HAW_OPTION_REAL:
        return haw_hdf5_real(file, group, key, 1, member);
    case HAW_OPTION_VECTOR:
        return haw_hdf5_real(file, group, key, 2, member);
    case HAW_OPTION_STRING:
        return haw_hdf5_text(file, group, key, *(const char *const *)member);
    case HAW_OPTION_CHOICE:
        return haw_hdf5_text(file, group, key, option->choices[*(const int *)member]);
    case HAW_OPTION_BOOL:
        whole = *(const bool *)member;
        break;
    case HAW_OPTION_INT:
        whole = *(const int *)member;
        break;
    }
    return haw_hdf5_integer(file, group, key, 1, &whole);
}

static haw_status write_options(haw_hdf5 *file, hid_t group, const char *prefix,
                                const haw_option *rows, const void *options)
{
    for (const haw_option *row = rows; row != NULL && row->key != NULL; row++) {
        char key[128];
        (void)snprintf(key, sizeof key, "%s.%s", prefix, row->key);
        HAW_TRY(write_option(file, group, key, row, options));
    }
    return HAW_OK;
}

static haw_status write_run(haw_hdf5 *file, hid_t group, const haw_run_settings *run)
{
    static const char *const words[] = {"stop", "warn", "halve"};
    if (run->stepper.ops != NULL) {
        HAW_TRY(haw_hdf5_text(file, group, "stepper", run->stepper.ops->row.name));
        HAW_TRY(write_options(file, group, "stepper", run->stepper.ops->row.options,
                              run->stepper.options));
    }
    if (run->solver.ops != NULL) {
        HAW_TRY(haw_hdf5_text(file, group, "solver", run->solver.ops->row.name));
        HAW_TRY(write_options(file, group, "solver", run->solver.ops->row.options,
                              run->solver.options));
    }
    HAW_TRY(haw_hdf5_text(file, group, "on_unconverged", words[run->on_unconverged]));
    HAW_TRY(haw_hdf5_real(file, group, "output.every", 1, &run->every));
    return haw_hdf5_real(file, group, "output.separation", 1, &run->separation);
}

haw_status haw_settings_write(haw_writer *writer, hid_t parent)
{
    haw_hdf5 *file = &writer->file;
    hid_t group = -1;
    HAW_TRY(haw_hdf5_group(file, parent, "options", &group));
    HAW_TRY(haw_hdf5_text(file, group, "version", haw_version()));
    HAW_TRY(haw_hdf5_real(file, group, "gravity", 2, writer->model->gravity));
    if (writer->scenario != NULL) {
        HAW_TRY(haw_hdf5_text(file, group, "file", writer->scenario->file));
    }
    if (writer->simulation != NULL) {
        const double step = haw_simulation_step_length(writer->simulation);
        HAW_TRY(haw_hdf5_real(file, group, "step", 1, &step));
        HAW_TRY(write_run(file, group, haw_simulation_settings(writer->simulation)));
    }
    return H5Gclose(group) < 0 ? haw_hdf5_broken(file) : HAW_OK;
}
