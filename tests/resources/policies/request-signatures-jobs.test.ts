/** @jest-environment-options {"DATABASE_POOL_SIZE": "20"} */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { requestSignatures } from '../../../src/resources/policies/signatures/request-signatures.ts';
import { startService, stopServices } from '../../process/support.ts';
import { until } from '../../support/until.ts';
import { call, patch } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { expectNoDeadlocks, learner, manyLearnerIds, race, whileRowsAreSlow } from '../courses/enrollment-state.ts';
import { expectNoFailure, forgetNewLearners, insertLearners, meanwhile } from '../tenant-state.ts';
import {
  expectEachNamedOnce,
  insertPolicies,
  message,
  pairsOf,
  queuedMessages,
  restorePolicies,
  storeResults,
} from './assignment-state.ts';

const pool = openServicePool(5);
const access = new TenantAccess(pool);
const today = (): string => new Date().toISOString().slice(0, 10);
const run = (company: keyof typeof companies = 'tenant'): Promise<void> =>
  requestSignatures(access.ofJob(companies[company]), today());
const queue = (day: string): Promise<unknown> =>
  pool.query(`select queue_for_companies('request_signatures', $1)`, [day]);

restorePolicies();
afterEach(forgetNewLearners);
afterAll(() => pool.end());

/** Assigns policies to learners in May and makes their signatures due today. */
async function makeDue(company: keyof typeof companies, learnerIds: string[], policyIds: string[]): Promise<void> {
  await storeResults(company, learnerIds, policyIds);
  await testService.query(
    `update policies set signature_type = 'fixed', signature_start_date = $2, signature_set_on = '2026-05-04'
      where id = any($1)`,
    [policyIds, today()],
  );
}

describe('the signature jobs of a day', () => {
  const jobs = () =>
    testService.query(
      `select payload ->> 'day' as day, payload ->> 'companyId' as company, count(*)::integer
         from graphile_worker._private_jobs group by 1, 2 order by 1, 2`,
    );
  const oneEach = (day: string) => Object.values(companies).map((company) => ({ day, company, count: 1 }));

  test('are queued once for each company, even by repeated and concurrent calls', async () => {
    await queue('2026-11-21');
    await Promise.all(Array.from({ length: 5 }, () => queue('2026-11-21')));
    expect(await jobs()).toEqual(oneEach('2026-11-21'));
    await queue('2026-11-22');
    expect(await jobs()).toEqual([...oneEach('2026-11-21'), ...oneEach('2026-11-22')]);
  });
});

describe('a worker process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signatures-'));
  afterEach(stopServices);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('runs the jobs and sends the requests to each learner in their language', async () => {
    const [policyId] = (await insertPolicies('tenant', 1)) as [string];
    const german = { firstName: 'Käthe', lastName: 'Hamburger', locale: 'de-AT', email: 'kaethe@tenant.test' };
    await insertLearners('tenant', 1);
    const { active } = manyLearnerIds(1);
    expect((await patch(`/learners/${active[0]}`, german)).status).toBe(200);
    await makeDue('tenant', [active[0]!, learner(1)], [policyId]);
    await queue(today());
    await startService({ DATABASE_URL: testService.database.serviceUrl, ROLES: 'worker', MAIL_FOLDER: folder });
    await until(() => readdirSync(folder).filter((file) => file.endsWith('.eml')).length === 3);
    const mails = await Promise.all(
      readdirSync(folder).map((file) => PostalMime.parse(readFileSync(join(folder, file)))),
    );
    const mailTo = (address: string) => mails.find(({ to }) => to![0]!.address === address)!;
    // The email to the old address reports the change of address.
    expect(mailTo('many1@many.test')).toBeDefined();
    const toGerman = mailTo('kaethe@tenant.test');
    expect(toGerman.subject).toBe('Bitte lesen und unterschreiben Sie „Überblick 🦊 1“');
    expect(toGerman.text).toContain('Guten Tag Käthe,');
    expect(toGerman.text).toContain('Überblick 🦊 1');
    expect(toGerman.headers.find(({ key }) => key === 'content-language')!.value).toBe('de');
    expect(mailTo('learner1@tenant.test').headers.find(({ key }) => key === 'content-language')!.value).toBe('en');
    await until(async () => (await testService.query('select from graphile_worker._private_jobs')).length === 0);
    expect(await testService.query('select status, count(*)::integer from messages group by 1')).toEqual([
      { status: 'sent', count: 3 },
    ]);
  });
});

