#!/bin/sh
# Makes the environment: sh deploy/make_venv.sh FOLDER.  PYTHON names the Python to use; else one is found.
# A Python counts when it runs and is 3.11 or later: names on the PATH may be shims of versions that are not there.
set -eu
venv=$1

fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

if [ -x "$venv/bin/python" ] && fits "$venv/bin/python"; then
    exit 0
fi

python=
for name in ${PYTHON:-python3 python3.13 python3.12 python3.11 /usr/bin/python3 python}; do
    if fits "$name"; then
        python=$name
        break
    fi
done
if [ -z "$python" ]; then
    echo "Python 3.11 or later not found (tried: ${PYTHON:-python3, python3.13, python3.12, python3.11})." >&2
    echo "On Debian or Ubuntu: apt-get install python3 python3-venv, or choose one: make PYTHON=/path/to/python3" >&2
    exit 1
fi

rm -rf "$venv"
if "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
    "$python" -m venv "$venv"
elif uv --version >/dev/null 2>&1; then
    uv venv --quiet --python "$python" "$venv"
else
    version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    echo "$python cannot make environments: its ensurepip is missing." >&2
    echo "On Debian or Ubuntu: apt-get install python3-venv   (or python$version-venv)" >&2
    exit 1
fi
echo "environment: $("$venv/bin/python" --version) in $venv"
