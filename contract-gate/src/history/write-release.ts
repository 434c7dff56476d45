import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import semver from 'semver';
import { readAccepted } from '../accepted-breaks.ts';
import type { Settings } from '../config.ts';
import { Misuse } from '../misuse.ts';
import { parseSurface } from '../surfaces/compare-surface.ts';
import { type Artefact, ARTEFACT, computeDigest, type ReleasedSurface, versionIn } from './artefact.ts';
import { git } from './git.ts';

export interface WrittenFile {
  /** The path from the root of the project. */
  path: string;
  text: string;
}

interface NewRelease {
  version: string;
  /** A day in ISO 8601. */
  date: string;
  /** The commit that made the release, if the project did not use the gate yet. */
  commit?: string | undefined;
}

/**
 * Builds the files of a release: the surfaces that the project publishes now, or published in an earlier commit. Leaves
 * out surfaces without a file.
 * @throws {Misuse}
 */
export async function releaseFiles(root: string, settings: Settings, release: NewRelease): Promise<WrittenFile[]> {
  const { version, date, commit } = release;
  if (semver.valid(version) !== version) throw new Misuse(`${version} is not a semantic version`);
  const folder = `${settings.released}/${version}`;
  const files: WrittenFile[] = [];
  const surfaces: ReleasedSurface[] = [];
  for (const surface of settings.surfaces) {
    const text = await published(root, surface.file, commit);
    if (text === null) continue;
    const file = basename(surface.file);
    const stated = surface.versionOf ? null : versionIn(parseSurface(surface, surface.file, text));
    surfaces.push({ name: surface.name, version: stated, file, source: surface.file, sha256: computeDigest(text) });
    files.push({ path: `${folder}/${file}`, text });
  }
  if (surfaces.length === 0) throw new Misuse('Nothing to release: no surface in the settings has its file.');
  const acceptedBreaks = commit ? [] : await readAccepted(join(root, settings.acceptedBreaks));
  const artefact: Artefact = { release: version, date, ...(commit && { commit }), surfaces, acceptedBreaks };
  return [{ path: `${folder}/${ARTEFACT}`, text: `${JSON.stringify(artefact, null, 2)}\n` }, ...files];
}

export async function writeFiles(root: string, files: WrittenFile[]): Promise<void> {
  for (const { path, text } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

async function published(root: string, file: string, commit: string | undefined): Promise<string | null> {
  if (commit !== undefined) return git(root, 'show', `${commit}:${file}`);
  return readFile(join(root, file), 'utf8').catch(() => null);
}
