import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleContract, contractFiles } from '../generate/generated-files.ts';
import type { Checks } from './checks.ts';

const root = join(import.meta.dirname, '../..');

export interface Build {
  /** Lints api/ and writes the files generated from it. Returns the problems; if there are any, writes nothing. */
  generate(): Promise<string[]>;
  /** Prepares changed files for serving: generates, type-checks, migrates. Returns the problems. */
  after(changed: readonly string[]): Promise<string[]>;
}

/** @param ownerUrl the database to migrate; undefined if it must not be migrated */
export function buildWith(checks: Checks, ownerUrl: string | undefined): Build {
  const generate = async () => {
    const rendering = render();
    // Rendering might fail on a problem that the linter reports with its line.
    rendering.catch(() => undefined);
    const problems = await checks.lint();
    if (problems.length > 0) return problems;
    try {
      await writeChanged(await rendering);
      return [];
    } catch (error) {
      return [`api/openapi.yaml  ${(error as Error).message}`];
    }
  };
  return {
    generate,
    async after(changed) {
      const problems = touches(changed, 'api') ? await generate() : [];
      if (problems.length > 0) return problems;
      const errors = await checks.types();
      if (errors.length > 0) return errors;
      return touches(changed, 'migrations') && ownerUrl !== undefined ? migrate(ownerUrl) : [];
    },
  };
}

function touches(changed: readonly string[], folder: string): boolean {
  return changed.some((path) => path.startsWith(`${folder}/`));
}

async function render(): Promise<{ path: string; text: string }[]> {
  const bundle = await bundleContract();
  return Promise.all(contractFiles.map(async ({ path, content }) => ({ path, text: await content(bundle) })));
}

async function writeChanged(files: { path: string; text: string }[]): Promise<void> {
  for (const { path, text } of files) {
    const target = join(root, path);
    if ((await readFile(target, 'utf8').catch(() => '')) !== text) await writeFile(target, text);
  }
}

const WAY_ON =
  'A migration that has run is not run again; write a new one. To edit an unreleased one, undo the edit, take it ' +
  'back (make migrate ARGS=down), and edit it again. To recreate the database of the demo, delete .postgres/demo.';

/** Migrates in a separate process, because this process caches each migration as it was first imported. */
async function migrate(ownerUrl: string): Promise<string[]> {
  const env = { ...process.env, DATABASE_OWNER_URL: ownerUrl };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/commands/migrate.ts')], { env });
    const isNew = stdout.startsWith('migrated');
    const note = isNew ? 'make generate writes the schema.' : WAY_ON;
    console.log(`${stdout.trim()}. ${note}`);
    return [];
  } catch (error) {
    return [(error as { stderr: string }).stderr.trim()];
  }
}
