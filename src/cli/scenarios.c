/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding the scenarios that come with the program. */
#include "cli/catalog.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCENARIOS_MAX = 256, LINE_MAX_LENGTH = 512, PROGRAM_PATH_MAX = 4096 };

/* Folder of the running program where the system knows it, else NULL. */
static const char *program_folder(haw_cli *cli)
{
    char path[PROGRAM_PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

    if (length <= 0) {
        return NULL;
    }
    path[length] = '\0';
    char *slash = strrchr(path, '/');

    if (slash == NULL) {
        return NULL;
    }
    *slash = '\0';
    return haw_cli_format(cli, "%s", path);
}

const char *haw_scenarios_folder(haw_cli *cli)
{
    const char *data = getenv("HAWSER_DATA");
    const char *program = program_folder(cli);
    const char *folder[] = {"data/scenarios", NULL, NULL};
    struct stat info;

    if (data != NULL && data[0] != '\0') {
        folder[0] = haw_cli_format(cli, "%s/scenarios", data);
    } else if (program != NULL) {
        folder[1] = haw_cli_format(cli, "%s/../share/hawser/scenarios", program);
        folder[2] = haw_cli_format(cli, "%s/../data/scenarios", program);
    }
    for (int i = 2; i >= 0; i--) {
        if (folder[i] != NULL && stat(folder[i], &info) == 0 && S_ISDIR(info.st_mode)) {
            return folder[i];
        }
    }
    return NULL;
}

/* The text behind "title:" of a scenario; one line, quotes and comments are not expected there. */
static const char *read_title(haw_cli *cli, const char *path)
{
    char line[LINE_MAX_LENGTH];
    const char *title = "";
    FILE *file = fopen(path, "r");

    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "title: ", 7) == 0) {
            title = haw_cli_format(cli, "%.*s", (int)strcspn(line + 7, "\n"), line + 7);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return title;
}

static int by_name(const void *a, const void *b)
{
    const haw_row *left = a;
    const haw_row *right = b;

    return strcmp(left->name, right->name);
}

void haw_scenarios_read(haw_cli *cli, const haw_kind *kind, haw_entries *entries)
{
    const char *folder = haw_scenarios_folder(cli);
    haw_row *entry = haw_cli_allocate(cli, SCENARIOS_MAX, sizeof *entry);
    DIR *directory = folder != NULL ? opendir(folder) : NULL;
    const struct dirent *file = NULL;
    int count = 0;

    (void)kind;
    while (directory != NULL && count < SCENARIOS_MAX && (file = readdir(directory)) != NULL) {
        const size_t length = strlen(file->d_name);

        if (length > 5 && strcmp(file->d_name + length - 5, ".yaml") == 0) {
            const char *name = haw_cli_format(cli, "%.*s", (int)length - 5, file->d_name);
            const char *path = haw_cli_format(cli, "%s/%s", folder, file->d_name);

            entry[count++] = (haw_row){name, read_title(cli, path), path, NULL, 0};
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    qsort(entry, (size_t)count, sizeof *entry, by_name);
    *entries = (haw_entries){.count = count, .entry = entry};
}
