import type { BreachSourceFailure } from '../../src/resources/breaches/feed/breach-source.ts';
import { ApiError } from '../../src/contract/errors.ts';
import {
  age,
  feedLog,
  feedOf,
  forgetFeed,
  refusalOf,
  ScriptedSource,
  storedAccounts,
  storedBreaches,
} from './feed-state.ts';

const ACME = 'acme.test';
const OTHER = 'other.test';
let source: ScriptedSource;

beforeEach(() => {
  source = new ScriptedSource();
  source.domains = { [ACME]: { ada: ['Wander', 'Pixel'], press: ['Wander'] }, [OTHER]: { grace: ['Pixel'] } };
});
afterEach(forgetFeed);

const failures: [BreachSourceFailure, number, string][] = [
  ['refused', 503, 'breach_data_unavailable'],
  ['limited', 503, 'breach_data_unavailable'],
  ['failing', 503, 'breach_data_unavailable'],
  ['unreadable', 503, 'breach_data_unavailable'],
  ['unreachable', 502, 'service_unavailable'],
  ['slow', 504, 'service_timeout'],
];

describe('the feed', () => {
  test('asks the source on a read and stores the answer', async () => {
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME]);
    expect(await storedAccounts()).toEqual([`ada@${ACME} Pixel`, `ada@${ACME} Wander`, `press@${ACME} Wander`]);
    expect(await storedBreaches()).toEqual({ Pixel: 'The Pixel breach', Wander: 'The Wander breach' });
  });

  test('asks about each requested domain and no other', async () => {
    await feedOf(source).refresh([ACME, OTHER]);
    expect(source.asked.toSorted()).toEqual(['*', ACME, OTHER]);
  });

  test('asks only for the list if there are no domains', async () => {
    await feedOf(source).refresh([]);
    expect(source.asked).toEqual(['*']);
  });

  test('remembers clean domains as well', async () => {
    const feed = feedOf(source);
    await feed.refresh(['clean.test']);
    await feed.refresh(['clean.test']);
    expect(source.asked).toEqual(['*', 'clean.test']);
    expect(await storedAccounts()).toEqual([]);
  });

  test('caches responses for a day, for all processes', async () => {
    await feedOf(source).refresh([ACME]);
    await age('23 hours 59 minutes');
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME]);
    await age('2 minutes');
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME, '*', ACME]);
    await feedOf(source).refresh([ACME]);
    expect(source.asked).toHaveLength(4);
  });

  test('tracks the age of each domain separately', async () => {
    const feed = feedOf(source);
    await feed.refresh([ACME, OTHER]);
    source.asked = [];
    await age('25 hours', [OTHER]);
    await feed.refresh([ACME, OTHER]);
    expect(source.asked).toEqual([OTHER]);
    await age('25 hours', ['*']);
    await feed.refresh([ACME, OTHER]);
    expect(source.asked).toEqual([OTHER, '*']);
  });

  test('replaces the stored accounts of a domain, and of no other', async () => {
    const feed = feedOf(source);
    await feed.refresh([ACME, OTHER]);
    source.domains = { [ACME]: { press: ['Pixel'], edsger: ['Wander'] } };
    await age('25 hours', [ACME]);
    await feed.refresh([ACME, OTHER]);
    expect(await storedAccounts()).toEqual([`edsger@${ACME} Wander`, `grace@${OTHER} Pixel`, `press@${ACME} Pixel`]);
    source.domains = {};
    await age('25 hours', [ACME]);
    await feed.refresh([ACME, OTHER]);
    expect(await storedAccounts()).toEqual([`grace@${OTHER} Pixel`]);
  });

  test('keeps the id of a breach whose details change', async () => {
    const feed = feedOf(source);
    await feed.refresh([ACME]);
    const [before] = await testService.query(`select id from breaches where name = 'Wander'`);
    source.list = ['Wander', 'Newer'];
    await testService.query(`update breaches set title = 'Old', breach_date = null`);
    await age('25 hours');
    await feed.refresh([ACME]);
    const [after] = await testService.query(`select id, title, breach_date::text from breaches where name = 'Wander'`);
    expect(after).toEqual({ id: before!.id, title: 'The Wander breach', breach_date: '2024-11-17' });
    expect(await storedAccounts()).toContain(`ada@${ACME} Pixel`);
  });
});

