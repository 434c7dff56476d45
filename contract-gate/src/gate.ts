import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type AcceptedBreak, judge, readAccepted } from './accepted-breaks.ts';
import type { Comparison } from './compare.ts';
import type { Settings, Surface } from './config.ts';
import { git } from './history/git.ts';
import { fileAtMergeBase } from './history/merge-base.ts';
import { NoAnchor } from './history/no-anchor.ts';
import { requireHonestReleases } from './history/release-pairs.ts';
import { type Release, verifiedReleases } from './history/releases.ts';
import { Misuse } from './misuse.ts';
import type { Contract } from './read-document.ts';
import type { Report, SurfaceReport } from './reports/report.ts';
import { compareSurface, parseSurface } from './surfaces/compare-surface.ts';
import { unreleasedBreaks } from './unreleased.ts';
import { checkVersion } from './version.ts';

/** A surface with both sides of its comparison. */
interface Compared {
  surface: Surface;
  base: Contract;
  head: Contract;
  changes: Comparison;
  /** The contract in the commit where HEAD left main; null if there is none, or if a base was given. */
  fork: Contract | null;
}

/**
 * Compares every surface of a project with the last release, a git ref or a file.
 * @param base a git ref, or a file to compare with the first surface; by default the last release
 * @throws {Misuse}
 */
export async function gate(root: string, settings: Settings, base?: string): Promise<Report> {
  const { surfaces, notes } =
    base === undefined ? await sinceRelease(root, settings) : await since(root, settings, base);
  const entries = await readAccepted(join(root, settings.acceptedBreaks));
  const changelog = await readFile(join(root, settings.changelog), 'utf8').catch(() => '');
  const reports = surfaces.map((one) => report(one, { surfaces, settings, entries, changelog }));
  const unknown = entries.find(({ contract }) => contract && settings.surfaces.every(({ name }) => name !== contract));
  if (unknown) throw new Misuse(`${settings.acceptedBreaks}: unknown surface ${unknown.contract}`);
  return { surfaces: reports, notes };
}

async function sinceRelease(root: string, settings: Settings): Promise<{ surfaces: Compared[]; notes: string[] }> {
  const { releases, notes } = await verifiedReleases(root, settings);
  requireHonestReleases(releases, settings);
  const last = releases.at(-1)!;
  requireSameSurfaces(root, last, settings);
  const surfaces: Compared[] = [];
  for (const surface of settings.surfaces) {
    const document = last.surfaces.get(surface.name) ?? surface.derive?.(last.surfaces);
    if (!document) {
      notes.push(`\`${surface.name}\` has not been released yet, so there is nothing to compare it with.`);
      continue;
    }
    const fork = await fileAtMergeBase(root, surface.file);
    const atFork = fork && { name: fork.name, document: parseSurface(surface, surface.file, fork.content) };
    const base = { name: `release ${last.version}`, document };
    surfaces.push(await compared({ root, surface, base, fork: atFork, settings }));
  }
  return { surfaces, notes };
}

/**
 * Checks that the settings still name the surfaces of the last release and their files. Otherwise a changed setting
 * could hide a surface, or make the gate read a copy.
 * @throws {NoAnchor} if a surface is missing, or has a new file although the released one still exists
 */
function requireSameSurfaces(root: string, { version, artefact }: Release, { surfaces }: Settings): void {
  for (const { name, source } of artefact.surfaces) {
    const surface = surfaces.find((one) => one.name === name);
    if (!surface) throw new NoAnchor(`Release ${version} published \`${name}\`, which the settings no longer list.`);
    if (surface.file !== source && existsSync(join(root, source)))
      throw new NoAnchor(
        `\`${name}\` was released from ${source}, which still exists, but the settings name ${surface.file}.`,
      );
  }
}

async function since(
  root: string,
  settings: Settings,
  base: string,
): Promise<{ surfaces: Compared[]; notes: string[] }> {
  const path = resolve(root, base);
  const isFile = existsSync(path);
  if (
    !isFile &&
    (base.startsWith('-') || (await git(root, 'rev-parse', '--verify', '--quiet', `${base}^{tree}`)) === null)
  )
    throw new Misuse(`${base} is neither a file nor a git ref`);
  const surfaces: Compared[] = [];
  for (const surface of isFile ? settings.surfaces.slice(0, 1) : settings.surfaces) {
    const content = isFile ? await readFile(path, 'utf8') : await git(root, 'show', `${base}:${surface.file}`);
    if (content === null && surface === settings.surfaces[0]) throw new Misuse(`${base} has no ${surface.file}`);
    if (content === null) continue;
    const document = parseSurface(surface, isFile ? base : surface.file, content);
    surfaces.push(await compared({ root, surface, base: { name: base, document }, fork: null, settings }));
  }
  return { surfaces, notes: [] };
}

interface ToCompare {
  root: string;
  surface: Surface;
  base: Contract;
  fork: Contract | null;
  settings: Settings;
}

async function compared({ root, surface, base, fork, settings }: ToCompare): Promise<Compared> {
  const content = await readFile(join(root, surface.file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Misuse(`${surface.file} cannot be read: ${error.code}`);
  });
  const head = { name: surface.file, document: parseSurface(surface, surface.file, content) };
  return { surface, base, head, fork, changes: compareSurface(surface, base.document, head.document, settings) };
}

interface Context {
  surfaces: Compared[];
  settings: Settings;
  entries: AcceptedBreak[];
  changelog: string;
}

function report({ surface, base, head, changes, fork }: Compared, context: Context): SurfaceReport {
  const { settings, entries, changelog } = context;
  const contract = surface === settings.surfaces[0] ? null : surface.name;
  const own = entries.filter((entry) => (entry.contract ?? null) === contract);
  const today = new Date().toISOString().slice(0, 10);
  const { accepted, refused } = judge(changes.breaking, own, today);
  const unreleased = fork && unreleasedBreaks({ surface, fork, released: base, head, options: settings }, changes);
  const { changelogName } = surface;
  const mentioned =
    changelogName === undefined ? null : { path: settings.changelog, content: changelog, name: changelogName };
  const version = surface.versionOf
    ? null
    : checkVersion(base.document, head.document, changesUnder(surface, context), mentioned);
  const names = { surface: surface.name, base: base.name, head: head.name };
  const documents = { base: base.document, head: head.document };
  return { ...names, documents, contract, changes, unreleased, accepted, refusedEntries: refused, version };
}

/** Returns the changes that the version of a surface must reflect. */
function changesUnder({ name }: Surface, { surfaces }: Context) {
  const under = surfaces.filter(({ surface }) => surface.name === name || surface.versionOf === name);
  return {
    breaking: under.flatMap(({ changes }) => changes.breaking),
    compatible: under.flatMap(({ changes }) => changes.compatible),
  };
}
