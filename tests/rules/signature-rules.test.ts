import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import {
  addMonths,
  dueSignatures,
  lastDaySignedDue,
  lastFixedDay,
} from '../../src/resources/policies/signatures/signature-rules.ts';

const every = (intervalLength: number, intervalUnit: 'months' | 'years' | null = 'months') => ({
  intervalLength,
  intervalUnit,
});
const once = { intervalLength: null, intervalUnit: null };
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
const daysLater = (day: string, days: number): string => dayOf(Date.parse(day) + days * 86_400_000);

/** Any day of four centuries, with ends of months more often. */
const anyDay = fc.oneof(
  fc.integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: Date.UTC(2299, 11, 31) / 86_400_000 }).map((day) => {
    return dayOf(day * 86_400_000);
  }),
  fc
    .tuple(fc.integer({ min: 1900, max: 2299 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -3, max: 1 }))
    .map(([year, month, date]) => dayOf(Date.UTC(year, month + 1, date))),
);
const anyLength = fc.oneof(fc.integer({ min: 1, max: 36 }), fc.integer({ min: 1, max: 1200 }));
const anyInterval = fc.record({ intervalLength: anyLength, intervalUnit: fc.constantFrom('months', 'years', null) });
const monthsOf = (interval: { intervalLength: number; intervalUnit: string | null }): number =>
  interval.intervalLength * (interval.intervalUnit === 'years' ? 12 : 1);

describe('addMonths', () => {
  test.each([
    ['2026-01-15', 1, '2026-02-15'],
    ['2026-01-31', 1, '2026-02-28'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2026-03-31', 1, '2026-04-30'],
    ['2026-04-30', 1, '2026-05-30'],
    ['2026-11-30', 3, '2027-02-28'],
    ['2026-12-31', 1, '2027-01-31'],
    ['2026-11-21', 13, '2027-12-21'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2096-02-29', 48, '2100-02-28'],
    ['1996-02-29', 48, '2000-02-29'],
    ['2023-12-31', 2, '2024-02-29'],
    ['2026-03-01', 1200, '2126-03-01'],
    ['2024-02-29', 1200, '2124-02-29'],
    ['2000-02-29', 1200, '2100-02-28'],
    ['2026-03-31', 0, '2026-03-31'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-01-31', -1, '2025-12-31'],
    ['2024-02-29', -12, '2023-02-28'],
    ['2026-05-31', -15, '2025-02-28'],
  ])('%s plus %i months is %s', (day, months, later) => {
    expect(addMonths(day, months)).toBe(later);
  });

  test('keeps the date or uses the last one of the month', () => {
    const lastDateOf = (year: number, month: number): number =>
      month === 2
        ? year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
          ? 29
          : 28
        : [4, 6, 9, 11].includes(month)
          ? 30
          : 31;
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -1200, max: 14_400 }), (day, months) => {
        const [year, month, date] = day.split('-').map(Number) as [number, number, number];
        const [laterYear, laterMonth, laterDate] = addMonths(day, months).split('-').map(Number) as [
          number,
          number,
          number,
        ];
        expect((laterYear - year) * 12 + laterMonth - month).toBe(months);
        expect(laterDate).toBe(Math.min(date, lastDateOf(laterYear, laterMonth)));
      }),
      { examples: [['2024-02-29', 14_400 - 2024]] },
    );
  });
});

describe('lastFixedDay', () => {
  test.each([
    ['on the first day', '2026-03-31', every(1), '2026-03-31', '2026-03-31'],
    ['on the day before the first', '2026-03-31', every(1), '2026-03-30', null],
    ['years before the first', '2036-01-01', every(1), '2026-03-30', null],
    ['without an interval, long after the first day', '2020-02-29', once, '2026-03-30', '2020-02-29'],
    ['without an interval, before the first day', '2026-03-31', once, '2026-03-30', null],
    ['on the last of a short month', '2026-01-31', every(1), '2026-02-28', '2026-02-28'],
    ['on the day before', '2026-01-31', every(1), '2026-02-27', '2026-01-31'],
    ['after a short month, on the 30th', '2026-01-31', every(1), '2026-03-30', '2026-02-28'],
    ['after a short month, on the 31st again', '2026-01-31', every(1), '2026-03-31', '2026-03-31'],
    ['in a year without 29 February', '2024-02-29', every(1, 'years'), '2025-02-28', '2025-02-28'],
    ['on the day before', '2024-02-29', every(1, 'years'), '2025-02-27', '2024-02-29'],
    ['in the next leap year, on the 28th', '2024-02-29', every(1, 'years'), '2028-02-28', '2027-02-28'],
    ['in the next leap year, on the 29th', '2024-02-29', every(1, 'years'), '2028-02-29', '2028-02-29'],
    ['every four years', '2024-02-29', every(4, 'years'), '2028-02-29', '2028-02-29'],
    ['across the end of a year', '2025-11-30', every(3), '2026-02-27', '2025-11-30'],
    ['on the last day of a year', '2025-12-31', every(12), '2026-12-31', '2026-12-31'],
    ['on the first day of a year', '2025-12-31', every(12), '2026-01-01', '2025-12-31'],
    ['with 1200 months, before a century', '1926-11-22', every(1200), '2026-11-21', '1926-11-22'],
    ['with 1200 months, after a century', '1926-11-21', every(1200), '2026-11-21', '2026-11-21'],
    ['with 1200 years', '0826-11-21', every(1200, 'years'), '2026-11-21', '2026-11-21'],
    ['from the year 1', '0001-01-31', every(1), '2026-02-28', '2026-02-28'],
    ['from the year 50, with 1200 years', '0050-01-31', every(1200, 'years'), '2026-02-28', '1250-01-31'],
    ['with months as the default unit', '2026-01-15', every(2, null), '2026-11-21', '2026-11-15'],
    ['on a day when clocks go forward', '2026-01-29', every(2), '2026-03-29', '2026-03-29'],
    ['on a day when clocks go back', '2025-10-25', every(1, 'years'), '2026-10-25', '2026-10-25'],
  ])('%s (%s, %j), on %s, is %s', (_case, firstDay, interval, today, day) => {
    expect(lastFixedDay(firstDay, interval, today)).toBe(day);
  });

  test('is the latest day that is whole intervals after the first and not after today', () => {
    fc.assert(
      fc.property(anyDay, anyInterval, anyDay, (firstDay, interval, today) => {
        const day = lastFixedDay(firstDay, interval, today);
        if (firstDay > today) return expect(day).toBeNull();
        const months = monthsOf(interval);
        let steps = 0;
        while (addMonths(firstDay, (steps + 1) * months) <= today) steps += 1;
        expect(day).toBe(addMonths(firstDay, steps * months));
        expect(day! <= today).toBe(true);
      }),
    );
  });
});

