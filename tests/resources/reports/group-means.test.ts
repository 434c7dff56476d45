import fc from 'fast-check';
import { get, patch } from '../../support/client.ts';
import { companies, id } from '../../support/world.ts';

// Compares the means and rates of `GET /reports/groups` with a model, for any groups and simulations. Then subtracts
// every group from the company and from each group that contains it: no difference is over too few people.

const COMPANY = companies.childB;
const LEARNERS = Array.from({ length: 9 }, (_, n) => id('7', 0x900 + n));
const GROUPS = Array.from({ length: 4 }, (_, n) => id('2', 0x900 + n));
/** Each simulation begins on another day. */
const SIMULATIONS = ['2026-05-01', '2026-05-02', '2026-05-03'].map((day, n) => ({ id: id('a', 0x900 + n), day }));

type People = boolean[];
interface World {
  minGroupSize: number;
  scores: number[];
  groups: People[];
  /** Recipients of each simulation; each followed the link if their score is even. */
  sent: People[];
}

const people = fc.array(fc.boolean(), { minLength: LEARNERS.length, maxLength: LEARNERS.length });
const worlds: fc.Arbitrary<World> = fc.record({
  minGroupSize: fc.integer({ min: 2, max: 4 }),
  scores: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: LEARNERS.length, maxLength: LEARNERS.length }),
  groups: fc.array(people, { minLength: GROUPS.length, maxLength: GROUPS.length }),
  sent: fc.array(people, { minLength: SIMULATIONS.length, maxLength: SIMULATIONS.length }),
});

beforeAll(async () => {
  const { query } = testService;
  for (const table of ['groups', 'learners', 'simulations'])
    await query(`delete from ${table} where company_id = $1`, [COMPANY]);
  await query(
    `insert into learners (company_id, id, email, first_name, last_name, locale)
     select $1::uuid, l::uuid, 'mean' || n || '@childb.test', 'M', 'N', 'en' from unnest($2::text[]) with ordinality as l (l, n)`,
    [COMPANY, LEARNERS],
  );
  await query(
    `insert into groups (company_id, id, name)
     select $1::uuid, g::uuid, 'Group ' || n from unnest($2::text[]) with ordinality as g (g, n)`,
    [COMPANY, GROUPS],
  );
  await query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select $1::uuid, s::uuid, s, 'completed', 'email', day::date from unnest($2::text[], $3::text[]) as s (s, day)`,
    [COMPANY, SIMULATIONS.map((one) => one.id), SIMULATIONS.map(({ day }) => day)],
  );
});

async function build({ minGroupSize, scores, groups, sent }: World): Promise<void> {
  const { query } = testService;
  await patch('/company/settings', { minGroupSize }, 'childB');
  for (const table of ['group_learners', 'simulation_recipients'])
    await query(`delete from ${table} where company_id = $1`, [COMPANY]);
  await query(
    `update learners l set risk_score = s.score from unnest($2::uuid[], $3::smallint[]) as s (id, score)
      where l.company_id = $1 and l.id = s.id`,
    [COMPANY, LEARNERS, scores],
  );
  const members = groups.flatMap((group, n) => pick(group).map((who) => [GROUPS[n]!, LEARNERS[who]!]));
  await query(
    `insert into group_learners (company_id, group_id, learner_id)
     select $1::uuid, * from unnest($2::uuid[], $3::uuid[])`,
    [COMPANY, members.map(([group]) => group), members.map(([, learner]) => learner)],
  );
  const messages = sent.flatMap((to, n) => pick(to).map((who) => ({ simulation: SIMULATIONS[n]!, who })));
  await query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, sent_at, opened_at, visited_at)
     select $1::uuid, simulation, learner, '2026-05-04Z', visited, visited
       from unnest($2::uuid[], $3::uuid[], $4::timestamptz[]) as m (simulation, learner, visited)`,
    [
      COMPANY,
      messages.map(({ simulation }) => simulation.id),
      messages.map(({ who }) => LEARNERS[who]!),
      messages.map(({ who }) => (scores[who]! % 2 === 0 ? '2026-05-05Z' : null)),
    ],
  );
}

const pick = (group: People) => group.flatMap((isIn, n) => (isIn ? [n] : []));
const isEnough = (count: number, min: number) => count === 0 || count >= min;
const EVERYONE = LEARNERS.map(() => true);

/** The people of `whole` who are not in `part`; null if `whole` does not contain `part`. */
function subtract(whole: People, part: People): number[] | null {
  return part.some((isIn, n) => isIn && !whole[n]) ? null : pick(whole).filter((n) => !part[n]);
}

/** Returns the expected mean and rate of a group. */
function expected({ minGroupSize, scores, groups, sent }: World, group: People) {
  const members = pick(group);
  const differences = [EVERYONE, ...groups].flatMap((whole) => subtract(whole, group)?.length ?? []);
  const isShown = members.length >= minGroupSize && differences.every((count) => isEnough(count, minGroupSize));
  const counted = sent.flatMap((to) => {
    const own = pick(to).filter((n) => group[n]);
    return own.length >= minGroupSize && isEnough(pick(to).length - own.length, minGroupSize) ? own : [];
  });
  const clicks = counted.filter((n) => scores[n]! % 2 === 0).length;
  const mean = Math.round((10 * members.reduce((sum, n) => sum + scores[n]!, 0)) / members.length) / 10;
  return {
    averageRiskScore: isShown ? mean : null,
    sentCount: counted.length,
    clickRate: isShown && counted.length > 0 ? Math.round((1e4 * clicks) / counted.length) / 1e4 : null,
  };
}

async function read(query = ''): Promise<{ company: any; groups: any[] }> {
  return (await get(`/reports/groups${query}`, 'childB')).body.data;
}

const figures = ({ averageRiskScore, simulations: { sentCount, clickRate } }: any) => ({
  averageRiskScore,
  sentCount,
  clickRate,
});

test('means and rates match the model, and no difference between two groups covers too few people', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      await build(world);
      const { company, groups } = await read('?from=2026-05-01&to=2026-05-03');
      expect(figures(company)).toEqual(expected(world, EVERYONE));
      expect(groups.map(figures)).toEqual(world.groups.map((group) => expected(world, group)));
      const shown = [EVERYONE, ...world.groups].filter((_, n) => [company, ...groups][n].averageRiskScore !== null);
      for (const part of shown)
        for (const whole of shown) expect(isEnough(subtract(whole, part)?.length ?? 0, world.minGroupSize)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test('two periods differ only by whole simulations that were sent to enough people', async () => {
  const sent = [EVERYONE, EVERYONE.map((_, n) => n === 0), EVERYONE.map((_, n) => n < 4)];
  const world = { minGroupSize: 4, scores: LEARNERS.map((_, n) => n), groups: [EVERYONE, ...sent], sent };
  await build({ ...world, groups: world.groups.slice(0, GROUPS.length) });
  const count = async (from: string, to: string) =>
    (await read(`?from=${from}&to=${to}`)).company.simulations.sentCount;
  expect(await count('2026-05-01', '2026-05-01')).toBe(9);
  expect(await count('2026-05-01', '2026-05-02')).toBe(9);
  expect(await count('2026-05-02', '2026-05-02')).toBe(0);
  expect(await count('2026-05-02', '2026-05-03')).toBe(4);
});
