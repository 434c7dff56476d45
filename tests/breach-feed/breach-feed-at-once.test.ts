import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseWire } from '../support/database-wire.ts';
import { until } from '../support/until.ts';
import { age, feedOf, forgetFeed, refusalOf, ScriptedSource, storedAccounts, storedBreaches } from './feed-state.ts';

const ACME = 'acme.test';
const OTHER = 'other.test';
const wire = new DatabaseWire();
let source: ScriptedSource;

beforeEach(() => {
  source = new ScriptedSource();
  source.domains = { [ACME]: { ada: ['Wander'] }, [OTHER]: { grace: ['Pixel'] } };
});
afterEach(async () => {
  source.release();
  wire.cut();
  await forgetFeed();
});

const times = <T>(count: number, work: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => work(n));
const isAsked = async (subject: string): Promise<boolean> => {
  const rows = await testService.query(
    'select from breach_feed_answers where subject = $1 and refresh_lease_until > now()',
    [subject],
  );
  return rows.length > 0;
};

describe('concurrent readers', () => {
  test('in one process ask once per domain', async () => {
    const feed = feedOf(source);
    source.hold();
    const readers = times(30, (n) => feed.refresh(n % 2 ? [ACME, OTHER] : [OTHER, ACME]));
    await until(() => source.asked.length > 0);
    source.release();
    await Promise.all(readers);
    expect(source.asked.toSorted()).toEqual(['*', ACME, OTHER]);
  });

  test('in four processes ask once per domain', async () => {
    const feeds = times(4, () => feedOf(source));
    source.hold();
    const readers = feeds.flatMap((feed) => times(5, () => feed.refresh([ACME, OTHER])));
    await until(() => source.asked.length > 0);
    await sleep(100);
    source.release();
    await Promise.all(readers);
    expect(source.asked.toSorted()).toEqual(['*', ACME, OTHER]);
    expect(await storedAccounts()).toHaveLength(2);
  });

  test('do not ask if another process has just received the answer', async () => {
    const feed = feedOf(source);
    await feed.refresh([ACME]);
    await age('25 hours', [ACME]);
    const another = new pg.Client(testService.database.ownerUrl);
    await another.connect();
    try {
      await another.query('begin');
      await another.query('update breach_feed_answers set answered_at = now() where subject = $1', [ACME]);
      const reading = feed.refresh([ACME]);
      await until(async () => {
        const waiting = await testService.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0 || source.asked.length > 2;
      });
      await another.query('commit');
      await reading;
    } finally {
      await another.end();
    }
    expect(source.asked).toEqual(['*', ACME]);
  });

  test('in one process share a failure after one request', async () => {
    const feed = feedOf(source);
    source.fail('slow', ['*']);
    source.hold();
    const readers = times(10, () => refusalOf(feed.refresh([ACME])));
    await until(() => source.asked.length > 0);
    await sleep(300);
    source.release();
    for (const refusal of await Promise.all(readers)) expect(refusal).toMatchObject({ code: 'service_timeout' });
    expect(source.asked).toEqual(['*']);
  });

  test('do not wait for the answer about another domain', async () => {
    const feed = feedOf(source);
    await feed.refresh([OTHER]);
    source.hold();
    const waiting = feed.refresh([ACME]);
    await until(() => source.asked.includes(ACME));
    expect(await Promise.race([feed.refresh([OTHER]).then(() => 'answered'), sleep(3000, 'waited')])).toBe('answered');
    source.release();
    await waiting;
  });

  test('of many domains with the same new breaches store each breach once', async () => {
    const domains = times(12, (n) => `d${n}.test`);
    const names = times(40, (n) => `New${n}`);
    source.domains = Object.fromEntries(
      domains.map((domain, n) => [domain, { ada: n % 2 ? names : names.toReversed() }]),
    );
    const feeds = times(4, () => feedOf(source));
    await Promise.all(domains.map((domain, n) => feeds[n % 4]!.refresh([domain])));
    expect(Object.keys(await storedBreaches())).toHaveLength(42);
    expect(await storedAccounts()).toHaveLength(12 * 40);
    for (const domain of domains) expect(source.asked.filter((subject) => subject === domain)).toHaveLength(1);
  });

  test('of many domains with unknown breaches ask for the list one at a time', async () => {
    const feed = feedOf(source);
    await feed.refresh([]);
    source.list.push('Brandnew');
    source.domains = Object.fromEntries(times(6, (n) => [`d${n}.test`, { ada: ['Brandnew'] }]));
    await Promise.all(times(6, (n) => feed.refresh([`d${n}.test`])));
    expect(source.asked.filter((subject) => subject === '*').length).toBeLessThanOrEqual(3);
    expect(await storedBreaches()).toMatchObject({ Brandnew: 'The Brandnew breach' });
  });
});

