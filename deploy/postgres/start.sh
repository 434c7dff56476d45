#!/bin/sh
# Starts one of the two servers. A server without data waits until the other one is the primary, and becomes its
# standby. A former primary does not start if the other server is the primary now, because their data have diverged.
set -eu

peer_is_primary() {
  answer=$(psql "$PEER user=balancer dbname=postgres connect_timeout=2" -AtXc 'select pg_is_in_recovery()' 2>/dev/null)
  [ "$answer" = f ]
}

copy_peer() {
  PGPASSWORD=$REPLICATION_PASSWORD pg_basebackup --dbname="$PEER user=replicator application_name=standby" \
    --pgdata="$PGDATA" --write-recovery-conf --wal-method=stream --checkpoint=fast
  # A promoted standby must not wait for a standby, because it has none yet.
  sed -i '/^synchronous_standby_names/d' "$PGDATA/postgresql.auto.conf"
}

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  echo 'This server has no data; waiting until the other server is the primary' >&2
  until peer_is_primary; do sleep 1; done
  copy_peer
elif [ ! -f "$PGDATA/standby.signal" ] && peer_is_primary; then
  echo 'The other server is now the primary; remove the data here to make this server its standby' >&2
  exit 1
fi
exec docker-entrypoint.sh postgres "$@"
