import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workshop } from './check.ts';
import { execute, fetched, once } from './commands.ts';

export const npmBin = join(workshop, 'node_modules/.bin');

/** Installs the tools of package-lock.json next to the clients unless they are installed. */
export const installNpmPackages = once(async () => {
  const installed = join(workshop, 'node_modules/.installed');
  const lock = await readFile(join(import.meta.dirname, 'package-lock.json'), 'utf8');
  if ((await readFile(installed, 'utf8').catch(() => '')) === lock) return;
  await mkdir(workshop, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    await cp(join(import.meta.dirname, name), join(workshop, name));
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await fetched('its npm packages', () => execute('npm', install, { cwd: workshop }));
  await writeFile(installed, lock);
});
