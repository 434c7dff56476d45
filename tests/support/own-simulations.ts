import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import type { TenantWriter } from '../../src/db/tenant.ts';
import { recordEvents } from '../../src/resources/simulations/events/simulation-events.ts';
import type { MailServer } from '../mail/smtp-support.ts';
import { startService, statusOf, type Service } from '../process/support.ts';
import { until } from './until.ts';
import { type Answer, post } from './client.ts';
import { openServicePool } from './service-pool.ts';
import { companies, type CompanyName, learnerId, MANAGED_CATALOGUE } from './world.ts';

// Simulations that the service sends itself, in the three states that tests begin with: a draft created over HTTP, a
// running simulation whose messages are due, and one whose links were mailed.

/** The sender domain that tests give the service in their docblock, as `SIMULATION_SENDER_DOMAINS`. */
export const SENDER = 'parcel-desk.test';
export const SECRET = 'the-secret-of-the-mail-team';
export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const ENGLISH = {
  senderName: 'Parcel service',
  senderMailbox: 'notice',
  subject: 'A parcel for {{firstName}}',
  text: 'Hello {{firstName}} {{lastName}},\n\nsee {{link}}\n\n{{companyName}}',
  html: '<p>Hello {{firstName}}</p><p><a href="{{link}}">Your parcel</a></p>',
  cues: ['The sender is <b>nobody</b>'],
  lesson: 'Look twice.\n\nThen ask.',
};
const GERMAN = { ...ENGLISH, cues: ['Den Absender gibt es nicht'], lesson: 'Sehen Sie zweimal hin.' };

interface Template {
  ownerId?: string;
  deliveryMethod?: string;
  locales?: string[];
  isRetired?: boolean;
  /** Strings that replace the default ones in every language. */
  words?: object;
}

/** Stores a simulation template and returns its id. */
export async function makeTemplate({
  ownerId = MANAGED_CATALOGUE,
  deliveryMethod = 'email',
  locales = ['en', 'de'],
  isRetired = false,
  words = {},
}: Template = {}): Promise<string> {
  const id = uuidv7();
  const content = locales.map((locale) => [locale, { ...(locale === 'de' ? GERMAN : ENGLISH), ...words }]);
  await testService.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content, retired_at)
     values ($1, $2, 'Parcel on hold', $3, 2, $4, $5, case when $6 then now() end)`,
    [ownerId, id, deliveryMethod, locales, Object.fromEntries(content), isRetired],
  );
  return id;
}

/** Returns the body of a draft for every learner, from 9 to 17 o'clock on all days of two weeks in 2090. */
export const draftWith = (templateId: string, fields: object = {}) => ({
  name: 'Parcel notice, winter',
  templateIds: [templateId],
  recipients: { everyone: true },
  startDate: '2090-01-02T00:00:00Z',
  endDate: '2090-01-16T00:00:00Z',
  workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' },
  timeZone: 'Europe/Berlin',
  senderDomain: SENDER,
  ...fields,
});

/** Creates a draft over HTTP and returns its id. */
export async function makeDraft(fields: object = {}, templateId?: string): Promise<string> {
  const answer: Answer = await post('/simulations', draftWith(templateId ?? (await makeTemplate()), fields));
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
  return answer.body.data.id;
}

interface Running {
  company?: CompanyName;
  status?: string;
  /** The language of the messages. */
  locale?: string;
  plan?: object;
  deliveryMethod?: string;
  words?: object;
}

/** Stores a simulation directly in the database, with every message due. */
async function insertSimulation(learnerIds: readonly string[], asked: Running): Promise<string> {
  const { company = 'tenant', status = 'running', locale = 'en', deliveryMethod = 'email', words = {} } = asked;
  const templateId = await makeTemplate({ ownerId: companies[company], deliveryMethod, words });
  const plan = {
    ...{ templateIds: [templateId], senderDomain: SENDER, recipients: { everyone: true }, seed: 'seed' },
    ...{ workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '17:00' }, timeZone: 'UTC' },
    ...asked.plan,
  };
  const simulationId = randomUUID();
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date, is_own, plan)
     values ($1, $2, 'Parcel notice', $3, $4, now() - interval '1 day', now() + interval '1 day', true, $5)`,
    [companies[company], simulationId, status, deliveryMethod, plan],
  );
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, template_id, locale)
     select $1, $2, id, now() - interval '1 minute', $4, $5 from unnest($3::uuid[]) as id`,
    [companies[company], simulationId, learnerIds, templateId, locale],
  );
  return simulationId;
}

/** Stores a simulation that can be sent at any time, and as many new learners for its due messages. */
export async function makeDueSimulation({
  recipients,
  ...asked
}: { recipients: number } & Running): Promise<{ simulationId: string; learnerIds: string[] }> {
  const learners = await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, locale)
     select $1, gen_random_uuid(), 'bait' || n || '-' || left(gen_random_uuid()::text, 8) || '@tenant.test', 'Grace',
            'No ' || n, 'en'
       from generate_series(1, $2) as n returning id`,
    [companies.tenant, recipients],
  );
  const learnerIds = learners.map(({ id }) => id as string);
  // 24:00, which a client cannot set, includes the last minute of the day, so that tests pass at any time.
  const plan = { workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }, ...asked.plan };
  return { simulationId: await insertSimulation(learnerIds, { ...asked, plan }), learnerIds };
}

