import { createTransport, type SendMailOptions } from 'nodemailer';
import pg from 'pg';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { createMailTasks } from '../../../src/jobs/tasks.ts';
import { Mailing } from '../../../src/mail/sending/send-message.ts';
import { SEND_BOARD_REPORT } from '../../../src/resources/board-report/schedules/delivery-repository.ts';
import { makeBoardReports } from '../../../src/resources/board-report/schedules/make-board-reports.ts';
import { preparingBoardReports } from '../../../src/resources/board-report/schedules/prepare-board-report.ts';
import { call, del, expectError, get, patch, post } from '../../support/client.ts';
import { adminId, companies } from '../../support/world.ts';

const FREE_MAIL = new Set(['gmail.com']);
const settings = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'help@sender.test',
  trainingUrl: undefined,
  publicUrl: 'https://awareness.test',
};
const chair = { name: 'Grace Hopper', email: 'grace.hopper@tenant.test' };
const body = { name: 'Report to the board', language: 'en', period: 'quarter', day: 5, recipients: [chair] };

interface Schedule {
  id: string;
  nextOn: string | null;
  lastMadeAt: string | null;
  recipients: { id: string; email: string; unsubscribedAt: string | null }[];
}
type Delivery = Record<'email' | 'status' | 'periodTo', string>;

let pool: pg.Pool;
let sent: SendMailOptions[] = [];
const query = (sql: string, values: unknown[] = []) => testService.query(sql, values);
const access = () => new TenantAccess(pool);
const path = (id: string) => `/reports/board/schedules/${id}`;
beforeAll(() => {
  pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 4 }).on('error', () => undefined);
});
afterAll(() => pool.end());
afterEach(async () => {
  sent = [];
  await query('delete from board_schedules where name not like $1', ['Board of%']);
  await query('delete from messages');
  await query('delete from graphile_worker._private_jobs');
});

async function create(also: object = {}): Promise<Schedule> {
  const answer = await post('/reports/board/schedules', { ...body, ...also });
  expect(answer.status).toBe(200);
  return answer.body.data as Schedule;
}

/** Makes a schedule due on a day. */
const setNextOn = (id: string, day: string) =>
  query('update board_schedules set next_on = $2 where id = $1', [id, day]);

const make = (now: string) =>
  makeBoardReports(access().ofJob(companies.tenant), { freeMail: FREE_MAIL, now: new Date(now) });

/** Sends the queued messages, as the worker does. */
async function send(): Promise<void> {
  const mailing = new Mailing({
    transport: { send: async (mail: SendMailOptions) => void sent.push(mail) },
    connections: 1,
    ...preparingBoardReports(settings, FREE_MAIL),
    ...{ logger: { warn: () => undefined } as never, metrics: { messageSettled: () => undefined } },
  });
  const services = { pool, access: access() };
  const task = createMailTasks(services, mailing, SEND_BOARD_REPORT)[SEND_BOARD_REPORT]!;
  const jobs = await query(
    `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
      where t.id = j.task_id and t.identifier = $1 returning j.id::text, j.payload`,
    [SEND_BOARD_REPORT],
  );
  for (const { id, payload } of jobs) await task(payload, { job: { id, payload, attempts: 1 } } as never);
}

async function listDeliveries(id: string): Promise<Delivery[]> {
  return (await get(`${path(id)}/deliveries`)).body.data as Delivery[];
}

async function visit(link: string, init: RequestInit = {}): Promise<{ status: number; html: string }> {
  const response = await fetch(`${testService.url}${new URL(link).pathname}`, init);
  return { status: response.status, html: await response.text() };
}

const linkOf = (mail: SendMailOptions) =>
  /<(.*)>/.exec((mail.headers as Record<string, string>)['List-Unsubscribe']!)![1]!;

