/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to damage an FCLIB file, and what the reader must say of each. */
#ifndef HAWSER_TESTS_FCLIB_DAMAGE_H
#define HAWSER_TESTS_FCLIB_DAMAGE_H

#include "support/fclib_file.h"

#include <limits.h>

#define W "/fclib_local/W"
#define H "/fclib_global/H"

static inline void damage_set_integer(const fclib_file *f, const char *name, int value)
{
    fclib_put_integer(f, name, value);
}

static inline void damage_grow_nzmax(const fclib_file *f)
{
    damage_set_integer(f, W "/nz", INT_MAX);
}

static inline void damage_negative_size(const fclib_file *f)
{
    damage_set_integer(f, W "/m", -4);
}

static inline void damage_size_of_another(const fclib_file *f)
{
    damage_set_integer(f, W "/n", 5);
}

static inline void damage_unknown_encoding(const fclib_file *f)
{
    damage_set_integer(f, W "/nz", -3);
}

static inline void damage_dense_without_numbers(const fclib_file *f)
{
    static const int p[5] = {0};
    fclib_put_integers(f, W "/p", 5, p);
    damage_set_integer(f, W "/nzmax", 16);
}

static inline void damage_dimension_four(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_local/spacedim", 4);
}

static inline void damage_two_dimensions(const fclib_file *f)
{
    static const int two[] = {2, 2};
    fclib_put_integers(f, "/fclib_local/spacedim", 2, two);
}

