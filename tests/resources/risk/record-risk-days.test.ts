/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { get } from '../../support/client.ts';
import { whileRowsFail } from '../../support/failing-rows.ts';
import { companies } from '../../support/world.ts';
import { expectNoDeadlocks, learner, manyLearnerIds, race, whileRowsAreSlow } from '../courses/enrollment-state.ts';
import { expectNoFailure, insertLearners, meanwhile } from '../tenant-state.ts';
import {
  activate,
  historyOf,
  prepareRisk,
  type RecordedDay,
  run,
  scoresOf,
  setModules,
  store,
  storeRecordedDay,
} from './risk-state.ts';

prepareRisk('tenant', 'childA');

const today = '2026-07-01';
const dates = (days: RecordedDay[]): string[] => days.map(({ date }) => date);
/** Backdates all learners to before the days of these tests. */
const beginLongAgo = () => testService.query(`update learners set created_at = '2020-01-01T00:00:00Z'`);

describe('a recorded day', () => {
  test('has the average to one decimal, rounded half up, and the number of learners at each level', async () => {
    await setModules('tenant', ['simulations']);
    const sent = '2026-06-30T08:00Z';
    const last = [[{ sent }], [{ sent, opened: sent }], [{ sent, visited: sent }], [{ sent, compromised: sent }]];
    await store('tenant', ...last.map((messages, n) => ({ learnerId: learner((n + 1) as 1), messages })));
    await run('tenant', today);
    expect(await scoresOf('tenant')).toEqual([27, 27, 60, 87, 0]);
    expect(await historyOf('tenant')).toEqual([{ date: '2026-06-30', average: 50.3, levels: [0, 2, 1, 1] }]);
  });

  test('has zero counts for a company without active learners', async () => {
    await activate('tenant');
    await run('tenant', today);
    await testService.query('delete from learners where company_id = $1', [companies.prospect]);
    await run('prospect', today);
    for (const company of ['tenant', 'prospect'] as const) {
      expect(await historyOf(company)).toEqual([{ date: '2026-06-30', average: 0, levels: [0, 0, 0, 0] }]);
    }
  });

  test('does not change with later facts or with runs for earlier days', async () => {
    await run('tenant', today);
    const before = [await historyOf('tenant'), await scoresOf('tenant')];
    await store('tenant', { learnerId: learner(1), requests: [{ asked: '2020-01-01T00:00Z' }] });
    await run('tenant', today);
    await run('tenant', '2026-06-30');
    await run('tenant', '2026-01-01');
    expect([await historyOf('tenant'), await scoresOf('tenant')]).toEqual(before);
    expect(before[0]).toHaveLength(1);
  });

  test('includes its own facts and none of the next day, whenever the run happens', async () => {
    await activate('tenant', learner(4));
    await setModules('tenant', ['simulations']);
    await store('tenant', {
      learnerId: learner(4),
      messages: [{ sent: '2026-06-30T08:00Z', compromised: '2026-07-01T00:00Z' }],
    });
    await run('tenant', today);
    expect(await historyOf('tenant')).toMatchObject([{ average: 27 }]);
    await run('tenant', '2026-07-02');
    expect(await historyOf('tenant')).toMatchObject([{ average: 27 }, { average: 87 }]);
  });
});

