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

test('what is past of the window is no time to send in', () => {
  expect(time()[0]!.start).toBe(now.getTime());
  expect(time({ startDate: '2026-11-26T00:00:00Z' })[0]!.start).toBe(Date.parse('2026-11-26T08:00:00Z'));
});

test.each([
  ['ends at this moment', { endDate: now.toISOString() }, 'body/endDate'],
  ['has less than a minute of working time left', { endDate: '2026-11-24T10:00:59Z' }, 'body/workingHours'],
  ['is 90 days and a second long', { endDate: '2027-02-21T00:00:01Z' }, 'body/endDate'],
])('a window that %s is refused', (_case, changes, field) => {
  expect(() => time(changes)).toThrow(field);
});

test('a window whose days are all excluded is refused, and so is every sender while simulations are off', () => {
  const excludedDays = [{ fromDate: '2026-11-01', toDate: '2026-11-30' }];
  expect(() => time({}, { excludedDays })).toThrow('body/workingHours');
  expect(() => time({}, { senders: [] })).toThrow('body/senderDomain');
});

test('a window of 90 days and a minute of working time are enough', () => {
  expect(time({ endDate: '2027-02-21T00:00:00Z' })).not.toEqual([]);
  expect(time({ endDate: '2026-11-24T10:01:00Z' })).toHaveLength(1);
});

test('more than 500 recipients need approval; none, and more than 100,000, are refused', () => {
  expect([500, 501].map(needsApproval)).toEqual([false, true]);
  for (const count of [0, 100_001]) expect(() => requireSendable(count)).toThrow('simulation/recipients');
  for (const count of [1, 100_000]) expect(() => requireSendable(count)).not.toThrow();
});

test('an admin who schedules in the console agrees by it, and whoever uses a key does not', () => {
  expect(approvalBy({ actor: { type: 'admin', id: 'mary' } })).toEqual(['mary']);
  for (const type of ['key', 'grant', 'source'] as const)
    expect(approvalBy({ actor: { type, id: 'mary' } })).toEqual([]);
  expect(approvalBy({})).toEqual([]);
});

test('an admin is named as who scheduled, and else the key, also where it let somebody in', () => {
  expect(getSchedulerId({ actor: { type: 'admin', id: 'mary' }, keyId: 'key' })).toBe('mary');
  expect(getSchedulerId({ actor: { type: 'grant', id: 'grant' }, keyId: 'key' })).toBe('key');
  expect(getSchedulerId({ keyId: 'key' })).toBe('key');
});

test('what is cancelled stays so, and what is completed cannot be cancelled', () => {
  expect(['draft', 'scheduled', 'running', 'cancelled'].map((status) => isToCancel({ status }))).toEqual([
    ...[true, true, true],
    false,
  ]);
  expect(() => isToCancel({ status: 'completed' })).toThrow('completed');
});

test('a plan keeps what was asked for, and nothing beside it', () => {
  const { templateIds, workingHours, timeZone } = draft;
  const plan = toPlan(
    { ...draft, senderDomain: 'Parcel-Desk.test', recipients: { everyone: false, groupIds: ['a'] } },
    'seed',
  );
  const kept = { templateIds, workingHours, timeZone, seed: 'seed' };
  expect(plan).toEqual({ ...kept, senderDomain: 'parcel-desk.test', recipients: { groupIds: ['a'] } });
});

test('a sender is never in the domain of the recipients', () => {
  const domains = ['tenant.test'];
  for (const sender of ['parcel-desk.test', 'nottenant.test', 'test']) requireForeignSender(sender, domains);
  for (const sender of ['tenant.test', 'login.tenant.test']) {
    expect(() => requireForeignSender(sender, domains)).toThrow('must not be in tenant.test');
  }
});
