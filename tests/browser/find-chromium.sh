#!/bin/sh
# Prints the path of a Chromium: $CHROMIUM, one on the PATH, or one from npm, which is installed on the first run.
set -eu
for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
  if [ -n "$name" ] && command -v "$name"; then exit 0; fi
done
cd "$(dirname "$0")/chromium"
[ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
exec node --input-type=module -e 'import chromium from "@sparticuz/chromium"; console.log(await chromium.executablePath());'
