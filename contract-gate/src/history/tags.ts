import { git } from './git.ts';

/** Returns the tag of the last release below HEAD. */
export async function newestTag(root: string): Promise<string | null> {
  const tag = await git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD');
  return tag?.trim() ?? null;
}
