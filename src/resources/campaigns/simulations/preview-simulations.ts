import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { giveWay } from '../../../limits/give-way.ts';
import { formatDay } from '../../learners/shared/company-days.ts';
import {
  requireForeignSender,
  requireProved,
  requireSendable,
  requireSwitchedOn,
} from '../../simulations/own-simulation-rules.ts';
import { examineDraft } from '../../simulations/sending/plan-references.ts';
import { type PlannedLearner, planMessages, STEP } from '../../simulations/sending/plan-rules.ts';
import { previewRecipients } from '../../simulations/sending/planned-recipient-repository.ts';
import { lookForProofs } from '../../simulations/settings/domain-repository.ts';
import type { SimulationServices } from './begin-simulations.ts';
import { findAudience } from './find-audience.ts';
import { type TemplateItem, templateItems } from './round-repository.ts';
import { findRound, type Round, toDraft, toWindow } from './round-rules.ts';

type Expected = Schemas['ExpectedSimulation'];

/**
 * Lists the simulations that would start if the campaign were evaluated now, or at its own start. Looks up the DNS
 * proof of the company's domain if there is one, which can take seconds. Must not run in a transaction.
 */
export async function previewSimulations(
  tenant: TenantReader,
  campaignId: string,
  { simulations, findTexts }: SimulationServices,
): Promise<Expected[]> {
  const due = (await tenant.queryAll(templateItems, { campaignId })).flatMap((item) => {
    const round = findRound(item);
    return round ? [{ item, round }] : [];
  });
  if (due.length === 0) return [];
  const proofs = simulations ? await lookForProofs(tenant, findTexts, new Date()) : [];
  const domains = proofs.filter(({ finding }) => finding === 'proved').map(({ domain }) => domain.domain);
  const shared: Shared = { simulations, domains, days: new Map() };
  const expected: Expected[] = [];
  for (const begin of due) expected.push(await preview(tenant, begin, shared));
  return expected;
}

interface Begin {
  item: TemplateItem;
  round: Round;
}

/** Data shared by the simulations of a campaign. */
interface Shared extends Pick<SimulationServices, 'simulations'> {
  /** Proved domains of the company. */
  domains: string[];
  learners?: PlannedLearner[];
  /**
   * Messages by day, for each combination of round and working hours: the time of a message does not depend on its
   * template.
   */
  days: Map<string, Map<string, number>>;
}

async function preview(tenant: TenantReader, begin: Begin, shared: Shared): Promise<Expected> {
  const { item, round } = begin;
  const facts = { templateId: item.templateId, round: round.round, ...toWindow(item, round) };
  try {
    const days = await countByDay(tenant, begin, shared);
    const messages = [...days].toSorted().map(([day, count]) => ({ day, messages: count }));
    const recipientCount = messages.reduce((sum, day) => sum + day.messages, 0);
    return { ...facts, recipientCount, messages, failure: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...facts, recipientCount: 0, messages: [], failure: error.message };
  }
}

/** Counts the messages of a simulation by day, in the company's time zone. @throws the errors of scheduling */
async function countByDay(tenant: TenantReader, { item, round }: Begin, shared: Shared): Promise<Map<string, number>> {
  const { senders } = requireSwitchedOn(shared.simulations);
  const proved = requireProved(shared.domains);
  // Omits the recipients from the draft, because findLearners selects only valid ones.
  const draft = toDraft(item, round, { recipients: { everyone: true }, senders });
  requireForeignSender(draft.senderDomain, proved);
  const { spans, templates } = await examineDraft(tenant, draft, {
    ...{ simulations: shared.simulations, now: new Date(item.at), place: 'simulation' },
  });
  shared.learners ??= await findLearners(tenant, item, proved);
  requireSendable(shared.learners.length);
  const key = `${round.round} ${JSON.stringify(spans)}`;
  const seed = `${item.campaignId} ${round.round}`;
  const days = shared.days.get(key) ?? (await countDays(seed, { learners: shared.learners, templates, spans }, item));
  shared.days.set(key, days);
  return days;
}

/** Finds the recipients, 2,000 learners at a time, so that the event loop stays responsive. */
async function findLearners(tenant: TenantReader, item: TemplateItem, domains: string[]): Promise<PlannedLearner[]> {
  const ids = await findAudience(tenant, item.campaignId);
  const learners: PlannedLearner[] = [];
  for (let first = 0; first < ids.length; first += STEP) {
    const audience = { everyone: false, learnerIds: ids.slice(first, first + STEP), groupIds: [] };
    learners.push(...(await previewRecipients(tenant, audience, domains)));
  }
  return learners;
}

/** Plans the messages and counts them by day. Each span of working time lies within one day. */
async function countDays(
  seed: string,
  plan: Parameters<typeof planMessages>[1],
  { timeZone }: Pick<TemplateItem, 'timeZone'>,
): Promise<Map<string, number>> {
  const ends = plan.spans.map(({ start, end }) => ({ end, day: formatDay(new Date(start), timeZone) }));
  const days = new Map<string, number>();
  let position = 0;
  for (const messages of planMessages(seed, plan)) {
    await giveWay();
    for (const { scheduledAt } of messages) {
      while (Date.parse(scheduledAt) >= ends[position]!.end) position += 1;
      const { day } = ends[position]!;
      days.set(day, (days.get(day) ?? 0) + 1);
    }
  }
  return days;
}
