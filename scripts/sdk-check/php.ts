import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Check, programs } from './check.ts';
import { execute, fetched } from './commands.ts';
import { generateWithJar } from './openapi-generator.ts';
import { checkSyntax, listFiles } from './source-files.ts';

/** PHP code that prints the path of Guzzle from a package of the operating system, or nothing. */
const FIND_GUZZLE = "echo stream_resolve_include_path('GuzzleHttp/autoload.php');";
const COMPOSER = ['--no-dev', '--no-interaction', '--no-ansi'];

export const phpChecks: Check[] = [
  {
    language: 'PHP',
    generator: 'openapi-generator',
    async run(folder, env) {
      await execute('php', ['--version']);
      await execute('composer', ['--version']);
      await generateWithJar('php', folder);
      await matchCharacters(folder);
      await cp(join(programs, 'openapi-generator.php'), join(folder, 'call.php'));
      await checkSyntax(folder, '.php', 'php', '-l');
      return execute('php', [...(await loadPackages(folder)), 'call.php'], { cwd: folder, env });
    },
  },
];

/**
 * Adds the modifier u to the client's patterns. Without the modifier, patterns match bytes and reject a name such as
 * Zoë.
 */
async function matchCharacters(folder: string): Promise<void> {
  for (const file of await listFiles(folder, '.php')) {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('/", ', '/u", '));
  }
}

/** Writes vendor/autoload.php. Returns the options that load Guzzle if the operating system has it. */
async function loadPackages(folder: string): Promise<string[]> {
  const guzzle = await execute('php', ['-r', FIND_GUZZLE]);
  if (guzzle === '') {
    await fetched('its Composer packages', () => execute('composer', ['install', ...COMPOSER], { cwd: folder }));
    return [];
  }
  await execute('composer', ['dump-autoload', ...COMPOSER], { cwd: folder });
  return ['-d', `auto_prepend_file=${guzzle}`];
}
