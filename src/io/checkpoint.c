/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checkpoints on disk. /hawser/checkpoint of a results file:
 *
 *     data       what the run carries, bytes of haw_checkpoint
 *     version    of hawser, which must be the same
 *     file, set  name of the scenario and its settings; the text itself is /hawser/scenario
 *     folder     where the run was started: names that are not absolute are relative to it
 *     hash       of all this and of /hawser/scenario and /hawser/resolved
 *     attributes step, t, h, bytes, state_bytes, frames and events so far
 *
 * While a run goes on its checkpoints are whole files beside the results, FILE.ckpt: a copy of all
 * frames so far, which no crash of the run can reach any more. It is written under another name and
 * renamed once it is on the disk. Its frames beyond the checkpoint's are left out by who goes on.
 */
#include "io/file.h"
#include "io/results.h"
#include "io/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    PIECE = 1 << 16, /* bytes copied at a time */
    TEXTS = 5,       /* of a checkpoint */
    FOLDER_MAX = 4096
};

static const char SEPARATOR[] = "\x1e"; /* of settings: record separator */

/* ---- hash ---- */

/* FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo. */
static void add_hash(uint64_t *hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        *hash = (*hash ^ ((const unsigned char *)data)[i]) * UINT64_C(1099511628211);
    }
}

/* A text that is not there is NULL. */
static void write_hash(const haw_checkpoint *checkpoint, const char *const text[TEXTS],
                       char hash[20])
{
    uint64_t sum = UINT64_C(14695981039346656037);
    if (checkpoint->data != NULL) {
        add_hash(&sum, checkpoint->data, checkpoint->bytes);
    }
    for (int i = 0; i < TEXTS && text[i] != NULL; i++) {
        add_hash(&sum, text[i], strlen(text[i]) + 1);
    }
    (void)snprintf(hash, 20, "%016" PRIx64, sum);
}

/* ---- writing ---- */

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const haw_checkpoint_settings *get_settings(const haw_writer *writer)
{
    return &haw_simulation_settings(writer->simulation)->checkpoint;
}

void haw_save_begin(haw_writer *writer)
{
    writer->save.last_wall = wall_clock();
    if (writer->simulation != NULL) {
        const haw_checkpoint_settings *settings = get_settings(writer);
        writer->save.is_wanted = settings->wall > 0 || settings->frames > 0;
    }
}

/* Settings one after another. NULL: no memory */
static char *join_sets(haw_arena *arena, const haw_scenario *scenario)
{
    size_t bytes = 1;
    for (int i = 0; i < scenario->sets; i++) {
        bytes += strlen(scenario->set[i]) + 1;
    }
    char *all = haw_arena_allocate(arena, bytes, 1);
    size_t used = 0;
    for (int i = 0; i < scenario->sets && all != NULL; i++) {
        used += (size_t)snprintf(all + used, bytes - used, "%s%s", scenario->set[i], SEPARATOR);
    }
    return all;
}

/* The group in a file, which may be a copy of the writer's own. */
static haw_status put(haw_writer *writer, haw_hdf5 *file)
{
    const haw_save *save = &writer->save;
    const haw_checkpoint *checkpoint = save->checkpoint;
    const haw_scenario *scenario = writer->scenario;
    const haw_arena_mark mark = haw_arena_here(&writer->arena);
    const char *sets = join_sets(&writer->arena, scenario);
    HAW_TRY(haw_arena_status(&writer->arena));
    char folder[FOLDER_MAX];
    if (getcwd(folder, sizeof folder) == NULL) {
        folder[0] = '\0'; /* it was removed, or its name is too long */
    }
    const char *const text[TEXTS] = {scenario->text, writer->resolved, scenario->file, sets,
                                     folder};

    const struct {
        const char *key;
        long value;
    } whole[] = {{"step", checkpoint->step},
                 {"bytes", (long)checkpoint->bytes},
                 {"state_bytes", (long)checkpoint->state_bytes},
                 {"frames", save->frames},
                 {"events", save->events}};

    char hash[20];
    hid_t parent = -1, group = -1;
    write_hash(checkpoint, text, hash);
    HAW_TRY(haw_hdf5_reserve(file, checkpoint->bytes + strlen(sets) + strlen(folder)));
    HAW_TRY(haw_hdf5_group(file, file->id, "hawser", &parent));
    HAW_TRY(haw_hdf5_group(file, parent, "checkpoint", &group));
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        HAW_TRY(haw_hdf5_integer(file, group, whole[i].key, 1, &whole[i].value));
    }
    HAW_TRY(haw_hdf5_real(file, group, "t", 1, &checkpoint->t));
    HAW_TRY(haw_hdf5_real(file, group, "h", 1, &checkpoint->h));
    HAW_TRY(haw_hdf5_string(file, group, "version", haw_version()));
    HAW_TRY(haw_hdf5_string(file, group, "file", scenario->file));
    HAW_TRY(haw_hdf5_string(file, group, "set", sets));
    HAW_TRY(haw_hdf5_string(file, group, "folder", folder));
    HAW_TRY(haw_hdf5_string(file, group, "hash", hash));
    HAW_TRY(haw_hdf5_bytes(file, group, "data", checkpoint->bytes, checkpoint->data));
    haw_arena_rewind(&writer->arena, &mark);
    return HAW_OK;
}

