import { getApproverId, isNewApproval } from '../../src/resources/simulations/sending/approval-rules.ts';

const SCHEDULED = '2026-11-24T08:35:00.000Z';
const mary = { id: 'mary', knownSince: '2026-01-05T09:00:00.000Z', sharesMailbox: false };
const waiting = (changes: object = {}, status = 'scheduled') => ({
  status,
  plan: { needsApproval: true, approvedBy: [] as string[], scheduledAt: SCHEDULED, ...changes },
});
const code = (value: string) => expect.objectContaining({ code: value });

test('only a console admin can approve', () => {
  expect(getApproverId({ actor: { type: 'admin', id: 'mary' } })).toBe('mary');
  for (const type of ['key', 'grant', 'source', 'learner', 'webhook_endpoint'] as const) {
    expect(() => getApproverId({ actor: { type, id: 'mary' } })).toThrow(code('admin_required'));
  }
  expect(() => getApproverId({})).toThrow(code('admin_required'));
  expect(() => isNewApproval(waiting(), undefined)).toThrow(code('admin_required'));
});

test('an approval is new only once per admin', () => {
  expect(isNewApproval(waiting(), mary)).toBe(true);
  expect(isNewApproval(waiting({ approvedBy: ['dorothy'] }), mary)).toBe(true);
  expect(isNewApproval(waiting({ approvedBy: ['dorothy', 'mary'] }), mary)).toBe(false);
});

test('an admin added less than a day before scheduling cannot approve', () => {
  expect(isNewApproval(waiting(), { ...mary, knownSince: '2026-11-23T08:35:00.000Z' })).toBe(true);
  for (const knownSince of ['2026-11-23T08:35:00.001Z', SCHEDULED, '2026-11-24T08:35:00.001Z'])
    expect(() => isNewApproval(waiting(), { ...mary, knownSince })).toThrow(code('admin_too_new'));
});

test('a second admin with the same mailbox as the first cannot approve', () => {
  const shared = { ...mary, sharesMailbox: true };
  expect(() => isNewApproval(waiting({ approvedBy: ['dorothy'] }), shared)).toThrow(code('admin_same_mailbox'));
});

test('approving an unscheduled simulation, or one that needs no approval, is rejected', () => {
  for (const status of ['draft', 'running', 'completed', 'cancelled']) {
    expect(() => isNewApproval(waiting({}, status), mary)).toThrow(code('approval_not_needed'));
    expect(() => isNewApproval(waiting({}, status), mary)).toThrow(status);
  }
  expect(() => isNewApproval(waiting({ needsApproval: false }), mary)).toThrow(code('approval_not_needed'));
});
