#!/bin/sh
# One mail on standard input, from a mail server's pipe. For Postfix, which runs it as the site's user:
#   /etc/postfix/master.cf   gage unix - n n - 2 pipe flags=R user=gage argv=/bin/sh /srv/weather-gage/deploy/receive_mail.sh
#   /etc/postfix/transport   orders@gage.example.org  gage:
#   postconf -e 'transport_maps = hash:/etc/postfix/transport' gage_destination_recipient_limit=1; postmap /etc/postfix/transport
# The site's user has to read its settings: chgrp gage /etc/weather-gage.env; chmod 640 /etc/weather-gage.env
# GAGE_ENV   another file of settings        PYTHON   another Python
# Any failure ends with status 75: the mail server keeps the email and tries again. What went wrong is in the mail server's log.
set -u
# strangers write here: an email that takes more than this is set aside, in the folder bad-mail of VAR_DIR
ulimit -v 1048576 2>/dev/null
sh "$(dirname "$(readlink -f "$0")")/manage.sh" receive_mail || exit 75
