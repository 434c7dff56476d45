import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { requireFound } from '../../../contract/errors.ts';
import { NetworkSet } from '../../../net/ip-networks.ts';
import { deriveMilestones } from './derive-milestones.ts';
import { lockSimulation } from './interaction-repository.ts';
import { findEventsOfLearners } from './judged-event-repository.ts';
import { findMilestones } from './milestone-repository.ts';
import { refuseWithdrawal } from './milestone-rules.ts';
import { formatRecipientKey } from './simulation-event-rules.ts';

/**
 * Withdraws a recipient's milestone: marks the events that it came from, and derives the milestones again without those
 * events.
 * @throws not_found for an unknown simulation, or a learner who is not a recipient of the simulation
 * @throws invalid_request with the rules of `refuseWithdrawal`
 */
export async function withdrawMilestone(
  tenant: TenantWriter,
  { simulationId, learnerId, milestone, reason }: Schemas['WithdrawSimulationMilestoneInput'],
): Promise<void> {
  const [simulation] = await tenant.mutate(lockSimulation, { simulationId });
  const { isOwn: isOwnPage, scannerNetworks } = requireFound(simulation, 'simulation');
  const milestones = (await findMilestones(tenant, simulationId, [learnerId])).get(learnerId);
  refuseWithdrawal(requireFound(milestones, 'recipient'), milestone);
  const events = (await findEventsOfLearners(tenant, simulationId, [learnerId])).get(learnerId) ?? [];
  const making = events.filter(({ type }) => type === milestone);
  await deriveMilestones(tenant, simulationId, {
    events: [],
    signalled: {
      signals: new Map(making.map(({ eventId, signals }) => [eventId, new Set([...signals, 'withdrawn' as const])])),
      learnerIds: [learnerId],
    },
    isOwnPage,
    scanners: new NetworkSet(scannerNetworks),
    withdrawn: milestone,
    reasons: new Map([[formatRecipientKey({ simulationId, learnerId }), reason]]),
  });
}
