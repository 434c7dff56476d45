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

describe('fixed days that were past when the settings came to hold', () => {
  const past = { type: 'fixed', startDate: dayAgo(20) };
  const sinceSpring = { type: 'fixed', ...monthly };
  /** One who has signed since those days, and one who has not. */
  beforeEach(async () => {
    await storeResults('tenant', [learner(1)], [one], { assignedAt: timeAgo(90), signed: timeAgo(80) });
    await storeResults('tenant', [learner(2)], [one], { assignedAt: timeAgo(90) });
  });

  test.each<[string, object]>([
    ['a first day alone', past],
    ['a first day and an interval', { ...past, intervalLength: 1, intervalUnit: 'years' }],
    ['today', { ...past, startDate: dayAgo(0) }],
    ['no first day, published long ago', sinceSpring],
    ['a first day, of those who have not signed', { ...past, type: 'newUsers' }],
  ])('ask nobody on the next mornings: %s', async (_case, settings) => {
    await scheduleToday(one, settings);
    for (const days of [0, -1, -2]) await run('tenant', dayAgo(days));
    expect(await queuedMessages()).toEqual([]);
    expect(await countsOf(one)).toEqual({ assigned: 2, signed: 1 });
  });

  test('ask everyone when the next interval is over', async () => {
    await scheduleToday(one, { ...past, ...monthly });
    const next = addMonths(dayAgo(20), 1);
    await run('tenant', next);
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });

  test('ask nobody when the policy is published after them, whenever the settings were made', async () => {
    await schedule(one, past);
    await testService.query('update policy_versions set published_at = $2 where policy_id = $1', [one, timeAgo(10)]);
    await run();
    expect(await queuedMessages()).toEqual([]);
  });

  test('ask whoever was not asked yet when equal settings are sent again', async () => {
    await schedule(one, past);
    await scheduleToday(one, past);
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });

  test.each<[string, [by: 0 | 1, settings: object][], [by: 0 | 1, settings: object]]>([
    ['a default that is made', [[0, { type: 'none', useDefault: true }]], [1, { ...past, setDefault: true }]],
    ['a default that is followed', [[1, { ...past, setDefault: true }]], [0, { type: 'none', useDefault: true }]],
    [
      'own settings, as the default is withdrawn',
      [
        [0, { ...past, useDefault: true }],
        [1, { type: 'none', setDefault: true }],
      ],
      [1, { type: 'none', setDefault: false }],
    ],
  ])('ask nobody when %s today', async (_case, before, [by, settings]) => {
    for (const [number, made] of before) await schedule(policyIds[number]!, made);
    await scheduleToday(policyIds[by]!, settings);
    await run();
    expect(await queuedMessages()).toEqual([]);
    await ageSettings(30);
    await run();
    expect(await asked(one)).toEqual([learner(1), learner(2)]);
  });
});
