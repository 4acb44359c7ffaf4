/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fuzz target of what reads results files: export, the tables of plot, the page of report, and the
 * checkpoint of a run to go on with. No file may crash them, none may stay open in HDF5.
 *
 * An input is a list of changes to a good file; the first byte says to which of two, and who reads
 * it. For each change there are two bytes for the object or attribute, one for what happens to it,
 * one for its number of entries, and a byte for each entry. What is wrong with bytes of the file is
 * tested by tests/fuzz/damage.c: HDF5 itself crashes there.
 */
#include "fuzz/readers.h"
#include "fuzz/run_scene.h"

#include <hdf5.h>
#include <math.h>

enum { NAMES_MAX = 2000, NAME_SIZE = 96, ENTRIES = 64 };

/* A good file and the paths of its objects; "path@key" is an attribute. */
typedef struct good {
    uint8_t *bytes;
    size_t size;
    int names;
    char (*name)[NAME_SIZE];
} good;

static good kept[2];
static char place[64], file[80], folder[80];

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

static herr_t add_object(hid_t root, const char *name, const H5O_info_t *info, void *user)
{
    (void)info;
    if (strcmp(name, ".") == 0) {
        return 0;
    }
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
    (void)H5Ovisit(id, H5_INDEX_NAME, H5_ITER_INC, add_object, g);
    (void)H5Fclose(id);
}

static void begin(void)
{
    replay_path(place, "results");
    readers_begin(place);
    (void)snprintf(file, sizeof file, "%s/r.h5", place);
    (void)snprintf(folder, sizeof folder, "%s/out", place);
    keep(0);
    keep(1);
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
    WHOLE = 248
};

static hid_t space_of(int kind, int count)
{
    const hsize_t wide = (hsize_t)1 << 40;
    const hsize_t size[2] = {kind == HUGE_SIZE ? wide : (hsize_t)count, (hsize_t)(1 + kind % 4)};
    return kind == SCALAR || kind == TEXT ? H5Screate(H5S_SCALAR)
                                          : H5Screate_simple(1 + kind % 2, size, NULL);
}

static hid_t type_of(int kind, int count)
{
    hid_t type = H5Tcopy(kind == WHOLE ? H5T_STD_I32LE : H5T_IEEE_F64LE);
    if (kind == TEXT) {
        (void)H5Tclose(type);
        type = H5Tcopy(H5T_C_S1);
        (void)H5Tset_size(type, (size_t)count + 1);
    }
    return type;
}

static void put_attribute(hid_t id, char *name, int kind, int count, const double *value)
{
    char *key = strchr(name, '@');
    *key++ = '\0';
    (void)H5Adelete_by_name(id, name, key, H5P_DEFAULT);
    if (kind != DROPPED) {
        const hid_t space = space_of(kind == HUGE_SIZE ? 1 : kind, count);
        const hid_t type = type_of(kind, count);
        const hid_t set =
            H5Acreate_by_name(id, name, key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        (void)H5Awrite(set, kind == TEXT ? type : H5T_NATIVE_DOUBLE, value);
        (void)H5Aclose(set);
        (void)H5Tclose(type);
        (void)H5Sclose(space);
    }
}

static void put_dataset(hid_t id, const char *name, int kind, int count, const double *value)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), plain = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_create_intermediate_group(links, 1);
    const hid_t space = space_of(kind, count), type = type_of(kind, count);
    const hid_t set = H5Dcreate2(id, name, type, space, links, plain, H5P_DEFAULT);
    if (kind != HUGE_SIZE) {
        (void)H5Dwrite(set, kind == TEXT ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                       value);
    }
    (void)H5Dclose(set);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    (void)H5Pclose(plain);
    (void)H5Pclose(links);
}

/* @return the bytes used; at least four are there */
static size_t change(hid_t id, const good *g, const uint8_t *data, size_t size)
{
    double value[4 * ENTRIES + 4] = {0};
    char name[NAME_SIZE];
    const int kind = data[2], count = data[3] % (ENTRIES + 1);
    size_t used = 4;
    (void)snprintf(name, sizeof name, "%s", g->name[(data[0] + 256 * data[1]) % g->names]);
    for (int k = 0; k < count && used < size; k++, used++) {
        value[k] = number(data[used]);
    }
    if (strchr(name, '@') != NULL) {
        put_attribute(id, name, kind, count, value);
        return used;
    }
    (void)H5Ldelete(id, name, H5P_DEFAULT);
    if (kind == LINKED) {
        (void)H5Lcreate_external("/dev/null", "/", id, name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (kind == LOOPED) {
        (void)H5Lcreate_soft("/hawser", id, name, H5P_DEFAULT, H5P_DEFAULT);
    } else if (kind == GROUP) {
        (void)H5Gclose(H5Gcreate2(id, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    } else if (kind != DROPPED) {
        put_dataset(id, name, kind, count, value);
    }
    return used;
}

static void write_file(const good *g, const uint8_t *data, size_t size)
{
    FILE *stream = fopen(file, "wb");
    if (stream == NULL || fwrite(g->bytes, 1, g->size, stream) != g->size || fclose(stream) != 0) {
        abort();
    }
    const hid_t id = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT);
    for (size_t at = 1; at + 4 <= size && id >= 0;) {
        at += change(id, g, data + at, size - at);
    }
    (void)H5Fclose(id);
}

/* ---- the target ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (kept[0].bytes == NULL) {
        begin();
    }
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    haw_context *context = fuzz_context();
    const int head = size > 0 ? data[0] : 0;
    write_file(&kept[head % 2], data, size);
    const int done = readers_call(context, head / 2 % (READERS + 1), file, folder);
    if (size <= 1 && head < 2 && done != READERS) {
        (void)fprintf(stderr, "the good file is refused: %s\n", haw_context_message(context));
        abort();
    }
    haw_context_free(context);
    if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) > 0) {
        (void)fprintf(stderr, "%ld objects of HDF5 are still open\n",
                      (long)H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL));
        abort();
    }
    return 0;
}

#ifndef HAW_LIBFUZZER
int main(int count, char **argument)
{
    static const char *const usual[] = {"tests/fuzz/results", "tests/fuzz/fclib"};

    return replay_main(count, argument, usual);
}
#endif
