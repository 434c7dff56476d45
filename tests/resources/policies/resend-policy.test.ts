import { type Answer, patch, post } from '../../support/client.ts';
import { versionId } from '../../support/world-policies.ts';
import { learnerId } from '../../support/world.ts';
import { manyLearnerIds } from '../courses/enrollment-state.ts';
import { expectRefused, forgetNewLearners, insertLearners, meanwhile, whileSlow } from '../tenant-state.ts';
import {
  assign,
  dataOf,
  policy,
  publish,
  queuedMessages,
  race,
  read,
  restorePolicies,
  sentVersionsOf,
  sign,
  update,
  versionsOf,
  whileStuck,
} from './policy-state.ts';

restorePolicies();
afterEach(forgetNewLearners);

const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
const path = (id: string): string => `/policies/${id}/publish-draft`;
const tryTo = (id: string, flags?: unknown): Promise<Answer> => post(path(id), flags);

describe('resend of POST /policies/{policyId}/publish-draft', () => {
  beforeEach(() => update(policy(1), { action: 'draft', name: 'Next' }));

  test('asks every assigned active learner again, including learners who signed', async () => {
    await assign([learner(4)], policy(1));
    await sign(learner(4), policy(1));
    expect(await read(policy(1))).toMatchObject({ assignedCount: 3, signedCount: 2 });
    expect(await publish(policy(1), { resend: true })).toMatchObject({ assignedCount: 3, signedCount: 0 });
    const asked = ([1, 2, 4] as const).map(learner);
    expect(await queuedMessages()).toEqual(asked.map((id) => ['policy_request', id, policy(1)]));
    const latest = (await versionsOf(policy(1))).at(-1)!.id;
    const sent = await sentVersionsOf(policy(1));
    expect(sent).toEqual({
      ...Object.fromEntries(asked.map((id) => [id, latest])),
      [learner(5)]: versionId('tenant', 1),
    });
  });

  test('keeps signatures of the previous version and counts only later signatures', async () => {
    const signatures = () =>
      testService.query(
        'select learner_id, signed, signed_version_id from policy_results where policy_id = $1 order by 1',
        [policy(1)],
      );
    const before = await signatures();
    await publish(policy(1), { resend: true });
    expect(await signatures()).toEqual(before);
    await sign(learner(1), policy(1));
    expect(await read(policy(1))).toMatchObject({ assignedCount: 2, signedCount: 1 });
  });

  test('does not count a signature of the previous version made during the publication', async () => {
    await whileSlow('insert', 'policy_versions', async () => {
      const publication = race('POST', path(policy(1)), { resend: true });
      await meanwhile();
      await sign(learner(2), policy(1));
      expect(await dataOf(publication)).toMatchObject({ minorVersion: 1, signedCount: 0 });
    });
  });

  test('if omitted, sends nothing and keeps signatures in force', async () => {
    const sent = await sentVersionsOf(policy(1));
    expect(await publish(policy(1), { major: true })).toMatchObject({ signedCount: 1, majorVersion: 2 });
    expect(await queuedMessages()).toEqual([]);
    expect(await sentVersionsOf(policy(1))).toEqual(sent);
  });

  test('two publications before the emails are sent leave one message for each learner', async () => {
    await publish(policy(1), { resend: true });
    await update(policy(1), { action: 'draft', name: 'After next' });
    await publish(policy(1), { resend: true });
    expect(await queuedMessages()).toEqual(([1, 2] as const).map((n) => ['policy_request', learner(n), policy(1)]));
  });

  test('allows another reminder within an hour', async () => {
    const remind = () => post('/policy-reminders', { policyIds: [policy(1)], learnerIds: [learner(2)] });
    await remind();
    await publish(policy(1), { resend: true });
    await remind();
    const kinds = (await queuedMessages()).filter(([, id]) => id === learner(2)).map(([kind]) => kind);
    expect(kinds.sort()).toEqual(['policy_reminder', 'policy_request']);
  });

  test('asks inactive learners again without a message, so their old signatures stay out of force', async () => {
    await post('/learners/deactivate', { learnerIds: [learner(1)] });
    const sent = await sentVersionsOf(policy(1));
    expect(await publish(policy(1), { resend: true })).toMatchObject({ assignedCount: 1, signedCount: 0 });
    expect(await queuedMessages()).toEqual([['policy_request', learner(2), policy(1)]]);
    expect((await sentVersionsOf(policy(1)))[learner(1)]).toBe(sent[learner(1)]);
    await post('/learners/activate', { learnerIds: [learner(1)] });
    expect(await read(policy(1))).toMatchObject({ assignedCount: 2, signedCount: 0 });
    const reminders = { policyIds: [policy(1)], learnerIds: [learner(1)] };
    expect(await dataOf(post('/policy-reminders', reminders))).toMatchObject({ success: true, failures: [] });
    expect(await queuedMessages()).toContainEqual(['policy_reminder', learner(1), policy(1)]);
  });

  test('asks 2,000 learners', async () => {
    await insertLearners('tenant', 2_000);
    await assign(manyLearnerIds(2_000).active, policy(1));
    const { assignedCount, signedCount } = await publish(policy(1), { resend: true });
    expect({ areMany: assignedCount > 1_700, signedCount }).toEqual({ areMany: true, signedCount: 0 });
    expect(await queuedMessages()).toHaveLength(assignedCount);
  });

  test('publishes nothing when the messages cannot be queued', async () => {
    const stuck = () => expectRefused(() => tryTo(policy(1), { resend: true }), 504, 'service_timeout');
    await whileStuck('insert', 'messages', stuck);
    expect(await publish(policy(1), { resend: true })).toMatchObject({ minorVersion: 1 });
  });
});

