import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { invalidField } from '../../../contract/errors.ts';
import { NetworkSet } from '../../../net/ip-networks.ts';
import { isSending } from './address-rules.ts';
import { deriveMilestones, findSignals } from './derive-milestones.ts';
import * as repository from './simulation-event-repository.ts';
import { type IdentifiedEvent, judgeEvents, formatRecipientKey } from './simulation-event-rules.ts';
import { findRecipients, saveAddresses } from './recipient-addresses.ts';

type Inputs = readonly Schemas['SimulationEventInput'][];

/** Maximum number of simulations in a call; each simulation adds statements to the transaction. */
const MAX_SIMULATIONS = 100;

/**
 * Records events in a transaction, and derives the milestones of their recipients. Returns the outcome of each event.
 * @param areReported whether another system reports the events; such events cannot belong to simulations that the
 *   service runs
 * @throws invalid_request if the events belong to too many simulations
 */
export async function recordEvents(
  tenant: TenantWriter,
  inputs: Inputs,
  { areReported = false } = {},
): Promise<Schemas['RecordedEvents']> {
  const named = new Set(inputs.map(({ simulation: { id, externalId } }) => id ?? `:${externalId}`));
  if (named.size > MAX_SIMULATIONS) throw invalidField('body/events', 'must name at most 100 simulations');
  const simulations = await repository.lockSimulationsByKeys(
    tenant,
    inputs.map(({ simulation }) => simulation),
  );
  const { findSimulationId, ownIds } = simulations;
  const { findLearnerId, getEmailKey } = await findRecipients(tenant, inputs, findSimulationId);
  const eventIds = [...new Set(inputs.map(({ eventId }) => eventId))];
  const recipients = inputs.flatMap((input) => {
    const [simulationId, learnerId] = [findSimulationId(input.simulation), findLearnerId(input)];
    return simulationId === undefined || learnerId === undefined ? [] : [{ simulationId, learnerId }];
  });
  for (;;) {
    const recorded = await repository.findRecordedEvents(tenant, eventIds);
    const counts = await repository.countEvents(tenant, recipients);
    const facts = { now: new Date(), findSimulationId, areReported, ownIds, findLearnerId, recorded, counts };
    const { added, outcome } = judgeEvents(inputs, facts);
    if (added.length === 0) return outcome;
    const { inserted, newRecipients } = await repository.insertEvents(tenant, added);
    const events = added.filter(({ eventId }) => inserted.has(eventId));
    const emails = new Map(inputs.map(({ eventId, learner }) => [eventId, learner.email?.toLowerCase()]));
    const mailed = events.filter((event) => isSending(event) || newRecipients.has(formatRecipientKey(event)));
    await saveAddresses(
      tenant,
      mailed.map(({ eventId, simulationId, learnerId, occurredAt }) => {
        return { simulationId, learnerId, email: emails.get(eventId) ?? getEmailKey(learnerId)!, since: occurredAt };
      }),
    );
    await deriveAll(tenant, events, simulations);
    // A concurrent call about another simulation used one of the ids: judge again, now with the events of that call.
    if (inserted.size === added.length) return outcome;
  }
}

async function deriveAll(
  tenant: TenantWriter,
  added: readonly IdentifiedEvent[],
  { ownIds, scannerNetworks }: Pick<repository.ExistingSimulations, 'ownIds' | 'scannerNetworks'>,
): Promise<void> {
  const scanners = new NetworkSet(scannerNetworks);
  for (const [simulationId, events] of Map.groupBy(added, (event) => event.simulationId)) {
    const signalled = await findSignals(tenant, simulationId, events);
    const isOwnPage = ownIds.has(simulationId);
    await deriveMilestones(tenant, simulationId, { events, signalled, isOwnPage, scanners });
  }
}
