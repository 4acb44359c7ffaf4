#!/bin/sh
# find.sh : the Python that the package is for, $PYTHON or the first that has numpy and pycparser.
for python in ${PYTHON:-python3 /usr/bin/python3}; do
    "$python" -c 'import numpy, pycparser' >/dev/null 2>&1 && echo "$python" && break
done
exit 0
