import semver from 'semver';
import { type JsonObject, object, text } from './document.ts';
import type { Finding } from './findings.ts';

export interface VersionCheck {
  before: string;
  after: string;
  /** The lowest version that the changes allow; the version of the base if only texts changed. */
  needed: string;
  refused: string[];
}

/** The changes to a document, and to the surfaces that share its version. */
export interface Changes {
  breaking: Finding[];
  compatible: Finding[];
}

/** The changelog that must mention a new version, and the contract's name in it, such as "Contract". */
export interface Changelog {
  path: string;
  content: string;
  name: string;
}

/**
 * Checks `info.version` by semantic versioning: major for a break, accepted or not; minor for an addition; none for
 * texts.
 * @param changelog null if no changelog must mention the version
 */
export function checkVersion(
  base: JsonObject,
  head: JsonObject,
  changes: Changes,
  changelog: Changelog | null,
): VersionCheck {
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
    refused.push(`info.version is ${after!}, but ${because} needs at least ${needed} (the base has ${before!}).`);
  }
  const version = semver.gte(after!, needed) ? after! : needed;
  if (changelog && version !== before && !mentions(changelog, version))
    refused.push(
      `${changelog.path} does not mention it: a heading or an item must begin with “${changelog.name} ${version}” or end with it in parentheses.`,
    );
  return { before: before!, after: after!, needed, refused };
}

/**
 * Returns the lowest version that the changes allow. Below 1.0.0 a break is a minor step, as in semantic versioning.
 */
function neededVersion(before: string, { breaking, compatible }: Changes): string {
  const isEarly = semver.major(before) === 0;
  if (breaking.length > 0) return semver.inc(before, isEarly ? 'minor' : 'major')!;
  if (compatible.length > 0) return semver.inc(before, isEarly ? 'patch' : 'minor')!;
  return before;
}

/**
 * Reports whether a changelog mentions a version, as in "### Contract 1.3.0", "- Contract 1.3.0: books" or "### Books
 * (Contract 1.3.0)".
 */
function mentions({ content, name }: Changelog, version: string): boolean {
  const wanted = `${name} ${version}`;
  return content.split('\n').some((line) => {
    const stated = /^(?:#+|[-*]) (.*)$/.exec(line)?.[1]?.trimEnd();
    if (stated === undefined) return false;
    const isFirst = stated.startsWith(wanted) && !/^[\w.+-]*\w/.test(stated.slice(wanted.length));
    return (
      isFirst ||
      /\(([^()]*)\)$/
        .exec(stated)?.[1]
        ?.split(/, | and /)
        .includes(wanted) === true
    );
  });
}
