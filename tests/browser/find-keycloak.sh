#!/bin/sh
# Prints the folder of Keycloak: $KEYCLOAK_HOME, or the distribution from Maven, which is downloaded on the first run.
# Prints nothing, and says why on standard error, if Java, Maven or the download is missing.
set -eu
version=26.4.0
if [ -n "${KEYCLOAK_HOME:-}" ]; then echo "$KEYCLOAK_HOME"; exit 0; fi
for name in java mvn unzip; do
  if ! command -v "$name" >/dev/null; then echo "no $name: the tests with Keycloak are skipped" >&2; exit 0; fi
done
cd "$(dirname "$0")/../.."
mkdir -p .tools
folder="$PWD/.tools/keycloak-$version"
if [ ! -d "$folder" ]; then
  if ! mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
    "-Dartifact=org.keycloak:keycloak-quarkus-dist:$version:zip" -DoutputDirectory=.tools >&2; then
    echo 'no download: the tests with Keycloak are skipped' >&2
    exit 0
  fi
  unzip -q ".tools/keycloak-quarkus-dist-$version.zip" -d .tools
fi
echo "$folder"
