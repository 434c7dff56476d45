import { del, expectError, get, post } from '../../support/client.ts';
import { companies, type CompanyName, learnerId } from '../../support/world.ts';
import { noProfile } from '../reports/profile-state.ts';
import { recipientId, simulationId } from '../../support/world-simulations.ts';

const completed = simulationId('tenant', 1);

async function recipientsOf(simulation: string, query = '', key?: CompanyName): Promise<any[]> {
  const { status, body } = await get(`/simulations/${simulation}${query}`, key);
  expect(status).toBe(200);
  return body.data.recipients;
}

async function learnersOf(simulation: string, outcome?: string, key?: CompanyName): Promise<string[]> {
  const recipients = await recipientsOf(simulation, outcome && `?outcome=${outcome}`, key);
  return recipients.map(({ learner }) => learner.id);
}

describe('the recipients of GET /simulations/{simulationId}', () => {
  test('include inactive learners, ordered by learner, with identity and milestones', async () => {
    const recipients = await recipientsOf(completed);
    expect(recipients.map(({ learner }) => learner.id)).toEqual(
      ([1, 2, 3, 5] as const).map((n) => learnerId('tenant', n)),
    );
    const { body } = await get(`/learners/${learnerId('tenant', 2)}`);
    const { id, name, email, externalLearnerId, inactive } = body.data;
    expect(recipients[1]).toEqual({
      id: recipientId('tenant', 1, 2),
      learner: { id, name, email, externalLearnerId, inactive, ...noProfile },
      templateId: null,
      scheduled: '2026-02-10T08:00:00.000Z',
      sent: '2026-02-10T08:00:00.000Z',
      mailFailedAt: null,
      bounced: null,
      open: '2026-02-10T09:00:00.000Z',
      visit: '2026-02-10T09:01:00.000Z',
      compromise: '2026-02-11T09:02:00.000Z',
      report: null,
      settledAt: '2026-02-11T09:12:00.000Z',
      withdrawn: null,
      withdrawnBecause: null,
    });
  });

  test('have no milestones while a message is waiting or unscheduled', async () => {
    const nothing = { sent: null, open: null, visit: null, compromise: null, report: null };
    expect(await recipientsOf(simulationId('tenant', 2))).toMatchObject([
      { scheduled: '2030-03-02T09:30:00.000Z', ...nothing },
      { scheduled: '2030-03-02T08:30:00.000Z', ...nothing },
    ]);
    expect(await recipientsOf(simulationId('tenant', 3))).toMatchObject([{ scheduled: null, ...nothing }]);
  });

  test.each([
    ['opened', 'openCount', [1, 2, 5]],
    ['visited', 'visitCount', [2]],
    ['compromised', 'compromiseCount', [2]],
    ['reported', 'reportCount', [1]],
  ] as const)('with outcome %s match %s, which the filter leaves unchanged', async (outcome, count, learners) => {
    expect(await learnersOf(completed, outcome)).toEqual(learners.map((n) => learnerId('tenant', n)));
    const { body } = await get(`/simulations/${completed}?outcome=${outcome}`);
    expect(body.data).toMatchObject({ recipientCount: 4, [count]: learners.length });
  });

  test('agree with the simulation results and the queue of each learner', async () => {
    for (const { id, learner, ...recipient } of await recipientsOf(simulationId('tenant', 5))) {
      const path = `/learners/${learner.id}/simulation-${recipient.sent ? 'results' : 'queue'}`;
      const message = (await get(path)).body.data.find((item: any) => item.id === id);
      const { sent, scheduled, templateId, mailFailedAt, bounced, settledAt, withdrawn, ...milestones } = recipient;
      expect([settledAt === null, withdrawn]).toEqual([milestones.open === null, null]);
      expect([templateId, mailFailedAt, bounced]).toEqual([null, null, null]);
      expect(message).toMatchObject(sent ? { createdAt: sent, ...milestones } : { scheduled });
    }
  });

  test('stay when deactivated and disappear when deleted', async () => {
    const simulation = simulationId('msp', 1);
    const before = await recipientsOf(simulation, '', 'msp');
    await post('/learners/deactivate', { learnerIds: [learnerId('msp', 1)] }, 'msp');
    const [deactivated, ...others] = await recipientsOf(simulation, '', 'msp');
    expect(deactivated).toEqual({ ...before[0], learner: { ...before[0].learner, inactive: true } });
    expect(others).toEqual(before.slice(1));
    await del(`/learners/${learnerId('msp', 1)}`, undefined, 'msp');
    expect(await recipientsOf(simulation, '', 'msp')).toEqual(before.slice(1));
  });

  test('of a child are read with companyId and belong only to that child', async () => {
    const simulation = simulationId('childA', 1);
    const query = `?companyId=${companies.childA}&outcome=opened`;
    expect(await recipientsOf(simulation, query, 'msp')).toEqual(
      await recipientsOf(simulation, '?outcome=opened', 'childA'),
    );
  });

  test.each(['clicked', '', 'Visited', 'opened,visited'])(
    'an outcome %j returns 400 naming the parameter',
    async (outcome) => {
      const answer = await get(`/simulations/${completed}?outcome=${outcome}`);
      expectError(answer, 400, 'invalid_request');
      expect(answer.body.error!.details).toMatchObject([{ field: 'query/outcome' }]);
    },
  );
});
