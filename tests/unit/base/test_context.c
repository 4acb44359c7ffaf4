/* SPDX-License-Identifier: BSD-3-Clause */
/* Context: allocation, alignment, overflow, log, cancel flag, GSL's handler. */
#include "base/memory.h"
#include "base/status.h"
#include "support/failing.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(&allocator, &context), HAW_OK);
    for (size_t bytes = 0; bytes < 300; bytes += 7) {
        unsigned char *block = haw_allocate(context, bytes, 1);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % 64, 0);
        for (size_t i = 0; i < bytes; ++i) {
            assert_int_equal(block[i], 0);
        }
        memset(block, 0xFF, bytes); /* AddressSanitizer would see a block that is too short */
        haw_release(context, block);
    }
    haw_release(context, NULL);
    assert_int_equal(count.live, 1);
    haw_context_free(context);
    assert_int_equal(count.live, 0);
    haw_context_free(NULL);
}

static void overflowing_request_is_refused_without_asking(void **state)
{
    (void)state;
    counting count = {0};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(&allocator, &context), HAW_OK);
    const long before = count.calls;
    assert_null(haw_allocate(context, SIZE_MAX / 2, 3));
    assert_null(haw_allocate(context, SIZE_MAX, 1));
    assert_null(haw_allocate(context, SIZE_MAX - 64, 1));
    assert_int_equal(count.calls, before);
    assert_non_null(strstr(haw_context_message(context), "out of memory"));
    haw_context_free(context);
}

static void failed_allocation_names_its_size(void **state)
{
    (void)state;
    counting count = {.fail_at = 2};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(&allocator, &context), HAW_OK);
    assert_null(haw_allocate(context, 25, 8));
    assert_string_equal(haw_context_message(context), "out of memory (200 bytes)");
    haw_context_free(context);
}

static void *lend(void *user, size_t bytes)
{
    static uint64_t block[2][4096];
    int *lent = user;
    assert_true(*lent < 2 && bytes <= sizeof block[0]);
    return block[(*lent)++];
}

static void keep(void *user, void *pointer)
{
    (void)user, (void)pointer;
}

/* Within a limit of 1 GiB: what is beyond it is not asked for, and what is given back counts. */
static void request_beyond_the_limit_is_refused_without_asking(void **state)
{
    (void)state;
    const size_t limit = (size_t)1 << 30;
    int lent = 0;
    const haw_allocator allocator = {lend, keep, &lent};
    haw_context *context = NULL;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    const struct rlimit low = {limit, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &low), 0);
    const double most = haw_memory_most();
    const haw_status status = haw_context_create(&allocator, &context);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_near(most, 0.9 * (double)limit, 0, 1e-12);
    assert_true(haw_memory_most() > most);
    assert_int_equal(status, HAW_OK);
    assert_null(haw_allocate(context, limit, 1));
    assert_null(haw_allocate(context, (size_t)most + 1, 1));
    assert_int_equal(lent, 1);
    assert_string_equal(haw_context_message(context), "out of memory (0 GB are held, 0.97 GB more "
                                                      "are needed, there are 0.97 GB)");
    void *block = haw_allocate(context, 1000, 8);
    assert_non_null(block);
    assert_near(haw_context_room(context), most - 8000, 0.5, 0);
    assert_null(haw_allocate(context, (size_t)most - 7999, 1));
    haw_release(context, block);
    assert_near(haw_context_room(context), most, 0.5, 0);
    haw_context_free(context);
}