describe('a schedule', () => {
  test('is created, read, changed and deleted', async () => {
    const { id, nextOn } = await create({ month: 2 });
    expect(nextOn).toMatch(/-(02|05|08|11)-05$/);
    const { body: read, headers } = await get(path(id));
    expect(read.data).toMatchObject({ ...body, month: 2, paused: false, lastMadeAt: null, recipients: [chair] });
    const changed = await call('tenant', 'PATCH', path(id), {
      body: { paused: true },
      headers: { 'If-Match': headers.get('etag')! },
    });
    expect(changed.body.data).toMatchObject({ paused: true, nextOn: null });
    const stale = await call('tenant', 'PATCH', path(id), {
      body: { name: 'Another' },
      headers: { 'If-Match': headers.get('etag')! },
    });
    expect(stale.status).toBe(412);
    expect((await del(path(id))).status).toBe(200);
    expectError(await get(path(id)), 404, 'not_found');
  });

  test.each([
    [{ recipients: [{ ...chair, email: 'grace@elsewhere.test' }] }, ['body/recipients/0/email']],
    [{ recipients: [chair, { ...chair, email: chair.email.toUpperCase() }] }, ['body/recipients/1/email']],
    [{ recipients: [] }, ['body/recipients']],
    [{ day: 29 }, ['body/day']],
  ])('with %j is rejected with the field', async (also, fields) => {
    expectError(await post('/reports/board/schedules', { ...body, ...also }), 400, 'invalid_request', fields);
  });

  test('of another company does not exist', async () => {
    const { id } = await create();
    expectError(await call('other', 'GET', path(id)), 404, 'not_found');
    expectError(await call('other', 'PATCH', path(id), { body: { paused: true } }), 404, 'not_found');
    expectError(await call('other', 'POST', `${path(id)}/send`, { body: {} }), 404, 'not_found');
    expectError(await call('other', 'DELETE', path(id)), 404, 'not_found');
  });

  test('is limited to twenty per company', async () => {
    for (let number = 2; number <= 20; number++) await create();
    expectError(await post('/reports/board/schedules', body), 400, 'invalid_request');
  });
});

