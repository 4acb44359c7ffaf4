/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/near.h"
#include "support/random_scene.h"

#include <hawser/base.h>

#include <fcntl.h>
#include <hdf5.h>
#include <inttypes.h>
#include <math.h>
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 512, ANSWER = 1 << 18, SANITIZER = 99, PLACES = 1 << 15, MANY = 50 };

/* Enough for the slowest, which solves its contact problems in vain, to the last step. */
#if defined(__SANITIZE_ADDRESS__)
enum { SECONDS = 300 };
#else
enum { SECONDS = 30 };
#endif

static const double DEPTH = 1e-2;     /* of the smallest radius: the guard of set-valued laws */
static const double BETWEEN = 5e-2;   /* of the surface's, between the points of the grid */
static const double SWEEP = 0.25;     /* of the smallest radius: that of speeds */
static const double LEDGER = 1.01e-6; /* of the largest energy, loss or work */
static const double ROUND = 1e-12;    /* of EA L and of energies that cancel */
static const double RESIDUAL = 1e-8;

static void wrong(scene_verdict *v, const char *format, ...) HAW_PRINTF(2, 3);

static void wrong(scene_verdict *v, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (v->end != SCENE_WRONG) {
        v->end = SCENE_WRONG;
        (void)vsnprintf(v->why, sizeof v->why, format, list);
    }
    va_end(list);
}

/* ---- running the program ---- */

typedef struct files {
    char scene[PATH], results[PATH], answer[PATH], talk[PATH];
} files;

static files name_files(const char *folder)
{
    files f;
    (void)snprintf(f.scene, PATH, "%.400s/scene.yaml", folder);
    (void)snprintf(f.results, PATH, "%.400s/scene.h5", folder);
    (void)snprintf(f.answer, PATH, "%.400s/scene.json", folder);
    (void)snprintf(f.talk, PATH, "%.400s/scene.err", folder);
    return f;
}

static void redirect(int from, const char *to)
{
    const int file = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || dup2(file, from) < 0) {
        _exit(126);
    }
}

/* Does not return. A run that hangs is ended by the limit of its time, and a sanitizer by a code
 * that the program does not have. */
static void become_program(const random_scene *s, const files *f)
{
    const char *argument[9 + 2 * SCENE_SETTINGS] = {getenv("HAWSER"), "run",    f->scene, "-o",
                                                    f->results,       "--json", "-q"};
    const struct rlimit limit = {SECONDS, SECONDS}, none = {0, 0};
    char sanitizer[32];
    int count = 7;
    for (int i = 0; i < s->settings; i++) {
        argument[count++] = "--set";
        argument[count++] = s->setting[i];
    }
    (void)snprintf(sanitizer, sizeof sanitizer, "exitcode=%d", SANITIZER);
    (void)setenv("ASAN_OPTIONS", sanitizer, 1);
    (void)setenv("UBSAN_OPTIONS", sanitizer, 1);
    (void)setenv("OPENBLAS_NUM_THREADS", "1", 1);
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)setrlimit(RLIMIT_CORE, &none);
    redirect(STDOUT_FILENO, f->answer);
    redirect(STDERR_FILENO, f->talk);
    (void)execv(argument[0], (char *const *)argument);
    _exit(127);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* @return exit code, or -signal */
static int run_program(const random_scene *s, const files *f, double *seconds)
{
    struct rusage before, after;
    int status;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &before), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        become_program(s, f);
    }
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &after), 0);
    *seconds = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
               1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- its answer ---- */

static const char *read_answer(const char *path)
{
    static char text[ANSWER];
    FILE *file = fopen(path, "r");
    const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    if (file != NULL) {
        (void)fclose(file);
    }
    return text;
}

/* A number of a key that occurs once; NAN: null, or there is none. */
static double number(const char *answer, const char *key)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(answer, quoted);
    char *end = NULL;
    const double value = at != NULL ? strtod(at + strlen(quoted), &end) : (double)NAN;
    return at != NULL && end != at + strlen(quoted) ? value : (double)NAN;
}

static void copy_message(const char *answer, scene_verdict *v)
{
    const char *at = strstr(answer, "\"message\": ");
    (void)snprintf(v->why, sizeof v->why, "%.*s", at != NULL ? (int)strcspn(at + 11, "\n") : 0,
                   at != NULL ? at + 11 : "");
}

/* ---- ledger and certificate ---- */

static bool says(const random_scene *s, const char *part)
{
    bool found = strstr(s->text, part) != NULL;
    for (int i = 0; i < s->settings; i++) {
        found = found || strstr(s->setting[i], part) != NULL;
    }
    return found;
}

enum { TERMS = 8 };

