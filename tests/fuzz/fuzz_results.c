/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of what reads results files: export, the tables of plot, the page of report, and a
 * run that goes on from the checkpoint. No file may crash them, none may stay open in HDF5.
 *
 * An input is a list of changes to a good file; the first byte says to which, and who reads it,
 * from 224 on with no place for what is made of it. For each change there are two bytes for the
 * object or attribute, 65535 for the file as a whole, one for what happens to it, one for its
 * number of entries, and a byte for each entry. What is wrong with bytes of the file is tested by
 * tests/fuzz/damage.c: HDF5 itself crashes there.
 */
#include "fuzz/readers.h"
#include "fuzz/replay.h"
#include "fuzz/run_scene.h"

#include <hdf5.h>
#include <limits.h>
#include <math.h>

_Static_assert(FUZZ_SCENES == 16, "four bits of the first byte");

enum { NAMES_MAX = 2000, NAME_SIZE = 96, ENTRIES = 64, UNWRITABLE = 224 };

/* A good file and the paths of its objects; "path@key" is an attribute. */
typedef struct good {
    uint8_t *bytes;
    size_t size;
    int names;
    char (*name)[NAME_SIZE];
} good;

static good kept[FUZZ_SCENES];
static char place[64], file[80], folder[80], beside[88], again[88];

/* ---- good files ---- */

static haw_status put_frame(void *user, const haw_frame *frame)
{
    return haw_writer_frame(user, frame);
}

static haw_status put_event(void *user, const haw_event *event)
{
    return haw_writer_event(user, event);
}

static haw_status put_checkpoint(void *user, const haw_checkpoint *checkpoint)
{
    return haw_writer_checkpoint(user, checkpoint);
}

/* As a run leaves it that was interrupted, with its last checkpoint. */
static void make_file(int which)
{
    fuzz_run run;
    haw_writer *writer = NULL;
    haw_summary summary;
    fuzz_open(&run, which);
    fuzz_must(run.context,
              haw_writer_open(run.context, file, run.scenario, run.model, run.simulation, &writer));
    const haw_observer observer = {
        .frame = put_frame, .event = put_event, .checkpoint = put_checkpoint, .user = writer};
    fuzz_must(run.context, haw_simulation_run(run.simulation, &observer, &summary));
    (void)haw_writer_end(writer, HAW_ERR_CANCELLED);
    fuzz_must(run.context, haw_writer_close(writer, &summary));
    fuzz_close(&run);
}

static void add_name(good *g, const char *name, const char *key)
{
    if (g->names < NAMES_MAX && strlen(name) + strlen(key) + 3 < NAME_SIZE) {
        (void)snprintf(g->name[g->names++], NAME_SIZE, "/%s%s%s", name, key[0] != '\0' ? "@" : "",
                       key);
    }
}

static herr_t add_attribute(hid_t object, const char *key, const H5A_info_t *info, void *user)
{
    char path[NAME_SIZE] = "";
    (void)info;
    if (H5Iget_name(object, path, sizeof path) > 1) {
        add_name(user, path + 1, key);
    }
    return 0;
}

/* Every link: one object may have several names. */
static herr_t add_link(hid_t root, const char *name, const H5L_info_t *info, void *user)
{
    (void)info;
    add_name(user, name, "");
    const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    (void)H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, NULL, add_attribute, user);
    (void)H5Oclose(object);
    return 0;
}

static void keep(int which)
{
    good *g = &kept[which];
    struct stat found;
    make_file(which);
    FILE *stream = fopen(file, "rb");
    if (stream == NULL || stat(file, &found) != 0) {
        abort();
    }
    g->bytes = malloc((size_t)found.st_size);
    g->size = g->bytes != NULL ? fread(g->bytes, 1, (size_t)found.st_size, stream) : 0;
    (void)fclose(stream);
    g->name = calloc(NAMES_MAX, sizeof *g->name);
    const hid_t id = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (g->size == 0 || g->name == NULL || id < 0) {
        abort();
    }
    (void)H5Lvisit(id, H5_INDEX_NAME, H5_ITER_INC, add_link, g);
    (void)H5Fclose(id);
}

