#!/bin/sh
# `manage.py` on a server: as the site's user, with the site's settings, from anywhere. For root and for the site's user:
#   ln -s /srv/weather-gage/deploy/manage.sh /usr/local/bin/weather-gage; weather-gage install_check
# GAGE_ENV   another file of settings        GAGE_USER   another user        PYTHON   another Python
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 1
file=${GAGE_ENV:-/etc/weather-gage.env}
if [ ! -r "$file" ]; then
    echo "$file cannot be read. Create it as docs/hosting.md says, or set GAGE_ENV." >&2
    exit 1
fi
# read as systemd reads it, not as a shell would: addresses contain characters that mean something to a shell
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    [A-Z]*=*) ;;
    *) continue ;;
    esac
    value=${line#*=}
    case $value in
    \"*\" | \'*\')
        value=${value#?}
        value=${value%?}
        ;;
    esac
    export "${line%%=*}=$value"
done <"$file"
export DJANGO_SETTINGS_MODULE="${DJANGO_SETTINGS_MODULE:-deploy.settings.prod}" VAR_DIR="${VAR_DIR:-/var/lib/weather-gage}"
if [ "$(id -u)" = 0 ]; then
    exec runuser -u "${GAGE_USER:-gage}" -- "${PYTHON:-.venv/bin/python}" manage.py "$@"
fi
exec "${PYTHON:-.venv/bin/python}" manage.py "$@"
