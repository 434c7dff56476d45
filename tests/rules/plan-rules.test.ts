import { isTimeZone, planMessages, STEP, workingSpans } from '../../src/resources/simulations/sending/plan-rules.ts';

const OFFICE = { workingHours: { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }, timeZone: 'Europe/Berlin' };
const HOUR = 3_600_000;
const spansOf = (start: string, end: string, changes: Partial<typeof OFFICE> = {}, excluded: [string, string][] = []) =>
  workingSpans(
    { ...OFFICE, ...changes },
    { start: Date.parse(start), end: Date.parse(end) },
    excluded.map(([fromDate, toDate]) => ({ fromDate, toDate })),
  ).map((span) => [new Date(span.start).toISOString(), new Date(span.end).toISOString()]);
const nights = (from: string, to: string) => ({ workingHours: { days: [7], from, to } });

describe('workingSpans', () => {
  test('stay within the working hours and the window', () => {
    expect(spansOf('2026-11-27T15:00:00Z', '2026-11-30T10:00:00Z')).toEqual([
      ['2026-11-27T15:00:00.000Z', '2026-11-27T16:00:00.000Z'],
      ['2026-11-30T08:00:00.000Z', '2026-11-30T10:00:00.000Z'],
    ]);
  });

  test('follow the days of the time zone, not of UTC', () => {
    expect(spansOf('2026-11-29T12:00:00Z', '2026-11-30T12:00:00Z', { timeZone: 'Pacific/Auckland' })).toEqual([
      ['2026-11-29T20:00:00.000Z', '2026-11-30T04:00:00.000Z'],
    ]);
  });

  test('leave out excluded days, both ends included', () => {
    const spans = spansOf('2026-12-21T00:00:00Z', '2026-12-31T00:00:00Z', {}, [['2026-12-22', '2026-12-29']]);
    expect(spans.map(([start]) => start!.slice(0, 10))).toEqual(['2026-12-21', '2026-12-30']);
  });

  test('are empty if the window has no working day or every day is excluded', () => {
    expect(spansOf('2026-11-28T00:00:00Z', '2026-11-29T23:00:00Z')).toEqual([]);
    expect(spansOf('2026-11-23T00:00:00Z', '2026-11-27T23:00:00Z', {}, [['2026-11-01', '2026-11-30']])).toEqual([]);
  });

  test('begin at the same local hour before and after a clock change', () => {
    const [before, after] = [
      spansOf('2026-03-27T00:00:00Z', '2026-03-30T23:00:00Z'),
      spansOf('2026-10-23T00:00:00Z', '2026-10-26T23:00:00Z'),
    ].map((spans) => spans.map(([start]) => start!.slice(11, 16)));
    expect([before, after]).toEqual([
      ['08:00', '07:00'],
      ['07:00', '08:00'],
    ]);
  });

  test.each([
    ['begins in the skipped hour', '2026-03-29', '02:30', '04:00', [['01:30', '02:00']]],
    ['ends in the skipped hour', '2026-03-29', '01:00', '02:30', [['00:00', '00:30']]],
    ['lies in the skipped hour', '2026-03-29', '02:15', '02:45', []],
    ['begins in the repeated hour', '2026-10-25', '02:30', '04:00', [['01:30', '03:00']]],
    ['ends in the repeated hour', '2026-10-25', '01:00', '02:30', [['23:00', '00:30']]],
  ])('keep to the hours for a span that %s', (_case, day, from, to, expected) => {
    const spans = spansOf(`${day}T00:00:00+01:00`, `${day}T20:00:00Z`, nights(from, to));
    const wide = spansOf(`${day}T00:00:00+02:00`, `${day}T20:00:00Z`, nights(from, to));
    expect((wide.length > 0 ? wide : spans).map((span) => span.map((moment) => moment.slice(11, 16)))).toEqual(
      expected,
    );
  });

  test.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['America/Argentina/Buenos_Aires', true],
    ['Etc/GMT-3', true],
    ['PST', false],
    ['IST', false],
    ['CET', false],
    ['Europe/Atlantis', false],
    ['+02:00', false],
    ['', false],
  ])('%j is a time zone: %s', (name, isOne) => {
    expect(isTimeZone(name)).toBe(isOne);
  });
});