describe('lastDaySignedDue', () => {
  test.each([
    ['2026-11-21', every(12), '2025-11-21'],
    ['2026-11-21', every(1, 'years'), '2025-11-21'],
    ['2026-01-01', every(1), '2025-12-01'],
    ['2026-02-27', every(1), '2026-01-27'],
    ['2026-02-28', every(1), '2026-01-31'],
    ['2026-03-01', every(1), '2026-02-01'],
    ['2026-03-28', every(1), '2026-02-28'],
    ['2026-03-31', every(1), '2026-02-28'],
    ['2026-04-30', every(1), '2026-03-31'],
    ['2024-02-28', every(1), '2024-01-28'],
    ['2024-02-29', every(1), '2024-01-31'],
    ['2025-02-27', every(1, 'years'), '2024-02-27'],
    ['2025-02-28', every(1, 'years'), '2024-02-29'],
    ['2028-02-28', every(4, 'years'), '2024-02-28'],
    ['2028-02-29', every(4, 'years'), '2024-02-29'],
    ['2026-11-21', every(1200), '1926-11-21'],
    ['2026-11-21', every(1200, 'years'), '0826-11-21'],
    ['2026-11-21', once, null],
  ])('on %s, with %j, is %s', (today, interval, day) => {
    expect(lastDaySignedDue(interval, today)).toBe(day);
  });

  test('is the last day for which a new signature is due', () => {
    fc.assert(
      fc.property(anyDay, anyInterval, (today, interval) => {
        const last = lastDaySignedDue(interval, today)!;
        for (let days = -40; days <= 40; days += 1) {
          const day = daysLater(last, days);
          const isDue = addMonths(day, monthsOf(interval)) <= today;
          expect({ day, isDue }).toEqual({ day, isDue: day <= last });
        }
      }),
    );
  });
});

