import type { RiskFactor } from '../../../src/resources/risk/risk-rules.ts';
import { fingerprintOf, get } from '../../support/client.ts';
import { companies, learnerId } from '../../support/world.ts';
import { learner } from '../courses/enrollment-state.ts';
import {
  activate,
  type Enrollment,
  factsOf,
  type Happened,
  historyOf,
  type Message,
  type PolicyRequest,
  prepareRisk,
  run,
  scoresOf,
  setModules,
  store,
  storeBreaches,
} from './risk-state.ts';

prepareRisk('tenant', 'other');

const four = learner(4);
const day = '2026-06-30';
const today = '2026-07-01';

/** Returns the outcomes that count for the tenant's learner 4 at the end of a day, such as `ignored ignored`. */
async function counted(factor: RiskFactor, at = day): Promise<string> {
  const facts = (await factsOf('tenant', at)).find((row) => row.learnerId === four)!;
  for (const other of ['simulations', 'courses', 'policies', 'breaches'] as const) {
    if (other !== factor) expect(Object.values(facts[other]).every((count) => count === 0)).toBe(true);
  }
  return Object.entries(facts[factor])
    .flatMap(([outcome, count]) => Array<string>(count).fill(outcome))
    .join(' ');
}

const atFour = (happened: Omit<Happened, 'learnerId'>): Promise<void> =>
  store('tenant', { learnerId: four, ...happened });

describe('a message', () => {
  const sent = '2026-06-30T08:00Z';
  const last = '2026-06-30T23:59:59.999Z';
  const after = '2026-07-01T00:00:00Z';
  test.each<[string, Message, string]>([
    ['not sent yet', {}, ''],
    ['sent a year and a day before', { sent: '2025-06-30T23:59:59.999Z' }, ''],
    ['sent even earlier, with all events in the year', { sent: '2025-06-30T23:59Z', compromised: last }, ''],
    ['sent a year before', { sent: '2025-07-01T00:00:00Z' }, 'ignored'],
    ['sent at the last moment of the day', { sent: last }, 'ignored'],
    ['sent after the day', { sent: after }, ''],
    ['opened', { sent, opened: last }, 'ignored'],
    ['visited at the last moment', { sent, visited: last }, 'visited'],
    ['visited after the day', { sent, opened: sent, visited: after }, 'ignored'],
    ['compromised at the last moment', { sent, compromised: last }, 'compromised'],
    ['compromised after the day', { sent, visited: last, compromised: after }, 'visited'],
    ['reported at the last moment', { sent, reported: last }, 'reported'],
    ['reported after the day', { sent, reported: after }, 'ignored'],
    ['opened, reported after the day', { sent, opened: sent, reported: after }, 'ignored'],
    ['opened and reported', { sent, opened: sent, reported: last }, 'reported'],
    ['reported and then opened', { sent, reported: sent, opened: last }, 'reported'],
    ['visited and then reported', { sent, visited: sent, reported: last }, 'visited'],
    ['reported and then visited', { sent, reported: sent, visited: last }, 'visited'],
    ['reported, visited after the day', { sent, reported: sent, visited: after }, 'reported'],
    ['compromised and then reported', { sent, compromised: sent, reported: last }, 'compromised'],
  ])('%s', async (_case, message, outcome) => {
    await atFour({ messages: [message] });
    expect(await counted('simulations')).toBe(outcome);
  });

  test.each([
    ['2024-02-29', '2023-02-28T23:59:59.999Z', ''],
    ['2024-02-29', '2023-03-01T00:00:00Z', 'ignored'],
    ['2024-02-28', '2023-02-28T00:00:00Z', 'ignored'],
    ['2024-02-28', '2023-02-27T23:59:59.999Z', ''],
    ['2025-02-28', '2024-02-29T23:59:59.999Z', ''],
    ['2025-02-28', '2024-03-01T00:00:00Z', 'ignored'],
  ])('of the year that ends on %s, sent at %s', async (at, sent, outcome) => {
    await atFour({ messages: [{ sent }] });
    expect(await counted('simulations', at)).toBe(outcome);
  });
});

