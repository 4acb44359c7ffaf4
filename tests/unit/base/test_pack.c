/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of objects through bytes and back; bytes that are no values of theirs are told. */
#include "base/pack.h"
#include "support/near.h"

typedef struct thing {
    bool flag;
    int index[2];
    double real;
} thing;

static void pass(thing *t, haw_pack *pack)
{
    haw_pack_flag(pack, &t->flag);
    haw_pack_indices(pack, t->index, 2, 5);
    HAW_PACK(pack, t->real);
}

static void fields_come_back(void **state)
{
    char bytes[64] = {0};
    thing from = {true, {3, 5}, -0.5}, to = {0};
    haw_pack count = {0}, save = {.data = bytes}, load = {.data = bytes, .loads = true};
    (void)state;
    pass(&from, &count);
    pass(&from, &save);
    pass(&to, &load);
    assert_true(count.bytes == save.bytes && count.bytes == load.bytes && !load.is_wrong);
    assert_true(to.flag && to.index[0] == 3 && to.index[1] == 5 && to.real == from.real);
}

static void what_is_no_value_is_told(void **state)
{
    const int wrong[] = {-1, 6};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char bytes[64] = {0};
        thing t = {0};
        haw_pack save = {.data = bytes}, load = {.data = bytes, .loads = true};
        pass(&t, &save);
        if (i < 2) {
            memcpy(bytes + sizeof t.flag, &wrong[i], sizeof wrong[i]);
        } else {
            bytes[0] = (char)253;
        }
        pass(&t, &load);
        assert_true(load.is_wrong && !t.flag && t.index[0] == 0);
    }
}

TEST_FILE(test_pack)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_come_back),
        cmocka_unit_test(what_is_no_value_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
