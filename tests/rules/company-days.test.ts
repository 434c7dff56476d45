import { formatDay, endOfDay, findPeriodTimes } from '../../src/resources/learners/shared/company-days.ts';

test.each([
  ['2026-03-31', 'UTC', '2026-04-01T00:00:00.000Z'],
  ['2026-01-31', 'Europe/Berlin', '2026-01-31T23:00:00.000Z'],
  // The day on which daylight saving time begins has 23 hours; the day on which it ends has 25.
  ['2026-03-28', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  ['2028-02-29', 'Asia/Kolkata', '2028-02-29T18:30:00.000Z'],
  // In Cairo, clocks skip the first hour of 24 April 2026. In Samoa, 30 December 2011 did not exist.
  ['2026-04-23', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  ['2011-12-29', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['2999-12-31', 'Pacific/Kiritimati', '2999-12-31T10:00:00.000Z'],
])('%s ends in %s at %s', (day, timeZone, end) => {
  expect(endOfDay(day, timeZone)).toBe(end);
});

test('a time belongs to the day of the time zone', () => {
  const time = new Date('2026-01-31T23:30:00Z');
  expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((zone) => formatDay(time, zone))).toEqual([
    '2026-01-31',
    '2026-02-01',
    '2026-01-31',
  ]);
});

test('an open-ended period has no start or end time, and reads no time zone', async () => {
  expect(await findPeriodTimes({} as never, { from: null, to: null })).toEqual({ periodStart: null, periodEnd: null });
});
