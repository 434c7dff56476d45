#!/bin/sh
# Creates the roles and the database. Runs once, on the empty first primary.
set -eu
psql -X --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres --set=owner="$OWNER_PASSWORD" \
  --set=service="$SERVICE_PASSWORD" --set=replication="$REPLICATION_PASSWORD" <<'SQL'
create role awareness_owner login password :'owner';
-- Leaves some of max_connections free: if the balancer cannot log in, it treats the primary as failed.
create role awareness_service login password :'service' connection limit 180;
-- A pooler drops the settings that the service sends when it connects, so the role has them.
alter role awareness_service set statement_timeout = '12s';
alter role awareness_service set idle_in_transaction_session_timeout = '12s';
alter role awareness_service set client_connection_check_interval = '500ms';
alter role awareness_service set timezone = 'UTC';
alter role awareness_service set datestyle = 'ISO';
create role replicator login replication password :'replication';
-- The balancer logs in with this role to find the primary: without a password, and only to postgres (pg_hba.conf).
create role balancer login connection limit 20;
create database awareness owner awareness_owner;
SQL
