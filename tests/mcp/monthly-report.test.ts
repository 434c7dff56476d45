import { companies } from '../support/world.ts';
import { call } from './mcp-support.ts';

interface Page {
  total: number;
  nextCursor?: string;
  rows: { date: string }[];
}

const HISTORY = { kind: 'risk_score_history' };
const history = async (args: object): Promise<Page> =>
  JSON.parse((await call('service_get_report', { ...HISTORY, ...args })).text) as Page;

beforeAll(() =>
  testService.query(
    `insert into risk_history (company_id, date, average_score, low_count, moderate_count, high_count, critical_count)
     select $1, (now() at time zone 'utc')::date - n, n, 1, 0, 0, 0 from generate_series(0, 89) as n`,
    [companies.tenant],
  ),
);

test('the monthly report compares the first and the last of ninety days', async () => {
  const { text } = await call('service_get_tool_help', { topic: 'playbook:monthly-report' });
  const [, limit] = /kind risk_score_history and limit (\d+)/.exec(text)!;
  const { rows, total, nextCursor } = await history({ limit: Number(limit) });
  const today = new Date().toISOString().slice(0, 10);
  const first = new Date(Date.parse(today) - 89 * 86_400_000).toISOString().slice(0, 10);
  expect([rows.at(0)!.date, rows.at(-1)!.date, total, nextCursor]).toEqual([first, today, 90, undefined]);
});

test('a partial result says that more follows', async () => {
  expect(await history({})).toMatchObject({ total: 90, shown: '1 to 50', nextCursor: '50', more: expect.any(String) });
});
