/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "1000000", "TEST_REPLICA": "none", "TEST_POOLER": "none"} */
import { jest } from '@jest/globals';
import { get } from '../../../support/client.ts';
import { companies } from '../../../support/world.ts';
import { weekday } from './calendar.ts';
import { injectClock, setClock } from './clock.ts';
import { CompanyLife, PLANNED, removeOthers } from './company-life.ts';
import { type Assignment, type Campaign, CompanyModel, dueAt } from './company-model.ts';
import { type ExpectedMail, previewDays, takeDigests, takeDueMails } from './mail-model.ts';
import { takeMails, workOnce } from './worker.ts';

// A model company lives three years under an injected clock: people are hired, leave, return, move, travel, finish,
// fail and sign at random. The worker runs three times on each lived day. Every message must be one that the model
// expects at that time, about the same assignments, and the model expects it only by a rule: one on each reminder day,
// in the working hours, not to somebody who has left, and nothing about completed items. Assignments, overdue figures,
// and previews must be those of the model, which is plain TypeScript (company-model.ts, mail-model.ts).
//
// On the other days, the worker is stopped. Mondays are always lived, because managers get messages then.
// To repeat a failure, set its seed; for a larger test, raise `PEOPLE` and `DAYS`:
// `SEED=7 PEOPLE=1000 DAYS=365 make test ARGS=tests/resources/campaigns/model`.

const setting = (name: string, value: number) => Number(process.env[name] ?? value);
const SEED = setting('SEED', 39);
const PEOPLE = setting('PEOPLE', 25);
const DAYS = setting('DAYS', 1095);
const DAYS_A_WEEK = setting('DAYS_A_WEEK', 1.3);
const DAY_MS = 86_400_000;
jest.setTimeout(Math.max(600_000, DAYS * DAYS_A_WEEK * (500 + PEOPLE * 10)));

const RATES = {
  ...{ leave: 0.003, return: 0.02, hire: 0.0005, move: 0.005, travel: 0.002 },
  ...{ finish: 0.06, fail: 0.01, waive: 0.002 },
};

/** Mulberry32, because Math.random cannot be seeded. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomOf(SEED);
const model = new CompanyModel();
const life = new CompanyLife(model, random, RATES);
const keyOf = ({ campaign, item, round, person }: Assignment) => [campaign.id, item.id, round, person.id].join(' ');
const at = (time: number, found: object) => ({ seed: SEED, at: new Date(time).toISOString(), ...found });
let sent = 0;

/** Lets the worker run at a time, and compares the messages with those of the model. */
async function work(time: number): Promise<void> {
  await setClock(new Date(time));
  await workOnce(new Date(time));
  model.evaluate(time);
  const describeMail = (kind: string, { person, about }: ExpectedMail) =>
    `${kind} ${person.email}: ${about.map(keyOf).toSorted().join(', ')}`;
  const mails = [
    ...takeDueMails(model, time).map((mail) => describeMail('assignments_due', mail)),
    ...takeDigests(model, time).map((mail) => describeMail('assignments_overdue', mail)),
  ].toSorted();
  expect(at(time, { mails: await takeMails(new Date(time), random) })).toEqual(at(time, { mails }));
  sent += mails.length;
}

function statusOf({ waivedAt, completedAt, endedAt }: Assignment): string {
  if (waivedAt !== null) return 'waived';
  if (completedAt !== null) return 'completed';
  return endedAt === null ? 'open' : 'ended';
}

