import { git, objectIds } from './git.ts';
import { NoAnchor } from './no-anchor.ts';

export interface Commit {
  hash: string;
  parents: string[];
  /** The object ids of the entries in the folder of releases, by name; empty if the commit does not have the folder. */
  entries: ReadonlyMap<string, string>;
}

/**
 * Returns HEAD and its ancestors, parents first.
 * @throws {NoAnchor} if there is no history, or too little to see how the first release was added
 */
export async function walk(root: string, folder: string): Promise<Commit[]> {
  await requireHistory(root, folder);
  const log = (await git(root, 'log', '--topo-order', '--reverse', '--format=%H %P', 'HEAD'))!;
  const lines = log
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' ') as [string, ...string[]]);
  const trees = await objectIds(
    root,
    lines.map(([hash]) => `${hash}:${folder}`),
  );
  const entriesOf = new Map<string | null, ReadonlyMap<string, string>>([[null, new Map()]]);
  for (const tree of new Set(trees)) if (tree !== null) entriesOf.set(tree, await entriesIn(root, tree));
  return lines.map(([hash, ...parents], index) => ({ hash, parents, entries: entriesOf.get(trees[index]!)! }));
}

async function requireHistory(root: string, folder: string): Promise<void> {
  if ((await git(root, 'rev-parse', '--verify', '--quiet', 'HEAD')) === null)
    throw new NoAnchor(
      'This folder has no git history to verify releases with. To compare two files: contract-gate OLD NEW',
    );
  if ((await git(root, 'rev-parse', '--is-shallow-repository'))?.trim() !== 'true') return;
  const boundary = await shallowCommits(root);
  const isTold = (
    await objectIds(
      root,
      boundary.map((hash) => `${hash}:${folder}`),
    )
  ).every((tree) => tree === null);
  if (!isTold)
    throw new NoAnchor(
      `This clone is too shallow to verify ${folder}: its oldest commits already contain releases. ` +
        'Deepen it: git fetch --unshallow (in GitHub Actions: actions/checkout with fetch-depth: 0)',
    );
}

/** Returns the commits that have no parents in this clone. */
async function shallowCommits(root: string): Promise<string[]> {
  const roots = await git(root, 'rev-list', '--max-parents=0', 'HEAD');
  return (roots ?? '').split('\n').filter(Boolean);
}

async function entriesIn(root: string, tree: string): Promise<Map<string, string>> {
  const listed = (await git(root, 'ls-tree', '-z', tree))!;
  const lines = listed.split('\0').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.split(/[ \t]/)[2]!] as const));
}
