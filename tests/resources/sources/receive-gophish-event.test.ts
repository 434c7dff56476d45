/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0"} */
import { del, expectError, fingerprintOf, get, post } from '../../support/client.ts';
import { sourceId, sourceSecret } from '../../support/world-sources.ts';
import { unknownId } from '../../support/world.ts';
import { campaignOf, deliver, deliverText, event, recorded, signatureOf } from './deliveries.ts';

afterEach(() => testService.query('delete from simulations where external_id is not null'));

const sent = event('Email Sent', { time: '2026-05-04T08:00:00.5Z', details: '' });
const click = event('Clicked Link');

async function simulations(): Promise<any[]> {
  const { body } = await get('/simulations');
  return body.data.filter(({ externalId }: { externalId: string | null }) => externalId !== null);
}

describe('an event of GoPhish', () => {
  test('creates a simulation for its campaign and a recipient with milestones', async () => {
    for (const one of [sent, event('Email Opened', { time: '2026-05-04T09:29:00Z' }), click]) {
      expect((await deliver(one)).body.data).toEqual(recorded);
    }
    const [simulation] = await simulations();
    expect(simulation).toMatchObject({
      externalId: campaignOf('tenant'),
      name: 'GoPhish campaign 7',
      status: 'running',
    });
    const { recipients, deliveryMethod } = (await get(`/simulations/${simulation.id}?outcome=visited`)).body.data;
    expect(deliveryMethod).toBe('email');
    expect(recipients).toMatchObject([
      { sent: '2026-05-04T08:00:00.500Z', open: '2026-05-04T09:29:00.000Z', visit: '2026-05-04T09:30:00.123Z' },
    ]);
    const [{ lastUsedAt }] = (await get('/sources')).body.data;
    expect(lastUsedAt).not.toBeNull();
  });

  test('stores the address and the browser as evidence', async () => {
    await deliver(sent);
    await deliver(event('Submitted Data', { time: '2026-05-04T08:00:02Z' }));
    const rows = await testService.query(
      `select type, verdict, reasons, evidence from simulation_events order by type`,
    );
    expect(rows[0]).toEqual({
      type: 'compromised',
      verdict: 'automated',
      reasons: ['seconds_after_delivery'],
      evidence: { address: '198.51.100.7', userAgent: 'Mozilla/5.0 (Windows NT 10.0)' },
    });
  });

  test('is recorded once if delivered repeatedly', async () => {
    await deliver(sent);
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(click)));
    expect(answers.map(({ body }) => body.data)).toEqual(answers.map(() => recorded));
    const before = await fingerprintOf('tenant');
    expect((await deliver(click)).body.data).toEqual(recorded);
    expect(await fingerprintOf('tenant')).toBe(before);
    expect(await testService.query('select 1 from simulation_events')).toHaveLength(2);
  });

  test.each([
    event('Campaign Created', { email: '' }),
    event('Error Sending Email', { details: '{"error":"554 no"}' }),
    event('Something new'),
    { success: true },
    event('constructor'),
    event('__proto__'),
  ])('that refers to no recipient is ignored: %j', async (one) => {
    expect((await deliver(one)).body.data).toEqual({ ...recorded, outcome: 'ignored' });
    expect(await simulations()).toEqual([]);
  });

  test('keeps the name and the dates of the simulation', async () => {
    const simulation = { externalId: campaignOf('tenant'), name: 'Parcel notice', deliveryMethod: 'qr_code' };
    await deliver(sent);
    await post('/simulations', { ...simulation, endDate: '2026-05-05T08:00:00Z' });
    await deliver(click);
    expect(await simulations()).toMatchObject([{ name: 'Parcel notice', status: 'completed', visitCount: 1 }]);
  });

  test('creates a deleted simulation again', async () => {
    await deliver(sent);
    await testService.query('delete from simulations where external_id is not null');
    expect((await deliver(click)).body.data).toEqual(recorded);
    expect(await simulations()).toMatchObject([{ visitCount: 1, sentCount: 1 }]);
  });
});