static const char *const terms[TERMS] = {"kinetic",       "elastic",       "gravity",
                                         "external_work", "friction_loss", "impact_loss",
                                         "damping_loss",  "numerical_loss"};

/* The sum of the terms, and that of what is told of it. */
static void judge_ledger(const random_scene *s, const char *answer, scene_verdict *v)
{
    double sum = -number(answer, "initial"), scale = fabs(sum) * ROUND / LEDGER;
    for (int i = 0; i < TERMS; i++) {
        const double term = number(answer, terms[i]);
        sum += i == 3 ? -term : term;
        scale += fabs(term) * (i == 2 ? ROUND / LEDGER : 1);
    }
    scale += s->size * ROUND / LEDGER;
    if (v->end == SCENE_DONE) {
        (void)snprintf(v->why, sizeof v->why, "balance error %.1e of the energies",
                       number(answer, "balance_error") / scale);
    }
    const double error = number(answer, "balance_error"), steps = number(answer, "steps");
    const double drift = number(answer, "balance_drift");
    if (!isfinite(sum) || !isfinite(error) || !isfinite(drift)) {
        wrong(v, "a term of the ledger is no number");
    } else if (fabs(error) > LEDGER * scale) {
        wrong(v, "balance_error %g J of %g J", error, scale);
    } else if (fabs(sum) > LEDGER * scale * fmax(steps, 1)) {
        wrong(v, "the ledger does not close: %g J of %g J", sum, scale);
    } else if (fabs(sum - drift) > LEDGER * scale) {
        wrong(v, "balance_drift is %g J, the sum of the terms %g J", drift, sum);
    }
}

static void judge_certificate(const random_scene *s, const char *answer, scene_verdict *v)
{
    static const char *const measures[] = {
        "residual_max",           "cone_max",        "complementarity_max", "penetration_max",
        "penetration_points_max", "joint_drift_max", "newton_residual_max"};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        if (!isfinite(number(answer, measures[i]))) {
            wrong(v, "%s is no number", measures[i]);
        }
    }
    if (says(s, "on_unconverged: warn") || says(s, "type: static")) {
        return; /* nothing is promised; the residual of an equilibrium is one of forces */
    }
    if (says(s, "on_unconverged: stop") && !(number(answer, "unconverged_steps") == 0)) {
        wrong(v, "exit code 0 with unconverged steps");
    }
    if (number(answer, "residual_max") > RESIDUAL * (1 + ROUND)) {
        wrong(v, "residual_max %g", number(answer, "residual_max"));
    }
    if (number(answer, "newton_residual_max") > 1 + ROUND) {
        wrong(v, "newton_residual_max %g", number(answer, "newton_residual_max"));
    }
}

/* ---- places ---- */