static void begin(void)
{
    replay_path(place, "results");
    readers_begin(place);
    (void)snprintf(file, sizeof file, "%s/r.h5", place);
    (void)snprintf(folder, sizeof folder, "%s/out", place);
    (void)snprintf(beside, sizeof beside, "%s.ckpt", file);
    (void)snprintf(again, sizeof again, "%s/again.h5", place);
}

/* ---- changes ---- */

/* Small numbers, and the ones at the ends of their types. */
static double number(uint8_t byte)
{
    static const double ends[] = {1e300, -1e300, 1e9, 2147483647, -2147483648.0, 65536, 1e18};
    if (byte >= 248) {
        return byte == 248 ? (double)NAN : ends[byte - 249];
    }
    return byte < 200 ? byte - 4 : (byte - 220) / 8.0;
}

/* What can happen to an object; any other byte: it gets new entries, as many as are said. */
enum {
    DROPPED = 255,
    LINKED = 254,
    LOOPED = 253,
    GROUP = 252,
    TEXT = 251,
    HUGE_SIZE = 250,
    SCALAR = 249,
    WHOLE = 248,
    WRITTEN = 247, /* the first entries of what is there, the second byte from which on */
    PACKED = 246,
    VIRTUAL = 245,
    CUBE = 244,
    UNWRITTEN = 243, /* in chunks, none of which is there */
    NO_COLUMNS = 242,
    WIDE = 241,
    LONG = 240,
    LONG_TEXT = 239,
    POINTED_TEXT = 238, /* of variable length */
    OPAQUE = 237,
    RENAMED = 236,
    TEXTS = 235, /* many */
    BROAD = 13
};

/* What can happen to the file. */
enum { WHOLE_FILE = 65535 };

enum { KEPT_BESIDE, MARKED, CUT, EMPTIED, FOLDER, KINDS };

static bool is_text(int kind)
{
    return kind == TEXT || kind == LONG_TEXT || kind == POINTED_TEXT || kind == TEXTS;
}

static hid_t space_of(int kind, int count)
{
    const hsize_t n = (hsize_t)count, wide = (hsize_t)1 << 40, many = (hsize_t)1 << 30;
    hsize_t size[3] = {n, (hsize_t)(kind == BROAD ? 8 : 1 + kind % 4), 1};
    if (kind == SCALAR || (is_text(kind) && kind != TEXTS)) {
        return H5Screate(H5S_SCALAR);
    }
    size[0] = kind == HUGE_SIZE ? wide : kind == LONG ? many : n;
    size[1] = kind == NO_COLUMNS ? 0 : kind == WIDE ? wide : size[1];
    const bool has_columns = kind % 2 == 1 || kind == NO_COLUMNS;
    return H5Screate_simple(kind == CUBE ? 3 : 1 + has_columns, size, NULL);
}

static hid_t type_of(int kind, int count)
{
    if (is_text(kind)) {
        const size_t bytes = kind == LONG_TEXT ? 4096 : kind == TEXTS ? 15 : (size_t)count + 1;
        const hid_t type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, kind == POINTED_TEXT ? H5T_VARIABLE : bytes);
        return type;
    }
    return kind == OPAQUE ? H5Tcreate(H5T_OPAQUE, 8)
                          : H5Tcopy(kind == WHOLE ? H5T_STD_I32LE : H5T_IEEE_F64LE);
}

/* What is written: numbers, or the same bytes as a text. */
typedef struct entries {
    int kind, count;
    double value[8 * ENTRIES];
    char text[4096];
} entries;

static bool is_written(int kind)
{
    return kind != HUGE_SIZE && kind != VIRTUAL && kind != UNWRITTEN && kind != WIDE &&
           kind != LONG && kind != NO_COLUMNS && kind != OPAQUE;
}

static const void *memory_of(const entries *put, const char **pointed)
{
    *pointed = put->text;
    return put->kind == POINTED_TEXT ? (const void *)pointed
           : is_text(put->kind)      ? (const void *)put->text
                                     : (const void *)put->value;
}

