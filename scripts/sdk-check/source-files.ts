import { readdir } from 'node:fs/promises';
import { execute, expectNoWarning } from './commands.ts';

/**
 * Checks the syntax of every file of a language that is not compiled.
 * @throws {Failed} if the command rejects a file or warns about it
 */
export async function checkSyntax(folder: string, extension: string, command: string, option: string): Promise<void> {
  for (const file of await listFiles(folder, extension))
    expectNoWarning(await execute(command, [option, file], { cwd: folder }));
}

/** Returns the relative paths of the files in a folder whose names end with the extension. */
export async function listFiles(folder: string, extension: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(extension));
}
