import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs the command. A failure has the exit code and the output. */
const distribute = (args: string[] = []) =>
  promisify(execFile)(process.execPath, ['src/commands/distribute.ts', ...args], {
    env: { PATH: process.env.PATH, DATABASE_OWNER_URL: testService.database.ownerUrl },
  });

test('a plain Postgres is rejected with an explanation and stays unchanged', async () => {
  await expect(distribute()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Citus is not installed in this database\..*create extension citus/),
  });
  const [row] = await testService.query(
    `select count(*)::integer as count from pg_trigger where tgname = 'managers_derived'`,
  );
  expect(row).toEqual({ count: 1 });
});

test('an argument is a usage error', async () => {
  await expect(distribute(['now'])).rejects.toMatchObject({ code: 64 });
});
