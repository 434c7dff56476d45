import { createPersonToken, hashPersonToken } from '../../../src/identity/person-token.ts';
import { call, expectError, fingerprintOf, post, send } from '../../support/client.ts';
import { sourceSecret } from '../../support/world-sources.ts';
import { recipientId } from '../../support/world-simulations.ts';
import { companies, learnerId, unknownId } from '../../support/world.ts';
import { at, milestones, record, recipients, useSimulation } from './event-state.ts';

useSimulation();

const messageId = '<20260504.0800.ada@phish.test>';
const sent = (number: 1 | 2, fields: object = {}) => ({
  type: 'sent',
  occurredAt: at('08:00:00'),
  eventId: `sent-${number}`,
  learner: { id: learnerId('tenant', number) },
  evidence: { messageId },
  ...fields,
});
const report = (body: object) => post('/reported-messages', body);

/** Reports a message as a mail button does, with the secret of a source. */
function press(body: object, secret = sourceSecret('tenant', 'reported_messages')) {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  return send('POST', '/reported-messages', { body: JSON.stringify(body), headers });
}

describe('POST /reported-messages', () => {
  test.each([messageId, messageId.slice(1, -1)])(
    'recognises a simulation message by %s and records the report',
    async (id) => {
      await record(sent(1));
      const begun = new Date().toISOString();
      expect((await press({ messageId: id })).body.data).toEqual({ isSimulation: true });
      const { report: reported } = await milestones();
      expect(reported! >= begun).toBe(true);
    },
  );

  test('records simultaneous and repeated reports once', async () => {
    await record(sent(1));
    const answers = await Promise.all(Array.from({ length: 10 }, () => press({ messageId })));
    for (const { body } of answers) expect(body.data).toEqual({ isSimulation: true });
    const { report: first } = await milestones();
    expect((await report({ messageId })).body.data).toEqual({ isSimulation: true });
    expect((await milestones()).report).toBe(first);
  });

  test('recognises a message by the id of its recipient', async () => {
    await record(sent(1, { evidence: {} }));
    const [{ id: token }] = await recipients();
    expect((await press({ token })).body.data).toEqual({ isSimulation: true });
    expect((await milestones()).report).not.toBeNull();
  });

  test('recognises a message by the token in its links, only in its own company', async () => {
    await record(sent(1, { evidence: {} }));
    const [token, foreign] = [createPersonToken(companies.tenant), createPersonToken(companies.other)];
    await testService.query('update simulation_recipients set token_hash = $1 where id = $2', [
      hashPersonToken(token),
      (await recipients())[0].id,
    ]);
    for (const secret of [foreign, token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))]) {
      expect((await press({ token: secret })).body.data).toEqual({ isSimulation: false });
    }
    expect((await post('/reported-messages', { token }, 'other')).body.data).toEqual({ isSimulation: false });
    expect((await milestones()).report).toBeNull();
    expect((await press({ token })).body.data).toEqual({ isSimulation: true });
    expect((await milestones()).report).not.toBeNull();
  });

  test('returns false for unknown and foreign messages, and changes nothing', async () => {
    await record(sent(1));
    const before = await fingerprintOf('tenant');
    const foreign = recipientId('other', 1, 3);
    for (const body of [{ messageId: '<lunch@tenant.test>' }, { token: unknownId }, { token: foreign }]) {
      expect((await report(body)).body.data).toEqual({ isSimulation: false });
    }
    expect((await post('/reported-messages', { messageId }, 'other')).body.data).toEqual({ isSimulation: false });
    expect(await fingerprintOf('tenant')).toBe(before);
  });

  test('a Message-ID of several recipients is recognised but records no report', async () => {
    await record(sent(1), sent(2));
    expect((await press({ messageId })).body.data).toEqual({ isSimulation: true });
    expect((await recipients('reported')).length).toBe(0);
  });

  test.each([
    {},
    { messageId, token: unknownId },
    { messageId: '' },
    { messageId: 'a b' },
    { token: 'nonsense' },
    { token: '/'.repeat(64) },
  ])('rejects %j', async (body) => {
    expectError(await press(body), 400, 'invalid_request');
  });

  test.each(['gophish', 'xapi'] as const)('rejects the secret of a %s source', async (kind) => {
    expectError(await press({ messageId }, sourceSecret('tenant', kind)), 401, 'unauthorized');
  });

  test('GET returns 405, because mail scanners follow links', async () => {
    const { status, headers } = await call('tenant', 'GET', '/reported-messages');
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });

  test('a click shows at once and settles ten minutes later', async () => {
    await record(sent(1), { type: 'visited', occurredAt: at('08:10:00'), eventId: 'visit', evidence: {} });
    await record(sent(2));
    expect(await recipients()).toMatchObject([
      { visit: at('08:10:00'), settledAt: at('08:20:00') },
      { visit: null, settledAt: null },
    ]);
  });
});