describe('the report', () => {
  test('is sent once for a period, with the PDF and a link that unsubscribes', async () => {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await make('2026-07-05T06:59:00Z');
    await send();
    expect(sent).toEqual([]);
    await Promise.all([make('2026-07-05T07:10:00Z'), make('2026-07-05T07:10:00Z')]);
    await make('2026-07-05T08:10:00Z');
    await send();
    expect(sent.map(({ to }) => to)).toEqual([{ name: chair.name, address: chair.email }]);
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(sent[0]!);
    expect((message as Buffer).toString()).toContain('filename=security-awareness-2026-07-05.pdf');
    expect((sent[0]!.attachments![0]!.content as Buffer).subarray(0, 5).toString()).toBe('%PDF-');
    expect((message as Buffer).toString()).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(await listDeliveries(id)).toMatchObject([
      { ...chair, status: 'sent', periodFrom: '2026-04-06', periodTo: '2026-07-05', requested: false },
    ]);
    expect((await get(path(id))).body.data).toMatchObject({ nextOn: '2026-10-05' });
  });

  test('is sent only for the latest of several missed periods', async () => {
    const { id } = await create({ period: 'month' });
    await setNextOn(id, '2026-01-05');
    await make('2026-04-20T12:00:00Z');
    await make('2026-04-20T13:00:00Z');
    expect(await query('select due_on::text from board_reports where schedule_id = $1', [id])).toEqual([
      { due_on: '2026-04-05' },
    ]);
    expect((await get(path(id))).body.data).toMatchObject({ nextOn: '2026-05-05' });
  });

  test('that a dead worker started is sent by the next one', async () => {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await make('2026-07-05T07:10:00Z');
    // State in which a worker that dies while drawing leaves the report.
    await query('delete from messages');
    await query('delete from graphile_worker._private_jobs');
    await query('update board_reports set pdf = null, drawn_at = null where schedule_id = $1', [id]);
    await query(`select queue_for_board_reports('make_board_reports', now())`);
    const [job] = await query(`select payload ->> 'companyId' as company from graphile_worker._private_jobs`);
    expect(job).toEqual({ company: companies.tenant });
    await make('2026-07-05T08:10:00Z');
    await send();
    expect(sent).toHaveLength(1);
  });

  test('waits for seven o’clock in the time zone of the company', async () => {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await query(
      `insert into company_settings (company_id, time_zone) values ($1, 'Pacific/Auckland')
                 on conflict (company_id) do update set time_zone = excluded.time_zone`,
      [companies.tenant],
    );
    const jobs = async (hour: string) => {
      await query('delete from graphile_worker._private_jobs');
      await query(`select queue_for_board_reports('make_board_reports', $1)`, [hour]);
      return (await query('select from graphile_worker._private_jobs')).length;
    };
    expect([await jobs('2026-07-04T18:50:00Z'), await jobs('2026-07-04T19:10:00Z')]).toEqual([0, 1]);
    await make('2026-07-04T18:50:00Z');
    expect(await listDeliveries(id)).toEqual([]);
    await make('2026-07-04T19:10:00Z');
    expect(await listDeliveries(id)).toMatchObject([{ periodTo: '2026-07-05' }]);
    await query('delete from company_settings where company_id = $1', [companies.tenant]);
  });

  test('is not sent while the schedule is paused, nor later for periods during the pause', async () => {
    const { id } = await create();
    await patch(path(id), { paused: true });
    await setNextOn(id, '2026-01-05');
    await make('2026-07-05T07:10:00Z');
    expect(await listDeliveries(id)).toEqual([]);
    const resumed = await patch(path(id), { paused: false });
    expect((resumed.body.data as Schedule).nextOn! > new Date().toISOString().slice(0, 10)).toBe(true);
  });

  test('is not sent to an address that no longer belongs to the company', async () => {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await make('2026-07-05T07:10:00Z');
    await query('update board_deliveries set email = $2 where schedule_id = $1', [id, 'grace@elsewhere.test']);
    await send();
    expect(sent).toEqual([]);
    expect(await listDeliveries(id)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('that is queued when its schedule is deleted is cancelled', async () => {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await make('2026-07-05T07:10:00Z');
    await del(path(id));
    await send();
    expect(sent).toEqual([]);
    expect(await query('select status, to_address from messages')).toEqual([{ status: 'cancelled', to_address: null }]);
  });
});

describe('the link in the email', () => {
  async function receive(): Promise<{ id: string; link: string }> {
    const { id } = await create();
    await setNextOn(id, '2026-07-05');
    await make('2026-07-05T07:10:00Z');
    await send();
    return { id, link: linkOf(sent[0]!) };
  }
  const isUnsubscribed = async (id: string) =>
    ((await get(path(id))).body.data as Schedule).recipients[0]!.unsubscribedAt !== null;

  test('unsubscribes the recipient with one POST, and with no GET', async () => {
    const { id, link } = await receive();
    expect(await visit(link)).toMatchObject({ status: 200, html: expect.stringContaining(body.name) as string });
    expect(await isUnsubscribed(id)).toBe(false);
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await visit(link, { method: 'POST', body: form })).status).toBe(200);
    expect((await visit(link, { method: 'POST', body: form })).status).toBe(200);
    expect(await isUnsubscribed(id)).toBe(true);
    await setNextOn(id, '2026-10-05');
    await make('2026-10-05T07:10:00Z');
    expect(await listDeliveries(id)).toHaveLength(1);
  });

  test('keeps the recipient unsubscribed when the address is removed and added again', async () => {
    const { id, link } = await receive();
    await visit(link, { method: 'POST' });
    await patch(path(id), { recipients: [{ name: 'Edith Clarke', email: 'edith.clarke@tenant.test' }] });
    await patch(path(id), { recipients: [chair] });
    expect(await isUnsubscribed(id)).toBe(true);
    expect((await visit(`${link}/undo`, { method: 'POST' })).status).toBe(200);
    expect(await isUnsubscribed(id)).toBe(false);
  });

  test('with another secret returns 404', async () => {
    const { link } = await receive();
    const other = `${link.slice(0, -4)}AAAA`;
    expect((await visit(other)).status).toBe(404);
    expect((await visit(other, { method: 'POST' })).status).toBe(404);
  });
});

describe('a requested report', () => {
  test('goes only to the named admin, without a link that unsubscribes', async () => {
    const { id } = await create();
    const answer = await post(`${path(id)}/send`, { adminId: adminId('tenant', 1) });
    expect(answer.body.data).toMatchObject({ requested: true, status: 'queued' });
    await make(new Date().toISOString());
    await send();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.headers).not.toHaveProperty('List-Unsubscribe');
    expect(await listDeliveries(id)).toMatchObject([{ requested: true, status: 'sent' }]);
    expect((await get(path(id))).body.data).toMatchObject({ lastMadeAt: null });
  });

  test.each([{}, { adminId: adminId('other', 1) }])('by a key with %j is rejected', async (request) => {
    const { id } = await create();
    expectError(await post(`${path(id)}/send`, request), 400, 'invalid_request', ['body/adminId']);
  });

  test('is limited to ten a day', async () => {
    const { id } = await create();
    const request = { adminId: adminId('tenant', 1) };
    for (let number = 1; number <= 10; number++) expect((await post(`${path(id)}/send`, request)).status).toBe(200);
    const refused = await post(`${path(id)}/send`, request);
    expectError(refused, 429, 'rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(80_000);
  });
});
