import type { DemoCompany } from './demo-companies.ts';
import { DEMO_COMPANIES } from './demo-companies.ts';
import { DAY_MS, formatDate, toDay, LAST_DATE } from './demo-days.ts';
import { fixedId } from './demo-ids.ts';
import { type Language, type Person, type Random, createPerson, createRandom, pick } from './demo-people.ts';

export type DemoLearner = ReturnType<typeof createLearner>;
export type DemoGroup = ReturnType<typeof createGroups>['groups'][number];

/** Creates the learners of a company in the order in which they joined, its groups, and the members by group name. */
export function buildStaff(company: DemoCompany) {
  const random = createRandom(DEMO_COMPANIES.indexOf(company) + 1);
  const learners = createLearners(random, company);
  return { learners, ...createGroups(random, company, learners) };
}

function createLearners(random: Random, company: DemoCompany): DemoLearner[] {
  const emails = new Set<string>();
  const start = Date.parse(company.createdAt);
  return Array.from({ length: company.learners }, (_, index) => {
    const person = createPerson(random, company.languages);
    const email = freeEmail(person, company.domain, emails);
    const createdAt = start + Math.floor(((index + random()) / company.learners) * 300 * DAY_MS);
    return createLearner(random, { person, email, createdAt, index });
  });
}

/** The place where the speakers of each language work. */
const PLACES: Record<Language, { country: string; location: string; time_zone: string }> = {
  en: { country: 'GB', location: 'Sheffield', time_zone: 'Europe/London' },
  de: { country: 'DE', location: 'Göppingen', time_zone: 'Europe/Berlin' },
  fr: { country: 'FR', location: 'Saint-Étienne', time_zone: 'Europe/Paris' },
};
const UNKNOWN_PLACE = { country: null, location: null, time_zone: null };
const JOB_TITLES = ['Assistant', 'Analyst', 'Specialist', 'Team Lead', 'Consultant', 'Coordinator'];

function createLearner(
  random: Random,
  { person, email, createdAt, index }: { person: Person; email: string; createdAt: number; index: number },
) {
  const row = {
    id: fixedId(createdAt, 'learner', index),
    email,
    first_name: person.firstName,
    last_name: person.lastName,
    external_learner_id: random() < 0.9 ? `HR-${10_001 + index}` : null,
    locale: random() < 0.96 ? person.language : null,
    // Set for each learner together with the group of this name.
    department: null as string | null,
    job_title: index % 9 === 4 ? null : JOB_TITLES[index % JOB_TITLES.length]!,
    ...(index % 20 === 13 ? UNKNOWN_PLACE : PLACES[person.language]),
    inactive: index % 12 === 7,
    excluded_from_auto_enrol: random() < 0.03,
    created_at: new Date(createdAt),
    updated_at: new Date(createdAt + Math.floor(random() * 100 * DAY_MS)),
  };
  return { row, language: person.language };
}

function freeEmail(person: Person, domain: string, taken: Set<string>): string {
  for (let attempt = 1; ; attempt += 1) {
    const email = `${person.mailName}${attempt > 1 ? attempt : ''}@${domain}`;
    if (taken.has(email)) continue;
    taken.add(email);
    return email;
  }
}

function createGroups(random: Random, company: DemoCompany, learners: DemoLearner[]) {
  const { departments, sites, others = {} } = company.groups;
  const membersOf = new Map<string, DemoLearner[]>();
  const join = (name: string, learner: DemoLearner) => void membersOf.get(name)!.push(learner);
  for (const name of [...departments, ...Object.values(sites ?? {}), ...Object.keys(others)]) membersOf.set(name, []);
  for (const learner of learners) {
    if (random() < 0.94) {
      learner.row.department = pick(random, departments);
      join(learner.row.department, learner);
    }
    if (sites) join(sites[learner.language], learner);
    for (const [name, chance] of Object.entries(others)) if (random() < chance) join(name, learner);
  }

  const time = Date.parse(company.createdAt);
  const groups = [...membersOf].map(([name, members], index) => {
    const managers = members.filter(({ row }) => !row.inactive).slice(0, random() < 0.3 ? 2 : 1);
    return {
      row: { id: fixedId(time, 'group', index), name, created_at: new Date(time) },
      learnerIds: members.map(({ row }) => row.id),
      memberships: members.map(({ row }) => {
        return { learnerId: row.id, periods: [{ from: formatDate(toDay(row.created_at)), to: LAST_DATE }] };
      }),
      managerIds: managers.map(({ row }) => row.id),
    };
  });
  return { membersOf, groups };
}
