import { addMonths } from '../../../src/resources/policies/signatures/signature-rules.ts';
import { learner } from '../courses/enrollment-state.ts';
import { countsOf, insertPolicies, queuedMessages, restorePolicies, storeResults } from './assignment-state.ts';
import { ageSettings, asked, dayAgo, monthly, run, schedule, scheduleToday, timeAgo } from './signature-job.ts';

restorePolicies();

let policyIds: string[];
let one: string;
beforeEach(async () => {
  policyIds = await insertPolicies('tenant', 2);
  one = policyIds[0]!;
});

describe('fixed days before the settings took effect', () => {
  const past = { type: 'fixed', startDate: dayAgo(20) };
  const monthlySinceLongAgo = { type: 'fixed', ...monthly };
  /** Stores a learner who has signed and a learner who has not. */
  beforeEach(async () => {
    await storeResults('tenant', [learner(1)], [one], { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await storeResults('tenant', [learner(2)], [one], { assignedAt: timeAgo(90) });
  });

  test.each<[string, object]>([
    ['only a first day', past],
    ['a first day and an interval', { ...past, intervalLength: 1, intervalUnit: 'years' }],
    ['today', { ...past, startDate: dayAgo(0) }],
    ['no first day, published long ago', monthlySinceLongAgo],
    ['a first day and type newUsers', { ...past, type: 'newUsers' }],
  ])('cause no requests on the next days: %s', async (_case, settings) => {
    const published = addMonths(dayAgo(20), -6);
    await testService.query('update policy_versions set published_at = $2 where policy_id = $1', [one, published]);
    await scheduleToday(one, settings);
    for (const days of [0, -1, -2]) await run('tenant', dayAgo(days));
    expect(await queuedMessages()).toEqual([]);
    expect(await countsOf(one)).toEqual({ assigned: 2, signed: 1 });
  });

  test('cause requests to all learners after the next interval', async () => {
    await scheduleToday(one, { ...past, ...monthly });
    const next = addMonths(dayAgo(20), 1);
    await run('tenant', next);
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });

  test('cause no requests if the policy is published after them', async () => {
    await schedule(one, past);
    await testService.query('update policy_versions set published_at = $2 where policy_id = $1', [one, timeAgo(10)]);
    await run();
    expect(await queuedMessages()).toEqual([]);
  });

  test('cause requests to learners not yet asked if equal settings are sent again', async () => {
    await schedule(one, past);
    await scheduleToday(one, past);
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });

  test.each<[string, [by: 0 | 1, settings: object][], [by: 0 | 1, settings: object]]>([
    ['a default is set', [[0, { type: 'none', useDefault: true }]], [1, { ...past, setDefault: true }]],
    ['the policy follows a default', [[1, { ...past, setDefault: true }]], [0, { type: 'none', useDefault: true }]],
    [
      'the default is withdrawn',
      [
        [0, { ...past, useDefault: true }],
        [1, { type: 'none', setDefault: true }],
      ],
      [1, { type: 'none', setDefault: false }],
    ],
  ])('cause no requests if %s today', async (_case, before, [by, settings]) => {
    for (const [number, made] of before) await schedule(policyIds[number]!, made);
    await scheduleToday(policyIds[by]!, settings);
    await run();
    expect(await queuedMessages()).toEqual([]);
    await ageSettings(30);
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });
});
