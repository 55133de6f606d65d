#!/bin/sh
# Installs a lock into an environment, hashes checked: sh deploy/install_lock.sh FOLDER LOCK
# uv does it faster where it is present and works; pip does it everywhere.  A lock names all that is needed, so nothing is resolved
# again: pip would take a newer coverage[toml] than the coverage that is locked, and then refuse it for want of a hash.
set -eu
venv=$1
lock=$2

echo "installing $lock"
if uv --version >/dev/null 2>&1 &&
    uv pip install --quiet --python "$venv/bin/python" --no-deps --require-hashes -r "$lock" 2>/dev/null; then
    exit 0
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input --no-deps --require-hashes -r "$lock"
