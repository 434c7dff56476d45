import type pg from 'pg';
import { operations } from '../../../src/contract/contract.ts';
import type { Invoke } from '../../../src/operations/invoke.ts';
import { addRows } from '../../db/many-rows.ts';
import { del, post } from '../../support/client.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { adminId, companies, groupId, id, learnerId, unknownId } from '../../support/world.ts';
import { assignmentId } from '../../support/world-campaigns.ts';
import {
  adminWith,
  createServiceInvoke,
  findPagedList,
  inputsOf,
  managedOperations,
  manager,
  readPages,
  readResult,
} from './manager-state.ts';

const [one, two, three, five] = ([1, 2, 3, 5] as const).map((n) => learnerId('tenant', n)) as [
  string,
  string,
  string,
  string,
];
/** The first learners that `addRows` adds: a direct report, and one whose own manager is inactive. */
const [report, member] = [1, 2].map((n) => `0192b000-0000-7000-8000-00000000000${n}`) as [string, string];
const stranger = learnerId('other', 1);
const admin = adminId('tenant', 2);
const team = id('2', 0x300);
/** The manager's people: three direct reports, and a member of a group who has no active manager. */
const people = [one, two, report, member].toSorted();

const limitOf = (operationId: (typeof managedOperations)[number]) => operations[operationId].managers;
const lists = managedOperations.filter((operationId) => limitOf(operationId) === 'filter');
const ofLearner = managedOperations.filter((operationId) => limitOf(operationId) === 'learner');

let pool: pg.Pool;
let invoke: Invoke;
let others: { id: string; email: string; name: string }[];
const [asManager, asOwner] = [adminWith('manager'), adminWith('owner')];

const query = (text: string, values: unknown[] = []) => testService.query(text, values);
const read = async (...call: Parameters<Invoke>) => withoutTime(await readResult(await invoke(...call)));
const codeOf = (...call: Parameters<Invoke>) =>
  invoke(...call).then(
    () => 'done',
    (error: { code: string }) => error.code,
  );

function withoutTime(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  return Object.fromEntries(Object.entries(result).filter(([name]) => name !== 'generatedAt' && name !== 'groupTree'));
}

