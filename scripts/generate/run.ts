// Writes generated/: from the contract its bundle, its types and the operation table; from the migrations the schema. The
// contract's part of the client package, sdk/src/generated/, too.
//   node scripts/generate/run.ts           writes what has changed
//   node scripts/generate/run.ts --check   writes nothing; exits 1 and names the files that are stale
import { globSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { strayFiles, withTableOfRooms } from '../check/rooms.ts';
import { bundleContract, contractFiles } from './generated-files.ts';
import { migratedSchema } from './migrated-schema.ts';

const root = join(import.meta.dirname, '../..');
const files = [
  ...contractFiles,
  { path: 'generated/schema.sql', content: migratedSchema },
  { path: 'CONTRIBUTING.md', content: tableOfRooms },
];

const check = process.argv.includes('--check');
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
const took = `${(performance.now() / 1000).toFixed(1)} s`;
if (stale.length === 0) console.log(`generated/ is up to date (${took})`);
else if (!check) console.log(`written: ${stale.join(', ')} (${took})`);
else {
  console.error(`stale: ${stale.join(', ')}; run make generate and commit the result`);
  process.exitCode = 1;
}

/** @throws when a file of src/ stands in no room */
async function tableOfRooms(): Promise<string> {
  const strays = strayFiles(globSync('src/**/*.ts', { cwd: root }));
  if (strays.length > 0) throw new Error(`in no room of scripts/check/rooms.ts: ${strays.join(', ')}`);
  const text = withTableOfRooms(await readFile(join(root, 'CONTRIBUTING.md'), 'utf8'));
  return format(text, { parser: 'markdown', singleQuote: true, printWidth: 120 });
}

async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
