#!/bin/sh
# Pages of four scenes in a headless Chromium.
exec sh tests/cli/report.sh Pages