beforeAll(async () => {
  pool = openServicePool(5);
  invoke = createServiceInvoke(pool);
  await addRows('tenant', 1, 40);
  await query(`update learners set country = 'CH' where company_id = $1`, [companies.tenant]);
  await query(`update learners set manager_id = $1 where id = any($2)`, [manager, [one, two, report, five]]);
  await query(`update learners set manager_id = $1 where id = $2`, [five, member]);
  await query(`insert into groups (company_id, id, name) values ($1, $2, 'A team')`, [companies.tenant, team]);
  await query('insert into group_learners (company_id, group_id, learner_id) values ($1, $2, $3)', [
    ...[companies.tenant, team, member],
  ]);
  await query('insert into group_managers (company_id, group_id, learner_id) values ($1, $2, $3)', [
    ...[companies.tenant, team, manager],
  ]);
  // The test world assigns something only to the manager, and its repeat clickers are one person.
  for (const learner of [two, three, five])
    await query(
      `insert into campaign_assignments (company_id, campaign_id, item_id, learner_id, round, condition, due_on, due_at,
                                         results_from)
       select company_id, campaign_id, item_id, $2, round, condition, due_on, due_at, results_from
         from campaign_assignments where id = $1`,
      [assignmentId('tenant'), learner],
    );
  await query(
    `update simulation_recipients set opened_at = sent_at, visited_at = sent_at where company_id = $1 and learner_id = $2`,
    [companies.tenant, two],
  );
  await query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at, opened_at, visited_at)
     select company_id, simulation_id, $2, scheduled_at, sent_at, opened_at, visited_at from simulation_recipients
      where company_id = $1 and learner_id = $3 on conflict do nothing`,
    [companies.tenant, three, two],
  );
  others = (await query(
    `select id, email, first_name || ' ' || last_name as name from learners
      where company_id = $1 and id <> all($2) and id <> $3`,
    [companies.tenant, people, manager],
  )) as typeof others;
});
beforeEach(async () => {
  await query(`update admins set role = 'manager', status = 'active', email = 'Learner4@TENANT.test' where id = $1`, [
    admin,
  ]);
});
afterAll(() => pool.end());

/** Expects that a result names nobody except the manager's people, and the manager of a learner. */
function expectOnlyPeople(result: unknown, operationId: string): void {
  const text = JSON.stringify(result);
  const named = others.filter(({ id, email, name }) => {
    // A learner's profile has the learner's own manager, active or not.
    return (
      text.replaceAll(`"managerId":"${five}"`, '').includes(id) || text.includes(email) || text.includes(`"${name}"`)
    );
  });
  expect({ operationId, named }).toEqual({ operationId, named: [] });
}

test('managers have reads of lists, of reports and of learners', () => {
  expect(lists.length).toBeGreaterThanOrEqual(9);
  expect(ofLearner.length).toBeGreaterThanOrEqual(6);
  expect(managedOperations.filter((operationId) => operations[operationId].cluster !== 'read')).toEqual([]);
});

describe.each(lists)('%s of a manager', (operationId) => {
  test.each(inputsOf(operationId))(
    'with %j returns the rows that an owner reads with the filter managerId',
    async (input) => {
      const own = await read(operationId, asManager, input);
      expectOnlyPeople(own, operationId);
      const active = operationId === 'listAssignments' ? {} : { inactive: false };
      const all = (await read(operationId, asOwner, { ...input, ...active, managerId: manager })) as object;
      const isOfFive = (row: { learner?: { id?: string } }) => row.learner?.id === five;
      expect(own).toEqual(Array.isArray(all) ? all.filter((row) => !isOfFive(row as never)) : all);
    },
  );

  test('returns other people to an owner, so this test can fail', async () => {
    const all = await read(operationId, asOwner, {});
    expect(() => expectOnlyPeople(all, operationId)).toThrow();
  });

  test("in pages returns the same rows, even after an owner's keyset", async () => {
    const list = findPagedList(await invoke(operationId, asManager, { limit: 1 }));
    if (!list) throw new Error(`${operationId} has no pages`);
    expectOnlyPeople(await readPages(list), operationId);
    const whole = JSON.stringify(await read(operationId, asManager, {}));
    for (const row of await readPages(list)) expect(whole).toContain(JSON.stringify(row).slice(1, -1));
    const ofOwner = findPagedList(await invoke(operationId, asOwner, { limit: 1 }))!;
    const { next } = await ofOwner.behind(null, 1);
    if (next !== null && Object.keys(list.order!).join() === Object.keys(ofOwner.order!).join())
      expectOnlyPeople(await readPages(list, next), operationId);
  });

  test('rejects another manager, another company and inactive learners', async () => {
    expect(await codeOf(operationId, asManager, { managerId: one })).toBe('forbidden');
    expect(await codeOf(operationId, asManager, { managerId: unknownId })).toBe('forbidden');
    expect(await codeOf(operationId, asManager, { companyId: companies.other })).toBe('forbidden');
    expect(await codeOf(operationId, asManager, { includeInactive: true })).toBe('forbidden');
    expect(await codeOf(operationId, asManager, { inactive: true })).toBe('forbidden');
    const allowed = { managerId: manager.toUpperCase(), companyId: companies.tenant };
    expect(await read(operationId, asManager, allowed)).toEqual(await read(operationId, asManager, {}));
  });

  test("rejects another manager's learner, and past days", async () => {
    const takesLearner = ['listAssignments', 'getLearningReport', 'getPolicyResultsReport'].includes(operationId);
    for (const learnerId of [three, five, manager, unknownId, 'x'])
      expect(await codeOf(operationId, asManager, { learnerId })).toBe('not_found');
    if (takesLearner) expectOnlyPeople(await read(operationId, asManager, { learnerId: two }), operationId);
    for (const past of [{ asOf: '2026-03-01' }, { knownAt: '2026-03-01T00:00:00Z' }, { updatedSince: 'x' }]) {
      const outcome = await invoke(operationId, asManager, past).then(
        readResult,
        (error: { code: string }) => error.code,
      );
      if (outcome !== 'invalid_request') expectOnlyPeople(outcome, operationId);
    }
  });
});

test("the list of learners has the manager's people", async () => {
  const learners = (await read('listLearners', asManager, {})) as { id: string }[];
  expect(learners.map((learner) => learner.id)).toEqual(people);
});

test("the group tree counts only the manager's people", async () => {
  const { groupTree } = (await readResult(await invoke('getCourseParticipationReport', asManager, {}))) as {
    groupTree: { learnerCount: number; children: object[] };
  };
  expect(groupTree.learnerCount).toBe(people.length);
  expect(groupTree.children).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: team, learnerCount: 1, children: [] })]),
  );
  expect(groupTree.children).not.toContainEqual(expect.objectContaining({ name: 'Numbered 40' }));
});

describe.each(ofLearner)('%s of a manager', (operationId) => {
  test('returns the same for their people as to an owner', async () => {
    for (const learnerId of people)
      expect(await read(operationId, asManager, { learnerId })).toEqual(
        await read(operationId, asOwner, { learnerId }),
      );
    const list = findPagedList(await invoke(operationId, asManager, { learnerId: two }));
    if (list) expect(await readPages(list)).toEqual(await read(operationId, asOwner, { learnerId: two }));
  });

  test('returns 404 for everybody else, and 403 for another company', async () => {
    for (const learnerId of [...others.map((other) => other.id), manager, stranger, unknownId])
      expect([learnerId, await codeOf(operationId, asManager, { learnerId })]).toEqual([learnerId, 'not_found']);
    expect(await codeOf(operationId, asManager, { learnerId: two, companyId: companies.other })).toBe('forbidden');
  });
});

/** Changes after which an admin manages nobody. */
const LOSSES: [name: string, change: () => Promise<unknown>, undo: () => Promise<unknown>][] = [
  [
    'without a learner',
    () => query(`update admins set email = 'nobody@tenant.test' where id = $1`, [admin]),
    () => Promise.resolve(),
  ],
  [
    'whose learner is inactive',
    () => query('update learners set inactive = true where id = $1', [manager]),
    () => query('update learners set inactive = false where id = $1', [manager]),
  ],
  [
    'whose learner has another address',
    () => query(`update learners set email = 'moved@tenant.test' where id = $1`, [manager]),
    () => query(`update learners set email = 'learner4@tenant.test' where id = $1`, [manager]),
  ],
  [
    'who has lost the role',
    () => query(`update admins set role = 'author' where id = $1`, [admin]),
    () => Promise.resolve(),
  ],
];

describe.each(LOSSES)('a manager %s', (_name, change, undo) => {
  beforeEach(change);
  afterEach(undo);

  test('sees nobody', async () => {
    for (const operationId of lists) {
      const result = (await read(operationId, asManager, {})) as Record<string, unknown>;
      expectOnlyPeople(result, operationId);
      for (const learnerId of people) expect(JSON.stringify(result)).not.toContain(learnerId);
    }
    for (const operationId of ofLearner) {
      for (const learnerId of [...people, manager])
        expect(await codeOf(operationId, asManager, { learnerId })).toBe('not_found');
    }
  });
});

test('a learner who leaves the manager is missing from the next call', async () => {
  await query('update learners set manager_id = $1 where id = $2', [five, two]);
  expect(await codeOf('getLearner', asManager, { learnerId: two })).toBe('not_found');
  await query('update learners set manager_id = $1 where id = $2', [manager, two]);
  expect(await codeOf('getLearner', asManager, { learnerId: two })).toBe('done');
  await query('delete from groups where id = $1', [team]);
  expect(await codeOf('getLearner', asManager, { learnerId: member })).toBe('not_found');
  const learners = (await read('listLearners', asManager, {})) as { id: string }[];
  expect(learners.map((learner) => learner.id)).toEqual(people.filter((person) => person !== member));
});

test('a manager whose only group is deleted sees nobody', async () => {
  await query('update learners set manager_id = null where manager_id = $1', [manager]);
  await query('insert into group_managers (company_id, group_id, learner_id) values ($1, $2, $3)', [
    ...[companies.tenant, groupId('tenant', 2), manager],
  ]);
  const idsNow = async () => ((await read('listLearners', asManager, {})) as { id: string }[]).map(({ id }) => id);
  // Learner 3 is first in Group 1, which has another manager.
  expect(await idsNow()).toEqual([]);
  await query('delete from group_managers where learner_id = $1', [one]);
  expect(await idsNow()).toContain(three);
  await query('delete from groups where id = $1', [groupId('tenant', 2)]);
  expect(await idsNow()).toEqual([]);
  expect(await codeOf('getLearner', asManager, { learnerId: three })).toBe('not_found');
});

test('a manager of an MSP reads no managed company', async () => {
  const msp = adminWith('manager', 'msp');
  expect(await codeOf('listLearners', msp, { companyId: companies.childA })).toBe('forbidden');
  expect(await codeOf('getLearner', msp, { learnerId: learnerId('childA', 1), companyId: companies.childA })).toBe(
    'forbidden',
  );
});

test('a manager whose learner is merged or deleted sees nobody', async () => {
  const idsNow = async () => ((await read('listLearners', asManager, {})) as { id: string }[]).map(({ id }) => id);
  await query('update learners set manager_id = $1 where id = any($2)', [manager, [one, two]]);
  expect(await idsNow()).toEqual([one, two]);
  expect((await post('/learner-merges', { learnerId: manager, intoLearnerId: report })).status).toBe(200);
  expect(await idsNow()).toEqual([]);
  expect(await codeOf('getLearner', asManager, { learnerId: one })).toBe('not_found');
  // The admin follows the learner to the other address, and loses the people with the learner.
  await query(`update admins set email = 'many1@many.test' where id = $1`, [admin]);
  expect(await idsNow()).toEqual([one, two]);
  expect((await del(`/learners/${report}`)).status).toBe(200);
  expect(await idsNow()).toEqual([]);
  expect(await codeOf('getLearner', asManager, { learnerId: one })).toBe('not_found');
});