/* The values of a data set. @return how many, 0: there is none; *rows of them */
static int read_values(hid_t file, const char *path, double value[PLACES], int *rows)
{
    hsize_t size[2] = {1, 1};
    const hid_t set = H5Dopen2(file, path, H5P_DEFAULT);
    if (set < 0) {
        return 0;
    }
    const hid_t space = H5Dget_space(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const bool fits = count <= PLACES && H5Sget_simple_extent_ndims(space) <= 2;
    if (fits) {
        (void)H5Sget_simple_extent_dims(space, size, NULL);
    }
    const bool done =
        fits && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    *rows = (int)size[0];
    return done ? (int)count : 0;
}

/* Coordinate i of a mover in all frames, a place behind the other. @return places of a frame */
static int read_places(hid_t file, const random_scene *s, const meeting *m, double x[3][PLACES],
                       int *frames)
{
    static double all[PLACES];
    char path[PATH];
    int count = 0;
    for (int i = 0; i < s->dimension && m->is_cable; i++) {
        (void)snprintf(path, PATH, "/hawser/cables/%s/%c", m->mover, "xyz"[i]);
        count = read_values(file, path, x[i], frames);
    }
    if (!m->is_cable) {
        (void)snprintf(path, PATH, "/hawser/bodies/%s/position", m->mover);
        count = read_values(file, path, all, frames) / s->dimension;
        for (int k = 0; k < count * s->dimension; k++) {
            x[k % s->dimension][k / s->dimension] = all[k];
        }
    }
    return *frames > 0 ? count / *frames : 0;
}

/* Depth in the closed form of the surface, which stands at the origin [m]. */
static double depth(const random_scene *s, const meeting *m, double x[3][PLACES], int k)
{
    const double z = s->dimension == 3 ? x[2][k] : 0;
    const double distance = m->axes == 1 ? x[s->dimension - 1][k]
                            : m->axes == 2
                                ? hypot(x[0][k], x[1][k]) - m->radius
                                : sqrt(x[0][k] * x[0][k] + x[1][k] * x[1][k] + z * z) - m->radius;
    return m->thickness - distance;
}

/* Largest depth on the straight ways between frames: a ball may not pass through a surface. */
static double sweep(const random_scene *s, const meeting *m, double x[3][PLACES], int frames)
{
    enum { WAY = 64 };

    static double way[3][PLACES];
    double most = 0;
    for (int k = 0; k + 1 < frames; k++) {
        for (int j = 0; j <= WAY; j++) {
            for (int i = 0; i < s->dimension; i++) {
                way[i][0] = x[i][k] + (x[i][k + 1] - x[i][k]) * j / WAY;
            }
            most = fmax(most, depth(s, m, way, 0));
        }
    }
    return most;
}

static void judge_meeting(hid_t file, const random_scene *s, const meeting *m, scene_verdict *v)
{
    static double x[3][PLACES];
    int frames = 0;
    const int places = read_places(file, s, m, x, &frames);
    const double smallest = m->thickness > 0 ? fmin(m->thickness, m->radius) : m->radius;
    const double most =
        m->is_cable ? fmax(BETWEEN * m->radius, DEPTH * smallest) : DEPTH * smallest;
    if (places <= 0 || frames < 1) {
        wrong(v, "no places of %s in the results", m->mover);
        return;
    }
    const int first = says(s, "type: moreau,") ? frames - 1 : 0; /* explicit steps: at the end */
    for (int k = first * places; k < frames * places; k++) {
        const double inside = depth(s, m, x, k);
        if (!isfinite(inside)) {
            wrong(v, "%s is nowhere", m->mover);
        } else if (inside > most * (1 + 1e-9)) {
            wrong(v, "%s is %g m inside %s, more than %g m", m->mover, inside, m->body, most);
        }
    }
    /* parts of halved steps, frames that are not every step and equilibria go around */
    const bool has_steps =
        says(s, "on_unconverged: stop") && !says(s, "step: auto") && !says(s, "static, step:");
    if (!m->is_cable && has_steps && sweep(s, m, x, frames) > SWEEP * smallest * (1 + 1e-9)) {
        wrong(v, "%s passes through %s within a step", m->mover, m->body);
    }
}

static void judge_results(const random_scene *s, const char *path, scene_verdict *v)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) {
        wrong(v, "exit code 0 without results");
        return;
    }
    for (int i = 0; i < s->meetings; i++) {
        judge_meeting(file, s, &s->meeting[i], v);
    }
    (void)H5Fclose(file);
}

/* ---- the verdict ---- */

void random_scene_run(const random_scene *scene, const char *folder, scene_verdict *verdict)
{
    const files f = name_files(folder);
    write_text(f.scene, scene->text);
    (void)remove(f.results);
    *verdict = (scene_verdict){.end = SCENE_DONE};
    const int code = run_program(scene, &f, &verdict->seconds);
    const char *answer = read_answer(f.answer);
    copy_message(answer, verdict);
    if (code == -SIGXCPU || code == -SIGKILL) {
        wrong(verdict, "hangs: more than %d s of the processor", SECONDS);
    } else if (code < 0 || code == SANITIZER) {
        wrong(verdict, "crash: signal %d, exit code %d", -code, code);
    } else if (code != 0 && code != 1 && code != 3) {
        wrong(verdict, "exit code %d: %.200s", code, answer);
    } else if (strstr(answer, "\"status\": ") == NULL || strstr(answer, "\n}\n") == NULL) {
        wrong(verdict, "exit code %d without an answer", code);
    } else if (code != 0) {
        verdict->end = code == 1 ? SCENE_ENDED : SCENE_REFUSED;
    } else {
        judge_ledger(scene, answer, verdict);
        judge_certificate(scene, answer, verdict);
        judge_results(scene, f.results, verdict);
    }
}

static void print_scene(const random_scene *s, uint64_t seed, const scene_verdict *v)
{
    print_message("seed %" PRIu64 ": %s\n%s", seed, v->why, s->text);
    for (int i = 0; i < s->settings; i++) {
        print_message("--set %s\n", s->setting[i]);
    }
}

static void clear_away(const char *folder)
{
    const files f = name_files(folder);
    const char *const all[] = {f.scene, f.results, f.answer, f.talk};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        (void)remove(all[i]);
    }
    (void)rmdir(folder);
}

