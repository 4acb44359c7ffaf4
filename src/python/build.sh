#!/bin/sh
# build.sh CC LIBRARY SONAME FOLDER : the Python package with declarations that fit the library, by the first
# Python that has what it needs; without one there is no package, and this says why.
set -eu
python=$(sh "$(dirname "$0")/find.sh")
if [ -z "$python" ]; then
    echo "  PY   no Python package: python3-numpy and python3-pycparser are not installed"
    exit 0
fi
mkdir -p "$4"
cp src/python/hawser/*.py src/python/hawser/py.typed "$4"
"$python" src/python/generate.py "$1" include/hawser/hawser.h "$2" "$3" "$4/_abi.py"
