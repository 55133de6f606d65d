#!/bin/sh
# One mail on standard input, from a mail server's pipe. For Postfix, which runs it as the site's user:
#   /etc/postfix/master.cf   gage unix - n n - 2 pipe flags=R user=gage argv=/bin/sh /srv/weather-gage/deploy/receive_mail.sh
#   /etc/postfix/transport   orders@gage.example.org  gage:
#   postconf -e 'transport_maps = hash:/etc/postfix/transport' gage_destination_recipient_limit=1; postmap /etc/postfix/transport
# The site's user has to read its settings: chgrp gage /etc/weather-gage.env; chmod 640 /etc/weather-gage.env
# GAGE_ENV   another file of settings        PYTHON   another Python
# Any failure ends with status 75: the mail server keeps the email and tries again.
set -u
file=${GAGE_ENV:-/etc/weather-gage.env}
[ -r "$file" ] || exit 75
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
# strangers write here: an email that takes more than this is set aside, in the folder bad-mail of VAR_DIR
ulimit -v 1048576 2>/dev/null
cd "$(dirname "$0")/.." || exit 75
"${PYTHON:-.venv/bin/python}" manage.py receive_mail || exit 75
