import { judge } from '../accepted-breaks.ts';
import type { Settings } from '../config.ts';
import { compareSurface } from '../surfaces/compare-surface.ts';
import { checkVersion } from '../version.ts';
import { NoAnchor } from './no-anchor.ts';
import type { Release } from './releases.ts';

/**
 * Compares each release with the previous one, and allows the breaks that it accepted. Without this check, a break in a
 * release would never be judged, because later contracts are compared only with that release.
 * @throws {NoAnchor} that names the first break that was not accepted
 */
export function requireHonestReleases(
  releases: Release[],
  settings: Pick<Settings, 'surfaces' | 'rules' | 'sdkPolicy'>,
): void {
  for (const [index, release] of releases.entries()) {
    const before = releases[index - 1];
    if (before) requireHonest(before, release, settings);
  }
}

function requireHonest(
  before: Release,
  release: Release,
  settings: Pick<Settings, 'surfaces' | 'rules' | 'sdkPolicy'>,
): void {
  const { date, acceptedBreaks } = release.artefact;
  for (const { name, version } of release.artefact.surfaces) {
    const surface = settings.surfaces.find((one) => one.name === name);
    const [base, head] = [before.surfaces.get(name), release.surfaces.get(name)];
    if (!surface || !base || !head || isCopy(before, release, name)) continue;
    const changes = compareSurface(surface, base, head, settings);
    const isFirst = surface === settings.surfaces[0];
    const entries = acceptedBreaks.filter(({ contract }) => (contract === undefined ? isFirst : contract === name));
    const { accepted, refused } = judge(changes.breaking, entries, date);
    const open = changes.breaking.find((finding) => !accepted.has(finding));
    if (open) fail(release, `it breaks ${before.version} without accepting the break: ${open.what} (${open.pointer})`);
    if (refused.length > 0) fail(release, refused[0]!);
    const check = version === null ? null : checkVersion(base, head, changes, null);
    if (check && check.refused.length > 0) fail(release, `of \`${name}\`, ${check.refused[0]!}`);
  }
}

function isCopy(before: Release, release: Release, name: string): boolean {
  const [old, now] = [before, release].map(
    ({ artefact }) => artefact.surfaces.find((one) => one.name === name)?.sha256,
  );
  return old === now;
}

function fail({ version }: Release, reason: string): never {
  throw new NoAnchor(`Release ${version} is invalid: ${reason}`);
}