haw_status haw_save_write(haw_writer *writer)
{
    const bool is_known = writer->save.checkpoint != NULL && writer->scenario != NULL;
    return writer->save.is_wanted && is_known ? put(writer, &writer->file) : HAW_OK;
}

/* ---- beside the results ---- */

/* Name of the k-th last checkpoint. */
static void name_save(const haw_writer *writer, int k, const char *ending, char *name, size_t bytes)
{
    char number[16] = "";
    if (k > 0) {
        (void)snprintf(number, sizeof number, ".%d", k);
    }
    (void)snprintf(name, bytes, "%s.ckpt%s%s", writer->file.name, number, ending);
}

/* All bytes of a file. @return errno, 0: done */
static int copy_bytes(int from, int to)
{
    char piece[PIECE];
    off_t at = 0;
    for (;;) {
        const ssize_t got = pread(from, piece, sizeof piece, at);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return got == 0 ? 0 : errno;
        }
        for (ssize_t done = 0; done < got;) {
            const ssize_t put = pwrite(to, piece + done, (size_t)(got - done), at + done);
            if (put < 0 && errno != EINTR) {
                return errno;
            }
            done += put > 0 ? put : 0;
        }
        at += got;
    }
}

/* The results so far with the checkpoint, in a file of its own. */
static haw_status write_copy(haw_writer *writer, int descriptor, const char *part, const char *name)
{
    haw_hdf5 copy = {.context = writer->context,
                     .name = name,
                     .transfer = writer->file.transfer,
                     .lock = -1,
                     .id = -1};
    const int error = copy_bytes(writer->file.lock, descriptor);
    HAW_TRY(error == 0 ? HAW_OK : haw_file_fail(writer->context, "write", name, error));
    HAW_TRY(haw_hdf5_reopen(&copy, part));
    haw_status status = put(writer, &copy);
    if (!copy.is_broken && H5Fclose(copy.id) < 0 && status == HAW_OK) {
        status = haw_hdf5_broken(&copy);
    }
    return status;
}

/* The last one stays where it is until the new one takes its name. */
static void move_older(const haw_writer *writer, size_t bytes, char *from, char *to)
{
    const int keep = get_settings(writer)->keep;
    for (int k = keep - 1; k > 0; k--) {
        name_save(writer, k - 1, "", from, bytes);
        name_save(writer, k, "", to, bytes);
        if (k > 1) {
            (void)rename(from, to);
        } else {
            (void)unlink(to);
            (void)link(from, to);
        }
    }
}

