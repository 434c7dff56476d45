import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const script = join(import.meta.dirname, '../../scripts/check/migrations.ts');
let folder: string;

/** Creates a project with two migrations on main, and a branch off it. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await mkdir(join(folder, 'migrations'));
  await add('20260101000000_create_books.ts');
  await add('20260301000000_create_shelves.ts');
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'A step');
  await git('switch', '--quiet', '--create', 'topic');
});

afterEach(() => rm(folder, { recursive: true }));

test('a current migration that sorts last is accepted', async () => {
  await add('20260401000000_create_readers.ts');
  expect(await check()).toEqual({ code: 0, err: '' });
});

test.each([
  [
    'dated in the future',
    () => add('29990101000000_create_readers.ts'),
    /29990101000000_create_readers\.ts {2}is dated in the future/,
  ],
  [
    'that sorts before one on main',
    () => add('20260201000000_create_readers.ts'),
    /is new but sorts before 20260301000000_create_shelves\.ts/,
  ],
  [
    'without a timestamp',
    () => add('create_readers.ts'),
    /create_readers\.ts {2}needs a name such as \d{14}_create_groups\.ts/,
  ],
  [
    'edited since its release',
    () => git('tag', 'v1.0.0').then(() => add('20260101000000_create_books.ts', '2')),
    /differs from v1\.0\.0, .*write a new migration/,
  ],
  [
    'renamed since its release',
    () => git('tag', 'v1.0.0').then(() => move()),
    /20260101000000_create_books\.ts {2}differs from v1\.0\.0/,
  ],
])('a migration %s is rejected', async (_case, change, reason) => {
  await change();
  expect(await check()).toEqual({ code: 1, err: expect.stringMatching(reason) });
});

test('an unreleased migration can be edited', async () => {
  await add('20260101000000_create_books.ts', '2');
  expect((await check()).code).toBe(0);
});

function add(name: string, text = '1'): Promise<void> {
  return writeFile(join(folder, 'migrations', name), text);
}

function move(): Promise<void> {
  const [from, to] = ['20260101000000_create_books.ts', '20260102000000_create_books.ts'];
  return rename(join(folder, 'migrations', from), join(folder, 'migrations', to));
}

async function git(...called: string[]): Promise<void> {
  await promisify(execFile)('git', called, { cwd: folder });
}

async function check(): Promise<{ code: number; err: string }> {
  return promisify(execFile)(process.execPath, [script], { cwd: folder }).then(
    ({ stderr }) => ({ code: 0, err: stderr }),
    (failure: { code: number; stderr: string }) => ({ code: failure.code, err: failure.stderr }),
  );
}
