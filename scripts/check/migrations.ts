// Rejects migrations that are misnamed, dated in the future, new but sorted before a migration of main, or edited
// after a release.
//   node scripts/check/migrations.ts
// Runs in the folder of the project.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, newestTag } from '../../contract-gate/src/project.ts';

const root = process.cwd();
const NAME = /^(\d{14})_[a-z0-9]+(_[a-z0-9]+)+\.ts$/;

const names = (await readdir(join(root, 'migrations'))).sort();
const problems = [...misnamed(), ...(await disordered()), ...(await edited())];
if (problems.length > 0) {
  console.error(problems.map((problem) => `migrations/${problem}`).join('\n'));
  process.exitCode = 1;
}

function misnamed(): string[] {
  const now = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return names.flatMap((name) => {
    const [, time] = NAME.exec(name) ?? [];
    if (time === undefined) return [`${name}  needs a name such as ${now}_create_groups.ts`];
    return time > now ? [`${name}  is dated in the future, so today's migrations would run before it; use ${now}`] : [];
  });
}

/**
 * Finds migrations that main does not have and that sort before a migration of main, which databases have already run.
 */
async function disordered(): Promise<string[]> {
  const fork =
    (await git(root, 'merge-base', 'HEAD', 'origin/main')) ?? (await git(root, 'merge-base', 'HEAD', 'main'));
  const known = await namesAt(fork?.trim() ?? null);
  // A migration of main that is missing here was renamed, so it does not affect the order.
  const last = known.filter((name) => names.includes(name)).at(-1);
  return names
    .filter((name) => last !== undefined && name < last && !known.includes(name))
    .map((name) => `${name}  is new but sorts before ${last}, which databases have; rename it to the current time`);
}

async function edited(): Promise<string[]> {
  const tag = await newestTag(root);
  const problems: string[] = [];
  for (const name of await namesAt(tag)) {
    const [released, current] = [
      await git(root, 'show', `${tag}:migrations/${name}`),
      await readFile(join(root, 'migrations', name), 'utf8').catch(() => null),
    ];
    if (released !== current)
      problems.push(
        `${name}  differs from ${tag}, and databases that have run it do not run it again; revert the change and write a new migration`,
      );
  }
  return problems;
}

async function namesAt(ref: string | null): Promise<string[]> {
  if (ref === null) return [];
  const listed = await git(root, 'ls-tree', '--name-only', `${ref}:migrations`);
  return (listed ?? '').split('\n').filter(Boolean).sort();
}
