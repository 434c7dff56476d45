#!/bin/sh
# Runs once, on the empty first primary: the roles and the database.
set -eu
psql -X --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres --set=owner="$OWNER_PASSWORD" \
  --set=service="$SERVICE_PASSWORD" --set=replication="$REPLICATION_PASSWORD" <<'SQL'
create role awareness_owner login password :'owner';
-- Of max_connections some stay free: a balancer that cannot log in takes the primary for dead.
create role awareness_service login password :'service' connection limit 180;
-- What the service asks for when it connects, a pooler drops: the role has it.
alter role awareness_service set statement_timeout = '12s';
alter role awareness_service set idle_in_transaction_session_timeout = '12s';
alter role awareness_service set client_connection_check_interval = '500ms';
alter role awareness_service set timezone = 'UTC';
alter role awareness_service set datestyle = 'ISO';
create role replicator login replication password :'replication';
-- The balancer asks with it who is the primary. pg_hba.conf lets it in without a password, and nowhere else.
create role balancer login connection limit 20;
create database awareness owner awareness_owner;
SQL
