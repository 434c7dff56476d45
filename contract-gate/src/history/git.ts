import { execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Returns the output of git in a folder, or null if git fails, for example without a repository, a ref or a file. */
export async function git(folder: string, ...args: string[]): Promise<string | null> {
  return promisify(execFile)('git', args, { cwd: folder, maxBuffer: MAX_OUTPUT_BYTES }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

/** Returns the object ids of names such as `HEAD:api`, and null for names that do not exist. Starts one process. */
export async function objectIds(folder: string, names: string[]): Promise<(string | null)[]> {
  if (names.length === 0) return [];
  const child = spawn('git', ['cat-file', '--batch-check=%(objectname)'], { cwd: folder, stdio: 'pipe' });
  child.stdin.on('error', () => undefined).end(names.map((name) => `${name}\n`).join(''));
  const answers = (await text(child.stdout)).split('\n');
  return names.map((_name, index) => (/^[0-9a-f]{40,64}$/.test(answers[index] ?? '') ? answers[index]! : null));
}