describe('a reader that asks the source', () => {
  test('and gets no answer releases its lease for other processes', async () => {
    source.fail('failing', ['*']);
    await refusalOf(feedOf(source).refresh([ACME]));
    expect(await isAsked('*')).toBe(false);
    source.failures.clear();
    source.fail('failing', [ACME]);
    await refusalOf(feedOf(source).refresh([ACME]));
    expect(await isAsked(ACME)).toBe(false);
    source.failures.clear();
    const begun = Date.now();
    await feedOf(source).refresh([ACME]);
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  test('and throws another error releases its lease', async () => {
    const bug = new TypeError('a bug');
    const accounts = (): Promise<never> => Promise.reject(bug);
    const feed = feedOf({ name: 'scripted', breaches: () => source.breaches(), accounts });
    await expect(feed.refresh([ACME])).rejects.toBe(bug);
    expect(await isAsked(ACME)).toBe(false);
  });

  test('in a process that died is replaced after its lease expires', async () => {
    await testService.query(
      `insert into breach_feed_answers (subject, source, refresh_lease_until)
       values ('*', 'scripted', now() - interval '1 second'), ($1, 'scripted', now() + interval '400 ms')`,
      [ACME],
    );
    const refusal = await refusalOf(feedOf(source).refresh([ACME]));
    if (refusal) expect(refusal).toMatchObject({ code: 'breach_data_unavailable' });
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME]);
  });

  test('in a process that died leaves the stored data usable', async () => {
    await feedOf(source).refresh([ACME]);
    await age('3 days');
    await testService.query(`update breach_feed_answers set refresh_lease_until = now() + interval '300 ms'`);
    expect(await refusalOf(feedOf(source).refresh([ACME]))).toBeUndefined();
    expect(await storedAccounts()).toHaveLength(1);
  });

  test('in another process serves readers here as well', async () => {
    const [one, two] = [feedOf(source), feedOf(source)];
    await one.refresh([]);
    source.hold();
    const first = one.refresh([ACME]);
    await until(() => source.asked.includes(ACME));
    const second = two.refresh([ACME]);
    await sleep(100);
    source.release();
    await Promise.all([first, second]);
    expect(source.asked).toEqual(['*', ACME]);
  });
});

describe('a lost database connection', () => {
  test('during a request to the source is reported as such and keeps the stored data', async () => {
    await wire.mend();
    await feedOf(source).refresh([ACME]);
    await age('3 days', [ACME]);
    const feed = feedOf(source, wire.url);
    source.domains[ACME] = { ada: ['Pixel'] };
    source.hold();
    const refusal = refusalOf(feed.refresh([ACME]));
    await until(() => source.asked.length === 3);
    wire.cut();
    source.release();
    expect(await refusal).toMatchObject({ message: expect.stringMatching(/Connection terminated|ECONN/) });
    expect(await storedAccounts()).toEqual([`ada@${ACME} Wander`]);

    await wire.mend();
    // Expires the lease of the failed refresh.
    await testService.query('update breach_feed_answers set refresh_lease_until = now()');
    await feed.refresh([ACME]);
    expect(await storedAccounts()).toEqual([`ada@${ACME} Pixel`]);
  });
});