static haw_status save(haw_writer *writer)
{
    const haw_arena_mark mark = haw_arena_here(&writer->arena);
    const size_t bytes = strlen(writer->file.name) + 32;
    char *name = haw_arena_allocate(&writer->arena, 3 * bytes, 1), *part = name + bytes;
    HAW_TRY(haw_arena_status(&writer->arena));
    HAW_TRY(haw_writer_flush(writer));
    name_save(writer, 0, ".part", part, bytes);
    (void)unlink(part); /* of a run that was killed: this one has the lock */
    const int descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    name_save(writer, 0, "", name, bytes);
    haw_status status = descriptor >= 0 ? write_copy(writer, descriptor, part, name)
                                        : haw_file_fail(writer->context, "write", name, errno);
    if (status == HAW_OK) {
        move_older(writer, bytes, name, part + bytes);
        name_save(writer, 0, "", name, bytes);
        status = haw_file_complete(writer->context, descriptor, part, name);
    }
    if (status != HAW_OK && descriptor >= 0) {
        (void)unlink(part);
    }
    if (descriptor >= 0) {
        (void)close(descriptor);
    }
    haw_arena_rewind(&writer->arena, &mark);
    return status;
}

void haw_save_retire(haw_writer *writer)
{
    const haw_arena_mark mark = haw_arena_here(&writer->arena);
    const size_t bytes = strlen(writer->file.name) + 32;
    char *name = haw_arena_allocate(&writer->arena, 2 * bytes, 1);
    if (name != NULL && (writer->ended == HAW_OK || writer->ended == HAW_ERR_CANCELLED)) {
        if (writer->simulation != NULL) {
            move_older(writer, bytes, name, name + bytes);
        }
        name_save(writer, 0, "", name, bytes);
        (void)unlink(name);
        name_save(writer, 0, ".part", name, bytes); /* of a run that was killed */
        (void)unlink(name);
    }
    haw_arena_rewind(&writer->arena, &mark);
}

haw_status haw_writer_checkpoint(haw_writer *writer, const haw_checkpoint *checkpoint)
{
    const haw_checkpoint_settings *settings = get_settings(writer);
    haw_save *own = &writer->save;
    const double now = wall_clock();
    own->checkpoint = checkpoint;
    own->frames = writer->table.frames + writer->table.filled;
    own->events = writer->events.frames + writer->events.filled;
    const bool is_due =
        (settings->wall > 0 && now - own->last_wall >= settings->wall) ||
        (settings->frames > 0 && own->frames - own->last_frames >= settings->frames);
    if (!is_due || writer->scenario == NULL) {
        return HAW_OK;
    }
    own->last_wall = now;
    own->last_frames = own->frames;
    const haw_status status = save(writer);
    if (status != HAW_OK && (writer->file.is_broken || writer->has_failed)) {
        return status;
    }
    if (status != HAW_OK && !own->is_missed) {
        haw_log(writer->context, HAW_LOG_WARNING, "no checkpoint from t = %g s on: %s",
                checkpoint->t, haw_context_message(writer->context));
    } else if (status == HAW_OK && own->is_missed) {
        haw_log(writer->context, HAW_LOG_WARNING, "checkpoints again, from t = %g s on",
                checkpoint->t);
    }
    own->is_missed = status != HAW_OK;
    return HAW_OK; /* the run goes on, the last one is as it was */
}

haw_status haw_writer_continue(haw_writer *writer, const haw_saved *saved)
{
    haw_results *results = NULL;
    HAW_TRY(haw_results_open(writer->context, saved->path, &results));
    haw_status status = haw_table_import(&writer->table, results->id, saved->frames);
    if (status == HAW_OK) {
        status = haw_table_import(&writer->events, results->id, saved->events);
    }
    haw_results_close(results);
    writer->save.last_frames = saved->frames;
    return status == HAW_OK ? haw_writer_flush(writer) : status;
}

/* ---- reading ---- */

typedef struct reading {
    haw_arena *arena;
    haw_results *results;
    haw_saved *saved;
} reading;

static haw_status get_number(const reading *r, const char *key, double most, double *value)
{
    double all[2] = {0};
    const bool is_there = haw_results_attribute(r->results, "checkpoint", ".", key, all);
    *value = all[0];
    return is_there && all[0] >= 0 && all[0] <= most
               ? HAW_OK
               : haw_results_damaged(r->results, "/hawser/checkpoint");
}

static haw_status get_text(const reading *r, const char *path, const char **text)
{
    char *found = NULL;
    HAW_TRY(haw_results_text(r->results, path, &found));
    *text = haw_arena_string(r->arena, found);
    return haw_arena_status(r->arena);
}

