import { addDays, addMonths, BEFORE_ALL, countDays, type Day, latest, startOf, toLocal } from './calendar.ts';

// The rules of campaigns as docs/guides/campaigns.md states them, over arrays and without SQL. mail-model.ts adds the
// messages.

export interface Person {
  id: string;
  email: string;
  inactive: boolean;
  zone: string;
  department: string;
  managerId: string | null;
  /** Day and time of the last message about assignments; the day is that of the person. */
  mailedOn: Day;
  mailedAt: number;
  /** Monday of the last message about the team. */
  notifiedOn: Day;
  results: Result[];
}

interface Result {
  item: string;
  at: number;
  /** The company's day. */
  day: Day;
}

export interface Item {
  id: string;
  type: 'course' | 'policy';
  /** Months for which a finish of a course is valid; undefined if it is valid permanently. */
  validForMonths?: number;
}

export interface Campaign {
  id: string;
  name: string;
  /** The department of the audience; null if the audience is everyone. */
  department: string | null;
  items: Item[];
  dueDays: number | null;
  dueDate: Day | null;
  isYearly: boolean;
  months: number | null;
  /** Whether courses are assigned again before their last finish expires. */
  renews: boolean;
  keepsOpen: boolean;
  includesNewcomers: boolean;
  remindBefore: number[];
  remindAfter: number[];
  escalateAfter: number | null;
  startedOn: Day | null;
  /** Whether everyone in the audience has had an assignment. */
  isAssigned: boolean;
  isEnded: boolean;
}

export interface Assignment {
  campaign: Campaign;
  person: Person;
  item: Campaign['items'][number];
  round: number;
  assignedAt: number;
  dueOn: Day;
  /** Results from this day on count for a course. */
  resultsFrom: Day;
  /** Signatures from this time on count for a policy. */
  signaturesFrom: number;
  completedAt: number | null;
  waivedAt: number | null;
  endedAt: number | null;
}

export const COMPANY_ZONE = 'UTC';
const FAIR_DAYS = 14;

export const isOpen = ({ completedAt, waivedAt, endedAt }: Assignment): boolean =>
  completedAt === null && waivedAt === null && endedAt === null;

/** Returns the time at which an assignment becomes overdue. */
export const dueAt = ({ dueOn, person }: Assignment): number => startOf(addDays(dueOn, 1), person.zone);

/**
 * Returns the earliest day on which a period of the shortest length, in months, can begin and not have passed on `day`.
 */
function firstDayWithin(day: Day, periods: (number | null)[]): Day {
  const months = Math.min(...periods.filter((period) => period !== null));
  if (months === Infinity) return BEFORE_ALL;
  const first = addMonths(day, -months);
  return addMonths(first, months) < day ? addDays(first, 1) : first;
}

export class CompanyModel {
  readonly people: Person[] = [];
  readonly campaigns: Campaign[] = [];
  readonly #assignments = new Map<Person, Assignment[]>();
  /** People who have changed since the last evaluation. */
  readonly changed = new Set<Person>();
  /** The last Monday on which the managers in a time zone got messages. */
  readonly notifiedOn = new Map<string, Day>();
  #evaluatedOn: Day = BEFORE_ALL;

  of(person: Person): Assignment[] {
    const known = this.#assignments.get(person) ?? [];
    this.#assignments.set(person, known);
    return known;
  }

  open(person: Person): Assignment[] {
    return this.of(person).filter(isOpen);
  }

  /** Records that a person has passed a course or signed a policy. */
  finish(person: Person, item: string, at: number): void {
    person.results.push({ item, at, day: toLocal(at, COMPANY_ZONE).day });
    this.#complete(person, at);
  }

  waive(assignment: Assignment, at: number): void {
    assignment.waivedAt = at;
    this.changed.add(assignment.person);
  }

  /** Acts like the worker: evaluates everyone when the company's day has begun, otherwise those who have changed. */
  evaluate(at: number): void {
    const { day } = toLocal(at, COMPANY_ZONE);
    const everyone = day > this.#evaluatedOn;
    for (const campaign of this.campaigns.filter(({ isEnded }) => !isEnded)) {
      campaign.startedOn ??= day;
      for (const person of everyone ? this.people : this.changed) this.#evaluate(person, campaign, at);
      campaign.isAssigned ||= everyone;
    }
    this.changed.clear();
    this.#evaluatedOn = day;
  }

  /** Ends a campaign and its open assignments. */
  end(campaign: Campaign, at: number): void {
    campaign.isEnded = true;
    for (const person of this.people) {
      for (const one of this.open(person)) if (one.campaign === campaign) one.endedAt = at;
    }
  }

