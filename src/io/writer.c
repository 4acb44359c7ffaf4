/* SPDX-License-Identifier: BSD-3-Clause */
/* Open, feed and close a results file. */
#include "io/writer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Upper bound of the space for groups, attributes and the text of the scenario. */
static size_t fixed_bytes(const haw_writer *writer)
{
    const haw_scenario *scenario = writer->scenario;
    const size_t text = scenario != NULL && scenario->text != NULL ? strlen(scenario->text) : 0;
    const int members = writer->model->bodies + writer->model->cables + writer->model->pairs;
    return text + strlen(writer->resolved) + 131072 + (size_t)members * 32768 +
           haw_contact_profile_bytes(writer);
}

static haw_status allocate(haw_writer *writer)
{
    HAW_TRY(haw_table_allocate(&writer->table));
    HAW_TRY(haw_table_allocate(&writer->events));
    int longest = 0;
    for (int i = 0; i < writer->model->cables; i++) {
        const int n = haw_cable_sample_count(writer->model, i);
        longest = n > longest ? n : longest;
    }
    writer->scratch = haw_arena_allocate(&writer->arena, (size_t)longest * 3, sizeof(double));
    HAW_TRY(haw_arena_status(&writer->arena));
    return haw_contact_profile_create(writer);
}

static haw_status flush(haw_writer *writer)
{
    if (writer->file.is_broken) { /* as by a checkpoint, whatever became of that */
        return haw_fail(writer->context, HAW_ERR_IO, "cannot write '%s': a write has failed",
                        writer->file.name);
    }
    HAW_TRY(haw_hdf5_owns(&writer->file)); /* a run goes on for no file that nobody has */
    const size_t columns = haw_table_growth(&writer->table) + haw_table_growth(&writer->events);
    HAW_TRY(haw_hdf5_reserve(&writer->file, fixed_bytes(writer) + columns));
    HAW_TRY(haw_table_write(&writer->table));
    HAW_TRY(haw_table_write(&writer->events));
    /* The number of frames comes last: what is read of a run that was killed on the way here is
     * what it had before. */
    const long steps = writer->table.frames;
    const bool is_written = H5Fflush(writer->file.id, H5F_SCOPE_LOCAL) >= 0 &&
                            H5Awrite(writer->vtkhdf.steps, H5T_NATIVE_LONG, &steps) >= 0 &&
                            H5Fflush(writer->file.id, H5F_SCOPE_LOCAL) >= 0 &&
                            haw_hdf5_trim(&writer->file);
    return is_written ? HAW_OK : haw_hdf5_broken(&writer->file);
}

/* After a failure nothing more is written, and the first message is kept. */
haw_status haw_writer_flush(haw_writer *writer)
{
    const haw_status status = flush(writer);
    writer->has_failed = status != HAW_OK;
    (void)snprintf(writer->failure, sizeof writer->failure, "%s",
                   haw_context_message(writer->context));
    return status;
}

static haw_status open_writer(haw_writer *writer, const char *file)
{
    HAW_TRY(haw_hdf5_init(&writer->file, &writer->arena, file));
    writer->table = writer->events = (haw_table){.file = &writer->file, .arena = &writer->arena};
    if (writer->simulation != NULL) {
        writer->table.storage = haw_simulation_settings(writer->simulation)->storage;
    }
    writer->file.has_moving = writer->table.storage.compress > 0;
    HAW_TRY(haw_hdf5_create(&writer->file, fixed_bytes(writer)));
    HAW_TRY(haw_vtkhdf_create(writer));
    HAW_TRY(haw_groups_create(writer));
    HAW_TRY(allocate(writer));
    return haw_writer_flush(writer);
}

static void free_writer(haw_writer *writer)
{
    haw_arena_fini(&writer->arena);
    haw_release(writer->context, writer);
}

/* The settings that the run uses: the text of the file has neither defaults nor --set. */
static haw_status resolve(haw_writer *writer)
{
    char *text = NULL;
    writer->resolved = "";
    if (writer->scenario == NULL) {
        return HAW_OK;
    }
    HAW_TRY(haw_scenario_resolve(writer->context, writer->scenario, &text));
    writer->resolved = haw_arena_string(&writer->arena, text);
    haw_text_free(writer->context, text);
    return haw_arena_status(&writer->arena);
}

