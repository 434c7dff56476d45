#!/bin/sh
# Runs the action: writes annotations to the log and the report to the job summary. BASE and HEAD can be empty.
set -eu
gate="$(cd "$(dirname "$0")" && pwd)"
if ! [ -d "$gate/node_modules" ] && ! [ -d "$gate/../node_modules/semver" ]; then
  npm install --prefix "$gate" --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
fi
set --
[ -z "${BASE:-}" ] || set -- "$BASE"
[ -z "${HEAD:-}" ] || set -- "$@" "$HEAD"
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || node "$gate/src/cli.ts" "$@" --format markdown >>"$GITHUB_STEP_SUMMARY" || true
exec node "$gate/src/cli.ts" "$@" --format github