static haw_status split_sets(const reading *r, const char *all)
{
    haw_saved *saved = r->saved;
    char *rest = haw_arena_string(r->arena, all);
    const char **set = haw_arena_allocate(r->arena, strlen(all) + 1, sizeof *set); /* at most */
    HAW_TRY(haw_arena_status(r->arena));
    for (char *end; (end = strstr(rest, SEPARATOR)) != NULL; rest = end + 1) {
        *end = '\0';
        set[saved->sets++] = rest;
    }
    saved->set = set;
    return HAW_OK;
}

static haw_status get_data(const reading *r)
{
    haw_checkpoint *checkpoint = &r->saved->checkpoint;
    const hid_t set = H5Dopen2(r->results->id, "/hawser/checkpoint/data", H5P_DEFAULT);
    const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool is_read = count > 0 && (size_t)count == checkpoint->bytes && haw_hdf5_holds(set) &&
                   checkpoint->state_bytes <= checkpoint->bytes &&
                   checkpoint->bytes <= (size_t)H5Dget_storage_size(set);
    checkpoint->data = is_read ? haw_arena_allocate(r->arena, checkpoint->bytes, 1) : NULL;
    is_read = is_read && checkpoint->data != NULL &&
              H5Dread(set, H5T_NATIVE_UCHAR, H5S_ALL, H5S_ALL, H5P_DEFAULT, checkpoint->data) >= 0;
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    HAW_TRY(haw_arena_status(r->arena));
    return is_read ? HAW_OK : haw_results_damaged(r->results, "/hawser/checkpoint/data");
}

static haw_status get_numbers(const reading *r)
{
    static const double MOST = 1e15; /* whole numbers are exact */
    haw_saved *saved = r->saved;
    haw_checkpoint *checkpoint = &saved->checkpoint;
    double step, bytes, state, frames, events;
    HAW_TRY(get_number(r, "step", MOST, &step));
    HAW_TRY(get_number(r, "bytes", MOST, &bytes));
    HAW_TRY(get_number(r, "state_bytes", MOST, &state));
    HAW_TRY(get_number(r, "frames", r->results->frames, &frames));
    HAW_TRY(get_number(r, "events", INT32_MAX, &events));
    HAW_TRY(get_number(r, "t", MOST, &checkpoint->t));
    HAW_TRY(get_number(r, "h", MOST, &checkpoint->h));
    checkpoint->step = (long)step;
    checkpoint->bytes = (size_t)bytes;
    checkpoint->state_bytes = (size_t)state;
    saved->frames = (long)frames;
    saved->events = (int)events;
    return HAW_OK;
}

/* In the order in which they were found. */
static haw_status get_events(const reading *r)
{
    static const char *const columns[] = {"t", "pair", "kind", "value"};
    haw_array array[4] = {{0}};
    const int count = r->saved->events;
    for (int i = 0; i < 4; i++) {
        HAW_TRY(haw_results_array(r->results, &array[i], "/hawser/events/%s", columns[i]));
        if (array[i].rows < count) {
            return haw_results_damaged(r->results, "/hawser/events");
        }
    }
    haw_event *event = haw_arena_allocate(r->arena, (size_t)count + 1, sizeof *event);
    HAW_TRY(haw_arena_status(r->arena));
    for (int i = 0; i < count; i++) {
        const double kind = array[2].value[i], pair = array[1].value[i];
        if (!(kind >= HAW_EVENT_FIRST_CONTACT && kind <= HAW_EVENT_WRAP && pair >= 0 &&
              pair <= INT32_MAX)) {
            return haw_results_damaged(r->results, "/hawser/events");
        }
        event[i] =
            (haw_event){array[0].value[i], (int)pair, (haw_event_kind)(int)kind, array[3].value[i]};
    }
    r->saved->event = event;
    return HAW_OK;
}

/* Whoever goes on from another folder finds the scenario's where the run found it, if it is still
 * there; else its name stands as it was given, for files that were moved all together. */
