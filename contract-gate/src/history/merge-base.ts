import { git } from './git.ts';

/**
 * Returns a file as it was in the commit where HEAD left main. Returns null if there is no main branch, or if that
 * commit does not have the file.
 */
export async function fileAtMergeBase(root: string, file: string): Promise<{ name: string; content: string } | null> {
  for (const main of ['origin/main', 'main']) {
    const fork = (await git(root, 'merge-base', 'HEAD', main))?.trim();
    if (!fork) continue;
    const content = await git(root, 'show', `${fork}:${file}`);
    return content === null ? null : { name: `where HEAD left ${main} (${fork.slice(0, 9)})`, content };
  }
  return null;
}
