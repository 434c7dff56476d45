import { createHash } from 'node:crypto';
import nock from 'nock';
import pg from 'pg';
import { companies } from '../support/world.ts';
import {
  age,
  feedOf,
  feedOutcomes,
  forgetFeed,
  refusalOf,
  ScriptedSource,
  storedAccounts,
  storedBreaches,
} from './feed-state.ts';
import { impatient, listed } from './feed-support.ts';

const ACME = 'acme.test';
const FEED = 'https://feed.test/api/v3';
const service = new pg.Client(testService.database.serviceUrl);
let source: ScriptedSource;

beforeAll(() => service.connect());
beforeEach(() => {
  source = new ScriptedSource();
});
afterEach(async () => {
  nock.cleanAll();
  await forgetFeed();
});
afterAll(async () => {
  nock.restore();
  await service.end();
});

/** Returns incompressible text of the given length. */
function noise(length: number): string {
  let text = '';
  while (text.length < length) text += createHash('sha512').update(text).digest('base64');
  return text.slice(0, length);
}

/** Has the feed read these upstream responses about `acme.test`. */
async function read(breaches: unknown, accounts: unknown): Promise<void> {
  nock(FEED).persist().get('/breaches').reply(200, JSON.stringify(breaches));
  nock(FEED).persist().get(`/breacheddomain/${ACME}`).reply(200, JSON.stringify(accounts));
  const upstream = impatient(FEED, { requestMs: 5000, questionMs: 5000 });
  expect(await refusalOf(feedOf(upstream).refresh([ACME]))).toBeUndefined();
}

test('each request for an answer is counted as asked, as cached, or by its failure', async () => {
  const feed = feedOf(source);
  await feed.refresh([ACME]);
  await feed.refresh([ACME]);
  await age('2 days', [ACME]);
  source.fail('slow', [ACME]);
  await feed.refresh([ACME]);
  expect(feedOutcomes).toEqual(['asked', 'asked', 'cached', 'cached', 'cached', 'slow']);
});

describe('an upstream response is stored', () => {
  test('once for the same address in different cases', async () => {
    await read([listed('Wander')], { Ada: ['Wander'], ada: ['Wander'], ADA: ['Wander', 'Wander'] });
    expect(await storedAccounts()).toEqual([`ada@${ACME} Wander`]);
  });

  test('once for a breach that is listed twice', async () => {
    await read([listed('Wander'), listed('Wander', { Title: 'Another' }), listed(' Wander ')], { ada: ['Wander'] });
    expect(Object.keys(await storedBreaches())).toEqual(['Wander']);
  });

  test('with breach names distinguished by case', async () => {
    await read([listed('Wander'), listed('WANDER')], { ada: ['Wander', 'WANDER'] });
    expect(await storedAccounts()).toEqual([`ada@${ACME} WANDER`, `ada@${ACME} Wander`]);
  });

  test.each(['🦊 Füchse', 'שלום', "O'Neil", 'a"b', 'back\\slash', '{a,b}', 'NULL', '__proto__', '$1', '%s', '1', '*'])(
    'with the breach name %j, listed or not',
    async (name) => {
      await read([listed(name)], { ada: [name, `${name}?`] });
      expect(await storedAccounts()).toEqual([`ada@${ACME} ${name}`, `ada@${ACME} ${name}?`]);
      expect(await storedBreaches()).toEqual({ [name]: `The ${name} breach`, [`${name}?`]: `${name}?` });
    },
  );

  test.each(["o'hara", 'a"b', 'a\\b', 'ünal', 'שלום', '🦊', 'a,b', '{a}', 'null', '__proto__', 'a b', 'a@b', '%', '_'])(
    'with the unusual alias %j',
    async (alias) => {
      await read([listed('Wander')], { [alias]: ['Wander'] });
      expect(await storedAccounts()).toEqual([`${alias}@${ACME} Wander`]);
    },
  );

  test.each(['İ', 'ẞ', 'Σ', 'Ǆ', 'K', 'ﬁ', 'Å'])('for an alias with the lower case of %s', async (letter) => {
    await read([listed('Wander')], { [`${letter}da`]: ['Wander'] });
    expect(await storedAccounts()).toHaveLength(1);
  });

  test('with 10,000 addresses in two breaches each', async () => {
    const names = Array.from({ length: 2 }, (_, n) => `Breach${n}`);
    const aliases = Array.from({ length: 10_000 }, (_, n) => [`alias${n}`, names]);
    await read(
      names.slice(1).map((name) => listed(name)),
      Object.fromEntries(aliases),
    );
    const [row] = await testService.query('select count(*)::integer from breached_accounts');
    expect(row!.count).toBe(20_000);
  });

  test.each([
    ['an address', [], { [noise(5000)]: ['Wander'], ada: ['Wander'] }],
    ['the name of a breach', [], { ada: ['Wander', noise(5000)] }],
    ['the name of a listed breach', [listed(noise(5000))], { ada: ['Wander'] }],
    ['a title', [listed('Wander', { Title: noise(100_000) })], { ada: ['Wander'] }],
  ])('although %s is too long', async (_case, breaches, accounts) => {
    await read([listed('Wander'), ...breaches], accounts);
    expect(await storedAccounts()).toContain(`ada@${ACME} Wander`);
  });

  test.each([
    [
      'in the list',
      [{ Name: 'Wander', Title: 'a\0b', DataClasses: ['\0', '\ud83e', 'Names'] }, { Name: '\0' }, null, 7, {}],
    ],
    ['with prototype keys', [JSON.parse('{"Name": "Wander", "__proto__": {"Title": "x"}, "constructor": 7}')]],
  ])('without invalid entries %s', async (_case, breaches) => {
    await read(breaches, {
      'a\0b': ['Wander'],
      '\ud83e': ['Wander'],
      ada: ['Wander', '\0', null, 7, {}],
      x: null,
      y: {},
    });
    expect(await storedAccounts()).toEqual([`ada@${ACME} Wander`]);
    expect(await storedBreaches()).toEqual({ Wander: 'Wander' });
  });
});

