import { readdir } from 'node:fs/promises';
import { execute, expectNoWarning } from './commands.ts';

/**
 * Checks the syntax of every file of a language, where that takes the place of a compilation.
 * @throws {Failed} when the command refuses a file or warns of one
 */
export async function checkSyntax(folder: string, extension: string, command: string, option: string): Promise<void> {
  for (const file of await listFiles(folder, extension))
    expectNoWarning(await execute(command, [option, file], { cwd: folder }));
}

/** Returns the paths, from the folder on, of its files whose names end so. */
export async function listFiles(folder: string, extension: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(extension));
}