static void make_folder(char folder[PATH])
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(folder, PATH, "%s/scenes-XXXXXX", parent != NULL ? parent : "/tmp");
    assert_non_null(mkdtemp(folder));
    assert_non_null(getenv("HAWSER"));
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* HAWSER_SCENES=file writes a line for each scene; HAWSER_SCENE=seed runs that one alone. */
void random_scenes(uint64_t seed, int count)
{
    static random_scene scene;
    static const char *const words[] = {"done", "ended", "refused", "WRONG"};
    char folder[PATH];
    const char *list = getenv("HAWSER_SCENES");
    const char *only = getenv("HAWSER_SCENE");
    FILE *lines = list != NULL ? fopen(list, "w") : NULL;
    int ends[SCENE_WRONG + 1] = {0};
    make_folder(folder);
    seed = only != NULL ? strtoull(only, NULL, 10) : seed;
    for (int i = 0; i < (only != NULL ? 1 : count); i++) {
        scene_verdict v;
        random_scene_write(seed + (uint64_t)i, &scene);
        random_scene_run(&scene, folder, &v);
        ends[v.end]++;
        if (lines != NULL) {
            (void)fprintf(lines, "%" PRIu64 " %s %.2f %s\n", seed + (uint64_t)i, words[v.end],
                          v.seconds, v.why);
            (void)fflush(lines);
        }
        if (v.end == SCENE_WRONG || only != NULL) {
            print_scene(&scene, seed + (uint64_t)i, &v);
        }
    }
    if (lines != NULL) {
        (void)fclose(lines);
    }
    if (only == NULL) {
        clear_away(folder);
    }
    print_message("%d runs reached their end, %d did not, %d were refused, %d went wrong\n",
                  ends[SCENE_DONE], ends[SCENE_ENDED], ends[SCENE_REFUSED], ends[SCENE_WRONG]);
    assert_int_equal(ends[SCENE_WRONG], 0);
    /* all three are seen */
    assert_true(only != NULL || count < MANY ||
                (ends[SCENE_DONE] > count / 5 && ends[SCENE_ENDED] > count / 20 &&
                 ends[SCENE_REFUSED] > count / 20));
}

/* ---- scenes of beginners ---- */

enum { ANSWERS = 4 }; /* of a message that may be followed one after another */

/* Sets the last `key: value` that a message names, where it also names a place. */
static bool follow(random_scene *s, const char *message)
{
    static const char pattern[] = "(stepper\\.[a-z_]+|contact\\.[a-z_]+|start|"
                                  "cables\\.[a-z_0-9]+\\.[a-z_]+): ([a-z]+|[-+0-9.e]*[0-9])";
    regex_t regex;
    regmatch_t match[3];
    const bool has_place = strstr(message, "t = ") != NULL || strstr(message, ".yaml:") != NULL ||
                           strchr(message, '\'') != NULL;
    const char *at = message;
    int found = 0;
    assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED), 0);
    while (has_place && regexec(&regex, at, 3, match, 0) == 0) {
        (void)snprintf(s->setting[s->settings], SCENE_SETTING, "%.*s=%.*s",
                       (int)(match[1].rm_eo - match[1].rm_so), at + match[1].rm_so,
                       (int)(match[2].rm_eo - match[2].rm_so), at + match[2].rm_so);
        at += match[0].rm_eo;
        found = 1;
    }
    regfree(&regex);
    s->settings += found;
    return found > 0;
}

void first_scenes(uint64_t seed, int count)
{
    static random_scene scene;
    char folder[PATH];
    const char *only = getenv("HAWSER_SCENE");
    int done = 0, helped = 0, failed = 0;
    make_folder(folder);
    seed = only != NULL ? strtoull(only, NULL, 10) : seed;
    for (int i = 0; i < (only != NULL ? 1 : count); i++) {
        scene_verdict v;
        first_scene_write(seed + (uint64_t)i, &scene);
        random_scene_run(&scene, folder, &v);
        done += v.end == SCENE_DONE;
        const bool was_done = v.end == SCENE_DONE;
        if (!was_done) {
            print_message("seed %" PRIu64 ": %s\n", seed + (uint64_t)i, v.why);
        }
        for (int k = 0; k < ANSWERS && (v.end == SCENE_ENDED || v.end == SCENE_REFUSED) &&
                        follow(&scene, v.why);
             k++) {
            random_scene_run(&scene, folder, &v);
        }
        helped += !was_done && v.end == SCENE_DONE;
        failed += v.end != SCENE_DONE;
        if (v.end != SCENE_DONE || only != NULL) {
            print_scene(&scene, seed + (uint64_t)i, &v);
        }
    }
    if (only == NULL) {
        clear_away(folder);
    }
    print_message("%d of %d first scenes run, %d more as their message says, %d do not\n", done,
                  count, helped, failed);
    assert_int_equal(failed, 0);
    assert_true(only != NULL || 20 * done >= 19 * count);
}