describe('planMessages', () => {
  const start = Date.parse('2026-11-23T08:00:00Z');
  const spans = [0, 24].map((hours) => ({ start: start + hours * HOUR, end: start + (hours + 8) * HOUR }));
  const learnersOf = (count: number, locale: string | null = null) =>
    Array.from({ length: count }, (_, index) => ({ id: `learner-${index}`, locale }));
  const templates = [
    { id: 'parcel', locales: ['en', 'de'] },
    { id: 'invoice', locales: ['en', 'de'] },
    { id: 'colis', locales: ['fr'] },
  ];
  const plan = (seed: string, learners = learnersOf(200), from = templates) =>
    [...planMessages(seed, { learners, templates: from, spans })].flat();

  test('plans the same messages again for the same seed, in any order of learners', () => {
    expect(plan('a', learnersOf(200).toReversed(), templates.toReversed())).toEqual(plan('a'));
  });

  test('plans other times, templates and another order for another seed', () => {
    const [a, b] = ['a', 'b'].map((seed) => plan(seed).toSorted((x, y) => (x.learnerId < y.learnerId ? -1 : 1)));
    const same = (field: 'scheduledAt' | 'templateId') => a!.filter((one, i) => one[field] === b![i]![field]).length;
    expect(same('scheduledAt')).toBe(0);
    expect(same('templateId')).toBeLessThan(140);
    expect(plan('a').map(({ learnerId }) => learnerId)).not.toEqual(plan('b').map(({ learnerId }) => learnerId));
  });

  test('spreads messages evenly over the working time and never outside it', () => {
    const times = plan('a').map(({ scheduledAt }) => Date.parse(scheduledAt));
    for (const hours of [0, 4, 24, 28]) {
      const within = times.filter((time) => time >= start + hours * HOUR && time < start + (hours + 4) * HOUR);
      expect(within).toHaveLength(50);
    }
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('uses templates equally often, in an irregular order', () => {
    const dealt = plan('a').map(({ templateId }) => templateId);
    const counts = Map.groupBy(dealt, (id) => id);
    expect([counts.get('parcel')!.length, counts.get('invoice')!.length]).toEqual([100, 100]);
    expect(dealt.filter((id, position) => id === dealt[position + 2]).length).toBeLessThan(150);
  });

  test("prefers the learner's language, then English, then any", () => {
    const sent = (locale: string | null, from = templates) =>
      new Set(plan('a', learnersOf(20, locale), from).map((one) => `${one.templateId} ${one.locale}`));
    expect(sent('fr-CH')).toEqual(new Set(['colis fr']));
    expect(sent('de-AT')).toEqual(new Set(['parcel de', 'invoice de']));
    expect(sent('it')).toEqual(new Set(['parcel en', 'invoice en']));
    expect(sent('de', [templates[2]!])).toEqual(new Set(['colis fr']));
  });

  test('picks a random template and time for a single learner', () => {
    const ones = Array.from({ length: 30 }, (_, seed) => plan(String(seed), learnersOf(1))[0]!);
    expect(new Set(ones.map(({ templateId }) => templateId)).size).toBe(2);
    expect(new Set(ones.map(({ scheduledAt }) => scheduledAt)).size).toBe(30);
  });

  test('plans 100,000 learners in small steps that yield to other work', () => {
    const steps = Array.from(
      planMessages('a', { learners: learnersOf(100_000), templates, spans }),
      (messages) => messages.length,
    );
    expect(steps.reduce((sum, messages) => sum + messages, 0)).toBe(100_000);
    expect(Math.max(...steps)).toBeLessThanOrEqual(STEP);
    // Shuffling the learners, assigning templates and creating messages each go through all of them.
    expect(steps.length).toBeGreaterThanOrEqual((3 * 100_000) / STEP);
  });
});
