import { addDays, type Day, dayOfCause, isWorkingTime, latest, toLocal, weekday, workingDay } from './calendar.ts';
import { type Assignment, type CompanyModel, dueAt, isOpen, type Person } from './company-model.ts';

const DAY_MS = 86_400_000;

/** A message that the rules demand: the recipient, and the assignments that it names. */
export interface ExpectedMail {
  person: Person;
  about: Assignment[];
}

/** Returns the days on which a person is reminded of an assignment. */
export function mailDays({ campaign, person, assignedAt, dueOn }: Assignment): Day[] {
  const cause = dayOfCause(toLocal(assignedAt, person.zone));
  const isAfterMail = assignedAt > person.mailedAt && cause <= person.mailedOn;
  const first = isAfterMail ? addDays(person.mailedOn, 1) : cause;
  const before = campaign.remindBefore.map((days) => addDays(dueOn, -days)).filter((day) => day > first);
  const after = campaign.remindAfter.map((days) => addDays(dueOn, days));
  return [first, ...before, ...after].map(workingDay);
}

/** Returns the messages to learners that are due at a time, and records them. */
export function takeDueMails(model: CompanyModel, at: number): ExpectedMail[] {
  const mails: ExpectedMail[] = [];
  for (const person of model.people) {
    const open = model.open(person);
    const now = toLocal(at, person.zone);
    if (person.inactive || open.length === 0 || !isWorkingTime(now) || person.mailedOn >= now.day) continue;
    const isDue = open.some((one) => mailDays(one).some((day) => person.mailedOn < day && day <= now.day));
    if (!isDue) continue;
    mails.push({ person, about: open });
    Object.assign(person, { mailedOn: now.day, mailedAt: at });
  }
  return mails;
}

/** Returns the messages to managers, which each time zone gets once on Monday morning, and records them. */
export function takeDigests(model: CompanyModel, at: number): ExpectedMail[] {
  const teams = Map.groupBy(
    model.people.filter(({ managerId, inactive }) => managerId !== null && !inactive),
    ({ managerId }) => managerId,
  );
  const zones = [...new Set(model.people.map(({ zone }) => zone))].filter((zone) => {
    const now = toLocal(at, zone);
    if (weekday(now.day) !== 1 || !isWorkingTime(now) || model.notifiedOn.get(zone) === now.day) return false;
    model.notifiedOn.set(zone, now.day);
    return true;
  });
  const dueZones = new Set(zones);
  const mails: ExpectedMail[] = [];
  for (const person of model.people) {
    const team = teams.get(person.id) ?? [];
    const monday = model.notifiedOn.get(person.zone)!;
    if (person.inactive || !dueZones.has(person.zone) || person.notifiedOn >= monday) continue;
    const about = team.flatMap((one) => model.of(one)).filter((one) => isEscalated(one, at));
    if (about.length === 0) continue;
    mails.push({ person, about });
    person.notifiedOn = monday;
  }
  return mails;
}

function isEscalated(assignment: Assignment, at: number): boolean {
  const { escalateAfter } = assignment.campaign;
  return escalateAfter !== null && isOpen(assignment) && dueAt(assignment) + escalateAfter * DAY_MS <= at;
}

/** Counts the messages of each day that a campaign still causes if nothing changes, as its preview does. */
export function previewDays(model: CompanyModel, campaignId: string, at: number): { day: Day; messages: number }[] {
  const counts = new Map<Day, number>();
  for (const person of model.people) {
    if (person.inactive) continue;
    const today = dayOfCause(toLocal(at, person.zone));
    const days = new Set<Day>();
    for (const one of model.open(person)) {
      if (one.campaign.id !== campaignId) continue;
      for (const day of mailDays(one)) if (day > person.mailedOn) days.add(workingDay(latest(day, today)));
    }
    for (const day of days) counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return [...counts].toSorted().map(([day, messages]) => ({ day, messages }));
}
