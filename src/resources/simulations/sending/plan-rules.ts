// Simulation planning: which template each recipient of a simulation gets, and when.
//
// A simulation is a `draft`, then `scheduled`, `running`, and `completed` or `cancelled`. Scheduling fixes the plan in
// one transaction (schedule-simulation.ts):
//
// 1. Before the transaction, look up in DNS whether the company has proved that it owns its domain.
// 2. Lock the draft and the templates in it that the company owns, and check them (plan-references.ts).
// 3. Find the recipients: active learners who are not excluded and have an address in the proved domain.
// 4. Compute the messages (this file), and store each with its template, language and time.
// 5. Above 500 recipients, two admins must approve. Recipients of other simulations without approval count too, if
//    those simulations are still running or were sent within seven days, so that nobody can avoid approval by splitting
//    a large simulation (approve-simulation.ts).
//
// The computation is pure. A hash of the seed and the learner's id gives each learner three random numbers: for the
// order, the template and the time. The working time is divided into equal shares, one for each learner in order, and
// each learner's message is sent at a random time within the learner's share. Templates are distributed evenly among
// the learners of each language, preferring templates in that language.
//
// Guarantees:
// - The same seed, learners, templates and working time give the same plan.
// - Every time is within the working hours of the time zone and on no excluded day, even when clocks change.
// - Templates do not alternate over time, because they are distributed in a different order than the messages.
//
// Planning works in steps of 2,000 learners and yields between the steps. A plan has at most 100,000 recipients and
// covers at most 90 days.
//
// Failures: the call fails if a field is invalid, the domain is not proved, or the sender is in the recipients' domain.
// The draft then does not change.
//
// Not for: whether a message can still be sent at its time; see queue-due-messages.ts.
import { hash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { toLanguage } from '../../../contract/languages.ts';
import { localeFor } from '../templates/simulation-template-content.ts';

/** Stored plan of a simulation that the service runs itself. */
export interface Plan {
  templateIds: string[];
  senderDomain: string;
  recipients: { everyone?: true; learnerIds?: string[]; groupIds?: string[] };
  workingHours: WorkingHours;
  /** IANA time zone name, such as `Europe/Berlin`. */
  timeZone: string;
  /** Seed of the random numbers. */
  seed: string;
}

/** Working hours, in the time zone of the plan. */
interface WorkingHours {
  /** Days of the week; 1 is Monday, 7 is Sunday. */
  days: number[];
  /** Start of the working hours on these days, as `HH:MM`. */
  from: string;
  to: string;
}

/** A range of days such as `2026-12-24`, both ends included. */
export interface DayRange {
  fromDate: string;
  toDate: string;
}

/** A range of times in milliseconds since 1970; the end is excluded. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Reports whether a name is UTC, or consists of an area and a place in the IANA time zone database. Abbreviations are
 * rejected, because they are ambiguous.
 */
export function isTimeZone(name: string): boolean {
  try {
    return /^(UTC$|[A-Z]\w+\/)/i.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Returns the spans of working time within a window, in order. Also correct on days on which clocks change. */
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
    // If a clock skips or repeats a time, the disambiguation keeps the span within the working hours.
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

/** Three independent draws in [0, 1). The draws of a learner do not depend on the other learners. */
interface Draw {
  order: number;
  deal: number;
  moment: number;
}

/** Number of learners planned in one step, which takes a few milliseconds. */
export const STEP = 2000;

/** A computation in steps that yields no messages. */
type StatementPlan<Result> = Generator<[], Result>;

/**
 * Plans the message of each learner. The same input always gives the same messages. Yields the messages in parts,
 * ordered by time, so that the caller can let other work run between parts. The first parts are empty.
 * @param spans at least one span of working time
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
      // Each learner has an equal share of the working time, and a random time within this share.
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

/** Sorts by a random draw, in steps that each cover an equal range of the draw. */
function* byChance<T extends { id: string; draw: Draw }>(things: readonly T[], chance: keyof Draw): StatementPlan<T[]> {
  const count = Math.ceil(things.length / STEP);
  const parts = yield* group(things, ({ draw }) => Math.floor(draw[chance] * count));
  const sorted: T[] = [];
  for (let part = 0; part < count; part += 1) {
    const ofPart = parts.get(part) ?? [];
    sorted.push(...ofPart.sort((a, b) => a.draw[chance] - b.draw[chance] || (a.id < b.id ? -1 : 1)));
    yield [];
  }
  return sorted;
}

/** Groups things by a key; keeps the given order. */
function* group<T, K>(things: readonly T[], keyOf: (thing: T) => K): StatementPlan<Map<K, T[]>> {
  const groups = new Map<K, T[]>();
  for (const [position, thing] of things.entries()) {
    const key = keyOf(thing);
    const members = groups.get(key);
    if (members) members.push(thing);
    else groups.set(key, [thing]);
    if (position % STEP === STEP - 1) yield [];
  }
  return groups;
}

/** Distributes the templates evenly, preferring those in the learner's language. Returns a map by learner id. */
function* deal(
  learners: readonly Drawn<PlannedLearner>[],
  templates: readonly PlannedTemplate[],
): StatementPlan<Map<string, PlannedTemplate>> {
  const dealt = new Map<string, PlannedTemplate>();
  const byLanguage = yield* group(learners, ({ locale }) => toLanguage(locale));
  for (const [language, speakers] of byLanguage) {
    const fitting = templates.filter(({ locales }) => locales.includes(language));
    const deck = fitting.length > 0 ? fitting : templates;
    // The order differs from that of the messages, so that the templates do not alternate over time.
    for (const [position, { id }] of (yield* byChance(speakers, 'deal')).entries()) {
      dealt.set(id, deck[position % deck.length]!);
      if (dealt.size % STEP === 0) yield [];
    }
  }
  return dealt;
}

/** Returns the time at a given share, in [0, 1), of the spans' total time. */
function momentAt(share: number, spans: readonly Span[]): number {
  let rest = Math.floor(share * spans.reduce((sum, { start, end }) => sum + end - start, 0));
  for (const { start, end } of spans) {
    if (rest < end - start) return start + rest;
    rest -= end - start;
  }
  return spans.at(-1)!.end - 1;
}
