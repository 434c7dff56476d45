import { type InviteAges, requireInvitePlace } from '../../src/mail/outbox/mail-bounds.ts';

const [MINUTE, HOUR] = [60, 3600];

/** Returns the rejection of one more invitation, or undefined if the invitation is accepted. */
function judge(ages: Partial<InviteAges>): object | undefined {
  try {
    requireInvitePlace({ fromCompany: [], toAddress: [], ofCompany: [], ...ages });
    return undefined;
  } catch (error) {
    const { code, message, headers } = error as { code: string; message: string; headers: object };
    return { code, message, headers };
  }
}

const refused = (which: string, seconds: number): object => ({
  code: 'rate_limited',
  message: `Too many invitations ${which}; try again in ${seconds} seconds.`,
  headers: { 'Retry-After': String(seconds) },
});

test.each<[string, number[]]>([
  ['no invitation', []],
  ['one just now', [0]],
  ['one within five minutes and older ones', [0, 5 * MINUTE, HOUR]],
  ['four within a day', [0, HOUR, HOUR, 23 * HOUR]],
  ['five, the first of them a day ago', [5 * MINUTE, HOUR, HOUR, HOUR, 24 * HOUR]],
])('after %s to an address, a company can invite it again', (_case, fromCompany) => {
  expect(judge({ fromCompany })).toBeUndefined();
});

test.each<[string, number[], object]>([
  ['two within five minutes', [10, 100], refused('to this address (2 in 5 minutes)', 200)],
  ['two, the first of them almost five minutes ago', [10, 299.5], refused('to this address (2 in 5 minutes)', 1)],
  ['five within a day', [HOUR, HOUR, HOUR, HOUR, 23 * HOUR], refused('to this address (5 in 24 hours)', HOUR)],
  ['five, two of them just now', [0, 0, HOUR, HOUR, 2 * HOUR], refused('to this address (5 in 24 hours)', 22 * HOUR)],
])('after %s to an address, a company must wait for the longest violated limit', (_case, fromCompany, answer) => {
  expect(judge({ fromCompany })).toEqual(answer);
});

test('a company can invite 200 e-mail addresses a day', () => {
  const ofCompany = Array.from({ length: 199 }, (_, n) => n * MINUTE);
  expect(judge({ ofCompany })).toBeUndefined();
  ofCompany.push(20 * HOUR);
  expect(judge({ ofCompany })).toEqual(refused('from the company (200 in 24 hours)', 4 * HOUR));
  expect(judge({ ofCompany, fromCompany: [0, 0] })).toEqual(refused('from the company (200 in 24 hours)', 4 * HOUR));
});

test('an address can be invited ten times a day in total, without revealing when others did so', () => {
  const toAddress = Array.from({ length: 9 }, () => 0);
  expect(judge({ toAddress })).toBeUndefined();
  toAddress.push(20 * HOUR + 10);
  expect(judge({ toAddress })).toEqual(refused('to this address', 4 * HOUR));
});
