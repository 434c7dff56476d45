import semver from 'semver';
import type { Settings } from '../config.ts';
import { type JsonObject, object } from '../document.ts';
import { type Artefact, ARTEFACT, computeDigest, parseArtefact, versionIn } from './artefact.ts';
import { git, objectIds } from './git.ts';
import type { Commit } from './walk.ts';

export interface Candidate {
  root: string;
  settings: Pick<Settings, 'released' | 'changelog'>;
  commit: Commit;
  version: string;
  /** The earlier released versions. */
  before: string[];
  /** The surfaces that the last earlier release published. */
  surfacesBefore: string[];
}

/**
 * Checks whether the release that a commit adds is valid: its version is higher than the earlier ones, the changelog
 * dates it, and it contains what the project published in that commit.
 * @returns the artefact, or the reason why it is not a release
 */
export async function checkRelease(candidate: Candidate): Promise<Artefact | string> {
  const { root, settings, commit, version, before, surfacesBefore } = candidate;
  const higher = before.find((one) => !semver.gt(version, one));
  if (higher !== undefined) return `its version must be higher than the released ${higher}`;
  const folder = `${commit.hash}:${settings.released}/${version}`;
  const artefact = await readArtefact(root, folder);
  if (typeof artefact === 'string') return artefact;
  if (artefact.release !== version) return `${ARTEFACT} names release ${artefact.release}`;
  if (artefact.date > today()) return `${ARTEFACT} dates it ${artefact.date}, which is in the future`;
  const dropped = surfacesBefore.find((name) => artefact.surfaces.every((one) => one.name !== name));
  if (dropped !== undefined) return `it lacks \`${dropped}\`, which the previous release published`;
  const at = artefact.commit ?? commit.hash;
  if (artefact.commit && (await git(root, 'merge-base', '--is-ancestor', at, commit.hash)) === null)
    return `it names commit ${at.slice(0, 9)}, which is not an ancestor`;
  return (
    (await objectionToChangelog(candidate, at, artefact.date)) ??
    (await objectionToFiles(root, folder, at, artefact)) ??
    artefact
  );
}

async function readArtefact(root: string, folder: string): Promise<Artefact | string> {
  const content = await git(root, 'cat-file', 'blob', `${folder}/${ARTEFACT}`);
  if (content === null) return `it has no ${ARTEFACT}`;
  try {
    return parseArtefact(content);
  } catch (error) {
    return `${ARTEFACT} cannot be read: ${(error as Error).message}`;
  }
}

async function objectionToChangelog(candidate: Candidate, at: string, date: string): Promise<string | null> {
  const { root, settings, version } = candidate;
  const read = async (commit: string) => (await git(root, 'cat-file', 'blob', `${commit}:${settings.changelog}`)) ?? '';
  const isDated = (changelog: string) => datedHeading(version, date).test(changelog);
  if (!isDated(await read(at))) return `${settings.changelog} has no heading “## ${version} (${date})” in that commit`;
  const parents = ((await git(root, 'rev-parse', `${at}^@`)) ?? '').split('\n').filter(Boolean);
  for (const parent of parents)
    if (isDated(await read(parent))) return `${settings.changelog} dates it already before that commit`;
  return null;
}

function datedHeading(version: string, date: string): RegExp {
  return new RegExp(String.raw`^## \[?v?${escaped(version)}\]? .*\b${date}\b`, 'm');
}

function escaped(text: string): string {
  return text.replaceAll(/[.+*?^$()[\]{}|\\]/g, String.raw`\$&`);
}

async function objectionToFiles(root: string, folder: string, at: string, artefact: Artefact): Promise<string | null> {
  const { surfaces } = artefact;
  const listed = ((await git(root, 'ls-tree', '-z', '--name-only', folder)) ?? '').split('\0').filter(Boolean);
  const stray = listed.find((name) => name !== ARTEFACT && surfaces.every(({ file }) => file !== name));
  if (stray !== undefined) return `it contains ${stray}, which ${ARTEFACT} does not name`;
  const copies = await objectIds(
    root,
    surfaces.map(({ file }) => `${folder}/${file}`),
  );
  const sources = await objectIds(
    root,
    surfaces.map(({ source }) => `${at}:${source}`),
  );
  for (const [index, { file, source, sha256, version, name }] of surfaces.entries()) {
    if (copies[index] === null) return `it has no ${file}`;
    if (copies[index] !== sources[index]) return `${file} differs from ${source} in commit ${at.slice(0, 9)}`;
    const content = (await git(root, 'cat-file', 'blob', copies[index]!))!;
    if (computeDigest(content) !== sha256) return `${file} does not have the digest that ${ARTEFACT} states`;
    if (versionIn(object(JSON.parse(content) as JsonObject)) !== version)
      return `${ARTEFACT} and ${file} state different versions of \`${name}\``;
  }
  return null;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}