describe('an enrolment', () => {
  test.each<[string, Enrollment, string]>([
    ['made on the day', { enrolled: day }, 'open'],
    ['made on the day after', { enrolled: today }, ''],
    ['made 30 days before', { enrolled: '2026-05-31' }, 'open'],
    ['made 31 days before', { enrolled: '2026-05-30' }, 'overdue'],
    ['made years before', { enrolled: '2020-01-01' }, 'overdue'],
    ['passed on the day', { enrolled: day, finished: day, passed: true }, 'passed'],
    ['failed on the day', { enrolled: day, finished: day, passed: false }, 'failed'],
    ['finished without a grade on the day', { enrolled: day, finished: day, passed: null }, 'completed'],
    ['finished without a grade on the day after', { enrolled: day, finished: today, passed: null }, 'open'],
    ['passed years late', { enrolled: '2020-01-01', finished: day, passed: true }, 'passed'],
    ['passed on the day after', { enrolled: day, finished: today, passed: true }, 'open'],
    ['passed on the day after, late', { enrolled: '2026-05-30', finished: today, passed: true }, 'overdue'],
    ['passed 364 days before', { enrolled: '2025-07-01', finished: '2025-07-01', passed: true }, 'passed'],
    ['failed 364 days before', { enrolled: '2025-01-01', finished: '2025-07-01', passed: false }, 'failed'],
    ['passed 365 days before', { enrolled: '2025-06-30', finished: '2025-06-30', passed: true }, ''],
    ['failed 365 days before', { enrolled: '2020-01-01', finished: '2025-06-30', passed: false }, ''],
  ])('%s', async (_case, enrollment, outcome) => {
    await atFour({ enrollments: [enrollment] });
    expect(await counted('courses')).toBe(outcome);
  });
});

describe('a request to sign a policy', () => {
  const last = '2026-06-30T23:59:59.999Z';
  const after = '2026-07-01T00:00:00Z';
  const inTime = '2026-06-17T00:00:00Z';
  const late = '2026-06-16T23:59:59.999Z';
  test.each<[string, PolicyRequest, string]>([
    ['made at the last moment of the day', { asked: last }, 'open'],
    ['made after the day', { asked: after }, ''],
    ['made 14 days before', { asked: inTime }, 'open'],
    ['made more than 14 days before', { asked: late }, 'overdue'],
    ['signed at the last moment', { asked: inTime, signed: last }, 'signed'],
    ['signed late', { asked: late, signed: last }, 'signed'],
    ['signed at the moment of the request', { asked: late, signed: late }, 'signed'],
    ['signed years before', { asked: '2020-01-01T00:00Z', signed: '2020-01-02T00:00Z' }, 'signed'],
    ['signed after the day', { asked: inTime, signed: after }, 'open'],
    ['signed after the day, late', { asked: late, signed: after }, 'overdue'],
    ['signed, and asked again', { asked: inTime, signed: late }, 'open'],
    ['signed, and asked again long ago', { asked: late, signed: '2026-06-16T23:59:59.998Z' }, 'overdue'],
    ['signed on paper without a request', { signed: late }, ''],
  ])('%s', async (_case, request, outcome) => {
    await atFour({ requests: [request] });
    expect(await counted('policies')).toBe(outcome);
  });
});