static void put_attribute(hid_t id, char *name, const entries *put)
{
    const char *pointed;
    char *key = strchr(name, '@');
    *key++ = '\0';
    (void)H5Adelete_by_name(id, name, key, H5P_DEFAULT);
    const int kind =
        put->kind == HUGE_SIZE || put->kind == WIDE || put->kind == LONG ? 0 : put->kind;
    if (kind != DROPPED) {
        const hid_t space = space_of(kind, put->count), type = type_of(kind, put->count);
        const hid_t set =
            H5Acreate_by_name(id, name, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (is_written(kind)) {
            (void)H5Awrite(set, is_text(kind) ? type : H5T_NATIVE_DOUBLE, memory_of(put, &pointed));
        }
        (void)H5Aclose(set);
        (void)H5Tclose(type);
        (void)H5Sclose(space);
    }
}

/* Over entries that are there, from the row that the first value says. */
static void overwrite(hid_t id, const char *name, const entries *put)
{
    hsize_t size[2] = {0, 1}, rows[2] = {0, 1};
    const hsize_t start[2] = {(hsize_t)fmax(put->value[0], 0), 0};
    const hid_t set = H5Dopen2(id, name, H5P_DEFAULT), space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank > 0 && rank <= 2 && H5Sget_simple_extent_dims(space, size, NULL) > 0 &&
        start[0] < size[0]) {
        const hsize_t most = (hsize_t)(put->count > 1 ? put->count - 1 : 0);
        rows[0] = most < size[0] - start[0] ? most : size[0] - start[0];
        const hid_t memory = H5Screate_simple(1, rows, NULL);
        (void)H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, rows, NULL);
        (void)H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, put->value + 1);
        (void)H5Sclose(memory);
    }
    (void)H5Sclose(space);
    (void)H5Dclose(set);
}

/* How it is stored: as it is, in chunks, or as a view of itself. */
static void set_storage(hid_t create, const char *name, int kind, hid_t space)
{
    const hsize_t chunk[3] = {1, 1, 1};
    if (kind == PACKED || kind == CUBE || kind == UNWRITTEN) {
        (void)H5Pset_chunk(create, H5Sget_simple_extent_ndims(space), chunk);
        (void)(kind == PACKED ? H5Pset_deflate(create, 1) : 0);
    } else if (kind == VIRTUAL) {
        (void)H5Pset_virtual(create, space, ".", name, space);
    }
}

static void put_dataset(hid_t id, const char *name, const entries *put)
{
    const int kind = put->kind;
    const char *pointed;
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), create = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    const hid_t space = space_of(kind, put->count), type = type_of(kind, put->count);
    set_storage(create, name, kind, space);
    const hid_t set = H5Dcreate2(id, name, type, space, links, create, H5P_DEFAULT);
    if (is_written(kind)) {
        (void)H5Dwrite(set, is_text(kind) ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       memory_of(put, &pointed));
    }
    (void)H5Dclose(set);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Pclose(create);
    (void)H5Pclose(links);
}

/* The same object under another name in its group. */
static void rename_object(hid_t id, const char *name, const entries *put)
{
    char to[2 * NAME_SIZE];
    const char *slash = strrchr(name, '/');
    (void)snprintf(to, sizeof to, "%.*s/%.64s", (int)(slash - name), name, put->text);
    (void)H5Lmove(id, name, id, to, H5P_DEFAULT, H5P_DEFAULT);
}

