#!/bin/sh
# Writes the only login, which the pooler accepts and also uses itself, and starts the pooler.
set -eu
umask 077
printf '"awareness_service" "%s"\n' "$SERVICE_PASSWORD" > /run/pooler/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
