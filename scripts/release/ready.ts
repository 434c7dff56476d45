import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import semver from 'semver';
import { CommandError } from '../../src/commands/command.ts';
import { git, newestTag, type Settings } from '../../contract-gate/src/project.ts';

export const HEADING = /^## (\S+) \(unreleased\)$/m;

/**
 * Returns the release that the changelog announces.
 * @throws {CommandError} if the branch, the working tree, the heading or the version does not allow a release
 */
export async function readyRelease(
  root: string,
  { released }: Settings,
): Promise<{ version: string; isFirst: boolean }> {
  const branch = (await git(root, 'branch', '--show-current'))?.trim();
  if (branch !== 'main') throw new CommandError(`A release needs the branch main, not ${branch || 'a detached HEAD'}.`);
  const untidy = await git(root, 'status', '--porcelain');
  if (untidy) throw new CommandError(`A release needs a clean working tree. Uncommitted changes:\n${untidy.trimEnd()}`);
  const version = HEADING.exec(await readFile(join(root, 'CHANGELOG.md'), 'utf8'))?.[1];
  if (version === undefined || semver.valid(version) !== version)
    throw new CommandError('CHANGELOG.md has no heading for the next release, such as “## 0.2.0 (unreleased)”.');
  const tag = await newestTag(root);
  if (tag !== null && semver.lte(version, tag))
    throw new CommandError(`CHANGELOG.md announces ${version}, but ${tag} is already released.`);
  const isFirst = !existsSync(join(root, released));
  if (isFirst && tag !== null)
    throw new CommandError(
      `${released} is missing, but ${tag} is released; restore it: git checkout ${tag} -- ${released}`,
    );
  return { version, isFirst };
}
