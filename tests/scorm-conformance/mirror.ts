import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CorpusPackage } from './corpus.ts';

const run = promisify(execFile);
const MAX_BYTES = 1024 ** 3;

export interface Archive {
  bytes: Buffer;
  /** Files of the commit that the mirror lacks. */
  missing: string[];
}

/**
 * Zips the folder of a package at its commit, from a mirror in `folder`. A package that is stored as a ZIP file is read as
 * it is.
 * @returns the reason, if the mirror does not have the package
 */
export async function readPackage(
  folder: string,
  { repository, commit, path }: CorpusPackage,
): Promise<Archive | string> {
  const mirror = join(folder, repository.replace('/', '+'));
  const gitFolder = ['repo/.git', 'repo', '.git', '.'].map((name) => join(mirror, name)).find(isGitFolder);
  if (!gitFolder) return 'the mirror is absent';
  const git = async (...args: string[]) =>
    (await run('git', ['--git-dir', gitFolder, ...args], { encoding: 'buffer', maxBuffer: MAX_BYTES })).stdout;
  const place = `${commit}:${path}`;
  try {
    if (path.endsWith('.zip')) return { bytes: await git('cat-file', 'blob', place), missing: [] };
    const missing = await listMissing(git, place);
    const left = missing.map((name) => `:(exclude,literal)${name}`);
    return { bytes: await git('archive', '--format=zip', place, '--', '.', ...left), missing };
  } catch (error) {
    return `the mirror does not have ${place} (${(error as Error).message.split('\n').at(-2) ?? ''})`;
  }
}

function isGitFolder(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));
}

/** Lists the files of a commit that a partial mirror lacks. */
async function listMissing(git: (...args: string[]) => Promise<Buffer>, place: string): Promise<string[]> {
  const entries = (await git('ls-tree', '-r', '-z', place)).toString().split('\0').filter(Boolean);
  const absent = (await git('rev-list', '--objects', '--missing=print', '--no-object-names', '--no-walk', place))
    .toString()
    .split('\n')
    .flatMap((line) => (line.startsWith('?') ? line.slice(1) : []));
  const ids = new Set(absent);
  return entries.flatMap((entry) => {
    const [head, name] = entry.split('\t') as [string, string];
    return ids.has(head.split(' ')[2]!) ? [name] : [];
  });
}
