import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../../src/commands/command.ts';
import type { Change } from './changes.ts';

/** Writes, commits and tags a release. If a step fails, undoes the earlier steps. */
export async function commitRelease(root: string, version: string, changes: Change[]): Promise<void> {
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: root });
  const { stdout: before } = await git('rev-parse', 'HEAD');
  const paths = changes.map(({ path }) => path);
  try {
    for (const { path, text } of changes) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await git('add', '--', ...paths);
    await git('commit', '--quiet', '--message', `release: ${version}`);
    await git('tag', '--annotate', `v${version}`, '--message', `Release ${version}`);
  } catch (error) {
    await git('reset', '--quiet', '--soft', before.trim());
    for (const path of paths)
      await git('checkout', '--quiet', before.trim(), '--', path).catch(() =>
        git('rm', '--quiet', '--force', '--', path),
      );
    throw new CommandError(`The release was undone: ${(error as Error).message}`);
  }
}
