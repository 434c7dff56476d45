import { readdirSync, readFileSync } from 'node:fs';
import type { Artefact } from '../../contract-gate/src/index.ts';
import rcompare from 'semver/functions/rcompare.js';

export interface Release extends Artefact {
  /** Folder of the release, with a trailing slash. */
  folder: URL;
}

const RELEASED = new URL('../../api/released/', import.meta.url);

/** Reads every release from its folder, newest first. */
export function readReleases(root = RELEASED): Release[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = new URL(`${name}/`, root);
      const text = readFileSync(new URL('release.json', folder), 'utf8');
      return { ...(JSON.parse(text) as Artefact), folder };
    })
    .toSorted((one, other) => rcompare(one.release, other.release));
}

/** Finds a contract of a release, with the URL of its document. Returns undefined if the release does not have it. */
export function findContract(
  { surfaces, folder }: Release,
  contract: string,
): { version: string; document: URL } | undefined {
  const surface = surfaces.find(({ name }) => name === contract);
  if (!surface || surface.version === null) return undefined;
  return { version: surface.version, document: new URL(surface.file, folder) };
}
