import type { Schemas } from '../../../contract/contract.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { giveWay } from '../../../limits/give-way.ts';
import { dayOf } from '../../learners/shared/company-days.ts';
import {
  requireForeignSender,
  requireProved,
  requireSendable,
  requireSwitchedOn,
} from '../../simulations/own-simulation-rules.ts';
import { examineDraft } from '../../simulations/sending/plan-references.ts';
import { planMessages } from '../../simulations/sending/plan-rules.ts';
import { previewRecipients } from '../../simulations/sending/planned-recipient-repository.ts';
import { type FoundProof, lookForProofs } from '../../simulations/settings/domain-repository.ts';
import type { SimulationServices } from './begin-simulations.ts';
import { findAudience } from './find-audience.ts';
import { type TemplateItem, templateItems } from './round-repository.ts';
import { findRound, type Round, toDraft, toWindow } from './round-rules.ts';

type Expected = Schemas['ExpectedSimulation'];

/**
 * Lists the simulations that would begin if the campaign were evaluated now, or at its start. Looks up the proof of the
 * company's domain in DNS if there is one, which can take seconds. Must not run in a transaction.
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
  const expected: Expected[] = [];
  for (const begin of due) expected.push(await preview(tenant, { ...begin, simulations, proofs }));
  return expected;
}

interface Begin extends Pick<SimulationServices, 'simulations'> {
  item: TemplateItem;
  round: Round;
  proofs: readonly FoundProof[];
}

async function preview(tenant: TenantReader, begin: Begin): Promise<Expected> {
  const { item, round } = begin;
  const facts = { templateId: item.templateId, round: round.round, ...toWindow(item, round) };
  try {
    const days = await countByDay(tenant, begin);
    const messages = [...days].toSorted().map(([day, count]) => ({ day, messages: count }));
    const recipientCount = messages.reduce((sum, day) => sum + day.messages, 0);
    return { ...facts, recipientCount, messages, failure: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...facts, recipientCount: 0, messages: [], failure: error.message };
  }
}

/** Counts the messages of a simulation by the company's day. @throws the errors of scheduling */
async function countByDay(
  tenant: TenantReader,
  { item, round, simulations, proofs }: Begin,
): Promise<Map<string, number>> {
  const { senders } = requireSwitchedOn(simulations);
  const domains = proofs.filter(({ finding }) => finding === 'proved').map(({ domain }) => domain.domain);
  const proved = requireProved(domains);
  const learnerIds = item.isForEveryone ? [] : await findAudience(tenant, item.campaignId);
  const recipients = item.isForEveryone ? { everyone: true } : { learnerIds };
  const draft = toDraft(item, round, { recipients, senders });
  requireForeignSender(draft.senderDomain, proved);
  const { spans, templates } = await examineDraft(tenant, draft, {
    ...{ simulations, now: new Date(item.at), place: 'simulation' },
  });
  const audience = { everyone: item.isForEveryone, learnerIds, groupIds: [] };
  const learners = await previewRecipients(tenant, audience, proved);
  requireSendable(learners.length);
  const days = new Map<string, number>();
  for (const messages of planMessages(`${item.campaignId} ${round.round}`, { learners, templates, spans })) {
    await giveWay();
    for (const { scheduledAt } of messages) {
      const day = dayOf(new Date(scheduledAt), item.timeZone);
      days.set(day, (days.get(day) ?? 0) + 1);
    }
  }
  return days;
}
