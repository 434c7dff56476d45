/** @jest-environment-options {"LOG_LEVEL": "trace"} */
import { until } from '../../support/until.ts';
import { expectError, get, send } from '../../support/client.ts';
import { keys } from '../../support/world.ts';
import { sourceId } from '../../support/world-sources.ts';
import { deliver, deliverText, event, signatureOf, TYPED } from './deliveries.ts';

const typed = (fields: object = {}) => event('Submitted Data', fields);

test.each([
  ['body', '{"broken'],
  ['body', 'null'],
  ['body', `["${TYPED}"]`],
  ['body/details', JSON.stringify(typed({ details: `{"payload": ${TYPED}` }))],
  ['body/details', JSON.stringify(typed({ details: TYPED.repeat(3000) }))],
  ['body/email', JSON.stringify(typed({ email: '' }))],
  ['body/time', JSON.stringify(typed({ time: 'yesterday' }))],
  ['body/time', JSON.stringify(typed({ time: '0001-01-01T00:00:00Z' }))],
  ['body/campaign_id', JSON.stringify(typed({ campaign_id: undefined }))],
])('an invalid %s returns 400 naming it, without its content', async (field, body) => {
  const answer = await deliverText(body);
  expectError(answer, 400, 'invalid_request', [field]);
  expect(answer.text).not.toContain('horse');
});

test.each([
  ...['null', '7', '[]', '{"browser": "none"}', '{"browser": {"address": "unknown", "user-agent": 7}}'],
  ...['198.051.100.007', '_hidden', '198.51.100.7:99999', ''].map((address) =>
    JSON.stringify({ browser: { address } }),
  ),
])('details without a valid address and browser yield no evidence: %s', async (details) => {
  expect((await deliver(typed({ details }))).body.data).toMatchObject({ outcome: 'recorded' });
  expect(await testService.query('select evidence from simulation_events')).toEqual([{ evidence: {} }]);
  await testService.query('delete from simulations where external_id is not null');
});

test.each([
  ['198.51.100.7:4444', '198.51.100.7'],
  ['[2001:DB8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:4444, 70.41.3.18', '198.51.100.7'],
])('the address %j is stored as evidence %s', async (told, address) => {
  await deliver(typed({ details: JSON.stringify({ browser: { address: told } }) }));
  expect(await testService.query('select evidence from simulation_events')).toEqual([{ evidence: { address } }]);
  await testService.query('delete from simulations where external_id is not null');
});

test('a body of 100 MB returns 413', async () => {
  expectError(await deliverText(Buffer.alloc(100 * 1024 * 1024, ' ')), 413, 'payload_too_large');
});

test('a wrong signature is logged without the source', async () => {
  await deliver(typed(), { signature: `sha256=${'0'.repeat(64)}` });
  await until(() => testService.log.some((line) => line.includes('"status":401')));
  const line = testService.log.findLast((one) => one.includes('"status":401'));
  expect(line).not.toContain(sourceId('tenant', 'gophish'));
});

test('an API key does not replace the signature', async () => {
  const headers = { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/json' };
  const path = `/sources/${sourceId('tenant', 'gophish')}/gophish`;
  expectError(await send('POST', path, { body: JSON.stringify(typed()), headers }), 401, 'unauthorized');
});

test('a company without the module gets 403', async () => {
  await testService.query('update companies set smphish = false');
  expectError(await deliver(typed()), 403, 'module_not_enabled');
  await testService.query('update companies set smphish = true');
});

describe('entered data', () => {
  const failing = `
    create function refuse_event() returns trigger language plpgsql as $$ begin raise exception '%', new; end $$;
    create trigger refuse_event before insert on simulation_events for each row execute function refuse_event()`;

  test('appears in no response, log line or table row, even if the event fails', async () => {
    const answers = [
      await deliver(typed()),
      await deliver(typed({ email: 'nobody@tenant.test' })),
      await deliver(typed(), { signature: 'sha256=00' }),
      await deliver(event('Something new')),
      await deliver(typed({ campaign_id: 9, [TYPED]: TYPED, nested: { [TYPED]: [TYPED] } })),
    ];
    await testService.query(failing);
    const failed = await deliverUnchecked(typed({ campaign_id: 8 }));
    await testService.query('drop trigger refuse_event on simulation_events');
    expect([...answers, failed].map(({ status }) => status)).toEqual([200, 200, 401, 200, 200, 500]);
    for (const { text } of [...answers, failed]) expect(text).not.toContain(TYPED);
    expect((await get('/simulations')).body.data.some(({ compromiseCount: one }: any) => one > 0)).toBe(true);
    expect(testService.log.length).toBeGreaterThan(5);
    expect(testService.log.join('\n')).not.toContain('horse');
    expect(await tablesWith(TYPED)).toEqual([]);
    expect(await tablesWith('198.51.100.7')).toEqual(['public.simulation_events']);
  });
});

/** Delivers an event without contract checks, because the contract declares no 500. */
async function deliverUnchecked(sent: object): Promise<{ status: number; text: string }> {
  const body = JSON.stringify(sent);
  const url = `${testService.url}/v1/sources/${sourceId('tenant', 'gophish')}/gophish`;
  const headers = { 'content-type': 'application/json', 'x-gophish-signature': signatureOf(body) };
  const answer = await fetch(url, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** Returns the tables that contain the text in a row, as text or as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await testService.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const found = tables.map(
    ({ name }) => `select '${name as string}' as name where exists (
      select from ${name as string} t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%')`,
  );
  const rows = await testService.query(found.join(' union all '), [text, Buffer.from(text).toString('hex')]);
  return rows.map(({ name }) => name as string);
}
