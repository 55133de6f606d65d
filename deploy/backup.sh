#!/bin/sh
# Backs the database up while the site runs: sh deploy/backup.sh FOLDER
# SQLite through its own online backup, PostgreSQL through pg_dump.  A file appears whole or not at all.
# DATABASE_URL, VAR_DIR   as the site has them        KEEP   how many backups to keep (14)
# Restore: stop the site, then copy the file over the SQLite database (and delete its -wal and -shm files),
# or `pg_restore --clean --if-exists --dbname "$DATABASE_URL" FILE`.
set -eu
umask 077

if [ $# -ne 1 ]; then
    echo "usage: sh deploy/backup.sh FOLDER" >&2
    exit 2
fi
folder=$1
root=$(cd "$(dirname "$0")/.." && pwd)
url=${DATABASE_URL:-sqlite:///${VAR_DIR:-$root/var}/weather_gage.sqlite3}
keep=${KEEP:-14}
stamp=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder"

case $url in
sqlite:///*)
    kind=sqlite3
    part=$folder/.weather_gage-$stamp.part
    database=${url#sqlite:///}
    if [ ! -f "$database" ]; then
        echo "database not found: $database" >&2
        exit 1
    fi
    "${PYTHON:-python3}" - "$database" "$part" <<'PYTHON'
import sqlite3
import sys

source, target = (sqlite3.connect(path) for path in sys.argv[1:])
with target:
    source.backup(target)
verdict = target.execute("PRAGMA integrity_check").fetchone()[0]
target.close()
source.close()
if verdict != "ok":
    sys.exit(f"the copy is damaged: {verdict}")
PYTHON
    ;;
postgres://* | postgresql://*)
    kind=pgdump
    part=$folder/.weather_gage-$stamp.part
    pg_dump --format=custom --no-owner --file "$part" "$url"
    ;;
*)
    echo "DATABASE_URL must begin with sqlite:/// or postgres://" >&2
    exit 2
    ;;
esac

mv "$part" "$folder/weather_gage-$stamp.$kind"
echo "$folder/weather_gage-$stamp.$kind"

# names sort by time: all but the last KEEP go
ls "$folder" | grep "^weather_gage-.*\.$kind\$" | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$folder/$old"
done