async function compareAssignments(time: number): Promise<void> {
  const rows = await testService.query(
    `select concat_ws(' ', campaign_id, item_id, round, learner_id, due_on, round(extract(epoch from due_at) * 1000),
                      case when waived_at is not null then 'waived' when completed_at is not null then 'completed'
                           when ended_at is not null then 'ended' else 'open' end) as text
       from campaign_assignments where company_id = $1`,
    [companies.tenant],
  );
  const ofModel = model.people
    .flatMap((person) => model.of(person))
    // Closed assignments keep their due times.
    .map((one) => [one, [keyOf(one), one.dueOn, dueAt(one), statusOf(one)].join(' ')] as const);
  const isOpen = (text: string) => text.endsWith(' open');
  const shown = (text: string) => (isOpen(text) ? text : text.replace(/ \d+ (\w+)$/, ' $1'));
  const assignments = rows.map(({ text }) => shown(text as string)).toSorted();
  expect(at(time, { assignments })).toEqual(
    at(time, { assignments: ofModel.map(([, text]) => shown(text)).toSorted() }),
  );
}

async function compareOverdue(time: number): Promise<void> {
  const open = model.people.filter(({ inactive }) => !inactive).flatMap((person) => model.open(person));
  const figures = [...Map.groupBy(open, ({ person }) => person.department)].map(([name, ofName]) => {
    const overdue = ofName.filter((one) => dueAt(one) <= time);
    const countPeople = (some: Assignment[]) => new Set(some.map(({ person }) => person)).size;
    return {
      ...{ id: null, name, openLearners: countPeople(ofName), openAssignments: ofName.length },
      ...{ overdueLearners: countPeople(overdue), overdueAssignments: overdue.length },
    };
  });
  const { body } = await get('/reports/overdue?by=department&limit=200');
  const ordered = figures.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(at(time, { figures: body.data })).toEqual(at(time, { figures: ordered }));
}

async function comparePreview({ id, name }: Campaign, time: number): Promise<void> {
  const { body } = await get(`/campaigns/${id}/preview`);
  const messages = previewDays(model, id, time);
  expect(at(time, { name, ...body.data })).toMatchObject(at(time, { name, assignments: 0, messages }));
}

async function startAndEnd(number: number, midnight: number): Promise<void> {
  await setClock(new Date(midnight));
  for (const planned of PLANNED) {
    const campaign = model.campaigns.find(({ name }) => name === planned.name);
    if (!campaign && planned.startsAfter <= number) model.campaigns.push(await life.plan(planned, midnight));
    if (campaign && !campaign.isEnded && planned.endsAfter !== undefined && planned.endsAfter <= number) {
      await life.end(campaign);
      model.end(campaign, midnight);
    }
  }
}

async function liveDay(number: number, midnight: number): Promise<void> {
  const timeOf = (time: string) => midnight + Date.parse(`1970-01-01T${time}Z`);
  await startAndEnd(number, midnight);
  await work(timeOf('00:30'));
  // Later on the day, a preview also has rounds that begin at midnight west of the company.
  const running = model.campaigns.filter(({ isEnded }) => !isEnded);
  const campaign = running[Math.floor(random() * running.length)];
  if (campaign) await comparePreview(campaign, timeOf('00:30'));
  for (const [changeTime, workTime] of [
    ['08:00', '10:00'],
    ['13:00', '15:30'],
  ] as const) {
    await setClock(new Date(timeOf(changeTime)));
    await life.change(timeOf(changeTime));
    await work(timeOf(workTime));
  }
  await compareOverdue(timeOf('15:30'));
  await compareAssignments(timeOf('15:30'));
}

// On Citus, the coordinator's clock differs from the other nodes' clocks.
(process.env['TEST_CITUS_BIN'] ? test.skip : test)(
  'three years of campaigns have the assignments, messages, previews and overdue figures of a model',
  async () => {
    await injectClock();
    const firstDay = Math.floor(Date.now() / DAY_MS - DAYS - 1) * DAY_MS;
    await setClock(new Date(firstDay));
    await removeOthers();
    for (let count = 0; count < PEOPLE; count += 1) await life.hire();
    for (let number = 0; number < DAYS; number += 1) {
      const midnight = firstDay + number * DAY_MS;
      const isMonday = weekday(new Date(midnight).toISOString().slice(0, 10)) === 1;
      if (isMonday || random() * 6 < DAYS_A_WEEK - 1) await liveDay(number, midnight);
    }
    expect(sent).toBeGreaterThan(PEOPLE);
  },
);
