/* SPDX-License-Identifier: BSD-3-Clause */
/* The test files of a folder, linked into one program: tests/files.sh writes the list. */
#ifndef HAWSER_TESTS_RUN_H
#define HAWSER_TESTS_RUN_H

typedef struct test_file {
    const char *name; /* test_x of test_x.c */
    int (*run)(void); /* returns how many tests failed */
} test_file;

/** Ends with a name that is NULL. */
extern const test_file test_files[];

#endif
