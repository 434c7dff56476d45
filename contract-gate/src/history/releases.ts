import semver from 'semver';
import type { Settings } from '../config.ts';
import { type JsonObject, object } from '../document.ts';
import type { Artefact } from './artefact.ts';
import { git, objectIds } from './git.ts';
import { NoAnchor } from './no-anchor.ts';
import { checkRelease } from './release-check.ts';
import { type Commit, walk } from './walk.ts';

/**
 * A release of a project, as recorded in the project's git history.
 *
 * Each release has its own folder, `api/released/<version>/`. The commit that made the release added it, and nobody can
 * change it later. So a branch is not compared with a file that it could edit. The gate walks every ancestor of HEAD,
 * parents first, and only commits that are releases count (`release-check.ts`). The folder in HEAD must contain each of
 * these releases unchanged, and nothing else.
 */
export interface Release {
  version: string;
  artefact: Artefact;
  /** The published documents, by surface. */
  surfaces: ReadonlyMap<string, JsonObject>;
}

interface Known {
  /** The object id of the release's folder. */
  tree: string;
  artefact: Artefact;
}

/** A commit that changed a release, or added something that is not a release. */
interface Violation {
  version: string;
  text: string;
}

/**
 * Returns the releases, lowest version first. `notes` name commits that changed a release and were undone later.
 * @throws {NoAnchor} if there is no release, or HEAD does not contain every release as it was made
 */
export async function verifiedReleases(
  root: string,
  settings: Pick<Settings, 'released' | 'changelog'>,
): Promise<{ releases: Release[]; notes: string[] }> {
  const commits = await walk(root, settings.released);
  const { known, violations } = await judgeCommits(root, settings, commits);
  const head = commits.at(-1)!;
  const failures = [
    ...missing(known, head),
    ...unknown(known, head),
    ...(await contradictedByTags(root, settings, known)),
  ];
  if (failures.length > 0) {
    const reasons = violations.filter(({ version }) => failures.some((failure) => failure.version === version));
    throw new NoAnchor([...failures, ...reasons].map(({ text }) => text).join('\n'));
  }
  if (known.size === 0) throw new NoAnchor(noneYet(settings.released));
  await requireUntouched(root, settings.released);
  const notes = violations.map(({ text }) => `${text} A later commit has undone this.`);
  const versions = [...known.keys()].toSorted(semver.compare);
  return { releases: await Promise.all(versions.map((version) => read(root, version, known.get(version)!))), notes };
}

function noneYet(released: string): string {
  return `Nothing to compare with: ${released} contains no release yet. The first release is made without a comparison.`;
}

async function judgeCommits(root: string, settings: Pick<Settings, 'released' | 'changelog'>, commits: Commit[]) {
  const knownAt = new Map<string, ReadonlyMap<string, Known>>();
  const byHash = new Map(commits.map((commit) => [commit.hash, commit]));
  const violations: Violation[] = [];
  let known: ReadonlyMap<string, Known> = new Map();
  for (const commit of commits) {
    const [first, ...others] = commit.parents.map((parent) => knownAt.get(parent)!);
    known = others.reduce(union, first ?? new Map<string, Known>());
    const isUnchanged = commit.parents.length === 1 && byHash.get(commit.parents[0]!)!.entries === commit.entries;
    if (!isUnchanged) {
      violations.push(...changed(known, commit));
      for (const version of commit.entries.keys()) {
        if (known.has(version) || semver.valid(version) !== version) continue;
        const before = [...known.keys()].toSorted(semver.compare);
        const surfacesBefore = known.get(before.at(-1)!)?.artefact.surfaces.map(({ name }) => name) ?? [];
        const artefact = await checkRelease({ root, settings, commit, version, before, surfacesBefore });
        if (typeof artefact === 'string')
          violations.push({
            version,
            text: `Commit ${short(commit)} added ${version} but is not a release: ${artefact}.`,
          });
        else known = new Map([...known, [version, { tree: commit.entries.get(version)!, artefact }]]);
      }
    }
    knownAt.set(commit.hash, known);
  }
  return { known, violations };
}

function union(one: ReadonlyMap<string, Known>, other: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> {
  if (one === other) return one;
  for (const [version, { tree }] of other)
    if ((one.get(version)?.tree ?? tree) !== tree)
      throw new NoAnchor(`${version} was released differently on two merged branches.`);
  return new Map([...one, ...other]);
}

function changed(known: ReadonlyMap<string, Known>, commit: Commit): Violation[] {
  return [...known].flatMap(([version, { tree }]) => {
    const now = commit.entries.get(version);
    if (now === tree) return [];
    return [
      { version, text: `Commit ${short(commit)} ${now === undefined ? 'removed' : 'changed'} release ${version}.` },
    ];
  });
}

function missing(known: ReadonlyMap<string, Known>, head: Commit): Violation[] {
  return [...known].flatMap(([version, { tree }]) => {
    if (head.entries.get(version) === tree) return [];
    return [{ version, text: `HEAD does not contain release ${version} as released; restore its folder.` }];
  });
}

function unknown(known: ReadonlyMap<string, Known>, head: Commit): Violation[] {
  return [...head.entries.keys()].flatMap((version) =>
    known.has(version) ? [] : [{ version, text: `HEAD contains ${version}, which is not a release; remove it.` }],
  );
}

/** Finds releases that differ from their tag, because tags keep the releases of a rewritten history. */
async function contradictedByTags(
  root: string,
  { released }: Pick<Settings, 'released'>,
  known: ReadonlyMap<string, Known>,
): Promise<Violation[]> {
  const tags = ((await git(root, 'tag', '--list', 'v[0-9]*')) ?? '').split('\n').filter(Boolean);
  const versions = tags.map((tag) => tag.slice(1));
  const trees = await objectIds(
    root,
    versions.map((version) => `v${version}:${released}/${version}`),
  );
  return versions.flatMap((version, index) => {
    const tree = trees[index]!;
    if (tree === null || tree === known.get(version)?.tree) return [];
    return [{ version, text: `Tag v${version} and the history of HEAD have different releases ${version}.` }];
  });
}

/**
 * Rejects uncommitted changes of releases, because the gate reads only commits and would ignore them. Allows a new
 * release that is not committed yet.
 */
async function requireUntouched(root: string, released: string): Promise<void> {
  const status = (await git(root, 'status', '--porcelain', '--', released)) ?? '';
  const touched = status.split('\n').filter((line) => line !== '' && !/^(A |\?\?)/.test(line));
  if (touched.length > 0)
    throw new NoAnchor(
      `Releases must not be changed by hand; undo it: git restore --staged --worktree ${released}\n${touched.join('\n')}`,
    );
}

async function read(root: string, version: string, { tree, artefact }: Known): Promise<Release> {
  const documents = artefact.surfaces.map(async ({ name, file }) => {
    const content = (await git(root, 'cat-file', 'blob', `${tree}:${file}`))!;
    return [name, object(JSON.parse(content) as JsonObject)] as const;
  });
  return { version, artefact, surfaces: new Map(await Promise.all(documents)) };
}

function short({ hash }: Commit): string {
  return hash.slice(0, 9);
}