describe('a GoPhish event that cannot be recorded changes nothing', () => {
  test.each([
    ['learner_not_found', event('Clicked Link', { email: 'nobody@tenant.test' })],
    ['learner_not_found', event('Clicked Link', { email: 'learner1@other.test' })],
    ['time_not_plausible', event('Clicked Link', { time: '2099-01-01T00:00:00Z' })],
    ['time_not_plausible', event('Clicked Link', { time: '1926-05-04T09:30:00Z' })],
  ])('and returns outcome refused with %s: %j', async (code, one) => {
    expect((await deliver(one)).body.data).toMatchObject({ outcome: 'refused', code });
    expect(await simulations()).toEqual([]);
    expect(await testService.query('select 1 from simulation_events')).toEqual([]);
  });

  test('if its campaign and learner belong to another company', async () => {
    await deliver(sent);
    const before = await fingerprintOf('tenant');
    const answer = await deliver(click, { company: 'other' });
    expect(answer.body.data).toMatchObject({ outcome: 'refused', code: 'learner_not_found' });
    expect(await fingerprintOf('tenant')).toBe(before);
  });
});

describe('a signature', () => {
  const own = sourceId('tenant', 'gophish');
  test.each([
    ['with another secret', { secret: sourceSecret('other', 'gophish') }],
    ['of another body', { signature: signatureOf('{}') }],
    ['that is malformed', { signature: 'sha256=abc' }],
    ['of an unknown source', { id: unknownId }],
    ['of a source of another kind', { id: sourceId('tenant', 'xapi'), secret: sourceSecret('tenant', 'xapi') }],
    ['with an invalid source id', { id: 'nonsense' }],
  ])('%s returns 401 and changes nothing', async (_case, options) => {
    const before = await fingerprintOf('tenant');
    expectError(await deliver(click, { id: own, ...options }), 401, 'unauthorized');
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('that is wrong gets the same response for known and unknown sources with any body', async () => {
    const sized = [100_000, 2_000_000].map((bytes) => Buffer.alloc(bytes, ' '));
    for (const body of ['', '{"broken', JSON.stringify(click), ...sized]) {
      for (const type of ['application/json', 'text/plain']) {
        const ask = (id: string) => deliverText(body, { id, type, signature: 'sha256=00' });
        const [known, unknown] = [await ask(own), await ask(unknownId)];
        expect({ ...unknown.body, status: unknown.status }).toEqual({ ...known.body, status: known.status });
        expect(known.status).toBeGreaterThanOrEqual(400);
      }
    }
  });

  test('covers the bytes of the body, in any spelling', async () => {
    const spaced = JSON.stringify(click, null, 2).replace('tenant.test', 'tenant\\u002etest');
    expect((await deliverText(spaced)).body.data).toEqual(recorded);
    expectError(await deliverText(spaced, { signature: signatureOf(JSON.stringify(click)) }), 401, 'unauthorized');
  });

  test('with the previous secret is valid until previousSecretUntil', async () => {
    const { secret } = (await post(`/sources/${own}/rotate`)).body.data;
    expect((await deliver(click)).status).toBe(200);
    expect((await deliver(click, { secret })).status).toBe(200);
    await testService.query(`update sources set previous_until = now() where id = $1`, [own]);
    expectError(await deliver(click), 401, 'unauthorized');
    expect((await deliver(click, { secret })).status).toBe(200);
  });

  test('is invalid once its source is deleted', async () => {
    const { id, secret } = (await post('/sources', { name: 'Second', kind: 'gophish' })).body.data;
    expect((await deliver(click, { id, secret })).status).toBe(200);
    await del(`/sources/${id}`);
    expectError(await deliver(click, { id, secret }), 401, 'unauthorized');
  });
});