haw_status haw_writer_open(haw_context *context, const char *file, const haw_scenario *scenario,
                           const haw_model *model, const haw_simulation *simulation,
                           haw_writer **writer)
{
    *writer = NULL;
    haw_writer *made = haw_allocate(context, 1, sizeof *made);
    if (made == NULL) {
        return HAW_ERR_NOMEM;
    }
    made->context = context;
    made->scenario = scenario;
    made->simulation = simulation;
    /* A static start may have changed the unstrained lengths in the simulation's own copy. */
    made->model = simulation != NULL ? haw_simulation_model(simulation) : model;
    made->file.id = -1;
    haw_arena_init(&made->arena, context);
    haw_status status = resolve(made);
    status = status == HAW_OK ? open_writer(made, file) : status;
    if (status != HAW_OK) {
        made->file.is_passing = made->file.id >= 0;
        status = haw_hdf5_close(&made->file, status);
        free_writer(made);
        return status;
    }
    haw_save_begin(made);
    *writer = made;
    return HAW_OK;
}

void haw_writer_discard(haw_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    writer->file.is_passing = true;
    (void)(haw_hdf5_close(&writer->file, HAW_ERR_CANCELLED) == HAW_OK);
    free_writer(writer);
}

/* Report the reason again: other failures may have been reported since. */
static haw_status again(const haw_writer *writer)
{
    return haw_fail(writer->context, HAW_ERR_IO, "%s", writer->failure);
}

haw_status haw_writer_frame(haw_writer *writer, const haw_frame *frame)
{
    if (writer->has_failed) {
        return again(writer);
    }
    haw_vtkhdf_frame(writer, frame);
    haw_groups_frame(writer, frame);
    haw_contact_profile_keep(writer, frame);
    return haw_table_advance(&writer->table) ? haw_writer_flush(writer) : HAW_OK;
}

haw_status haw_writer_event(haw_writer *writer, const haw_event *event)
{
    if (writer->has_failed) {
        return again(writer);
    }
    *haw_table_slot(&writer->events, 0) = event->t;
    *haw_table_slot(&writer->events, 1) = event->pair;
    *haw_table_slot(&writer->events, 2) = event->kind;
    *haw_table_slot(&writer->events, 3) = event->value;
    return haw_table_advance(&writer->events) ? haw_writer_flush(writer) : HAW_OK;
}

/* NAME.failed.h5 */
static char *failed_name(haw_writer *writer)
{
    const char *name = writer->file.name;
    const size_t length = strlen(name);
    const size_t stem = length > 3 && strcmp(name + length - 3, ".h5") == 0 ? length - 3 : length;
    char *failed = haw_arena_allocate(&writer->arena, length + sizeof ".failed.h5", 1);
    if (failed != NULL) {
        (void)sprintf(failed, "%.*s.failed.h5", (int)stem, name);
    }
    return failed;
}

const char *haw_writer_end(haw_writer *writer, haw_status status)
{
    writer->ended = status;
    if (status == HAW_ERR_CANCELLED) {
        writer->save.is_wanted = true;
    } else if (status < 0 && access(writer->file.name, F_OK) == 0) {
        char *failed = failed_name(writer);
        writer->file.final = failed != NULL ? failed : writer->file.name;
    }
    return writer->file.final;
}

haw_status haw_writer_close(haw_writer *writer, const haw_summary *summary)
{
    haw_status status = writer->has_failed ? again(writer) : haw_writer_flush(writer);
    if (status == HAW_OK) {
        status = haw_save_write(writer);
    }
    if (status == HAW_OK) {
        status = haw_summary_write(writer, summary);
    }
    writer->file.is_passing = writer->table.frames == 0;
    status = haw_hdf5_close(&writer->file, status);
    if (status == HAW_OK) {
        haw_save_retire(writer);
    }
    free_writer(writer);
    return status;
}
