#!/bin/sh
# What the action runs: annotations in the log, and the report as the summary of the job. BASE and HEAD may be empty.
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
