import { readdirSync, readFileSync } from 'node:fs';
import rcompare from 'semver/functions/rcompare.js';

/** One contract of a release, as `api/released/<release>/release.json` lists it. */
export interface Surface {
  /** `rest`, `scim` or another surface of the product. */
  name: string;
  /** The contract's own version, such as `info.version`. */
  version: string;
  /** Beside release.json. */
  file: string;
}

export interface Release {
  release: string;
  /** `2026-11-23`. */
  date: string;
  surfaces: Surface[];
  /** Ends in a slash. */
  folder: URL;
}

const RELEASED = new URL('../../api/released/', import.meta.url);

/** Reads every release from its folder, the newest first. */
export function readReleases(root = RELEASED): Release[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => {
      const folder = new URL(`${name}/`, root);
      const text = readFileSync(new URL('release.json', folder), 'utf8');
      return { ...(JSON.parse(text) as Omit<Release, 'folder'>), folder };
    })
    .toSorted((one, other) => rcompare(one.release, other.release));
}
