import { type InviteAges, requireInvitePlace } from '../../src/mail/mail-bounds.ts';

const [MINUTE, HOUR] = [60, 3600];

/** What a further invitation is answered. */
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
  ['none', []],
  ['one a moment ago', [0]],
  ['one within five minutes, and others before', [0, 5 * MINUTE, HOUR]],
  ['four within the day', [0, HOUR, HOUR, 23 * HOUR]],
  ['five, of which the first is a day old', [5 * MINUTE, HOUR, HOUR, HOUR, 24 * HOUR]],
])('after %s a company may invite an address', (_case, fromCompany) => {
  expect(judge({ fromCompany })).toBeUndefined();
});

test.each<[string, number[], object]>([
  ['two within five minutes', [10, 100], refused('to this address (2 in 5 minutes)', 200)],
  ['two of which the first is almost over', [10, 299.5], refused('to this address (2 in 5 minutes)', 1)],
  ['five within the day', [HOUR, HOUR, HOUR, HOUR, 23 * HOUR], refused('to this address (5 in 24 hours)', HOUR)],
  ['five, two of them just now', [0, 0, HOUR, HOUR, 2 * HOUR], refused('to this address (5 in 24 hours)', 22 * HOUR)],
])('after %s a company must wait, as long as the longest bound says', (_case, fromCompany, answer) => {
  expect(judge({ fromCompany })).toEqual(answer);
});

test('a company invites 200 times a day, whomever', () => {
  const ofCompany = Array.from({ length: 199 }, (_, n) => n * MINUTE);
  expect(judge({ ofCompany })).toBeUndefined();
  ofCompany.push(20 * HOUR);
  expect(judge({ ofCompany })).toEqual(refused('from the company (200 in 24 hours)', 4 * HOUR));
  expect(judge({ ofCompany, fromCompany: [0, 0] })).toEqual(refused('from the company (200 in 24 hours)', 4 * HOUR));
});

test('all companies together invite an address ten times a day, and are not told when the others did', () => {
  const toAddress = Array.from({ length: 9 }, () => 0);
  expect(judge({ toAddress })).toBeUndefined();
  toAddress.push(20 * HOUR + 10);
  expect(judge({ toAddress })).toEqual(refused('to this address', 4 * HOUR));
});
