import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { CommandError } from '../../src/commands/command.ts';
import { releaseFiles, type Settings } from '../../contract-gate/src/project.ts';
import { HEADING } from './ready.ts';

export interface Change {
  path: string;
  text: string;
}

/**
 * Packages, with the files that state their version, and how many occurrences to raise, from the start of the file.
 */
const PACKAGES: Record<string, Record<string, number>> = {
  'package.json': { 'package.json': 1, 'package-lock.json': 2 },
  'bridge/package.json': {
    'bridge/package.json': 1,
    'bridge/bridge.mjs': 1,
    'bridge/README.md': 3,
    'generated/bridge.ts': 1,
  },
  'sdk/package.json': { 'sdk/package.json': 1 },
};

/** Returns every file that a release changes, with its new text. */
export async function listChanges(root: string, settings: Settings, version: string): Promise<Change[]> {
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const today = new Date().toISOString().slice(0, 10);
  const dated = (await read(settings.changelog)).replace(HEADING, `## ${version} (${today})`);
  const accepted = await read(settings.acceptedBreaks);
  return [
    { path: settings.changelog, text: dated },
    ...(await raisedPackages(read, version)),
    ...(await releaseFiles(root, settings, { version, date: today })),
    { path: settings.acceptedBreaks, text: `${formatComment(accepted)}[]\n` },
  ];
}

/** Raises the versions of packages. Keeps higher versions, because registries reject a lower or published version. */
async function raisedPackages(read: (path: string) => Promise<string>, version: string): Promise<Change[]> {
  const changes: Change[] = [];
  for (const [manifest, files] of Object.entries(PACKAGES)) {
    const { version: current } = JSON.parse(await read(manifest)) as { version: string };
    if (semver.gte(current, version)) continue;
    for (const [path, times] of Object.entries(files))
      changes.push({ path, text: raised(path, await read(path), { current, version, times }) });
  }
  return changes;
}

/** @throws if the file states the current version less often than expected */
function raised(
  path: string,
  text: string,
  { current, version, times }: { current: string; version: string; times: number },
): string {
  const before = ['"version": "', "const VERSION = '", "version: '", 'security-awareness-mcp-bridge@'];
  const stated = before.map((words) => `${words}${current}`);
  let made = text;
  for (let time = 0; time < times; time += 1) {
    const found = stated.find((one) => made.includes(one));
    if (found === undefined) throw new CommandError(`${path} does not state the version ${current}.`);
    made = made.replace(found, found.replace(current, version));
  }
  return made;
}

/** Returns the comment at the head of the file. */
function formatComment(accepted: string): string {
  return /^(#.*\n)*/.exec(accepted)![0];
}
