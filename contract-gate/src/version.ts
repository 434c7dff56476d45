import semver from 'semver';
import { type JsonObject, object, text } from './document.ts';
import type { Comparison } from './compare.ts';

export interface VersionCheck {
  before: string;
  after: string;
  /** The lowest version that the changes allow; the base's own when only words changed. */
  needed: string;
  refused: string[];
}

/** Semantic versioning of `info.version`: major for a break, accepted or not; minor for an addition; none for words. */
export function checkVersion(base: JsonObject, head: JsonObject, changes: Comparison, changelog: string): VersionCheck {
  const [before, after] = [base, head].map((document) => text(object(document.info).version));
  const malformed = [before!, after!].filter((version) => semver.valid(version) === null);
  if (malformed.length > 0) {
    const refused = malformed.map((version) => `info.version ${version} is not a semantic version.`);
    return { before: before!, after: after!, needed: after!, refused };
  }
  const needed = neededVersion(before!, changes);
  const refused: string[] = [];
  if (semver.lt(after!, needed)) {
    const because =
      changes.breaking.length > 0 ? 'a breaking change' : changes.compatible.length > 0 ? 'an addition' : 'the base';
    refused.push(`info.version is ${after!}, and ${because} asks for ${needed} at least (the base has ${before!}).`);
  }
  const version = semver.gte(after!, needed) ? after! : needed;
  if (version !== before && !tells(changelog, version))
    refused.push(`CHANGELOG.md has no line for it, like “- Contract ${version}: …”.`);
  return { before: before!, after: after!, needed, refused };
}

/** Below 1.0.0 a break is a minor step, as semantic versioning has it. */
function neededVersion(before: string, { breaking, compatible }: Comparison): string {
  const isEarly = semver.major(before) === 0;
  if (breaking.length > 0) return semver.inc(before, isEarly ? 'minor' : 'major')!;
  if (compatible.length > 0) return semver.inc(before, isEarly ? 'patch' : 'minor')!;
  return before;
}

function tells(changelog: string, version: string): boolean {
  return changelog
    .split('\n')
    .filter((line) => /\bcontract\b/i.test(line))
    .some((line) => line.split(/[^\w.+-]+/).some((word) => word.replace(/[.]+$/, '') === version));
}