static inline void damage_pointers_from_one(const fclib_file *f)
{
    static const int p[] = {1, 3, 6, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static inline void damage_decreasing_pointers(const fclib_file *f)
{
    static const int p[] = {0, 6, 3, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static inline void damage_negative_pointers(const fclib_file *f)
{
    static const int p[] = {0, INT_MIN, 3, 8, 10};
    fclib_put_integers(f, W "/p", 5, p);
}

static inline void damage_pointers_beyond(const fclib_file *f)
{
    static const int p[] = {0, 3, 6, 8, INT_MAX};
    fclib_put_integers(f, W "/p", 5, p);
}

static inline void damage_too_few_pointers(const fclib_file *f)
{
    static const int p[] = {0, 3, 6, 10};
    fclib_put_integers(f, W "/p", 4, p);
}

static inline void damage_index_beyond(const fclib_file *f)
{
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, 4, 1, 3};
    fclib_put_integers(f, W "/i", 10, i);
}

static inline void damage_negative_index(const fclib_file *f)
{
    static const int i[] = {0, 1, 2, 0, 1, 3, 0, -1, 1, 3};
    fclib_put_integers(f, W "/i", 10, i);
}

static inline void damage_index_of_64_bits(const fclib_file *f)
{
    static const long long i[] = {0, 1, 2, 0, 1, 3, 0, 4294967296LL, 1, 3};
    const hid_t type[2] = {H5T_STD_I64LE, H5T_NATIVE_LLONG};
    const hsize_t n = 10;
    fclib_put_as(f, W "/i", type, &n, 1, i);
}

static inline void damage_triplet_beyond(const fclib_file *f)
{
    static const int p[] = {0, 1, 2, 4};
    fclib_put_integers(f, H "/p", 4, p);
}

static inline void damage_negative_triplet(const fclib_file *f)
{
    static const int p[] = {0, 1, 2, -1};
    fclib_put_integers(f, H "/p", 4, p);
}

static inline void damage_few_numbers(const fclib_file *f)
{
    static const double x[] = {1.0, 2.0};
    fclib_put_reals(f, W "/x", 2, x);
}

static inline void damage_no_group(const fclib_file *f)
{
    fclib_drop(f, W);
}

static inline void damage_no_vectors(const fclib_file *f)
{
    fclib_drop(f, "/fclib_local/vectors/mu");
}

static inline void damage_no_pointers(const fclib_file *f)
{
    fclib_drop(f, W "/p");
}

static inline void damage_odd_vector(const fclib_file *f)
{
    static const double q[3] = {0};
    fclib_put_reals(f, "/fclib_local/vectors/q", 3, q);
}

static inline void damage_short_friction(const fclib_file *f)
{
    static const double mu = 0.5;
    fclib_put_reals(f, "/fclib_local/vectors/mu", 1, &mu);
}

static inline void damage_real_index(const fclib_file *f)
{
    static const double i[10] = {0};
    fclib_put_reals(f, W "/i", 10, i);
}

static inline void damage_text_numbers(const fclib_file *f)
{
    const hid_t type[2] = {H5T_C_S1, H5T_C_S1};
    const hsize_t n = 10;
    fclib_put_as(f, W "/x", type, &n, 1, "0123456789");
}

static inline void damage_square_numbers(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n[2] = {4, 4};
    fclib_put_as(f, W "/x", type, n, 2, fclib_w);
}

static inline void damage_group_as_numbers(const fclib_file *f)
{
    fclib_drop(f, W "/x");
    (void)H5Gclose(H5Gcreate2(f->id, W "/x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/* 2^31 - 2 entries that were never written take no space in the file. */
static inline void damage_huge_vector(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n = 2147483646;
    fclib_put_as(f, "/fclib_local/vectors/q", type, &n, 1, NULL);
}

static inline void damage_more_than_an_int(const fclib_file *f)
{
    const hid_t type[2] = {H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE};
    const hsize_t n = (hsize_t)1 << 40;
    fclib_put_as(f, "/fclib_local/vectors/q", type, &n, 1, NULL);
}

static inline void damage_soft_link(const fclib_file *f)
{
    fclib_drop(f, W "/x");
    (void)H5Lcreate_soft("/fclib_local/vectors/q", f->id, W "/x", H5P_DEFAULT, H5P_DEFAULT);
}

static inline void damage_external_link(const fclib_file *f)
{
    fclib_drop(f, W);
    (void)H5Lcreate_external("other.hdf5", "/fclib_local/W", f->id, W, H5P_DEFAULT, H5P_DEFAULT);
}

/* A dataset with a storage of its own kind. */
static inline void damage_put_stored(const fclib_file *f, hid_t creation)
{
    const hsize_t n = 10;
    fclib_drop(f, W "/x");
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set =
        H5Dcreate2(f->id, W "/x", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(set >= 0);
    (void)H5Dclose(set);
    (void)H5Sclose(space);
    (void)H5Pclose(creation);
}

static inline void damage_external_storage(const fclib_file *f)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_external(creation, "/etc/passwd", 0, 80);
    damage_put_stored(f, creation);
}

static inline void damage_compressed(const fclib_file *f)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk = 10;
    (void)H5Pset_chunk(creation, 1, &chunk);
    (void)H5Pset_deflate(creation, 9);
    damage_put_stored(f, creation);
}

static inline void damage_virtual_storage(const fclib_file *f)
{
    const hsize_t n = 10;
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    (void)H5Pset_virtual(creation, space, "other.hdf5", "/x", space);
    (void)H5Sclose(space);
    damage_put_stored(f, creation);
}

static inline void damage_not_a_number(const fclib_file *f)
{
    static const double x[] = {2.0, 0.5, -0.25, 0.375, 3.0, NAN, -0.25, 1.5, 0.0625, 1.0};
    fclib_put_reals(f, W "/x", 10, x);
}

static inline void damage_negative_friction(const fclib_file *f)
{
    static const double mu[] = {0.5, -0.5};
    fclib_put_reals(f, "/fclib_local/vectors/mu", 2, mu);
}

static inline void damage_rolling(const fclib_file *f)
{
    (void)H5Lmove(f->id, "/fclib_global", f->id, "/fclib_global_rolling", H5P_DEFAULT, H5P_DEFAULT);
}

static inline void damage_both_forms(const fclib_file *f)
{
    fclib_put_global(f);
}

static inline void damage_neither_form(const fclib_file *f)
{
    fclib_drop(f, "/fclib_local");
}

static inline void damage_half_of_the_equalities(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_local/V/m", 4);
}

/* A thousand million columns in a file of a few kilobytes. */
static inline void damage_empty_columns(const fclib_file *f)
{
    damage_set_integer(f, "/fclib_global/G/n", 1000000000);
    fclib_drop(f, "/fclib_global/vectors/b");
}

static inline void damage_no_velocities(const fclib_file *f)
{
    fclib_put_reals(f, "/fclib_global/vectors/f", 0, NULL);
}

typedef struct hostile {
    const char *name;
    bool is_global;
    void (*damage)(const fclib_file *f);
    const char *says;
} hostile;

static const hostile hostile_cases[] = {
    {"nz of 2^31 - 1", false, damage_grow_nzmax, W "/p: 5 entries, expected 2147483647"},
    {"negative size", false, damage_negative_size, W ": is -4 x 4, expected 4 x 4"},
    {"size that does not fit", false, damage_size_of_another, W ": is 4 x 5, expected 4 x 4"},
    {"unknown encoding", false, damage_unknown_encoding, W ": unknown encoding nz = -3"},
    {"dense without numbers", false, damage_dense_without_numbers, W "/x: 10 entries, expected 16"},
    {"dimension 4", false, damage_dimension_four,
     "/fclib_local/spacedim: must be 2 or 3 (found 4)"},
    {"two dimensions", false, damage_two_dimensions, "/fclib_local/spacedim: 2 entries"},
    {"pointers from 1", false, damage_pointers_from_one, W "/p: begins with 1"},
    {"decreasing pointers", false, damage_decreasing_pointers, W "/p: decreases from 6 to 3"},
    {"negative pointers", false, damage_negative_pointers, W "/p: decreases from 0 to -2147483648"},
    {"pointers beyond", false, damage_pointers_beyond, W "/i: 10 entries, expected 2147483647"},
    {"too few pointers", false, damage_too_few_pointers, W "/p: 4 entries, expected 5"},
    {"index beyond", false, damage_index_beyond, W "/i: entry 7 is 4, outside 0 ... 3"},
    {"negative index", false, damage_negative_index, W "/i: entry 7 is -1, outside 0 ... 3"},
    {"index of 64 bits", false, damage_index_of_64_bits, W "/i: entry 7 is 2147483647, outside"},
    {"triplet beyond", true, damage_triplet_beyond, H "/p: entry 3 is 4, outside 0 ... 2"},
    {"negative triplet", true, damage_negative_triplet, H "/p: entry 3 is -1, outside 0 ... 2"},
    {"few numbers", false, damage_few_numbers, W "/x: 2 entries, expected 10"},
    {"no group", false, damage_no_group, W ": missing"},
    {"no friction", false, damage_no_vectors, "/fclib_local/vectors/mu: missing"},
    {"no pointers", false, damage_no_pointers, W "/p: missing"},
    {"odd vector", false, damage_odd_vector, "/fclib_local/vectors/q: 3 entries are no multiple"},
    {"short friction", false, damage_short_friction,
     "/fclib_local/vectors/mu: 1 entries, expected 2"},
    {"real index", false, damage_real_index, W "/i: expected integers"},
    {"text as numbers", false, damage_text_numbers, W "/x: expected integers or IEEE numbers"},
    {"square of numbers", false, damage_square_numbers, W "/x: expected an array of one dimension"},
    {"group as numbers", false, damage_group_as_numbers, W "/x: not a dataset"},
    {"huge vector", false, damage_huge_vector,
     "/fclib_local/vectors/q: 2147483646 entries are more"},
    {"more than an int", false, damage_more_than_an_int,
     "/fclib_local/vectors/q: 1099511627776 entries"},
    {"soft link", false, damage_soft_link, W "/x: links to other places"},
    {"external link", false, damage_external_link, W ": links to other places"},
    {"external storage", false, damage_external_storage, W "/x: its data lie in other files"},
    {"compressed", false, damage_compressed, W "/x: not contiguous"},
    {"virtual storage", false, damage_virtual_storage, W "/x: its data lie in other files"},
    {"not a number", false, damage_not_a_number, "W holds "},
    {"negative friction", false, damage_negative_friction,
     "friction must be finite and at least 0"},
    {"rolling", true, damage_rolling, "/fclib_global_rolling: problems with rolling friction"},
    {"both forms", false, damage_both_forms, "holds both"},
    {"neither form", false, damage_neither_form, "holds neither"},
    {"V without R", false, damage_half_of_the_equalities, "/fclib_local/R: missing"},
    {"empty columns", true, damage_empty_columns, "/fclib_global/G: has 1000000000 columns"},
    {"no velocities", true, damage_no_velocities, "/fclib_global/vectors/f: empty"},
};

#endif
