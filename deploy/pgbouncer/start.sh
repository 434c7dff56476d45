#!/bin/sh
# Writes the one login that the pooler lets in and uses itself, and starts it.
set -eu
umask 077
printf '"awareness_service" "%s"\n' "$SERVICE_PASSWORD" > /run/pooler/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
