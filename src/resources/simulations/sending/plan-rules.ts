// Simulation planning: which template each recipient of a simulation gets, and at which moment.
//
// A simulation is a `draft`, then `scheduled`, `running`, and `completed` or `cancelled`. Scheduling fixes the plan in
// one transaction (schedule-simulation.ts):
//
// 1. Before the transaction, ask DNS whether the company's domain is proved to be its own.
// 2. Lock the draft and its own templates, and examine both (plan-references.ts).
// 3. Find the recipients: active learners who are not excluded and have an address in the proved domain.
// 4. Compute the messages here, and store each with its template, language and time.
// 5. Above 500 recipients, two admins must approve. Recipients of other simulations without approval count too, if
//    these still run or were sent within seven days. So nobody can split a large simulation (approve-simulation.ts).
//
// The computation is pure. Each learner draws three chances from a hash of the seed and their id: the order, the
// template and the moment. The learners share the working time equally in their order; the moment lies within the share
// of the learner. Templates are dealt evenly, among learners of one language. A template in that language is preferred.
//
// Guarantees:
// - The same seed, learners, templates and working time give the same plan.
// - Every moment lies in the working hours of the time zone and on no excluded day, also where clocks change.
// - The templates do not follow one another in turn, because they are dealt in another order than the messages.
//
// Planning works in steps of 2000 learners and yields between them. A plan has at most 100,000 recipients and 90 days.
//
// Failures: an invalid field, a domain without a proof or a sender in the domain of the recipients refuses the call.
// The draft stays as it is.
//
// Not for: whether a message can still be sent at its time, which queue-due-messages.ts explains.
import { hash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { toLanguage } from '../../../contract/languages.ts';
import { localeFor } from '../templates/simulation-template-content.ts';

/** What was asked of a simulation that the service runs itself, as it is stored. */
export interface Plan {
  templateIds: string[];
  senderDomain: string;
  recipients: { everyone?: true; learnerIds?: string[]; groupIds?: string[] };
  workingHours: WorkingHours;
  /** A name of the IANA database, such as `Europe/Berlin`. */
  timeZone: string;
  /** What chance is drawn from. */
  seed: string;
}

/** In the time zone of the plan. */
interface WorkingHours {
  /** 1 is Monday, 7 is Sunday. */
  days: number[];
  /** `HH:MM`. */
  from: string;
  to: string;
}

/** From its first to its last day, both included, such as `2026-12-24`. */
export interface DayRange {
  fromDate: string;
  toDate: string;
}

/** Moments, in milliseconds since 1970; the end is not included. */
export interface Span {
  start: number;
  end: number;
}

/** Whether it is UTC, or an area and a place of the IANA database. What an abbreviation means, each program says differently. */
export function isTimeZone(name: string): boolean {
  try {
    return /^(UTC$|[A-Z]\w+\/)/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** The spans of a window that are working time, in their order. Also where clocks change, each moment is within the hours. */
export function workingSpans(
  { workingHours: { days, from, to }, timeZone }: Pick<Plan, 'workingHours' | 'timeZone'>,
  window: Span,
  excludedDays: readonly DayRange[],
): Span[] {
  const toPlainDate = (moment: number) =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(timeZone).toPlainDate();
  const at = (day: Temporal.PlainDate, time: string, disambiguation: 'earlier' | 'later') =>
    day.toPlainDateTime(time).toZonedDateTime(timeZone, { disambiguation }).epochMilliseconds;
  const isExcluded = (day: string) => excludedDays.some(({ fromDate, toDate }) => fromDate <= day && day <= toDate);
  const spans: Span[] = [];
  const last = toPlainDate(window.end);
  for (let day = toPlainDate(window.start); Temporal.PlainDate.compare(day, last) <= 0; day = day.add({ days: 1 })) {
    if (!days.includes(day.dayOfWeek) || isExcluded(day.toString())) continue;
    // A time that a clock skips or has twice is taken so that the span does not leave the hours.
    const start = Math.max(at(day, from, 'later'), window.start);
    const end = Math.min(at(day, to, 'earlier'), window.end);
    if (start < end) spans.push({ start, end });
  }
  return spans;
}

export interface PlannedLearner {
  id: string;
  locale: string | null;
}

export interface PlannedTemplate {
  id: string;
  locales: readonly string[];
}

export interface PlannedMessage {
  learnerId: string;
  templateId: string;
  locale: string;
  scheduledAt: string;
}

/** Three independent chances, from 0 to below 1. Those of a learner do not depend on who else there is. */
interface Draw {
  order: number;
  deal: number;
  moment: number;
}

/** How many learners are planned in a step, which is a few milliseconds. */
export const STEP = 2000;

/** Steps of a plan that have no messages yet. */
type StatementPlan<Result> = Generator<[], Result>;

/**
 * What each learner is sent, and when. The same seed, learners, templates and spans give the same messages. They come in the
 * order of their times, in parts, the first of which are empty: between two parts others may get their turn.
 * @param spans at least one
 */
export function* planMessages(
  seed: string,
  {
    learners,
    templates,
    spans,
  }: { learners: readonly PlannedLearner[]; templates: readonly PlannedTemplate[]; spans: readonly Span[] },
): Generator<PlannedMessage[]> {
  const drawn = yield* shuffle(seed, learners);
  const templatesByLearner = yield* deal(drawn, yield* shuffle(seed, templates));
  for (let first = 0; first < drawn.length; first += STEP) {
    yield drawn.slice(first, first + STEP).map((learner, place) => {
      const template = templatesByLearner.get(learner.id)!;
      // Each has an equal share of the working time, and is sent the message at some moment of it.
      const share = (first + place + learner.draw.moment) / drawn.length;
      return {
        learnerId: learner.id,
        templateId: template.id,
        locale: localeFor(template.locales, learner.locale),
        scheduledAt: new Date(momentAt(share, spans)).toISOString(),
      };
    });
  }
}

type Drawn<T> = T & { draw: Draw };

function* shuffle<T extends { id: string }>(seed: string, things: readonly T[]): StatementPlan<Drawn<T>[]> {
  const drawn: Drawn<T>[] = [];
  for (const thing of things) {
    drawn.push({ ...thing, draw: drawFrom(`${seed} ${thing.id}`) });
    if (drawn.length % STEP === 0) yield [];
  }
  return yield* byChance(drawn, 'order');
}

function drawFrom(text: string): Draw {
  const digits = hash('sha256', text, 'hex');
  const chance = (first: number) => Number.parseInt(digits.slice(first, first + 12), 16) / 16 ** 12;
  return { order: chance(0), deal: chance(12), moment: chance(24) };
}

/** Sorts by a chance, in parts that have an equal range of it. */
function* byChance<T extends { id: string; draw: Draw }>(things: readonly T[], chance: keyof Draw): StatementPlan<T[]> {
  const count = Math.ceil(things.length / STEP);
  const parts = Map.groupBy(things, ({ draw }) => Math.floor(draw[chance] * count));
  const sorted: T[] = [];
  for (let part = 0; part < count; part += 1) {
    const ofPart = parts.get(part) ?? [];
    sorted.push(...ofPart.sort((a, b) => a.draw[chance] - b.draw[chance] || (a.id < b.id ? -1 : 1)));
    yield [];
  }
  return sorted;
}

/** Deals the templates evenly, those in a learner's language where there are some. Returns them by the learner's id. */
function* deal(
  learners: readonly Drawn<PlannedLearner>[],
  templates: readonly PlannedTemplate[],
): StatementPlan<Map<string, PlannedTemplate>> {
  const dealt = new Map<string, PlannedTemplate>();
  for (const [language, speakers] of Map.groupBy(learners, ({ locale }) => toLanguage(locale))) {
    const fitting = templates.filter(({ locales }) => locales.includes(language));
    const deck = fitting.length > 0 ? fitting : templates;
    // In another order than they are sent in, so that neighbours in time do not get them in turn.
    for (const [position, { id }] of (yield* byChance(speakers, 'deal')).entries()) {
      dealt.set(id, deck[position % deck.length]!);
      if (dealt.size % STEP === 0) yield [];
    }
  }
  return dealt;
}

/** The moment at a share of the spans' time, which is from 0 to below 1. */
function momentAt(share: number, spans: readonly Span[]): number {
  let rest = Math.floor(share * spans.reduce((sum, { start, end }) => sum + end - start, 0));
  for (const { start, end } of spans) {
    if (rest < end - start) return start + rest;
    rest -= end - start;
  }
  return spans.at(-1)!.end - 1;
}
