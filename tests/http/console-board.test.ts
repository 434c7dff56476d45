/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin, hiddenOf } from '../support/admin.ts';
import { patch } from '../support/client.ts';
import { adminId } from '../support/world.ts';
import { boardScheduleId } from '../support/world-board-schedules.ts';

const LIST = '/console/reports/board';
const ITEM = `${LIST}/${boardScheduleId('tenant')}`;
/** Matches text that must not appear on a page. */
const BROKEN = / style=|<style|<script|undefined|NaN|\[object|>null</;
const entered = { name: 'Board', period: 'quarter', day: '5', month: '2', language: 'de' };

let session: Admin;
const query = (text: string, values: unknown[] = []) => testService.query(text, values);
const setAdmin = (column: 'role' | 'locale', value: string) =>
  query(`update admins set ${column} = $2 where id = $1`, [adminId('tenant', 1), value]);

const formOf = async (path: string) => hiddenOf((await session.get(path)).html);
const locationOf = ({ headers }: { headers: Headers }) => headers.get('location')!;

beforeAll(async () => {
  session = await Admin.of('tenant');
});
afterEach(() => query(`update admins set role = 'owner', locale = 'en' where id = $1`, [adminId('tenant', 1)]));

test.each(['en', 'de', 'fr'])('every page works in %s', async (locale) => {
  await setAdmin('locale', locale);
  for (const path of ['/console/reports', LIST, `${LIST}/new`, ITEM, `${ITEM}/edit`, `${ITEM}/delete`]) {
    const { status, html } = await session.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(html).not.toMatch(BROKEN);
  }
});

test('a schedule is created once, changed, paused and deleted', async () => {
  const recipients = 'Grace Hopper <grace@tenant.test>\r\nEdith Clarke, edith@tenant.test';
  const form = await formOf(`${LIST}/new`);
  const first = await session.send(`${LIST}/new`, { ...form, ...entered, recipients });
  const again = await session.send(`${LIST}/new`, { ...form, ...entered, recipients });
  expect([first.status, locationOf(again)]).toEqual([303, locationOf(first)]);
  const path = new URL(locationOf(first), testService.url).pathname;
  const { html } = await session.get(path);
  expect(html).toContain('<bdi>Edith Clarke</bdi>');
  const edit = await formOf(`${path}/edit`);
  expect((await session.send(`${path}/edit`, { ...edit, ...entered, name: 'Another', recipients })).status).toBe(303);
  const stale = await session.send(`${path}/edit`, { ...edit, ...entered, recipients });
  expect(locationOf(stale)).toContain('notice=conflict');
  expect((await session.get(path)).html).toContain('<h1>Another</h1>');
  await session.send(`${path}/delete`, await formOf(`${path}/delete`));
  expect((await session.get(path)).status).toBe(404);
});

test('a rejected form shows the faults of its fields and keeps the input', async () => {
  const form = await formOf(`${LIST}/new`);
  const recipients = 'Mallory <mallory@elsewhere.test>';
  const { status, html } = await session.send(`${LIST}/new`, { ...form, ...entered, recipients });
  expect(status).toBe(400);
  expect(html).toContain('id="recipients-fault"');
  expect(html).toContain('Mallory &lt;mallory@elsewhere.test');
  const day = await session.send(`${LIST}/new`, { ...form, ...entered, day: '31', recipients: 'A <a@tenant.test>' });
  expect(day.html).toContain('id="day-fault"');
});

test('an auditor reads the schedules and cannot change them', async () => {
  await setAdmin('role', 'auditor');
  const { status, html } = await session.get(ITEM);
  expect(status).toBe(200);
  expect(html).not.toMatch(/\/(edit|delete|send|pause)"/);
  expect((await session.get(LIST)).html).not.toContain(`${LIST}/new`);
  for (const path of [`${LIST}/new`, `${ITEM}/edit`, `${ITEM}/delete`])
    expect((await session.get(path)).status).toBe(403);
});

test('a manager does not see the schedules', async () => {
  await setAdmin('role', 'manager');
  expect((await session.get(LIST)).status).toBe(403);
});

test('the report is requested once for the admin who asks for it', async () => {
  await patch(`/reports/board/schedules/${boardScheduleId('tenant')}`, { name: 'Board of tenant' });
  const { html } = await session.get(ITEM);
  const once = /action="[^"]*\/send"[^]*?name="once" value="([^"]+)"/.exec(html)![1]!;
  const form = { form_token: /name="form_token" value="([^"]+)"/.exec(html)![1]!, once };
  for (let times = 1; times <= 2; times++)
    expect(locationOf(await session.send(`${ITEM}/send`, form))).toContain('notice=requested');
  const rows = await query('select email from board_deliveries where schedule_id = $1 and recipient_id is null', [
    boardScheduleId('tenant'),
  ]);
  expect(rows).toEqual([{ email: 'admin1@tenant.test' }]);
});
