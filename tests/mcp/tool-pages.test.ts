/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { companies, managedCourses } from '../support/world.ts';
import { insertLearners } from '../resources/tenant-state.ts';
import { type Era, call, read, resultOf, withClient } from './mcp-support.ts';

const MANY = 20_000;

describe('a company with 20,000 learners', () => {
  beforeAll(async () => {
    await insertLearners('other', MANY);
    await testService.query(
      `insert into enrollments (company_id, learner_id, course_id, course_owner_id, enroll_date)
       select company_id, id, $2, managed_catalogue(), '2026-03-02' from learners
        where company_id = $1 and email like 'many%'`,
      [companies.other, managedCourses.passwords],
    );
    await testService.query('analyze learners, enrollments');
  });

  test.each([
    ['service_list_learners', {}, 'items', MANY + 5],
    ['service_get_report', { kind: 'learning' }, 'rows', 17_148],
    ['service_get_report', { kind: 'course_results' }, 'items', 17_148],
    ['service_get_report', { kind: 'course_participation' }, 'learners', 17_147],
  ])('%s %j returns parts at the start, in the middle and at the end', async (name, args, rows, total) => {
    for (const [limit, start] of [
      [200, 0],
      [50, total >> 1],
      [1, total - 1],
    ] as const) {
      const cursor = String(start);
      const answer = await read(name, { ...args, limit, cursor }, 'other');
      const left = total - Number(cursor);
      expect(answer.total).toBe(total);
      expect(answer[rows].length).toBeGreaterThan(0);
      expect(answer[rows].length).toBeLessThanOrEqual(Math.min(limit, left));
      expect(answer.nextCursor === undefined).toBe(left === answer[rows].length);
    }
  });

  test('parts follow each other in the order of the list', async () => {
    for (const cursor of [5, 4_321, 12_345, 19_900]) {
      const { items } = await read('service_list_learners', { limit: 50, cursor: String(cursor) }, 'other');
      const numbers = items.map(({ email }: { email: string }) => Number(/\d+/.exec(email)![0]));
      expect(numbers).toEqual(Array.from({ length: 50 }, (_, n) => cursor - 4 + n));
    }
  });

  test('the summary of a report comes before its rows', async () => {
    const { text } = await call('service_get_report', { kind: 'learning', limit: 1 }, 'other');
    expect(text.indexOf('"summary"')).toBeGreaterThan(0);
    expect(text.indexOf('"summary"')).toBeLessThan(text.indexOf('"rows"'));
    expect(text.indexOf('"total"')).toBeLessThan(text.indexOf('"rows"'));
    expect(text.length).toBeLessThan(2000);
  });

  test.each(['legacy', 'modern'] as Era[])('many concurrent calls of a client of the %s era succeed', async (era) => {
    await withClient(
      era,
      async (client) => {
        const results = await Promise.all(
          Array.from({ length: 25 }, (_, n) =>
            client.callTool({ name: 'service_list_learners', arguments: { limit: 200, cursor: String(n * 800) } }),
          ),
        );
        const totals = results.map((result) => {
          const { isError, text } = resultOf({ jsonrpc: '2.0', result });
          return isError ? text : (JSON.parse(text) as { total: number }).total;
        });
        expect(new Set(totals)).toEqual(new Set([MANY + 5]));
      },
      'other',
    );
  });
});

test('limit defaults to 50 and is applied as given', async () => {
  await insertLearners('prospect', 300);
  for (const [limit, count] of [
    [undefined, 50],
    [1, 1],
    [73, 73],
    [90, 90],
  ] as const) {
    const { items, shown } = await read('service_list_learners', { ...(limit && { limit }) }, 'prospect');
    expect({ count: items.length, shown }).toEqual({ count, shown: `1 to ${count}` });
  }
});
