import { Temporal } from 'temporal-polyfill';
import { endOfDay } from '../../learners/shared/company-days.ts';
import { type Draft, MAX_DAYS } from '../../simulations/own-simulation-rules.ts';
import { workingSpans } from '../../simulations/sending/plan-rules.ts';
import type { TemplateItem } from './round-repository.ts';

/** Working hours in which campaign messages are sent, in the company's time zone. */
const WORKING_HOURS = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' };
/** Length of the sending window in days, if too little working time is left until the due date. */
const DEFAULT_DAYS = 14;
/** Minimum working time, in milliseconds, in a window that ends with the due date. */
const MIN_WORKING_MS = 3_600_000;
const DAY_MS = 86_400_000;
const MAX_NAME_LENGTH = 200;

export interface Round {
  round: number;
  /** First day of the round, and the day on which it is due. */
  beganOn: string;
  dueOn: string;
}

type PeriodFacts = Pick<TemplateItem, 'startedOn' | 'today' | 'repeatMonths' | 'dueDays' | 'dueDate'>;
type RoundFacts = PeriodFacts & Pick<TemplateItem, 'lastRound' | 'lastBeganOn' | 'hasFailed'>;

/**
 * Finds the round of a template whose simulation must start; undefined if the simulation of the current round has
 * started. A failed simulation is retried until the due date.
 */
export function findRound(item: RoundFacts): Round | undefined {
  const { today, lastRound, lastBeganOn } = item;
  const { passed, beganOn, dueOn } = findPeriod(item);
  if (lastBeganOn === null || lastBeganOn < beganOn) {
    return { round: Math.max(passed, lastRound ?? 0) + 1, beganOn, dueOn };
  }
  const isToRetry = item.hasFailed && lastBeganOn === beganOn && today <= dueOn;
  return isToRetry ? { round: lastRound!, beganOn, dueOn } : undefined;
}

/** Finds the current period of a campaign, and the number of earlier periods. */
export function findPeriod(item: PeriodFacts): Omit<Round, 'round'> & { passed: number } {
  const { repeatMonths, dueDays, dueDate, today } = item;
  const startedOn = Temporal.PlainDate.from(item.startedOn);
  const laterBy = (rounds: number) => ({ months: rounds * (repeatMonths ?? 0) });
  let passed = 0;
  while (repeatMonths !== null && startedOn.add(laterBy(passed + 1)).toString() <= today) passed += 1;
  const began = startedOn.add(laterBy(passed));
  const due = dueDays === null ? Temporal.PlainDate.from(dueDate!).add(laterBy(passed)) : began.add({ days: dueDays });
  return { passed, beganOn: began.toString(), dueOn: due.toString() };
}

/**
 * Returns the sending window: until the end of the due date, or 14 days if less than an hour of working time is left.
 */
export function toWindow(
  { at, timeZone, excludedDays }: Pick<TemplateItem, 'at' | 'timeZone' | 'excludedDays'>,
  { dueOn }: Pick<Round, 'dueOn'>,
) {
  const start = Date.parse(at);
  const end = Math.min(Date.parse(endOfDay(dueOn, timeZone)), start + MAX_DAYS * DAY_MS);
  const hours = { workingHours: WORKING_HOURS, timeZone };
  const spans = end > start ? workingSpans(hours, { start, end }, excludedDays) : [];
  const workingMs = spans.reduce((sum, span) => sum + span.end - span.start, 0);
  const last = workingMs < MIN_WORKING_MS ? start + DEFAULT_DAYS * DAY_MS : end;
  return { startDate: new Date(start).toISOString(), endDate: new Date(last).toISOString() };
}

export type Recipients = Draft['recipients'];

/** Builds the draft of a simulation. The sender is the first domain of the operator. */
export function toDraft(
  item: TemplateItem,
  round: Round,
  { recipients, senders }: { recipients: Recipients; senders: readonly string[] },
): Draft {
  const name = [...`${item.campaignName}: ${item.templateName}`].slice(0, MAX_NAME_LENGTH).join('');
  return {
    ...{ name, templateIds: [item.templateId], recipients, ...toWindow(item, round) },
    ...{ workingHours: WORKING_HOURS, timeZone: item.timeZone, senderDomain: senders[0]!, trainingCourseId: null },
  };
}
