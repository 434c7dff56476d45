import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
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
import { listDomains } from '../../simulations/settings/domain-repository.ts';
import { findAudience } from './find-audience.ts';
import { type TemplateItem, templateItems } from './round-repository.ts';
import { findRound, type Round, toDraft, toWindow } from './round-rules.ts';

type Expected = Schemas['ExpectedSimulation'];

/** Lists the simulations that would begin if the campaign were evaluated now, or at its start. */
export async function previewSimulations(
  tenant: TenantReader,
  campaignId: string,
  simulations: SimulationsConfig | undefined,
): Promise<Expected[]> {
  const expected: Expected[] = [];
  for (const item of await tenant.queryAll(templateItems, { campaignId })) {
    const round = findRound(item);
    if (round) expected.push(await preview(tenant, { item, round, simulations }));
  }
  return expected;
}

interface Begin {
  item: TemplateItem;
  round: Round;
  simulations: SimulationsConfig | undefined;
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
async function countByDay(tenant: TenantReader, { item, round, simulations }: Begin): Promise<Map<string, number>> {
  const { senders } = requireSwitchedOn(simulations);
  const domains = (await tenant.queryAll(listDomains, {})).filter(
    ({ locked, provedAt }) => locked && provedAt !== null,
  );
  const proved = requireProved(domains.map(({ domain }) => domain));
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
