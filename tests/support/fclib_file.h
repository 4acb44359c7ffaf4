/* SPDX-License-Identifier: BSD-3-Clause */
/* FCLIB files made with plain HDF5 calls, independent of the library's own writer. */
#ifndef HAWSER_TESTS_FCLIB_FILE_H
#define HAWSER_TESTS_FCLIB_FILE_H

#include "support/near.h"

#include <hawser/io.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fclib_file {
    haw_context *context;
    char folder[1024], path[1100];
    hid_t id; /* while it is being made */
} fclib_file;

/* Setup and teardown of a test: *state is the file. */
int fclib_setup(void **state);

int fclib_teardown(void **state);

#define FCLIB_TEST(name) cmocka_unit_test_setup_teardown(name, fclib_setup, fclib_teardown)

void fclib_file_begin(fclib_file *f);

void fclib_file_open(fclib_file *f);

void fclib_file_end(fclib_file *f);

/* A dataset of any kind in place of what has the name. creation, rank: as HDF5 takes them. */
void fclib_put_as(const fclib_file *f, const char *name, const hid_t type[2], const hsize_t *size,
                  int rank, const void *value);

void fclib_put_integers(const fclib_file *f, const char *name, int count, const int *value);

void fclib_put_integer(const fclib_file *f, const char *name, int value);

void fclib_put_reals(const fclib_file *f, const char *name, int count, const double *value);

void fclib_drop(const fclib_file *f, const char *name);

/* A matrix as the file has it. */
typedef struct fclib_matrix {
    int m, n, nz, nzmax;
    int pointers, indices; /* entries of p, of i and x */
    const int *p, *i;
    const double *x;
} fclib_matrix;

void fclib_put_matrix(const fclib_file *f, const char *group, const fclib_matrix *a);

/* Two contacts in the plane: W of the local form, unsymmetric so that rows and columns differ. */
extern const double fclib_w[4][4];

void fclib_put_local(const fclib_file *f);

/* One contact in space on four velocities, with one bilateral row; triplets, p = column. */
void fclib_put_global(const fclib_file *f);

/* Entry (i, j) of the W of a local form, zero where there is no block. */
double fclib_entry(const haw_problem *problem, int i, int j);

/* Entry (i, j) of a sparse matrix. */
double fclib_csr_entry(const haw_csr *a, int i, int j);

haw_problem *fclib_read(const fclib_file *f);

#endif
