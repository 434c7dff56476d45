// Releases main: dates CHANGELOG.md, raises the versions of the packages, writes the contract to api/released/, empties
// api/accepted-breaks.yaml, commits and tags. Pushes nothing.
//   node scripts/release/run.ts
// The version comes from the heading in CHANGELOG.md, such as "## 0.2.0 (unreleased)". Runs in the folder of the
// project.
import { spawnSync } from 'node:child_process';
import { CommandError, runCommand, UsageError } from '../../src/commands/command.ts';
import { readSettings } from '../../contract-gate/src/project.ts';
import { listChanges } from './changes.ts';
import { commitRelease } from './commit.ts';
import { readyRelease } from './ready.ts';

const root = process.cwd();

await runCommand(async () => {
  if (process.argv.length > 2) throw new UsageError('Usage: make release');
  const settings = (await readSettings(root))!;
  const { version, isFirst } = await readyRelease(root, settings);
  run('check');
  if (isFirst) console.log(`This is the first released contract in ${settings.released}.`);
  else run('contract-diff');
  const changes = await listChanges(root, settings, version);
  await commitRelease(root, version, changes);
  console.log(`\nReleased ${version}: ${changes.map(({ path }) => path).join(', ')}`);
  console.log(`To push it: git push origin main v${version}`);
});

function run(target: string): void {
  const { status } = spawnSync('make', ['--no-print-directory', target], { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new CommandError(`make ${target} failed; nothing is released.`);
}
