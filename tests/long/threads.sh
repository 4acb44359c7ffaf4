#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Simulations in threads under ThreadSanitizer: no two of them touch the same memory.
. "$(dirname "$0")/../cli/support/checks"
cd "$root" || exit 1
check 'built for ThreadSanitizer' make MODE=tsan build/tsan/tests/laws/test_threads
name='threads'
check 'no data races' env OPENBLAS_NUM_THREADS=1 TSAN_OPTIONS=exitcode=66 build/tsan/tests/laws/test_threads
finish