describe('concurrent requests for due signatures', () => {
  const { all, active } = manyLearnerIds(60);
  let policyIds: string[];
  beforeEach(async () => {
    await insertLearners('tenant', 60);
    policyIds = await insertPolicies('tenant', 4);
    await makeDue('tenant', all, policyIds);
  });
  expectNoDeadlocks();

  test('five workers ask each learner once', async () => {
    await whileRowsAreSlow('update', 'policy_results', () => Promise.all(Array.from({ length: 5 }, () => run())));
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, ...policyIds)));
  });

  test('each remaining assignment is requested once during assignments, reminders and removals', async () => {
    const [removed, ...kept] = policyIds as [string, ...string[]];
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const requests = Array.from({ length: 9 }, (_, n) => {
        const learnerIds = n % 2 ? active : active.toReversed();
        if (n % 3 === 0) return race('/policy-removals', { learnerIds, policyIds: [removed] });
        return race(n % 3 === 1 ? '/policy-assignments' : '/policy-reminders', { learnerIds, policyIds: kept });
      });
      await Promise.all([run(), expectNoFailure(requests)]);
    });
    const messages = (await queuedMessages()).filter(({ kind }) => kind === 'policy_request');
    const ofKept = messages.map((sent) => ({ ...sent, policyIds: sent.policyIds.filter((id) => id !== removed) }));
    expectEachNamedOnce(
      ofKept.filter((sent) => sent.policyIds.length > 0),
      pairsOf(active, kept),
    );
  });

  test.each<[string, string, object]>([
    ['learners', '/learners/bulk', { learnerIds: all }],
    ['policies', '/policies/bulk', { policyIds: [] }],
  ])('%s can be deleted during a run', async (_case, other, body) => {
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const asking = run();
      await meanwhile();
      const deleted = 'policyIds' in body ? { policyIds: policyIds.toReversed() } : body;
      expect(await expectNoFailure([race(other, deleted, 'DELETE')])).toEqual({ 200: 1 });
      await asking;
    });
  });

  test('learners can be deleted while a publication asks all of them to sign again', async () => {
    await whileRowsAreSlow('update', 'policy_results', async () => {
      const requests = [race(`/policies/${policyIds[0]}`, { action: 'live', name: 'New', resend: true }, 'PATCH')];
      await meanwhile();
      requests.push(race('/learners/bulk', { learnerIds: all }, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await testService.query('select from policy_results where policy_id = any($1)', [policyIds])).toEqual([]);
  });

  test('learners and their policies can be deleted concurrently', async () => {
    await whileRowsAreSlow('delete', 'policy_results', async () => {
      const requests = [race('/learners/bulk', { learnerIds: all }, 'DELETE')];
      // After these waits, the deletion has removed the results of some learners but not of all.
      for (let n = 0; n < 4; n += 1) await meanwhile();
      requests.push(race('/policies/bulk', { policyIds }, 'DELETE'));
      expect(await expectNoFailure(requests)).toEqual({ 200: 2 });
    });
    expect(await testService.query('select from policy_results where policy_id = any($1)', [policyIds])).toEqual([]);
  });
});

/** Makes statements that update more than 5,000 results fail; ten times as many would time out. */
async function whileStatementsMustBeSmall(work: () => Promise<unknown>): Promise<void> {
  await testService.query(`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > 5000 then raise exception 'too many rows for one statement' using errcode = 'query_canceled'; end if;
      return null;
    end $$;
    create trigger refuses_many after update on policy_results referencing new table as changed
      for each statement execute function refuse_many()`);
  try {
    await work();
  } finally {
    await testService.query('drop function refuse_many cascade');
  }
}

describe('many signatures', () => {
  test('1,000 learners get one message each about 20 due policies', async () => {
    await insertLearners('directChild', 1_000);
    const policyIds = await insertPolicies('directChild', 20);
    const { all, active } = manyLearnerIds(1_000);
    await makeDue('directChild', all, policyIds);
    await run('directChild');
    expect(await queuedMessages()).toEqual(active.map((id) => message('policy_request', id, ...policyIds)));
  });

  test('due signatures are requested in statements of at most 5,000 rows', async () => {
    await insertLearners('childA', 1_200);
    const policyIds = await insertPolicies('childA', 5);
    await makeDue('childA', manyLearnerIds(1_200).all, policyIds);
    await whileStatementsMustBeSmall(() => run('childA'));
  });

  test('a publication asks again in statements of at most 5,000 rows', async () => {
    await insertLearners('childB', 5_500);
    const [policyId] = (await insertPolicies('childB', 1)) as [string];
    await storeResults('childB', manyLearnerIds(5_500).all, [policyId]);
    await whileStatementsMustBeSmall(async () => {
      const body = { action: 'live', name: 'New', resend: true };
      expect((await call('childB', 'PATCH', `/policies/${policyId}`, { body })).status).toBe(200);
    });
  });
});
