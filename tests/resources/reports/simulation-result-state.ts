import { toProfile } from './profile-state.ts';
import { companies, type CompanyName, groupId } from '../../support/world.ts';
import { insertLearners } from '../tenant-state.ts';

/**
 * Gives a company learners and 12 more simulations, with a recipient for about half of the pairs. Messages were sent
 * in 2023 to 2026, many around midnight, on leap days and at the turn of a year, or not at all. Recipients reached any
 * milestones. A third of the learners are members of the company's first group.
 */
export async function insertManySimulationResults(company: CompanyName, learners: number): Promise<void> {
  await insertLearners(company, learners);
  const id = companies[company];
  await testService.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date)
     select id, ('0192c300-0000-7000-80' || right(id::text, 2) || '-' || lpad(to_hex(n), 12, '0'))::uuid, 'Many ' || n,
            (array['running', 'completed', 'cancelled'])[1 + n % 3],
            (array['email', 'qr_code', 'attachment'])[1 + n % 3], '2023-01-01Z'
       from companies, generate_series(1, 12) as n where id = $1 order by random()`,
    [id],
  );
  await testService.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, sent_at, opened_at,
                                        visited_at, compromised_at, reported_at, failed_at)
     select l.company_id, s.id, l.id, at, sent, sent + case when n % 10 < 7 then interval '1 hour' end,
            sent + case when n % 10 < 4 then interval '2 hours' end,
            sent + case when n % 10 < 2 then interval '3 hours' end,
            sent + case when n % 3 = 0 then interval '4 hours' end, case when sent is null and n % 2 = 0 then at end
       from learners l
       join simulations s on s.company_id = l.company_id and s.name like 'Many %'
      cross join lateral (select abs(hashtext(l.id::text || s.id) % 1000000) as n) as hash
      cross join lateral (
        select case n % 8 when 0 then timestamptz '2024-02-28T23:59:59.999Z' when 1 then timestamptz '2024-02-29T00:00Z'
                          when 2 then timestamptz '2024-02-29T23:59:59.999Z' when 3 then timestamptz '2024-03-01T00:00Z'
                          when 4 then timestamptz '2023-12-31T23:59:59.999Z' when 5 then timestamptz '2024-01-01T00:00Z'
                          else timestamptz '2025-01-01T12:00Z' + n % 500 * interval '1 day' end as at) as times
      cross join lateral (select case when n % 11 > 0 then at end as sent) as sent
      where l.company_id = $1 and n % 23 < 12 order by random()`,
    [id],
  );
  await testService.query(
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, $2, id from learners where company_id = $1 and abs(hashtext(id::text)) % 3 = 0
     on conflict do nothing`,
    [id, groupId(company, 1)],
  );
}

export interface SimulationFilters {
  learnerId?: string;
  groupId?: string;
  simulationId?: string;
  outcome?: string;
  includeInactive?: string;
  from?: string;
  to?: string;
}

type Stored = Record<string, any>;

const isoTime = (value: unknown): string | null => (value as Date | null)?.toISOString() ?? null;

const MILESTONES: Record<string, string> = {
  opened: 'opened_at',
  visited: 'visited_at',
  compromised: 'compromised_at',
  reported: 'reported_at',
};

/** Builds the rows of the report from the tables. Joins and filters in TypeScript, unlike the report. */
export async function simulationReport(company: CompanyName, filters: SimulationFilters): Promise<any[]> {
  const recipients = await reportedRecipients(company, filters);
  return recipients
    .filter(({ recipient }) => !filters.simulationId || recipient.simulation_id === filters.simulationId)
    .filter(({ recipient }) => !filters.outcome || recipient[MILESTONES[filters.outcome]!] !== null)
    .map(({ recipient, learner, simulation }) => toRow(recipient, learner, simulation));
}

export interface ReportedRecipient {
  recipient: Stored;
  learner: Stored;
  simulation: Stored;
}

/** Returns the recipients of reported learners in the period, by learner and simulation. */
export async function reportedRecipients(
  company: CompanyName,
  { learnerId, groupId, includeInactive, from = '', to = '9999' }: SimulationFilters,
): Promise<ReportedRecipient[]> {
  const read = (table: string): Promise<Stored[]> =>
    testService.query(`select * from ${table} where company_id = $1`, [companies[company]]);
  const learners = new Map((await read('learners')).map((row) => [row.id as string, row]));
  const simulations = new Map((await read('simulations')).map((row) => [row.id as string, row]));
  const memberships = await read('group_learners');
  const members = new Set(memberships.filter((row) => row.group_id === groupId).map((row) => row.learner_id as string));
  const hasPeriod = from !== '' || to !== '9999';
  const isInPeriod = (sent: string | null) =>
    sent === null ? !hasPeriod : sent.slice(0, 10) >= from && sent.slice(0, 10) <= to;
  const key = ({ learner_id, simulation_id }: Stored): string => `${learner_id} ${simulation_id}`;
  return (await read('simulation_recipients'))
    .toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((recipient) => ({
      recipient,
      learner: learners.get(recipient.learner_id as string)!,
      simulation: simulations.get(recipient.simulation_id as string)!,
    }))
    .filter(({ learner }) => learnerId === undefined || learner.id === learnerId)
    .filter(({ learner }) => groupId === undefined || members.has(learner.id as string))
    .filter(({ learner }) => !learner.inactive || includeInactive === 'true' || learnerId !== undefined)
    .filter(({ recipient }) => isInPeriod(isoTime(recipient.sent_at)));
}

/** Builds the learner of a report row. */
export function toLearner(learner: Stored): object {
  return {
    id: learner.id,
    name: `${learner.first_name} ${learner.last_name}`,
    email: learner.email,
    externalLearnerId: learner.external_learner_id,
    inactive: learner.inactive,
    ...toProfile(learner),
  };
}

function toRow(recipient: Stored, learner: Stored, simulation: Stored): Stored {
  const last = recipient.compromised_at ?? recipient.visited_at ?? recipient.opened_at;
  return {
    id: recipient.id,
    learnerId: learner.id,
    simulationId: simulation.id,
    templateId: recipient.template_id,
    scheduled: isoTime(recipient.scheduled_at),
    sent: isoTime(recipient.sent_at),
    mailFailedAt: isoTime(recipient.failed_at),
    bounced: recipient.failure === 'bounced' ? isoTime(recipient.failed_at) : null,
    open: isoTime(recipient.opened_at),
    visit: isoTime(recipient.visited_at),
    compromise: isoTime(recipient.compromised_at),
    report: isoTime(recipient.reported_at),
    settledAt: last === null ? null : new Date((last as Date).getTime() + 600_000).toISOString(),
    withdrawn: isoTime(recipient.withdrawn_at),
    withdrawnBecause: recipient.withdrawn_because,
    deliveryMethod: simulation.delivery_method,
    simulation: {
      id: simulation.id,
      name: simulation.name,
      status: simulation.status,
      startDate: isoTime(simulation.start_date),
      endDate: isoTime(simulation.end_date),
    },
    learner: toLearner(learner),
  };
}