describe('dueSignatures', () => {
  const settings = { startDate: '2026-03-31', ...every(6) };
  const published = { publishedOn: '2026-01-15', madeOn: '2026-01-10' };
  const due = (changes: object, today: string, days: object = {}) =>
    dueSignatures({ type: 'fixed', ...settings, ...changes }, { ...published, ...days }, today);

  test.each([
    [{ type: 'none' }, null],
    [{ type: 'fixed' }, { ask: 'everyone', askedBefore: '2026-09-30' }],
    [
      { type: 'fixed', ...once },
      { ask: 'everyone', askedBefore: '2026-03-31' },
    ],
    [
      { type: 'fixed', startDate: null },
      { ask: 'everyone', askedBefore: '2026-07-15' },
    ],
    [{ type: 'fixed', startDate: '2026-11-22' }, null],
    [{ type: 'newUsers' }, { ask: 'unsigned', askedBefore: '2026-09-30' }],
    [{ type: 'newUsers', startDate: null, ...once }, null],
    [{ type: 'newUsers', startDate: '2027-01-01' }, null],
    [{ type: 'lastSignature' }, { ask: 'signed', signedUntil: '2026-05-21' }],
    [
      { type: 'lastSignature', startDate: null, ...every(1, 'years') },
      { ask: 'signed', signedUntil: '2025-11-21' },
    ],
    [{ type: 'lastSignature', ...once }, null],
  ] as const)('%j returns %j', (changes, found) => {
    expect(due(changes, '2026-11-21')).toEqual(found);
  });

  test.each<[string, object, object, string, string | null]>([
    ['a first day before the settings', { ...once }, { madeOn: '2026-11-21' }, '2026-11-22', null],
    ['a first day on the day of the settings', { ...once }, { madeOn: '2026-03-31' }, '2026-04-01', null],
    ['a first day after the settings', { ...once }, { madeOn: '2026-03-30' }, '2026-04-01', '2026-03-31'],
    ['a first day before the publication', { ...once }, { publishedOn: '2026-04-01' }, '2026-11-22', null],
    ['a first day on that of the publication', { ...once }, { publishedOn: '2026-03-31' }, '2026-11-22', null],
    ['a first day long ago, before its interval', {}, { madeOn: '2026-10-01' }, '2027-03-30', null],
    ['a first day long ago, after its interval', {}, { madeOn: '2026-10-01' }, '2027-03-31', '2027-03-31'],
    ['an interval that ends on the day of the settings', {}, { madeOn: '2026-09-30' }, '2026-11-22', null],
    ['an interval that ends the day after the settings', {}, { madeOn: '2026-09-29' }, '2026-11-22', '2026-09-30'],
    ['no first day, published long ago', { startDate: null }, { madeOn: '2026-11-21' }, '2027-01-14', null],
    [
      'no first day, published long ago, after the interval',
      { startDate: null },
      { madeOn: '2026-11-21' },
      '2027-01-15',
      '2027-01-15',
    ],
    ['no first day, on the day of the publication', { startDate: null }, {}, '2026-01-15', null],
    ['no first day, one interval after the publication', { startDate: null }, {}, '2026-07-15', '2026-07-15'],
    [
      'a leap day, in years without one',
      { startDate: '2024-02-29', ...every(1, 'years') },
      { madeOn: '2026-02-27' },
      '2026-02-28',
      '2026-02-28',
    ],
    [
      'a leap day, in years without one, made on its substitute',
      { startDate: '2024-02-29', ...every(1, 'years') },
      { publishedOn: '2024-01-01', madeOn: '2026-02-28' },
      '2027-02-27',
      null,
    ],
  ])('%s: settings %j of %j request on %s about %s', (_case, changes, days, today, askedBefore) => {
    expect(due(changes, today, days)).toEqual(askedBefore && { ask: 'everyone', askedBefore });
    expect(due({ type: 'newUsers', ...changes }, today, days)).toEqual(askedBefore && { ask: 'unsigned', askedBefore });
  });

  test('a day requests signatures exactly if it is a fixed day after settings and publication', () => {
    fc.assert(
      fc.property(anyDay, anyDay, anyDay, anyInterval, anyDay, (startDate, publishedOn, madeOn, interval, today) => {
        const days = { publishedOn, madeOn };
        const fixed = lastFixedDay(startDate, interval, today);
        const counts = fixed !== null && fixed > publishedOn && fixed > madeOn;
        const found = dueSignatures({ type: 'fixed', startDate, ...interval }, days, today);
        expect(found).toEqual(counts ? { ask: 'everyone', askedBefore: fixed } : null);
      }),
    );
  });

  test('nothing is due before the first day', () => {
    expect(due({}, '2026-03-30')).toBeNull();
    expect(due({}, '2026-03-31')).toEqual({ ask: 'everyone', askedBefore: '2026-03-31' });
  });
});

describe('the time zone of the process', () => {
  // Days of clock changes, including those at midnight, and the day that Samoa skipped.
  const days = [
    '2026-03-29',
    '2026-10-25',
    '2026-04-05',
    '2026-09-27',
    '2018-11-04',
    '2018-02-18',
    '2011-12-30',
    '2024-02-29',
  ];
  const compute = `
    const { addMonths, lastFixedDay, lastDaySignedDue } = await import(process.argv[1]);
    const found = JSON.parse(process.argv[2]).flatMap((day) => [0, 1, 5, 12].flatMap((months) => {
      const interval = { intervalLength: months || 7, intervalUnit: 'months' };
      return [addMonths(day, months), addMonths(day, -months), lastFixedDay('2010-12-31', interval, day),
        lastDaySignedDue(interval, day)];
    }));
    console.log(JSON.stringify({ zone: new Date(0).toString().slice(-30), found }));`;
  const inZone = (TZ: string): { zone: string; found: string[] } => {
    const args = ['--input-type=module', '-e', compute, url, JSON.stringify(days)];
    return JSON.parse(execFileSync(process.execPath, args, { env: { TZ }, encoding: 'utf8' })) as ReturnType<
      typeof inZone
    >;
  };
  const url = new URL('../../src/resources/policies/signatures/signature-rules.ts', import.meta.url).href;
  const inUtc = inZone('UTC');

  test.each(['Europe/Berlin', 'Pacific/Auckland', 'America/Sao_Paulo', 'Pacific/Apia', 'America/Los_Angeles'])(
    '%s does not change the results',
    (zone) => {
      const there = inZone(zone);
      expect(there.zone).not.toBe(inUtc.zone);
      expect(there.found).toEqual(inUtc.found);
      expect(there.found.slice(0, 4)).toEqual(['2026-03-29', '2026-03-29', '2026-02-28', '2025-08-29']);
    },
  );
});
