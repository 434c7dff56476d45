import { git } from './git.ts';

/** Returns the newest release tag that HEAD contains; null if there is none. */
export async function newestTag(root: string): Promise<string | null> {
  const tag = await git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD');
  return tag?.trim() ?? null;
}