static haw_status find_file(const reading *r, const char *folder)
{
    haw_saved *saved = r->saved;
    char here[FOLDER_MAX];
    if (folder == NULL || folder[0] == '\0' || saved->file[0] == '/' ||
        (getcwd(here, sizeof here) != NULL && strcmp(here, folder) == 0)) {
        return HAW_OK;
    }
    const size_t bytes = strlen(folder) + strlen(saved->file) + 2;
    char *path = haw_arena_allocate(r->arena, bytes, 1);
    HAW_TRY(haw_arena_status(r->arena));
    (void)snprintf(path, bytes, "%s/%s", folder, saved->file);
    char *end = strrchr(path, '/');
    *end = '\0';
    const bool is_there = access(path, F_OK) == 0;
    *end = '/';
    saved->file = is_there ? path : saved->file;
    return HAW_OK;
}

static haw_status read_saved(const reading *r)
{
    haw_saved *saved = r->saved;
    const char *sets = NULL, *version = NULL, *kept = NULL, *folder = NULL;
    char hash[20];
    if (!haw_results_has(r->results, "/hawser/checkpoint")) {
        HAW_TRY(haw_results_without(r->results, "/hawser/checkpoint"));
        return haw_fail(r->arena->context, HAW_ERR_INPUT,
                        "'%s' has no checkpoint to go on from: a run keeps one where "
                        "output.checkpoint asks for it, and when it is interrupted",
                        saved->path);
    }
    HAW_TRY(get_text(r, "/hawser/checkpoint/version", &version));
    if (strcmp(version, haw_version()) != 0) {
        return haw_fail(r->arena->context, HAW_ERR_INPUT,
                        "the checkpoint in '%s' is one of hawser %s, this is %s: go on with that "
                        "version, or start anew",
                        saved->path, version, haw_version());
    }
    HAW_TRY(get_numbers(r));
    HAW_TRY(get_data(r));
    HAW_TRY(get_text(r, "/hawser/checkpoint/file", &saved->file));
    HAW_TRY(get_text(r, "/hawser/checkpoint/set", &sets));
    if (haw_results_has(r->results, "/hawser/checkpoint/folder")) {
        HAW_TRY(get_text(r, "/hawser/checkpoint/folder", &folder));
    }
    HAW_TRY(get_text(r, "/hawser/checkpoint/hash", &kept));
    HAW_TRY(get_text(r, "/hawser/scenario", &saved->text));
    HAW_TRY(get_text(r, "/hawser/resolved", &saved->resolved));
    const char *const text[TEXTS] = {saved->text, saved->resolved, saved->file, sets, folder};
    write_hash(&saved->checkpoint, text, hash);
    if (strcmp(hash, kept) != 0) {
        return haw_results_damaged(r->results, "/hawser/checkpoint");
    }
    HAW_TRY(split_sets(r, sets));
    HAW_TRY(find_file(r, folder));
    return get_events(r);
}

/* The newest: what a run has left beside its results is of one that was killed. */
static const char *choose_path(haw_arena *arena, const char *file)
{
    const size_t bytes = strlen(file) + sizeof ".ckpt";
    char *beside = haw_arena_allocate(arena, bytes, 1);
    if (beside != NULL) {
        (void)snprintf(beside, bytes, "%s.ckpt", file);
    }
    return beside != NULL && access(beside, F_OK) == 0 ? beside : haw_arena_string(arena, file);
}

haw_status haw_saved_read(haw_context *context, const char *file, haw_saved **saved)
{
    haw_arena *arena = haw_allocate(context, 1, sizeof *arena);
    *saved = NULL;
    if (arena == NULL) {
        return HAW_ERR_NOMEM;
    }
    haw_arena_init(arena, context);
    reading r = {.arena = arena, .saved = haw_arena_allocate(arena, 1, sizeof(haw_saved))};
    const char *path = choose_path(arena, file);
    haw_status status = haw_arena_status(arena);
    if (status == HAW_OK) {
        *r.saved = (haw_saved){.path = path, .memory = arena};
        status = haw_results_open(context, path, &r.results);
    }
    status = status == HAW_OK ? read_saved(&r) : status;
    haw_results_close(r.results);
    if (status != HAW_OK) {
        haw_arena_fini(arena);
        haw_release(context, arena);
        return status;
    }
    *saved = r.saved;
    return HAW_OK;
}

void haw_saved_free(haw_context *context, haw_saved *saved)
{
    if (saved == NULL) {
        return;
    }
    haw_arena *arena = saved->memory; /* it lies in it */
    haw_arena_fini(arena);
    haw_release(context, arena);
}
