import { git } from './git.ts';

/** Returns a file as it was where HEAD left main. Null without a main, or without the file there. */
export async function fileAtMergeBase(root: string, file: string): Promise<{ name: string; content: string } | null> {
  for (const main of ['origin/main', 'main']) {
    const fork = (await git(root, 'merge-base', 'HEAD', main))?.trim();
    if (!fork) continue;
    const content = await git(root, 'show', `${fork}:${file}`);
    return content === null ? null : { name: `where HEAD left ${main} (${fork.slice(0, 9)})`, content };
  }
  return null;
}
