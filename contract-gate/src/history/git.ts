import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The output of git in a folder, or null where it fails: no repository, no such ref, no such file. */
export async function git(folder: string, ...args: string[]): Promise<string | null> {
  return promisify(execFile)('git', args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
