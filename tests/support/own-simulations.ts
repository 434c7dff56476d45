import { companies } from './world.ts';
import { startService, statusOf, until, type Service } from '../process/support.ts';
import type { MailServer } from '../mail/smtp-support.ts';

const company = companies.tenant;
export const SENDER = 'parcel-notice.example';
export const SECRET = 'the-secret-of-the-mail-team';
export const TEMPLATE = '00000000-0000-4000-8000-0000000005e1';

const WORDS = {
  senderName: 'Parcel service',
  senderMailbox: 'notice',
  subject: 'A parcel for {{firstName}}',
  text: 'Hello {{firstName}} {{lastName}},\n\nsee {{link}}\n\n{{companyName}}',
  html: '<p>Hello {{firstName}}</p><p><a href="{{link}}">Your parcel</a></p>',
  cues: ['Nobody sent you a parcel'],
  lesson: 'Look at the sender.',
};

interface OwnSimulation {
  simulationId: string;
  learnerIds: string[];
}

interface Asked {
  recipients: number;
  deliveryMethod?: string;
  /** Instead of those of the template. */
  words?: object;
  status?: string;
  plan?: object;
}

/** A company that may be sent simulations: its domain is proved and locked, and it has a secret. */
export async function allowSimulations(): Promise<void> {
  await testService.query('update companies set domain_lock = true where id = $1', [company]);
  await testService.query(
    `insert into simulation_domains (company_id, id, domain, challenge, proved_at, checked_at)
     values ($1, gen_random_uuid(), 'tenant.test', 'challenge', now(), now())
     on conflict (company_id, domain) do update set challenge = excluded.challenge, proved_at = now(), checked_at = now()`,
    [company],
  );
  await testService.query(
    `insert into simulation_settings (company_id, header_secret) values ($1, $2)
     on conflict (company_id) do update set header_secret = excluded.header_secret, stopped_at = null, paced_until = null`,
    [company, SECRET],
  );
  await testService.query('update simulation_switch set stopped_at = null');
}

/** A simulation of new learners, each of whose messages is due: past the operations, which are tested elsewhere. */
export async function insertSimulation({
  recipients,
  deliveryMethod = 'email',
  words = {},
  status = 'running',
  plan = {},
}: Asked): Promise<OwnSimulation> {
  await testService.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     values ($1, $2, 'Parcel', $3, 1, '{en}', $4)
     on conflict (owner_id, id) do update set content = excluded.content, delivery_method = excluded.delivery_method`,
    [company, TEMPLATE, deliveryMethod, { en: { ...WORDS, ...words } }],
  );
  const stored = {
    ...{ templateIds: [TEMPLATE], senderDomain: SENDER, recipients: { everyone: true }, seed: 'seed' },
    ...{ workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' }, timeZone: 'UTC' },
    ...plan,
  };
  const [simulation] = await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date, is_own, plan)
     values ($1, gen_random_uuid(), 'Own', $2, $3, now() - interval '1 day', now() + interval '1 day', true, $4)
     returning id`,
    [company, status, deliveryMethod, stored],
  );
  const simulationId = simulation!.id as string;
  const learners = await testService.query(
    `insert into learners (company_id, id, email, first_name, last_name, locale)
     select $1, gen_random_uuid(), 'bait' || n || '-' || left($3::text, 8) || '@tenant.test', 'Grace', 'No ' || n, 'en'
       from generate_series(1, $2) as n returning id`,
    [company, recipients, simulationId],
  );
  const learnerIds = learners.map(({ id }) => id as string);
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, template_id, locale)
     select $1, $2, id, now() - interval '1 minute', $4, 'en' from unnest($3::uuid[]) as id`,
    [company, simulationId, learnerIds, TEMPLATE],
  );
  return { simulationId, learnerIds };
}

/** The recipients of a simulation, as they are stored. */
export async function recipientsOf(simulationId: string): Promise<Record<string, any>[]> {
  return testService.query('select * from simulation_recipients where simulation_id = $1 order by learner_id', [
    simulationId,
  ]);
}

/** Starts a process that does nothing but send simulations. */
export async function startSimulating(server: MailServer, env: Record<string, string> = {}): Promise<Service> {
  const service = await startService({
    ...{ DATABASE_URL: testService.database.serviceUrl, ROLES: 'simulate', PUBLIC_URL: testService.url },
    // Nobody answers there, so that what is proved stays so.
    DNS_SERVERS: '127.0.0.1:9',
    ...{ SIMULATION_SENDERS: SENDER, SIMULATION_SMTP_URL: server.url, SIMULATION_PACE_PER_MINUTE: '6000' },
    ...env,
  });
  await until(async () => (await statusOf(`${service.url}/ready`)) === 200);
  return service;
}

/** Resolves when no recipient of the simulation waits for its message any more. */
export async function whenSent(simulationId: string, timeoutMs = 20_000): Promise<void> {
  const text = 'select from simulation_recipients where simulation_id = $1 and sent_at is null and failed_at is null';
  await until(async () => (await testService.query(text, [simulationId])).length === 0, timeoutMs);
}

/** After a test: nothing of simulations waits, and nobody is there whom the test has made. */
export async function forgetSimulations(): Promise<void> {
  await testService.query('delete from graphile_worker._private_jobs');
  await testService.query(`delete from messages where kind = 'simulation'`);
  await testService.query('delete from simulation_exclusions');
  await testService.query('delete from simulations where is_own');
  await testService.query(`delete from learners where company_id = $1 and email like 'bait%'`, [company]);
}
