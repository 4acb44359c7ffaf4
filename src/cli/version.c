/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/version.h"

#include <hawser/base.h>

#include <SuiteSparse_config.h>
#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <libfyaml.h>
#include <stdio.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown compiler"
#endif

/* The build may tell its flags; without them the two that change numbers are looked at. */
#if defined(HAWSER_BUILD_FLAGS)
#define FLAGS HAWSER_BUILD_FLAGS
#elif defined(__FAST_MATH__)
#define FLAGS "fast math"
#elif defined(__OPTIMIZE__)
#define FLAGS "optimised"
#else
#define FLAGS "not optimised"
#endif

void haw_version_print(void)
{
    unsigned major = 0;
    unsigned minor = 0;
    unsigned patch = 0;

    H5get_libversion(&major, &minor, &patch);
    printf("hawser %s\n", haw_version());
    printf("compiler: %s (%s)\n", COMPILER, FLAGS);
    printf("libraries: GSL %s, SuiteSparse %d.%d.%d, HDF5 %u.%u.%u, libfyaml %s\n", gsl_version,
           SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION, major,
           minor, patch, fy_library_version());
}
