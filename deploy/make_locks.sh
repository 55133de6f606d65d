#!/bin/sh
# Resolves pyproject.toml into the two locks: sh deploy/make_locks.sh FOLDER.  The locks serve every Python from 3.11.0 on and every
# platform (a package that only some need carries its condition).  What is locked stays unless it must change; delete a lock first to
# take the newest of everything.
set -eu
bin=$1/bin

"$bin/uv" --version >/dev/null 2>&1 || "$bin/python" -m pip install --quiet uv

compile() {
    out=$1
    shift
    "$bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-markers --no-header \
        --no-emit-index-url --no-emit-find-links "$@" --output-file "$out" pyproject.toml
    { echo "# Made by \`make lock\` from pyproject.toml; do not edit."; grep -v '^# Made by' "$out"; } >"$out.new"
    mv "$out.new" "$out"
}

compile requirements.lock
compile requirements-dev.lock --extra dev --constraint requirements.lock
