import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import { fullName } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { query } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { giveWay } from '../../../limits/give-way.ts';
import { formatDay } from '../../learners/shared/company-days.ts';
import type { OwnSimulation } from '../own-simulation-repository.ts';
import {
  requireForeignSender,
  requireProved,
  requireSendable,
  requireSwitchedOn,
  storedDraft,
} from '../own-simulation-rules.ts';
import { listDomains } from '../settings/domain-repository.ts';
import { examineDraft } from './plan-references.ts';
import { type PlannedMessage, planMessages } from './plan-rules.ts';
import { previewRecipients } from './planned-recipient-repository.ts';

type Calendar = Schemas['SimulationCalendar'];
type Draft = Pick<OwnSimulation, 'name' | 'startDate' | 'endDate' | 'plan' | 'seed'> & Schemas['SimulationOverview'];

/** Maximum number of individual messages that a calendar lists. */
const MAX_MESSAGES = 50;

/** Counts messages by day and template. */
class CalendarCounts {
  readonly #timeZone: string;
  readonly #days = new Map<string, Map<string, number>>();
  #count = 0;

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  add(scheduledAt: string, templateId: string, messages = 1): void {
    const day = formatDay(new Date(scheduledAt), this.#timeZone);
    const templates = this.#days.get(day) ?? new Map<string, number>();
    templates.set(templateId, (templates.get(templateId) ?? 0) + messages);
    this.#days.set(day, templates);
    this.#count += messages;
  }

  toCalendar(): Pick<Calendar, 'recipientCount' | 'days'> {
    const days = [...this.#days].toSorted().map(([day, templates]) => ({
      day,
      messages: [...templates.values()].reduce((sum, messages) => sum + messages, 0),
      templates: [...templates].map(([templateId, messages]) => ({ templateId, messages })),
    }));
    return { recipientCount: this.#count, days };
  }
}

const learners = query<{ learnerIds: string[] }, Schemas['LearnerReference']>(
  'simulation_calendar_learners',
  (p) => sql`
    select l.id, ${fullName(sql`l`)} as name, l.email from learners l
     where l.company_id = ${p.companyId} and l.id = any(${p.learnerIds}::uuid[])`,
);

/** Plans a draft as if it were scheduled now. Nothing is stored. */
export async function previewCalendar(
  tenant: TenantReader,
  draft: Draft,
  simulations: SimulationsConfig | undefined,
): Promise<Calendar> {
  try {
    return await planCalendar(tenant, draft, simulations);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { recipientCount: 0, days: [], firstMessages: [], failure: error.message };
  }
}

/** @throws the errors of scheduling */
async function planCalendar(
  tenant: TenantReader,
  draft: Draft,
  simulations: SimulationsConfig | undefined,
): Promise<Calendar> {
  requireSwitchedOn(simulations);
  const stored = await tenant.queryAll(listDomains, {});
  const domains = requireProved(
    stored.flatMap(({ locked, provedAt, domain }) => (locked && provedAt !== null ? [domain] : [])),
  );
  const { recipients, senderDomain, timeZone } = draft.plan;
  requireForeignSender(senderDomain, domains);
  const examination = { simulations, now: new Date(), place: 'simulation' };
  const { spans, templates } = await examineDraft(tenant, storedDraft(draft), examination);
  const audience = await previewRecipients(tenant, recipients, domains);
  requireSendable(audience.length);
  const counts = new CalendarCounts(timeZone);
  const first: PlannedMessage[] = [];
  for (const messages of planMessages(draft.seed, { learners: audience, templates, spans })) {
    // Planning 100,000 recipients takes a second, so the loop yields between steps.
    await giveWay();
    for (const { scheduledAt, templateId } of messages) counts.add(scheduledAt, templateId);
    first.push(...messages.slice(0, MAX_MESSAGES - first.length));
  }
  return { ...counts.toCalendar(), firstMessages: await nameLearners(tenant, first), failure: null };
}

async function nameLearners(
  tenant: TenantReader,
  messages: readonly PlannedMessage[],
): Promise<Calendar['firstMessages']> {
  const rows = await tenant.queryAll(learners, { learnerIds: messages.map(({ learnerId }) => learnerId) });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return messages.flatMap(({ learnerId, ...message }) => {
    const learner = byId.get(learnerId);
    return learner ? [{ learner, ...message }] : [];
  });
}

interface Quarter {
  quarter: string;
  templateId: string;
  messages: number;
}

// Counts by quarter of an hour, because the day depends on the time zone of the simulation, and time zones differ by
// multiples of a quarter of an hour.
const scheduledQuarters = query<{ simulationId: string }, Quarter>(
  'simulation_calendar_quarters',
  (p) => sql`
    select date_bin('15 minutes', scheduled_at, 'epoch') as quarter, template_id as "templateId", count(*)::integer as messages
      from simulation_recipients
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and scheduled_at is not null
       and template_id is not null
     group by 1, 2 order by 1, 2`,
);

const scheduledMessages = query<{ simulationId: string; max: number }, PlannedMessage>(
  'simulation_calendar_messages',
  (p) => sql`
    select learner_id as "learnerId", template_id as "templateId", locale, scheduled_at as "scheduledAt"
      from simulation_recipients
     where company_id = ${p.companyId} and simulation_id = ${p.simulationId} and scheduled_at is not null
       and template_id is not null and locale is not null
     order by scheduled_at, learner_id limit ${p.max}::integer`,
);

/** Returns the calendar of a simulation whose messages have been planned. */
export async function readCalendar(tenant: TenantReader, simulationId: string, timeZone: string): Promise<Calendar> {
  const counts = new CalendarCounts(timeZone);
  for (const { quarter, templateId, messages } of await tenant.queryAll(scheduledQuarters, { simulationId })) {
    counts.add(quarter, templateId, messages);
  }
  const first = await tenant.queryAll(scheduledMessages, { simulationId, max: MAX_MESSAGES });
  return { ...counts.toCalendar(), firstMessages: await nameLearners(tenant, first), failure: null };
}