describe('missed days', () => {
  test('are recorded with the facts of each day, and learners get the last score', async () => {
    await activate('tenant', learner(4));
    await setModules('tenant', ['simulations']);
    await storeRecordedDay('tenant', '2026-06-25');
    const [sent, opened, visited, compromised] = [27, 28, 29, 30].map((n) => `2026-06-${n}T12:00Z`);
    await store('tenant', {
      learnerId: learner(4),
      messages: [{ sent: sent!, opened: opened!, visited: visited!, compromised: compromised! }],
    });
    await run('tenant', today);
    const recorded = await historyOf('tenant');
    expect(dates(recorded)).toEqual([25, 26, 27, 28, 29, 30].map((n) => `2026-06-${n}`));
    expect(recorded.map(({ average }) => average)).toEqual([50, 30, 27, 27, 60, 87]);
    expect(recorded.at(2)!.levels).toEqual([0, 1, 0, 0]);
    expect(await scoresOf('tenant')).toEqual([0, 0, 0, 87, 0]);
    expect((await get(`/learners/${learner(4)}`)).body.data.riskScoreLevel).toBe('critical');
  });

  test('count the learners who existed then', async () => {
    await storeRecordedDay('tenant', '2026-06-27');
    await testService.query(`update learners set created_at = '2026-06-29T00:00:00Z' where id = $1`, [learner(4)]);
    await testService.query(`update learners set created_at = '2026-06-30T23:59Z' where id = $1`, [learner(3)]);
    await run('tenant', today);
    expect((await historyOf('tenant')).map(({ levels }) => levels[0])).toEqual([0, 2, 3, 4]);
    await beginLongAgo();
  });

  test.each<[string, string | null, string[]]>([
    ['begin with yesterday for a company without a record', null, ['2026-06-30']],
    ['are none if yesterday is recorded', '2026-06-30', []],
    ['are only yesterday if the day before is recorded', '2026-06-29', ['2026-06-30']],
    ['are none if a future day is recorded', '2026-07-05', []],
  ])('%s', async (_case, last, expected) => {
    if (last) await storeRecordedDay('tenant', last);
    await run('tenant', today);
    expect(dates(await historyOf('tenant')).filter((date) => date !== last)).toEqual(expected);
  });

  test.each([
    ['2026-06-01', 29, '2026-06-02'],
    ['2026-05-31', 30, '2026-06-01'],
    ['2026-05-30', 30, '2026-06-01'],
    ['2024-01-01', 30, '2026-06-01'],
  ])('since %s are %i at most', async (last, count, first) => {
    await storeRecordedDay('tenant', last);
    await run('tenant', today);
    const [oldest, ...added] = dates(await historyOf('tenant'));
    expect([oldest, added.length, added[0], added.at(-1)]).toEqual([last, count, first, '2026-06-30']);
  });

  test.each([
    ['2024-02-27', '2024-03-02', ['2024-02-28', '2024-02-29', '2024-03-01']],
    ['2025-02-27', '2025-03-02', ['2025-02-28', '2025-03-01']],
    ['2025-12-30', '2026-01-02', ['2025-12-31', '2026-01-01']],
    ['2026-03-28', '2026-03-31', ['2026-03-29', '2026-03-30']],
    ['2026-10-24', '2026-10-27', ['2026-10-25', '2026-10-26']],
  ])('between %s and %s follow the calendar', async (last, until, expected) => {
    await storeRecordedDay('tenant', last);
    await run('tenant', until);
    expect(dates(await historyOf('tenant')).slice(1)).toEqual(expected);
  });

  test('before the last recorded day stay missed', async () => {
    await storeRecordedDay('tenant', '2026-06-20');
    await storeRecordedDay('tenant', '2026-06-29');
    await run('tenant', today);
    expect(dates(await historyOf('tenant'))).toEqual(['2026-06-20', '2026-06-29', '2026-06-30']);
  });
});

describe('a run that fails', () => {
  const day = { date: '2026-06-30', average: 22, levels: [4, 0, 0, 0] };

  test.each([
    ['while updating learners', { table: 'learners', from: 3 }, [0, 0, 0, 0, 0]],
    ['while recording the day', { table: 'risk_history', from: 1 }, [22, 22, 22, 22, 0]],
  ])('%s records nothing, and the next run completes the day', async (_case, failure, scores) => {
    await whileRowsFail(failure, () => expect(run('tenant', today)).rejects.toThrow('stuck'));
    expect({ days: await historyOf('tenant'), scores: await scoresOf('tenant') }).toEqual({ days: [], scores });
    await run('tenant', today);
    expect(await historyOf('tenant')).toEqual([day]);
    expect(await scoresOf('tenant')).toEqual([22, 22, 22, 22, 0]);
  });

  test('keeps the completed days, and the next run records the others', async () => {
    await storeRecordedDay('tenant', '2026-06-25');
    await whileRowsFail({ table: 'risk_history', from: 3 }, () =>
      expect(run('tenant', today)).rejects.toThrow('stuck'),
    );
    expect(dates(await historyOf('tenant'))).toEqual(['2026-06-25', '2026-06-26', '2026-06-27']);
    expect(await scoresOf('tenant')).toEqual([0, 0, 0, 0, 0]);
    await run('tenant', '2026-07-02');
    expect(dates(await historyOf('tenant')).slice(3)).toEqual(['2026-06-28', '2026-06-29', '2026-06-30', '2026-07-01']);
    expect(await scoresOf('tenant')).toEqual([22, 22, 22, 22, 0]);
  });

  test('with a deadlock is retried at once', async () => {
    const failure = { table: 'learners', from: 3, only: true, code: 'deadlock_detected' };
    await whileRowsFail(failure, () => run('tenant', today));
    expect(await historyOf('tenant')).toEqual([day]);
    expect(await scoresOf('tenant')).toEqual([22, 22, 22, 22, 0]);
  });
});

