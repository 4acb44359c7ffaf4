// SPDX-License-Identifier: BSD-3-Clause
// The installed headers serve C++17, and a call goes through the installed library.
#include <hawser/hawser.h>

#include <cstdio>

int main()
{
    haw_context *context = nullptr;
    if (haw_context_create(nullptr, &context) != HAW_OK) {
        return 1;
    }
    const haw_cable_spec cable = haw_cable_spec_default();
    std::printf("%s %s\n", haw_version(), cable.element);
    haw_context_free(context);
    return 0;
}