static void change_object(hid_t id, const char *name, const entries *put)
{
    if (put->kind == WRITTEN) {
        overwrite(id, name, put);
        return;
    }
    if (put->kind == RENAMED) {
        rename_object(id, name, put);
        return;
    }
    (void)H5Ldelete(id, name, H5P_DEFAULT);
    if (put->kind == LINKED) {
        (void)H5Lcreate_external("/dev/null", "/", id, name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (put->kind == LOOPED) {
        (void)H5Lcreate_soft("/hawser", id, name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (put->kind == GROUP) {
        (void)H5Gclose(H5Gcreate2(id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (put->kind != DROPPED) {
        put_dataset(id, name, put);
    }
}

/* @return the bytes used; at least four are there */
static size_t change(hid_t id, const good *g, const uint8_t *data, size_t size)
{
    static entries put;
    char name[NAME_SIZE];
    if (data[0] + 256 * data[1] == WHOLE_FILE) {
        return 4;
    }
    put = (entries){.kind = data[2], .count = data[3] % (ENTRIES + 1)};
    size_t used = 4;
    (void)snprintf(name, sizeof name, "%s", g->name[(data[0] + 256 * data[1]) % g->names]);
    for (int k = 0; k < put.count && used < size; k++, used++) {
        put.value[k] = number(data[used]);
        put.text[k] = (char)data[used];
    }
    if (put.kind == LONG_TEXT) {
        memset(put.text + put.count, 'a', sizeof put.text - 1 - (size_t)put.count);
    }
    if (strchr(name, '@') != NULL) {
        put_attribute(id, name, &put);
    } else {
        change_object(id, name, &put);
    }
    return used;
}

/* To the file as a whole, which HDF5 has left. */
static void change_file(int kind, size_t bytes)
{
    static const off_t sizes[KINDS] = {[MARKED] = 8};
    if (kind == KEPT_BESIDE) {
        (void)rename(file, beside);
    } else if (kind == FOLDER) {
        (void)remove(file);
        (void)mkdir(file, 0700);
    } else if (truncate(file, kind == CUT ? (off_t)bytes / 2 : sizes[kind]) != 0) {
        abort();
    }
}

static void write_file(const good *g, const uint8_t *data, size_t size)
{
    (void)rmdir(file); /* of the input before */
    FILE *stream = fopen(file, "wb");
    if (stream == NULL || fwrite(g->bytes, 1, g->size, stream) != g->size || fclose(stream) != 0) {
        abort();
    }
    (void)remove(beside);
    const hid_t id = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    int whole = -1;
    for (size_t at = 1; at + 4 <= size && id >= 0;) {
        whole = data[at] + 256 * data[at + 1] == WHOLE_FILE ? data[at + 2] % KINDS : whole;
        at += change(id, g, data + at, size - at);
    }
    (void)H5Fclose(id);
    if (whole >= 0) {
        change_file(whole, g->size);
    }
}

/* ---- the target ---- */

/* As `hawser run --resume`, without its steps. */
static int go_on(int which, haw_context *context)
{
    fuzz_run run;
    haw_writer *writer = NULL;
    haw_saved *saved = NULL;
    haw_status status = haw_saved_read(context, file, &saved);
    if (status != HAW_OK) {
        return 0;
    }
    const long memory = *fuzz_memory();
    *fuzz_memory() = -1;
    fuzz_open(&run, which);
    fuzz_must(run.context, haw_writer_open(run.context, again, run.scenario, run.model,
                                           run.simulation, &writer));
    *fuzz_memory() = memory;
    status = haw_simulation_resume(run.simulation, &saved->checkpoint, true);
    if (status == HAW_OK) {
        status = haw_writer_continue(writer, saved);
    }
    *fuzz_memory() = *fuzz_memory() < 0 ? -1 : LONG_MAX; /* none fails from here on */
    (void)haw_writer_end(writer, HAW_ERR_CANCELLED);
    (void)(haw_writer_close(writer, NULL) == HAW_OK);
    fuzz_close(&run);
    haw_saved_free(context, saved);
    return status == HAW_OK;
}

static void judge(const haw_context *context, bool was_short, int done, int readers)
{
    if (was_short && done == readers) {
        (void)fprintf(stderr, "an allocation failed, and nobody tells\n");
        abort();
    }
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) > 0) {
        (void)fprintf(stderr, "%ld objects of HDF5 are still open: %s\n",
                      (long)H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL),
                      haw_context_message(context));
        abort();
    }
}

void fuzz_input(const uint8_t *data, size_t size)
{
    const long memory = fuzz_take_memory(data, &size);
    const int head = size > 0 ? data[0] : 0, which = head % 16, who = head / 16 % (READERS + 2);
    if (place[0] == '\0') {
        begin();
    }
    if (kept[which].bytes == NULL) {
        keep(which);
        fuzz_start_clock();
    }
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    haw_context *context = fuzz_context();
    write_file(&kept[which], data, size);
    *fuzz_memory() = memory;
    const char *to = head < UNWRITABLE ? folder : "/dev/null/out";
    const int done = who <= READERS ? readers_call(context, who, file, to) : go_on(which, context);
    const bool was_short = fuzz_end_memory(memory);
    if (size <= 1 && head < 2 && !was_short && done != READERS) {
        (void)fprintf(stderr, "the good file is refused: %s\n", haw_context_message(context));
        abort();
    }
    judge(context, was_short, done, who == 0 ? READERS : 1);
    haw_context_free(context);
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/results", "tests/fuzz/fclib"};

    return replay_main(count, argument, usual);
}
#endif
