import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { workshop } from './check.ts';
import { execute, fetched, once } from './commands.ts';

const environment = join(workshop, 'python');
export const pythonBin = join(environment, 'bin');
export const python = join(pythonBin, 'python');

/** Creates a virtual environment with the packages of requirements.txt unless it exists. */
export const installPackages = once(async () => {
  const installed = join(environment, '.installed');
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const wanted = await readFile(requirements, 'utf8');
  if ((await readFile(installed, 'utf8').catch(() => '')) === wanted) return;
  await mkdir(workshop, { recursive: true });
  await fetched('a virtual environment', () => execute('python3', ['-m', 'venv', '--clear', environment]));
  const pip = ['install', '--quiet', '--retries', '1', '--timeout', '20', '-r', requirements];
  await fetched('its Python packages', () => execute(join(pythonBin, 'pip'), pip));
  await cp(requirements, installed);
});
