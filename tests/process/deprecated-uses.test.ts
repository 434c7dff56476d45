import { get } from '../support/client.ts';
import { companies, unknownId } from '../support/world.ts';
import { expectRefusal, run } from './support.ts';

const runKeys = (...args: string[]) =>
  run(['src/commands/keys.ts', 'deprecated-uses', ...args], { DATABASE_OWNER_URL: testService.database.ownerUrl });

async function list(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKeys(...args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.trim();
}

test('lists the keys that use deprecated operations or parameters, for all companies or for one', async () => {
  expect(await list()).toBe('No deprecated uses found.');
  await get('/courses?excludeGapAnalysis=true', 'tenant');
  const expected = { operation: 'listCourses', part: 'query/excludeGapAnalysis', companyId: companies.tenant };
  expect(JSON.parse(await list('--json'))).toEqual([expect.objectContaining(expected)]);
  expect(await list('--company', companies.tenant)).toContain('query/excludeGapAnalysis');
  expect(await list('--company', companies.other)).toBe('No deprecated uses found.');
});

test('an unknown company is rejected', async () => {
  expectRefusal(await runKeys('--company', unknownId), 1, `Company ${unknownId} not found`);
});
