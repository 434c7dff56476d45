import type { Schemas } from '../src/contract/contract.ts';
import { type Campaign, DEMO_CAMPAIGNS } from './demo-campaigns.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { courseId, courseNamed, toKey, ownerId } from './demo-course-rows.ts';
import type { DemoCourse } from './demo-courses.ts';
import { companyId, fixedReference } from './demo-ids.ts';
import { formatDate, toDay, LAST_DATE, workdaysAfter } from './demo-days.ts';
import { type Random, createRandom } from './demo-people.ts';
import { type Outcome, buildResults } from './demo-results.ts';

const LAST_DAY = toDay(LAST_DATE);
const FIRST_LEAVING = toDay('2025-03-03');
const LAST_LEAVING = toDay('2026-09-30');

export interface Trainee {
  row: { id: string; created_at: Date; inactive: boolean; excluded_from_auto_enrol: boolean };
}

/** Traits of a learner that shape all of their results. */
export interface Character {
  /** Amount added to the chance of a correct answer. */
  skill: number;
  /** Tendency to act late, from 0 (always prompt) to 1. */
  laxness: number;
  /** The last day on which the learner did anything. */
  lastDay: number;
}

/** An enrolment, and the results that the learning platform reports for it. */
interface Training {
  enrollment: object;
  results: Omit<Schemas['CourseResultInput'], 'eventId'>[];
}

/**
 * Creates two years of training, up to the middle of November 2026.
 * @param trainees learners in the order in which they joined
 * @param membersOf members by the name of the group
 */
export function buildTraining(
  company: DemoCompany,
  trainees: Trainee[],
  membersOf: ReadonlyMap<string, Trainee[]>,
): { enrollments: object[]; results: Schemas['CourseResultInput'][]; characters: ReadonlyMap<Trainee, Character> } {
  const random = createRandom(1001 + DEMO_COMPANIES.indexOf(company));
  const clock = createRandom(4001 + DEMO_COMPANIES.indexOf(company));
  const newest = selectNewest(trainees);
  const isMeant = (campaign: Campaign, trainee: Trainee) =>
    campaign.newest
      ? newest.includes(trainee)
      : (campaign.groups?.some((name) => membersOf.get(name)!.includes(trainee)) ?? true);

  const characters = new Map<Trainee, Character>();
  const all = trainees.flatMap((trainee) => {
    const character = createCharacter(random, trainee);
    characters.set(trainee, character);
    const trainings = new Map<DemoCourse, Training>();
    for (const campaign of DEMO_CAMPAIGNS[company.handle]!) {
      const course = courseNamed(campaign.course);
      if (trainings.has(course) || !isMeant(campaign, trainee)) continue;
      const enrolled = enrolmentDay(random, campaign, trainee);
      if (enrolled === undefined || enrolled > character.lastDay) continue;
      const outcome = createOutcome(random, course, character, enrolled);
      const enrollment = enrollmentRow(company, trainee, course, enrolled);
      trainings.set(course, {
        enrollment,
        results: buildResults(clock, { learner: { id: trainee.row.id }, course: toKey(course) }, course, outcome),
      });
    }
    return [...trainings.values()];
  });
  return {
    enrollments: all.map(({ enrollment }) => enrollment),
    results: all
      .flatMap(({ results }) => results)
      .map((result, index) => ({ ...result, eventId: `lms-${100_001 + index}` })),
    characters,
  };
}

function enrollmentRow(company: DemoCompany, { row }: Trainee, course: DemoCourse, enrolled: number): object {
  return {
    company_id: companyId(company),
    learner_id: row.id,
    course_id: courseId(course),
    course_owner_id: ownerId(course),
    attempt_id: fixedReference(`${row.id} ${course.name}`),
    enroll_date: formatDate(enrolled),
  };
}

/** Returns the twentieth of the active learners who joined last, but at least two learners. */
function selectNewest(trainees: Trainee[]): Trainee[] {
  const active = trainees.filter(({ row }) => !row.inactive);
  return active.slice(-Math.max(2, Math.round(active.length / 20)));
}

function createCharacter(random: Random, { row }: Trainee): Character {
  const skill = (random() + random() - 1) * 0.1;
  const struggles = random() < 0.08;
  const laxness = random();
  const leaving = FIRST_LEAVING + Math.floor(random() * (LAST_LEAVING - FIRST_LEAVING));
  return {
    skill: struggles ? skill - 0.2 : skill,
    laxness: laxness * laxness,
    lastDay: row.inactive ? Math.max(leaving, toDay(row.created_at) + 90) : LAST_DAY,
  };
}

/**
 * Returns the day of the enrolment. In a campaign for everybody, learners who join later are enrolled within ten
 * working days, unless they are excluded from automatic enrolment.
 */
function enrolmentDay(random: Random, { date, groups }: Campaign, { row }: Trainee): number | undefined {
  const joined = toDay(row.created_at);
  if (joined < toDay(date)) return toDay(date);
  return groups || row.excluded_from_auto_enrol ? undefined : workdaysAfter(joined, 1 + Math.floor(random() * 10));
}

function createOutcome(random: Random, course: DemoCourse, character: Character, enrolled: number): Outcome {
  const { start, finish } = createProgress(random, enrolled, character);
  const score = finish === undefined ? undefined : createScore(random, course, character.skill, finish);
  return { enrolled, start, finish, score };
}

/**
 * Draws start and finish. Most learners are prompt, some are late, stop halfway or never start. Nothing follows the
 * last day.
 */
function createProgress(
  random: Random,
  enrolled: number,
  { laxness, lastDay }: Character,
): Pick<Outcome, 'start' | 'finish'> {
  const roll = random() * (0.8 + 0.4 * laxness);
  if (roll > 0.92) return {};
  const [earliest, latest] = roll < 0.4 ? [0, 4] : roll < 0.75 ? [4, 19] : roll < 0.88 ? [20, 80] : [0, 30];
  const start = workdaysAfter(enrolled, earliest + Math.floor(random() * (latest - earliest + 1)));
  if (start > lastDay) return {};
  const finish = workdaysAfter(start, random() < 0.7 ? 0 : 1 + Math.floor(random() * 7));
  const stopped = roll >= 0.88;
  return stopped || finish > lastDay ? { start } : { start, finish };
}

/** Draws the share of correct answers, which improves a little each year. */
function createScore(random: Random, course: DemoCourse, skill: number, day: number): number {
  const usual = course.type === 'gap_analysis' ? 0.66 : 0.93 - 0.045 * course.difficulty;
  const routine = (0.02 * (day - FIRST_LEAVING)) / 365;
  const chance = Math.min(0.98, usual + skill + routine);
  let right = 0;
  for (let question = 0; question < course.questions; question += 1) if (random() < chance) right += 1;
  return (100 * right) / course.questions;
}