describe('an unavailable source', () => {
  test.each(failures)('(%s) goes unnoticed for a week', async (failure) => {
    await feedOf(source).refresh([ACME]);
    const known = await storedAccounts();
    for (const [older, days] of [
      ['25 hours', 1],
      ['5 days 22 hours 58 minutes', 6],
    ]) {
      await age(String(older));
      source.asked = [];
      source.fail(failure, ['*', ACME]);
      expect([days, await refusalOf(feedOf(source).refresh([ACME]))]).toEqual([days, undefined]);
      expect(source.asked).toEqual(['*', ACME]);
      expect(await storedAccounts()).toEqual(known);
    }
    expect(feedLog.filter((line) => line.includes('"level":40') && line.includes(failure))).toHaveLength(4);
  });

  test.each(failures)('(%s) causes a %i %s after a week', async (failure, status, code) => {
    await feedOf(source).refresh([ACME]);
    await age('7 days 1 minute', [ACME]);
    source.fail(failure, [ACME]);
    const refusal = await refusalOf(feedOf(source).refresh([ACME]));
    expect(refusal).toBeInstanceOf(ApiError);
    expect({ status: refusal!.status, code: refusal!.code, headers: refusal!.headers }).toEqual({
      status,
      code,
      headers: {},
    });
    expect(refusal!.message).not.toContain('hush-hush');
    expect(await storedAccounts()).toHaveLength(3);
  });

  test.each(failures)('(%s) causes a %i %s if it never answered', async (failure, status, code) => {
    source.fail(failure, ['*']);
    expect(await refusalOf(feedOf(source).refresh([]))).toMatchObject({ status, code });
    source.failures.clear();
    source.fail(failure, [ACME]);
    expect(await refusalOf(feedOf(source).refresh([ACME]))).toMatchObject({ status, code });
  });

  test.each([
    [1, '1'],
    [999, '1'],
    [1001, '2'],
    [3_600_000, '3600'],
  ])('that asks for a wait of %i ms causes a Retry-After in whole seconds', async (ms, seconds) => {
    source.fail('limited', [ACME], ms);
    expect(await refusalOf(feedOf(source).refresh([ACME]))).toMatchObject({
      code: 'breach_data_unavailable',
      headers: { 'Retry-After': seconds },
    });
  });

  test('for one domain does not affect readers of other domains', async () => {
    const feed = feedOf(source);
    source.fail('failing', [OTHER]);
    expect(await refusalOf(feed.refresh([ACME, OTHER]))).toMatchObject({ code: 'breach_data_unavailable' });
    expect(await refusalOf(feed.refresh([ACME]))).toBeUndefined();
    expect(source.asked.filter((subject) => subject === ACME)).toHaveLength(1);
  });

  test('is asked again by the next reader, and its next answer is cached', async () => {
    const feed = feedOf(source);
    source.fail('failing', ['*', ACME]);
    for (let n = 0; n < 3; n += 1) await refusalOf(feed.refresh([ACME]));
    expect(source.asked).toEqual(['*', '*', '*']);
    source.failures.clear();
    await feed.refresh([ACME]);
    await feed.refresh([ACME]);
    expect(source.asked).toEqual(['*', '*', '*', '*', ACME]);
  });
});

describe('a breach missing from the list', () => {
  const asksForList = () => source.asked.filter((subject) => subject === '*').length;

  test('causes one more request for the list, which then contains it', async () => {
    const feed = feedOf(source);
    await feed.refresh([]);
    source.list.push('Brandnew');
    source.domains[ACME] = { ada: ['Brandnew', 'Wander'] };
    await feed.refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME, '*']);
    expect(await storedBreaches()).toMatchObject({ Brandnew: 'The Brandnew breach' });
    expect(await storedAccounts()).toEqual([`ada@${ACME} Brandnew`, `ada@${ACME} Wander`]);
  });

  test('is stored by its name if the list still lacks it, and causes no further requests', async () => {
    const feed = feedOf(source);
    source.domains = { [ACME]: { ada: ['Ghost', 'Spirit'], grace: ['Ghost'] }, [OTHER]: { ada: ['Ghost'] } };
    await feed.refresh([ACME]);
    expect(source.asked).toEqual(['*', ACME, '*']);
    expect(await storedBreaches()).toMatchObject({ Ghost: 'Ghost', Spirit: 'Spirit' });
    expect(await storedAccounts()).toEqual([`ada@${ACME} Ghost`, `ada@${ACME} Spirit`, `grace@${ACME} Ghost`]);
    await feed.refresh([OTHER]);
    await age('25 hours', [ACME]);
    await feed.refresh([ACME]);
    expect(asksForList()).toBe(2);
  });

  test('gets its title once the list contains it, and keeps its id', async () => {
    const feed = feedOf(source);
    source.domains = { [ACME]: { ada: ['Ghost'] } };
    await feed.refresh([ACME]);
    const [before] = await testService.query(`select id from breaches where name = 'Ghost'`);
    source.list.push('Ghost');
    await age('25 hours');
    await feed.refresh([ACME]);
    const [after] = await testService.query(`select id, title from breaches where name = 'Ghost'`);
    expect(after).toEqual({ id: before!.id, title: 'The Ghost breach' });
  });

  test.each(failures)('does not hold back the accounts if the list is unavailable (%s)', async (failure) => {
    const feed = feedOf(source);
    await feed.refresh([]);
    source.fail(failure, ['*']);
    source.domains[ACME] = { ada: ['Brandnew'] };
    expect(await refusalOf(feed.refresh([ACME]))).toBeUndefined();
    expect(await storedAccounts()).toEqual([`ada@${ACME} Brandnew`]);
    expect(asksForList()).toBe(2);
  });
});