  #evaluate(person: Person, campaign: Campaign, at: number): void {
    const isAsked = !person.inactive && [null, person.department].includes(campaign.department);
    const own = this.of(person).filter((one) => one.campaign === campaign);
    if (isAsked && (campaign.includesNewcomers || !campaign.isAssigned || own.length > 0)) {
      for (const item of campaign.items) {
        const last = own.findLast((one) => one.item === item);
        const round = this.#roundOf(campaign, person, last, at);
        if (round === null) continue;
        if (last?.round === round) this.#reopen(last, at);
        else this.of(person).push(this.#assign({ campaign, person, item, round, at, isFirst: last === undefined }));
      }
    }
    const lastOf = new Map(
      this.of(person)
        .filter((one) => one.campaign === campaign)
        .map((one) => [one.item, one]),
    );
    for (const one of this.open(person)) {
      if (one.campaign !== campaign) continue;
      if (lastOf.get(one.item) !== one || (!campaign.keepsOpen && !isAsked)) one.endedAt = at;
    }
    this.#complete(person, at);
  }

  /** Returns the round that a person must be assigned; null if none is missing. */
  #roundOf(campaign: Campaign, person: Person, last: Assignment | undefined, at: number): number | null {
    const today = toLocal(at, person.zone).day;
    const current = campaign.isYearly ? 1 + this.#yearsOf(campaign, today) : 1;
    if (!last) return current;
    if (campaign.isYearly && current > last.round) return current;
    const months = campaign.renews ? (last.item.validForMonths ?? null) : campaign.months;
    if (months !== null && (last.completedAt ?? last.waivedAt) !== null) {
      const done = person.results
        .filter(({ item }) => item === last.item.id)
        .map((result) => (last.item.type === 'course' ? startOf(result.day, person.zone) : result.at));
      const doneAt = latest(last.completedAt ?? 0, last.waivedAt ?? 0, ...done);
      const doneOn = toLocal(doneAt, person.zone).day;
      const until = addMonths(doneOn, months);
      const daysAhead = campaign.renews ? Math.min(campaign.dueDays!, Math.floor(countDays(doneOn, until) / 2)) : 0;
      if (addDays(until, -daysAhead) <= today) return last.round + 1;
    }
    return last.endedAt === null ? null : last.round;
  }

  #yearsOf({ startedOn }: Campaign, today: Day): number {
    let years = 0;
    while (addMonths(startedOn!, 12 * (years + 1)) <= today) years += 1;
    return years;
  }

  #reopen(assignment: Assignment, at: number): void {
    const { campaign, person, dueOn } = assignment;
    const fairDays = Math.min(campaign.dueDays ?? FAIR_DAYS, FAIR_DAYS);
    assignment.dueOn = latest(dueOn, addDays(toLocal(at, person.zone).day, fairDays));
    assignment.endedAt = null;
  }

  #assign(
    wanted: Omit<
      Assignment,
      'assignedAt' | 'dueOn' | 'resultsFrom' | 'signaturesFrom' | 'completedAt' | 'waivedAt' | 'endedAt'
    > & {
      at: number;
      isFirst: boolean;
    },
  ): Assignment {
    const { at, isFirst, ...assignment } = wanted;
    const { campaign, person } = assignment;
    const today = toLocal(at, person.zone).day;
    const companyDay = toLocal(at, COMPANY_ZONE).day;
    const periods = [campaign.isYearly ? 12 : campaign.months, assignment.item.validForMonths ?? null];
    const years = campaign.isYearly ? this.#yearsOf(campaign, today) : 0;
    const ofDate = campaign.isAssigned ? addDays(today, FAIR_DAYS) : today;
    const dueOn = campaign.dueDays === null ? latest(ofDate, campaign.dueDate!) : addDays(today, campaign.dueDays);
    const laterFrom = campaign.isYearly ? addMonths(campaign.startedOn!, 12 * years) : companyDay;
    const firstFrom = firstDayWithin(companyDay, periods);
    return {
      ...{ ...assignment, assignedAt: at, dueOn, resultsFrom: isFirst ? firstFrom : laterFrom, signaturesFrom: at },
      ...{ completedAt: null, waivedAt: null, endedAt: null },
    };
  }

  /** Completes the latest rounds that a result or signature counts for. */
  #complete(person: Person, at: number): void {
    const today = toLocal(at, COMPANY_ZONE).day;
    const lastOf = new Map(this.of(person).map((one) => [`${one.campaign.id} ${one.item.id}`, one]));
    for (const one of lastOf.values()) {
      if (!isOpen(one)) continue;
      const counting = person.results.filter(
        ({ item, at: time, day }) =>
          item === one.item.id && (one.item.type === 'course' ? day >= one.resultsFrom : time >= one.signaturesFrom),
      );
      if (counting.length === 0) continue;
      const { at: time, day } = counting.reduce((a, b) => (b.at < a.at ? b : a));
      one.completedAt = one.item.type === 'policy' ? time : day === today ? at : startOf(day, COMPANY_ZONE);
    }
  }
}