describe('another source', () => {
  const other = (): ScriptedSource => {
    const made = new ScriptedSource('another');
    made.list = ['Wander', 'Fresh'];
    made.domains = { [ACME]: { grace: ['Wander'] } };
    return made;
  };

  test('replaces all data of the previous source', async () => {
    source.domains = { [ACME]: { ada: ['Wander'] }, 'old.test': { ada: ['Pixel'] } };
    await feedOf(source).refresh([ACME, 'old.test']);
    const asked = other();
    await feedOf(asked).refresh([ACME]);
    expect(asked.asked).toEqual(['*', ACME]);
    expect(await storedAccounts()).toEqual([`grace@${ACME} Wander`]);
    expect(Object.keys(await storedBreaches())).toEqual(['Fresh', 'Wander']);
    await feedOf(asked).refresh(['old.test']);
    expect(asked.asked.at(-1)).toBe('old.test');
  });

  test('that is unavailable does not return data of the previous source', async () => {
    source.domains = { [ACME]: { ada: ['Wander'] } };
    await feedOf(source).refresh([ACME]);
    const away = other();
    away.fail('unreachable', ['*', ACME]);
    expect(await refusalOf(feedOf(away).refresh([ACME]))).toMatchObject({ code: 'service_unavailable' });
    away.failures.delete('*');
    expect(await refusalOf(feedOf(away).refresh([ACME]))).toMatchObject({ code: 'service_unavailable' });
  });

  test('that never answered removes no data of the previous source', async () => {
    source.domains = { [ACME]: { ada: ['Wander'] }, 'new.test': { ada: ['Pixel'] } };
    await feedOf(source).refresh([ACME]);
    // Leaves the trace of a process whose request to the other source failed.
    await service.query(`select lease_breach_feed_refresh('new.test', 'another', null, 40)`);
    await service.query(`select release_breach_feed_refresh('new.test')`);
    await refusalOf(feedOf(source).refresh(['new.test', ACME]));
    expect(await storedAccounts()).toEqual([`ada@${ACME} Wander`, 'ada@new.test Pixel']);
  });

  test('that is replaced by the first again returns current data', async () => {
    source.domains = { [ACME]: { ada: ['Wander'] } };
    await feedOf(source).refresh([ACME]);
    await feedOf(other()).refresh([ACME]);
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME, '*', ACME]);
    expect(await storedAccounts()).toEqual([`ada@${ACME} Wander`]);
  });

  test('that appears during concurrent reads leaves consistent data', async () => {
    source.domains = { [ACME]: { ada: ['Wander'] } };
    await feedOf(source).refresh([ACME]);
    const made = other();
    const feeds = [feedOf(made), feedOf(made), feedOf(made)];
    await Promise.all(Array.from({ length: 12 }, (_, n) => feeds[n % 3]!.refresh([ACME, `d${n}.test`])));
    expect(await storedAccounts()).toEqual([`grace@${ACME} Wander`]);
    expect(Object.keys(await storedBreaches())).toEqual(['Fresh', 'Wander']);
  });
});