describe('resend of PATCH /policies/{policyId} with action live', () => {
  test('asks all assigned learners again', async () => {
    const changed = await update(policy(1), { action: 'live', name: 'Next', resend: true });
    expect(changed).toMatchObject({ minorVersion: 1, assignedCount: 2, signedCount: 0 });
    const asked = ([1, 2] as const).map((n) => learnerId('tenant', n));
    expect(await queuedMessages()).toEqual(asked.map((id) => ['policy_request', id, policy(1)]));
    const version = (await versionsOf(policy(1))).at(-1)!.id;
    expect(version).not.toBe(versionId('tenant', 1));
    expect(await sentVersionsOf(policy(1))).toMatchObject(Object.fromEntries(asked.map((id) => [id, version])));
  });

  test('without changes asks all assigned learners again and publishes no version', async () => {
    const { minorVersion, signedCount } = await update(policy(1), { action: 'live', resend: true });
    expect([minorVersion, signedCount, (await queuedMessages()).length]).toEqual([0, 0, 2]);
  });

  test('asks at most once an hour for one version, and always for a new version', async () => {
    const resend = (fields: object = {}) => update(policy(1), { action: 'live', resend: true, ...fields });
    const askedAt = () =>
      testService.query(
        'select learner_id, asked_at from policy_results where policy_id = $1 and learner_id <> $2 order by 1',
        [policy(1), learnerId('tenant', 5)],
      );
    await resend();
    const [before, messages] = [await askedAt(), await queuedMessages()];
    await sign(learnerId('tenant', 1), policy(1));
    await testService.query('delete from messages; delete from mail_log; delete from graphile_worker._private_jobs');
    for (let n = 0; n < 4; n += 1) expect(await resend()).toMatchObject({ signedCount: 1 });
    expect(await queuedMessages()).toEqual([]);
    expect(await askedAt()).toEqual(before);
    await testService.query(
      `update policy_results set asked_at = now() - interval '61 minutes' where policy_id = $1 and asked_at is not null`,
      [policy(1)],
    );
    expect(await resend()).toMatchObject({ signedCount: 0 });
    expect(await queuedMessages()).toEqual(messages);
    await testService.query('delete from messages; delete from mail_log; delete from graphile_worker._private_jobs');
    expect(await resend({ name: 'Next' })).toMatchObject({ minorVersion: 1 });
    expect(await queuedMessages()).toEqual(messages);
  });

  test('publishes nothing when the messages cannot be queued', async () => {
    const request = () => patch(`/policies/${policy(1)}`, { action: 'live', name: 'Next', resend: true });
    await whileStuck('insert', 'messages', () => expectRefused(request, 504, 'service_timeout'));
  });
});
