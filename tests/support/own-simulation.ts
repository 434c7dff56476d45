import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPersonToken, hashPersonToken } from '../../src/auth/person-token.ts';
import { TenantAccess } from '../../src/auth/tenant-access.ts';
import type { TenantWriter } from '../../src/db/tenant.ts';
import { recordEvents } from '../../src/resources/simulations/simulation-events.ts';
import { type CompanyName, companies, learnerId } from './world.ts';

type Learner = 1 | 2 | 3 | 4 | 5;

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const words = (cue: string, lesson: string) => ({
  ...{ senderName: 'Parcels', senderMailbox: 'notice', subject: 'Parcel', text: '{{link}}', html: '<p>{{link}}</p>' },
  ...{ cues: [cue], lesson },
});

const PLAN = {
  ...{ senderDomain: 'parcel-notice.example', recipients: { everyone: true }, timeZone: 'Europe/Paris', seed: 'seed' },
  workingHours: { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
};

/** A simulation that the service runs, with links that were mailed. */
export interface OwnSimulation {
  id: string;
  /** The path of each recipient's link. */
  linkOf: (learner: Learner) => string;
}

/** Stores a running simulation of a company, whose template has the languages `en` and `de`. */
export async function makeOwnSimulation(
  recipients: readonly Learner[],
  { company = 'tenant', locale = 'en' }: { company?: CompanyName; locale?: string } = {},
): Promise<OwnSimulation> {
  const [id, templateId] = [randomUUID(), randomUUID()];
  const content = {
    en: words('The sender is <b>nobody</b>', 'Look twice.\n\nThen ask.'),
    de: words('Den Absender gibt es nicht', 'Sehen Sie zweimal hin.'),
  };
  await testService.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     values ($1, $2, 'Parcel notice', 'email', 1, '{en,de}', $3)`,
    [companies[company], templateId, content],
  );
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, is_own, plan)
     values ($1, $2, 'Parcel notice', 'running', 'email', now() - interval '1 day', true, $3)`,
    [companies[company], id, { ...PLAN, templateIds: [templateId] }],
  );
  const tokens = new Map(recipients.map((number) => [number, createPersonToken(companies[company])]));
  for (const [number, token] of tokens) {
    await testService.query(
      `insert into simulation_recipients (company_id, simulation_id, learner_id, template_id, locale, token_hash)
       values ($1, $2, $3, $4, $5, $6)`,
      [companies[company], id, learnerId(company, number), templateId, locale, hashPersonToken(token)],
    );
  }
  return { id, linkOf: (number) => `/s/${tokens.get(number)!}` };
}

/** Records what happened before, as many seconds ago, as the service itself does. */
export async function tell(simulation: OwnSimulation, type: 'sent' | 'reported', secondsAgo: number, number: Learner) {
  const event = { type, simulation: { id: simulation.id }, learner: { id: learnerId('tenant', number) } };
  const occurredAt = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const pool = new pg.Pool({ connectionString: testService.database.serviceUrl, max: 1 });
  const record = (tx: TenantWriter) => recordEvents(tx, [{ ...event, occurredAt, eventId: randomUUID() }]);
  const outcome = await new TenantAccess(pool).ofJob(companies.tenant).transaction(record);
  await pool.end();
  expect(outcome).toMatchObject({ success: true });
}

/** The nonce that a page shows to its script. */
export function nonceIn(html: string): string {
  return /data-nonce="([^"]+)"/.exec(html)![1]!;
}

/** What is on record of interactions, in the order of time. */
export function recorded(simulation: OwnSimulation): Promise<Record<string, unknown>[]> {
  return testService.query(
    `select type, verdict, reasons, evidence from simulation_events
      where simulation_id = $1 and type not in ('sent', 'reported') order by occurred_at, event_id`,
    [simulation.id],
  );
}