describe('the database', () => {
  beforeEach(async () => {
    source.domains = { 'tenant.test': { ada: ['Wander'] }, 'other.test': { grace: ['Wander'] } };
    await feedOf(source).refresh(['tenant.test', 'other.test']);
  });

  /** Returns the addresses that the service sees in the scope of a company, without a filter by company. */
  async function seenBy(company: string): Promise<string[]> {
    await service.query('begin');
    await service.query("select set_config('app.company_id', $1, true)", [company]);
    const { rows } = await service.query<{ email: string }>('select email from breached_accounts order by email');
    await service.query('rollback');
    return rows.map(({ email }) => email);
  }

  test('shows a company only the accounts of the domains that it watches', async () => {
    expect(await seenBy(companies.tenant)).toEqual(['ada@tenant.test']);
    expect(await seenBy(companies.other)).toEqual(['grace@other.test']);
    expect(await seenBy(companies.msp)).toEqual([]);
    expect((await service.query('select * from breached_accounts')).rows).toEqual([]);
  });

  test('shows a company without the module no accounts', async () => {
    await testService.query('update companies set smbreachproenabled = false where id = $1', [companies.tenant]);
    expect(await seenBy(companies.tenant)).toEqual([]);
    await testService.query('update companies set smbreachproenabled = true where id = $1', [companies.tenant]);
  });

  test.each([
    `insert into breaches (name, title, category, data_classes) values ('x', 'x', 'x', '{}')`,
    `insert into breached_accounts select 'other.test', 'x@other.test', id from breaches limit 1`,
    `insert into breach_feed_answers (subject, source, answered_at) values ('x', 'x', now())`,
    `update breaches set title = 'x'`,
    'update breached_accounts set email = lower(email)',
    `update breach_feed_answers set answered_at = now() + interval '1 year'`,
    'delete from breaches',
    'delete from breached_accounts',
    'delete from breach_feed_answers',
    'truncate breaches cascade',
    `select forget_other_breach_feeds('x')`,
    `select record_breach_feed_answer('tenant.test', 'x')`,
  ])('denies the service: %s', async (statement) => {
    await expect(service.query(statement)).rejects.toThrow(/permission denied/);
    expect(await storedAccounts()).toHaveLength(2);
  });

  test('keeps earlier data if a response cannot be stored', async () => {
    const feed = feedOf(source);
    await age('25 hours', ['tenant.test']);
    await testService.query(`alter table breached_accounts add constraint no_grace check (email !~ '^bad') not valid`);
    source.domains['tenant.test'] = { bad: ['Wander'], ada: ['Pixel'] };
    expect(await refusalOf(feed.refresh(['tenant.test']))).toMatchObject({ code: '23514' });
    await testService.query('alter table breached_accounts drop constraint no_grace');
    expect(await storedAccounts()).toEqual(['ada@tenant.test Wander', 'grace@other.test Wander']);
    await feed.refresh(['tenant.test']);
    expect(await storedAccounts()).toContain('bad@tenant.test Wander');
  });
});
