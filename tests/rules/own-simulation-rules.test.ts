import {
  approvalBy,
  type Draft,
  isToCancel,
  needsApproval,
  toPlan,
  requireForeignSender,
  requireSendable,
  getSchedulerId,
  sendingTime,
} from '../../src/resources/simulations/own-simulation-rules.ts';

const now = new Date('2026-11-24T10:00:00Z');
const draft: Draft = {
  name: 'Parcel notice',
  templateIds: ['parcel'],
  recipients: { everyone: true },
  startDate: '2026-11-23T00:00:00Z',
  endDate: '2026-11-28T00:00:00Z',
  workingHours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' },
  timeZone: 'Europe/Berlin',
  senderDomain: 'parcel-desk.test',
  trainingCourseId: null,
};
const facts = { now, senders: ['parcel-desk.test'], excludedDays: [] };
const time = (changes: Partial<Draft> = {}, more: Partial<typeof facts> | object = {}) =>
  sendingTime({ ...draft, ...changes }, { ...facts, ...more }, 'body');

test('sendingTime leaves out the part of the window that has passed', () => {
  expect(time()[0]!.start).toBe(now.getTime());
  expect(time({ startDate: '2026-11-26T00:00:00Z' })[0]!.start).toBe(Date.parse('2026-11-26T08:00:00Z'));
});

test.each([
  ['ends at this moment', { endDate: now.toISOString() }, 'body/endDate'],
  ['has less than a minute of working time left', { endDate: '2026-11-24T10:00:59Z' }, 'body/workingHours'],
  ['is 90 days and one second long', { endDate: '2027-02-21T00:00:01Z' }, 'body/endDate'],
])('a window that %s is rejected', (_case, changes, field) => {
  expect(() => time(changes)).toThrow(field);
});

test('a fully excluded window is rejected, as is every sender domain while simulations are off', () => {
  const excludedDays = [{ fromDate: '2026-11-01', toDate: '2026-11-30' }];
  expect(() => time({}, { excludedDays })).toThrow('body/workingHours');
  expect(() => time({}, { senders: [] })).toThrow('body/senderDomain');
});

test('a window of 90 days, or with one minute of working time left, is accepted', () => {
  expect(time({ endDate: '2027-02-21T00:00:00Z' })).not.toEqual([]);
  expect(time({ endDate: '2026-11-24T10:01:00Z' })).toHaveLength(1);
});

test('over 500 recipients need approval; 0 or over 100,000 are rejected', () => {
  expect([500, 501].map(needsApproval)).toEqual([false, true]);
  for (const count of [0, 100_001]) expect(() => requireSendable(count)).toThrow('simulation/recipients');
  for (const count of [1, 100_000]) expect(() => requireSendable(count)).not.toThrow();
});

test('scheduling counts as approval for an admin in the console, not for a key', () => {
  expect(approvalBy({ actor: { type: 'admin', id: 'mary' } })).toEqual(['mary']);
  for (const type of ['key', 'grant', 'source'] as const)
    expect(approvalBy({ actor: { type, id: 'mary' } })).toEqual([]);
  expect(approvalBy({})).toEqual([]);
});

test('the scheduler is the admin, otherwise the key, even for a grant', () => {
  expect(getSchedulerId({ actor: { type: 'admin', id: 'mary' }, keyId: 'key' })).toBe('mary');
  expect(getSchedulerId({ actor: { type: 'grant', id: 'grant' }, keyId: 'key' })).toBe('key');
  expect(getSchedulerId({ keyId: 'key' })).toBe('key');
});

test('a cancelled simulation stays cancelled, and a completed one cannot be cancelled', () => {
  expect(['draft', 'scheduled', 'running', 'cancelled'].map((status) => isToCancel({ status }))).toEqual([
    ...[true, true, true],
    false,
  ]);
  expect(() => isToCancel({ status: 'completed' })).toThrow('completed');
});

test('toPlan keeps only the fields of a plan', () => {
  const { templateIds, workingHours, timeZone } = draft;
  const plan = toPlan(
    { ...draft, senderDomain: 'Parcel-Desk.test', recipients: { everyone: false, groupIds: ['a'] } },
    'seed',
  );
  const kept = { templateIds, workingHours, timeZone, seed: 'seed' };
  expect(plan).toEqual({ ...kept, senderDomain: 'parcel-desk.test', recipients: { groupIds: ['a'] } });
});

test('a sender domain within a domain of the recipients is rejected', () => {
  const domains = ['tenant.test'];
  for (const sender of ['parcel-desk.test', 'nottenant.test', 'test']) requireForeignSender(sender, domains);
  for (const sender of ['tenant.test', 'login.tenant.test']) {
    expect(() => requireForeignSender(sender, domains)).toThrow('must not be in tenant.test');
  }
});
