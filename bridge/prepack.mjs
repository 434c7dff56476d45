// Runs before the package is packed or published. Rejects a package that must not be published.
import { readFileSync } from 'node:fs';

/** @param {string} name */
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
const manifest = read('package.json');
const [name, version] = [fieldOf('name'), fieldOf('version')];
const source = read('bridge.mjs');

const refusals = [
  refuseName(),
  refuseAddress(/^const DEFAULT_ADDRESS = '(.*)';$/m.exec(source)?.[1] ?? ''),
  !source.includes(`const VERSION = '${version}';`) && `bridge.mjs must have the version of package.json, ${version}.`,
  !read('README.md').includes(`${name}@${version}`) && `README.md does not name ${name}@${version}; run make generate.`,
].filter(Boolean);
for (const refusal of refusals) process.stderr.write(`${refusal}\n`);
process.exitCode = refusals.length > 0 ? 1 : 0;

/** @param {string} field */
function fieldOf(field) {
  return new RegExp(`^  "${field}": "(.*)"`, 'm').exec(manifest)?.[1] ?? '';
}

/** Rejects a name without a scope: anybody can publish under it, and users give the package their key. */
function refuseName() {
  return (
    !/^@[a-z0-9][\w.-]*\/[\w.-]+$/.test(name) &&
    'The name in package.json has no scope; add yours before it, and run make generate.'
  );
}

/** @param {string} address */
function refuseAddress(address) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isPlaceholder = /(^|\.)(example(\.\w+)?|test|invalid|localhost)$/.test(url?.hostname ?? '');
  if (url?.protocol === 'https:' && !isPlaceholder) return;
  return 'DEFAULT_ADDRESS in bridge.mjs is a placeholder; set it to the https URL of your tool server.';
}