static void say(const char *root, const char *path, const char *text)
{
    char name[256];
    (void)snprintf(name, sizeof name, "%s/%s", root, path);
    if (text == NULL) {
        assert_int_equal(mkdir(name, 0700), 0);
        return;
    }
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Both versions beside one another, a group within another, as man 7 cgroups says. */
static void control_groups_are_limits(void **state)
{
    static const char *const files[][2] = {
        {"memory", NULL},
        {"memory/job", NULL},
        {"a", NULL},
        {"a/b", NULL},
        {"memory/memory.limit_in_bytes", "9223372036854771712\n"},
        {"memory/job/memory.limit_in_bytes", "700\n"},
        {"memory.max", "9000\n"},
        {"a/memory.max", "800\n"},
        {"a/b/memory.max", "max\n"}};
    char root[] = "/tmp/hawser-groups-XXXXXX", path[96];
    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        say(root, files[i][0], files[i][1]);
    }
    assert_near(haw_memory_of_groups("0::/a/b\n", root), 800, 0, 0);
    assert_near(haw_memory_of_groups("0::/ab/b\n", root), 9000, 0, 0);
    assert_near(haw_memory_of_groups("3:cpuset:/\n4:memory:/job\n0::/a/b\n", root), 700, 0, 0);
    assert_near(haw_memory_of_groups("4:memory:/other/job\n", root), 9223372036854771712.0, 0, 0);
    assert_true(isinf(haw_memory_of_groups("3:cpuset:/job\n", root)));
    assert_true(isinf(haw_memory_of_groups("", root)));
    assert_true(isinf(haw_memory_of_groups("0::/a\n", "/nonexistent")));
    for (size_t i = sizeof files / sizeof *files; i-- > 0;) {
        (void)snprintf(path, sizeof path, "%s/%s", root, files[i][0]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(rmdir(root), 0);
}

/* What fits into the whole but not into a share may run another time. */
static void processes_share(void **state)
{
    (void)state;
    haw_context *context = NULL;
    double most, share;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    assert_true(haw_context_fits(context, 1, &most));
    haw_context_share(context, 4);
    assert_true(haw_context_fits(context, 0.25 * most, &share));
    assert_near(share, 0.25 * most, 0, 0);
    assert_false(haw_context_fits(context, 1.01 * most, &share));
    assert_false(haw_context_is_short(context));
    assert_false(haw_context_fits(context, 0.26 * most, &share));
    assert_true(haw_context_is_short(context));
    haw_context_free(context);
}

static void context_itself_may_not_fit(void **state)
{
    (void)state;
    counting count = {.fail_at = 1};
    const haw_allocator allocator = counting_allocator(&count);
    haw_context *context = (haw_context *)&count;
    assert_int_equal(haw_context_create(&allocator, &context), HAW_ERR_NOMEM);
    assert_null(context);
}

static void incomplete_allocator_is_refused(void **state)
{
    (void)state;
    haw_context *context = NULL;
    const haw_allocator none = {NULL, counting_release, NULL};
    const haw_allocator leaking = {counting_allocate, NULL, NULL};
    assert_int_equal(haw_context_create(&none, &context), HAW_ERR_ARG);
    assert_int_equal(haw_context_create(&leaking, &context), HAW_ERR_ARG);
    assert_int_equal(haw_context_create(NULL, NULL), HAW_ERR_ARG);
}

static void memory_without_a_context_is_plain(void **state)
{
    (void)state;
    double *block = haw_allocate(NULL, 3, sizeof *block);
    assert_non_null(block);
    assert_near(block[2], 0, 0, 0);
    haw_release(NULL, block);
}

typedef struct heard {
    int lines;
    haw_log_level level;
    char text[64];
} heard;

static void hear(void *user, haw_log_level level, const char *text)
{
    heard *h = user;
    ++h->lines;
    h->level = level;
    strncpy(h->text, text, sizeof h->text - 1);
}

static void log_is_silent_until_routed(void **state)
{
    (void)state;
    heard h = {0};
    haw_context *context = NULL;
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    haw_log(context, HAW_LOG_ERROR, "unheard");
    haw_context_set_log(context, hear, &h);
    haw_log(context, HAW_LOG_WARNING, "step %d", 7);
    assert_int_equal(h.lines, 1);
    assert_int_equal(h.level, HAW_LOG_WARNING);
    assert_string_equal(h.text, "step 7");
    haw_context_set_log(context, NULL, NULL);
    haw_log(context, HAW_LOG_ERROR, "unheard");
    haw_log(NULL, HAW_LOG_ERROR, "unheard");
    assert_int_equal(h.lines, 1);
    assert_string_equal(haw_context_message(context), "");
    haw_context_free(context);
}

static haw_context *signalled;

static void on_signal(int number)
{
    (void)number;
    haw_context_cancel(signalled); // NOLINT(bugprone-signal-handler,cert-sig30-c) that is the test
}

static void cancel_flag_is_set_from_a_signal_handler(void **state)
{
    (void)state;
    assert_int_equal(haw_context_create(NULL, &signalled), HAW_OK);
    assert_false(haw_context_cancelled(signalled));
    void (*before)(int) = signal(SIGUSR1, on_signal);
    assert_int_equal(raise(SIGUSR1), 0);
    (void)signal(SIGUSR1, before);
    assert_true(haw_context_cancelled(signalled));
    haw_context_free(signalled);
}

static void gsl_returns_codes_instead_of_aborting(void **state)
{
    (void)state;
    haw_context *context = NULL;
    (void)gsl_set_error_handler(NULL); /* GSL's default, which aborts */
    assert_int_equal(haw_context_create(NULL, &context), HAW_OK);
    gsl_error("must not abort", __FILE__, __LINE__, GSL_EDOM);
    haw_context_free(context);
}

TEST_FILE(test_context)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_and_aligned),
        cmocka_unit_test(overflowing_request_is_refused_without_asking),
        cmocka_unit_test(failed_allocation_names_its_size),
        cmocka_unit_test(request_beyond_the_limit_is_refused_without_asking),
        cmocka_unit_test(control_groups_are_limits),
        cmocka_unit_test(processes_share),
        cmocka_unit_test(context_itself_may_not_fit),
        cmocka_unit_test(incomplete_allocator_is_refused),
        cmocka_unit_test(memory_without_a_context_is_plain),
        cmocka_unit_test(log_is_silent_until_routed),
        cmocka_unit_test(cancel_flag_is_set_from_a_signal_handler),
        cmocka_unit_test(gsl_returns_codes_instead_of_aborting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