describe('a breach', () => {
  const email = 'learner4@tenant.test';
  const setDomains = (name: 'tenant' | 'other', domains: string[]) =>
    testService.query('update companies set smbreachprodomains = $2 where id = $1', [companies[name], domains]);
  const rename = (to: string) => testService.query('update learners set email = $2 where id = $1', [four, to]);
  afterEach(async () => {
    for (const name of ['tenant', 'other'] as const) await setDomains(name, [`${name}.test`]);
    await rename(email);
  });

  test.each<[string, string[][], string]>([
    ['of an address', [['Email addresses']], 'address'],
    ['of unknown data', [[]], 'address'],
    ['of passwords', [['Passwords']], 'password'],
    ['of passwords and other data', [['Email addresses', 'Passwords', 'Names']], 'password'],
    [
      'among several others',
      [['Names'], ['Passwords'], ['IP addresses'], ['Passwords']],
      'address address password password',
    ],
  ])('%s', async (_case, all, outcome) => {
    await storeBreaches(all.map((dataClasses) => ({ dataClasses, emails: [email, 'learner1@tenant.test'] })));
    expect(await counted('breaches')).toBe(outcome);
  });

  test.each(['learner1@tenant.test', 'learner4@other.test', 'learner4@sub.tenant.test', 'a.learner4@tenant.test'])(
    'of %s does not count for another address',
    async (other) => {
      await setDomains('tenant', ['tenant.test', 'other.test', 'sub.tenant.test']);
      await storeBreaches([{ dataClasses: ['Passwords'], emails: [other] }]);
      expect(await counted('breaches')).toBe('');
    },
  );

  test('is found in any case of the address and of the watched domain', async () => {
    await rename('LEARNER4@Tenant.TEST');
    await setDomains('tenant', ['elsewhere.test', 'TENANT.Test']);
    await storeBreaches([{ dataClasses: [], emails: [email] }]);
    expect(await counted('breaches')).toBe('address');
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['a second watched domain', () => setDomains('tenant', ['tenant.test', 'second.test']), 'address'],
    ['an unwatched domain', () => setDomains('tenant', ['tenant.test']), ''],
    ['a domain that another company watches', () => setDomains('other', ['second.test']), ''],
    ['a company without domains', () => setDomains('tenant', []), ''],
  ])('of an address in %s', async (_case, watch, outcome) => {
    await rename('learner4@second.test');
    await watch();
    await storeBreaches([{ dataClasses: [], emails: ['learner4@second.test'] }]);
    expect(await counted('breaches')).toBe(outcome);
  });

  test('does not count without the module', async () => {
    await setModules('tenant', ['simulations', 'courses', 'policies']);
    await storeBreaches([{ dataClasses: ['Passwords'], emails: [email] }]);
    expect(await counted('breaches')).toBe('');
  });
});

describe('learners', () => {
  const ids = async (at = day): Promise<string[]> => (await factsOf('tenant', at)).map((row) => row.learnerId);

  test('count if they are active', async () => {
    expect(await ids()).toEqual([1, 2, 3, 4].map((n) => learner(n as 1)));
    await activate('tenant', learner(2), learner(5));
    expect(await ids()).toEqual([learner(2), learner(5)]);
    await activate('tenant');
    expect(await ids()).toEqual([]);
  });

  test('count from the day on which they joined', async () => {
    const join = (time: string) => testService.query('update learners set created_at = $2 where id = $1', [four, time]);
    await join('2026-07-01T00:00:00Z');
    expect(await ids()).not.toContain(four);
    expect(await ids(today)).toContain(four);
    await join('2026-06-30T23:59:59.999Z');
    expect(await ids()).toContain(four);
    await join('2020-01-01T00:00:00Z');
  });

  test('have separate facts in another company, even with the same id', async () => {
    const columns = 'email, first_name, last_name, created_at';
    await testService.query(
      `insert into learners (company_id, id, ${columns}) select $1, id, ${columns} from learners
      where company_id = $2 and id = $3`,
      [companies.other, companies.tenant, four],
    );
    const sent = '2026-06-30T08:00Z';
    const requests = [{ asked: '2020-01-01T00:00Z' }];
    await store('other', { learnerId: four, messages: [{ sent, compromised: sent }], requests });
    expect(await counted('simulations')).toBe('');
    const ofOther = (await factsOf('other', day)).find((row) => row.learnerId === four)!;
    expect(ofOther).toMatchObject({ simulations: { compromised: 1 }, policies: { overdue: 1 } });
    await testService.query('delete from learners where company_id = $1 and id = $2', [companies.other, four]);
  });
});