type Learner = 1 | 2 | 3 | 4 | 5;

export interface MailedSimulation {
  id: string;
  /** Returns the path of a recipient's link. */
  linkOf: (learner: Learner) => string;
}

/** Stores a simulation whose links were mailed to these learners. */
export async function makeMailedSimulation(
  recipients: readonly Learner[],
  { company = 'tenant', ...asked }: Running = {},
): Promise<MailedSimulation> {
  const learnerIds = recipients.map((number) => learnerId(company, number));
  const id = await insertSimulation(learnerIds, { company, ...asked });
  const tokens = new Map(recipients.map((number) => [number, createPersonToken(companies[company])]));
  for (const [number, token] of tokens) {
    await testService.query(
      'update simulation_recipients set token_hash = $3 where simulation_id = $1 and learner_id = $2',
      [id, learnerId(company, number), hashPersonToken(token)],
    );
  }
  return { id, linkOf: (number) => `/s/${tokens.get(number)!}` };
}

/** Records an event of a learner that occurred `secondsAgo` seconds ago, with the service's own code. */
export async function recordInteraction(
  simulation: MailedSimulation,
  type: 'sent' | 'reported',
  secondsAgo: number,
  of: Learner,
) {
  const event = { type, simulation: { id: simulation.id }, learner: { id: learnerId('tenant', of) } };
  const occurredAt = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const pool = openServicePool(1);
  const record = (tx: TenantWriter) => recordEvents(tx, [{ ...event, occurredAt, eventId: randomUUID() }]);
  const outcome = await new TenantAccess(pool).ofJob(companies.tenant).transaction(record);
  await pool.end();
  expect(outcome).toMatchObject({ success: true });
}

/** Returns the nonce that a page passes to its script. */
export function nonceIn(html: string): string {
  return /data-nonce="([^"]+)"/.exec(html)![1]!;
}

/** Returns the recorded interactions of a simulation, in order of time. */
export function recorded(simulation: MailedSimulation): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select type, verdict, reasons, evidence from simulation_events
      where simulation_id = $1 and type not in ('sent', 'reported') order by occurred_at, event_id`,
    [simulation.id],
  );
}

/** Returns the stored recipients of a simulation, by learner. */
export async function recipientsOf(simulationId: string): Promise<Record<string, any>[]> {
  return testService.query('select * from simulation_recipients where simulation_id = $1 order by learner_id', [
    simulationId,
  ]);
}

/**
 * Allows the company `tenant` to receive simulations: its domain is proved and locked, it has a header secret, and no
 * stop is in force.
 */
export async function allowSimulations(): Promise<void> {
  await testService.query('update companies set domain_lock = true where id = $1', [companies.tenant]);
  await testService.query(
    `insert into simulation_domains (company_id, id, domain, challenge, proved_at, checked_at)
     values ($1, gen_random_uuid(), 'tenant.test', 'challenge', now(), now())
     on conflict (company_id, domain) do update
        set challenge = excluded.challenge, proved_at = excluded.proved_at, checked_at = excluded.checked_at`,
    [companies.tenant],
  );
  await testService.query(
    `insert into simulation_settings (company_id, header_secret) values ($1, $2)
     on conflict (company_id) do update set header_secret = excluded.header_secret, stopped_at = null, next_send_at = null`,
    [companies.tenant, SECRET],
  );
  await testService.query('update simulation_switch set stopped_at = null');
}

/** Starts a process that only sends simulations. */
export async function startSimulating(server: MailServer, env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({
    ...{ DATABASE_URL: testService.database.serviceUrl, ROLES: 'simulate', PUBLIC_URL: testService.url },
    // No DNS server listens at this address, so a proved domain stays proved.
    DNS_SERVERS: '127.0.0.1:9',
    ...{ SIMULATION_SENDER_DOMAINS: SENDER, SIMULATION_SMTP_URL: server.url, SIMULATION_RATE_PER_MINUTE: '6000' },
    ...env,
  });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

/** Resolves when the message of every recipient was sent or has failed. */
export async function whenSent(simulationId: string, timeoutMs = 20_000): Promise<void> {
  const text = 'select from simulation_recipients where simulation_id = $1 and sent_at is null and failed_at is null';
  await until(async () => (await testService.query(text, [simulationId])).length === 0, timeoutMs);
}

/**
 * Deletes all jobs, simulation messages, exclusions, own simulations and simulation templates, and the learners that
 * `makeDueSimulation` stored.
 */
export async function forgetSimulations(): Promise<void> {
  await testService.query('delete from graphile_worker._private_jobs');
  await testService.query(`delete from messages where kind = 'simulation'`);
  await testService.query('delete from simulation_exclusions');
  await testService.query('delete from simulations where is_own');
  await testService.query('delete from simulation_templates');
  await testService.query(`delete from learners where company_id = $1 and email like 'bait%'`, [companies.tenant]);
}
