import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { findRound, toWindow } from '../../src/resources/campaigns/simulations/round-rules.ts';

const campaign = { dueDays: 10 as number | null, dueDate: null, repeatMonths: null as number | null };
const never = { lastRound: null as number | null, lastBeganOn: null as string | null, hasFailed: false };
const at = '2026-11-30T08:00:00.000Z';
const ofCompany = {
  campaignId: '',
  templateId: '',
  at,
  timeZone: 'Europe/Berlin',
  isForEveryone: true,
  excludedDays: [],
};

test('however often and late a campaign is evaluated, each round begins at most once, and the current one at once', () => {
  const start = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-12-31'), noInvalidDate: true });
  const visits = fc.array(fc.record({ days: fc.integer({ min: 0, max: 70 }), fails: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(start, fc.integer({ min: 1, max: 14 }), visits, (day, repeatMonths, evaluations) => {
      const startedOn = day.toISOString().slice(0, 10);
      let today = Temporal.PlainDate.from(startedOn);
      let state = never;
      const begun = new Set<string>();
      for (const { days, fails } of evaluations) {
        today = today.add({ days });
        const item = { ...ofCompany, ...campaign, ...state, repeatMonths, startedOn, today: today.toString() };
        const round = findRound(item);
        if (round) {
          expect(begun.has(round.beganOn)).toBe(false);
          expect(round.round).toBeGreaterThanOrEqual(state.lastRound ?? 1);
          expect(round.beganOn <= item.today && item.today < nextBegin(startedOn, repeatMonths, round.beganOn)).toBe(
            true,
          );
          if (!fails) begun.add(round.beganOn);
          state = { lastRound: round.round, lastBeganOn: round.beganOn, hasFailed: fails };
        } else if (!state.hasFailed)
          expect(item.today < nextBegin(startedOn, repeatMonths, state.lastBeganOn!)).toBe(true);
      }
    }),
  );
});

/** Returns the first day of the round after the one that began on a day, computed from the start of the campaign. */
function nextBegin(startedOn: string, months: number, beganOn: string): string {
  const days = Array.from({ length: 120 }, (_, n) =>
    Temporal.PlainDate.from(startedOn)
      .add({ months: months * n })
      .toString(),
  );
  return days.find((day) => day > beganOn)!;
}

test.each([
  ['the end of the due date', '2026-12-10', '2026-12-10T23:00:00.000Z'],
  ['14 days, if the due date has passed', '2026-11-29', '2026-12-14T08:00:00.000Z'],
  ['90 days, if the due date is later', '2027-06-01', '2027-02-28T08:00:00.000Z'],
])('the window lasts until %s', (_, dueOn, endDate) => {
  expect(toWindow(ofCompany, { dueOn })).toEqual({ startDate: at, endDate });
});

test('excluded days do not count as working time: the window is 14 days if they leave too little until the due date', () => {
  const excludedDays = [{ fromDate: '2026-11-30', toDate: '2026-12-03' }];
  const endOf = (dueOn: string) => toWindow({ ...ofCompany, excludedDays }, { dueOn }).endDate;
  expect([endOf('2026-12-03'), endOf('2026-12-04')]).toEqual(['2026-12-14T08:00:00.000Z', '2026-12-04T23:00:00.000Z']);
});