describe('the score', () => {
  const sent = '2026-06-30T08:00Z';
  const times = (count: number, message: Message): Message[] => Array.from({ length: count }, () => message);

  test('of each active learner is stored and shown as a level, and nothing else changes', async () => {
    await setModules('tenant', ['simulations']);
    const messages = [times(1, { sent, reported: sent }), [], times(1, { sent, visited: sent })];
    await store('tenant', ...messages.map((list, n) => ({ learnerId: learner((n + 1) as 1), messages: list })));
    const compromised = times(1, { sent, compromised: sent });
    await store('tenant', { learnerId: four, messages: compromised }, { learnerId: learner(5), messages: compromised });
    const others = `to_jsonb(l) - '{risk_score,risk_level}'::text[]`;
    const rest = () => testService.query(`select ${others} as row from learners l order by company_id, id`);
    const before = [await rest(), await fingerprintOf('other'), await fingerprintOf('childA')];
    await run('tenant', today);
    expect(await scoresOf('tenant')).toEqual([20, 30, 60, 87, 0]);
    expect([await rest(), await fingerprintOf('other'), await fingerprintOf('childA')]).toEqual(before);
    const shown = await Promise.all([1, 2, 3, 4, 5].map((n) => get(`/learners/${learner(n as 1)}`)));
    const levels = shown.map(({ body }) => body.data.riskScoreLevel as string);
    expect(levels).toEqual(['low', 'moderate', 'high', 'critical', 'low']);
    expect(await historyOf('tenant')).toEqual([{ date: day, average: 49.3, levels: [1, 1, 1, 1] }]);
  });

  test('falls when bad results are more than a year old', async () => {
    await activate('tenant', four);
    await setModules('tenant', ['simulations']);
    await atFour({ messages: [{ sent: '2025-07-01T00:00Z', compromised: '2025-07-01T00:00Z' }] });
    await run('tenant', today);
    await run('tenant', '2026-07-02');
    expect(await historyOf('tenant')).toMatchObject([{ average: 87 }, { average: 30 }]);
    expect((await scoresOf('tenant'))[3]).toBe(30);
  });

  test('of an inactive learner does not change', async () => {
    await testService.query('update learners set risk_score = 80 where id = $1', [learner(5)]);
    await run('tenant', today);
    expect((await scoresOf('tenant'))[4]).toBe(80);
    expect(await historyOf('tenant')).toMatchObject([{ levels: [4, 0, 0, 0] }]);
  });

  test.each<[RiskFactor[], number]>([
    [['simulations', 'courses', 'policies', 'breaches'], 69],
    [['simulations'], 60],
    [['courses'], 60],
    [['policies'], 100],
    [['breaches'], 75],
    [['simulations', 'breaches'], 65],
    [['courses', 'policies', 'breaches'], 75],
    [[], 0],
  ])('depends on the modules %j', async (factors, expected) => {
    await setModules('tenant', factors);
    await atFour({
      messages: [{ sent, visited: sent }],
      enrollments: [{ enrolled: day }],
      requests: [{ asked: '2020-01-01T00:00Z' }],
    });
    await storeBreaches([0, 1].map(() => ({ dataClasses: ['Passwords'], emails: ['learner4@tenant.test'] })));
    await run('tenant', today);
    expect((await scoresOf('tenant'))[3]).toBe(expected);
  });

  test('uses only the modules and facts of its company during concurrent runs', async () => {
    await setModules('other', ['courses']);
    await Promise.all([run('tenant', today), run('other', today), run('childA', today)]);
    expect(await scoresOf('tenant')).toEqual([22, 22, 22, 22, 0]);
    expect(await scoresOf('other')).toEqual([40, 40, 40, 40, 0]);
    expect(await historyOf('other')).toEqual([{ date: day, average: 40, levels: [0, 4, 0, 0] }]);
    expect((await get(`/learners/${learnerId('other', 1)}`, 'other')).body.data.riskScoreLevel).toBe('moderate');
  });
});