describe('concurrency', () => {
  const { all, active } = manyLearnerIds(60);
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    await beginLongAgo();
  });
  expectNoDeadlocks();

  test('five simultaneous runs record each day once', async () => {
    await storeRecordedDay('tenant', '2026-06-27');
    await whileRowsAreSlow('update', 'learners', () =>
      Promise.all(Array.from({ length: 5 }, () => run('tenant', today))),
    );
    const levels = [active.length + 4, 0, 0, 0];
    const days = [28, 29, 30].map((n) => ({ date: `2026-06-${n}`, average: 22, levels }));
    expect((await historyOf('tenant')).slice(1)).toEqual(days);
    expect((await scoresOf('tenant')).filter((score) => score === 22)).toHaveLength(active.length + 4);
  });

  test('runs cause no deadlock with calls that change, deactivate and delete learners', async () => {
    await whileRowsAreSlow('update', 'learners', async () => {
      const running = [run('tenant', today), run('tenant', '2026-07-02')];
      await meanwhile();
      const learnerIds = all.toReversed();
      const requests = [
        race('/learners/deactivate', { learnerIds: learnerIds.slice(0, 30) }),
        race('/learners/activate', { learnerIds: learnerIds.slice(20, 50) }),
        race(`/learners/${all[30]}`, { firstName: 'New', lastName: 'Name', email: 'new@many.test' }, 'PATCH'),
        race('/learners/bulk', { learnerIds: learnerIds.slice(40) }, 'DELETE'),
      ];
      expect(await expectNoFailure([...requests])).toEqual({ 200: 4 });
      await Promise.all(running);
    });
    expect(dates(await historyOf('tenant'))).toEqual(['2026-06-30', '2026-07-01']);
  });
});

describe('a company with more learners than a page', () => {
  const count = 10_001;

  test('is recorded completely, and a run that failed after the first page is completed later', async () => {
    const ids = await testService.query(
      `insert into learners (company_id, id, email, first_name, last_name, created_at)
       select $1, gen_random_uuid(), n || '@many.test', 'No', n, '2020-01-01' from generate_series(1, $2::integer) as n
       returning id`,
      [companies.childA, count],
    );
    await activate('childA', ...ids.map((row) => row.id as string));
    await setModules('childA', ['policies']);
    const [first, last] = [
      ids[0]!.id as string,
      ids
        .map((row) => row.id as string)
        .sort()
        .at(-1)!,
    ];
    const requests = [{ asked: '2020-01-01T00:00Z' }];
    await store('childA', ...[...new Set([first, last])].map((learnerId) => ({ learnerId, requests })));
    await testService.query('update learners set risk_score = 1 where company_id = $1', [companies.childA]);
    await whileRowsFail({ table: 'learners', from: 10_001 }, () =>
      expect(run('childA', today)).rejects.toThrow('stuck'),
    );
    expect(await historyOf('childA')).toEqual([]);
    await run('childA', today);
    const levels = [count - 2, 0, 0, 2];
    expect(await historyOf('childA')).toEqual([{ date: '2026-06-30', average: 0, levels }]);
    const scored = await testService.query(
      'select risk_score, count(*)::integer from learners where company_id = $1 and not inactive group by 1 order by 1',
      [companies.childA],
    );
    expect(scored).toEqual([
      { risk_score: 0, count: count - 2 },
      { risk_score: 100, count: 2 },
    ]);
  });
});
