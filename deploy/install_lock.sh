#!/bin/sh
# Installs a lock into an environment, hashes checked: sh deploy/install_lock.sh FOLDER LOCK
# uv does it faster where it is present and works; pip does it everywhere.
set -eu
venv=$1
lock=$2

echo "installing $lock"
if uv --version >/dev/null 2>&1 &&
    uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "$lock" 2>/dev/null; then
    exit 0
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --require-hashes -r "$lock"
