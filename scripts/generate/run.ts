// Writes generated/ (bundle, types and tables from the contract, the schema from the migrations), sdk/src/generated/,
// the table of rooms in CONTRIBUTING.md, and the name of the bridge's package in the commands of its README.
//   node scripts/generate/run.ts           writes what has changed
//   node scripts/generate/run.ts --check   writes nothing; exits 1 and names the files that are stale
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { CommandError, runCommand } from '../../src/commands/command.ts';
import { strayFiles, withTableOfRooms } from '../check/rooms.ts';
import { bridgeModule, bridgeReadme } from './bridge-package.ts';
import { withErrorTable } from './error-table.ts';
import { bundleContract, contractFiles } from './generated-files.ts';
import { migratedSchema } from './migrated-schema.ts';

const root = join(import.meta.dirname, '../..');
const files = [
  ...contractFiles,
  { path: 'generated/schema.sql', content: migratedSchema },
  { path: 'CONTRIBUTING.md', content: () => markdownWith('CONTRIBUTING.md', withTableOfRooms) },
  { path: 'docs/guides/errors.md', content: () => markdownWith('docs/guides/errors.md', withErrorTable) },
  { path: 'generated/bridge.ts', content: bridgeModule },
  { path: 'bridge/README.md', content: bridgeReadme },
];

await runCommand(async () => {
  const check = process.argv.includes('--check');
  refuseStrayFiles();
  const bundle = await bundleContract();
  const stale: string[] = [];
  for (const { path, content } of files) {
    const target = join(root, path);
    const wanted = await content(bundle);
    if (wanted === (await readIfThere(target))) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(join(target, '..'), { recursive: true });
    await writeFile(target, wanted);
  }
  if (check && stale.length > 0)
    throw new CommandError(`stale: ${stale.join(', ')}; run make generate and commit the result`);
  const done = stale.length === 0 ? 'generated/ is up to date' : `written: ${stale.join(', ')}`;
  console.log(`${done} (${(performance.now() / 1000).toFixed(1)} s)`);
});

function refuseStrayFiles(): void {
  const strays = strayFiles(globSync('src/**/*.ts', { cwd: root }));
  if (strays.length === 0) return;
  throw new CommandError(
    `Files without a room: ${strays.join(', ')}. Move them into a room, or add one to scripts/check/rooms.ts.`,
  );
}

async function markdownWith(path: string, withTable: (text: string) => string): Promise<string> {
  const text = withTable(await readFile(join(root, path), 'utf8'));
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
