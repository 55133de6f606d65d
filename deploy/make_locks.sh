#!/bin/sh
# Resolves pyproject.toml into the two locks: sh deploy/make_locks.sh FOLDER.  What is locked stays unless
# it must change; delete a lock first to take the newest of everything.
set -eu
bin=$1/bin

"$bin/python" -c 'import piptools' 2>/dev/null || "$bin/python" -m pip install --quiet pip-tools

compile() {
    out=$1
    shift
    "$bin/pip-compile" --quiet --generate-hashes --allow-unsafe --strip-extras --no-header \
        --no-emit-index-url --no-emit-trusted-host --no-emit-find-links \
        "$@" --output-file "$out" pyproject.toml
    { echo "# Made by \`make lock\` from pyproject.toml; do not edit."; grep -v '^# Made by' "$out"; } >"$out.new"
    mv "$out.new" "$out"
}

compile requirements.lock
compile requirements-dev.lock --extra dev --constraint requirements.lock
