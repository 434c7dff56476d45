import type { Handler, Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { findPeriodTimes } from '../learners/shared/company-days.ts';
import { requireGroup } from '../learners/shared/known-groups.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { readProfile } from '../learners/shared/learner-profile.ts';
import { toCurrentLearnerId } from '../learners/shared/merged-learners.ts';
import { readPast, requirePastGroup } from '../learners/shared/past.ts';
import { readPeriod } from '../learners/shared/period.ts';
import { readEvidence } from './events/simulation-event-rules.ts';
import { recordReportedEvent } from './events/gophish-events.ts';
import { translateEvent } from './events/gophish-rules.ts';
import { listInteractions } from './events/interaction-repository.ts';
import { listMetrics } from './metrics-repository.ts';
import { listPastMetrics } from './past-metrics-repository.ts';
import * as recipients from './recipient-repository.ts';
import { recordReport } from './events/reported-mail/reported-messages.ts';
import { recordEvents } from './events/simulation-events.ts';
import * as repository from './simulation-repository.ts';
import { withdrawMilestone } from './events/withdraw-milestone.ts';

export const listSimulations: Handler<'listSimulations'> = (_input, tenant) =>
  tenant.stream(repository.listSimulations, {});

export const getSimulation: Handler<'getSimulation'> = async (input, tenant) => {
  const { simulationId, outcome = null } = input;
  const profile = readProfile(input);
  const { recipientState, ...simulation } = await repository.getSimulation(tenant, simulationId);
  if (profile.managerId !== null) await requireLearner(tenant, profile.managerId);
  const rows = recipients.listRecipients(tenant, { simulationId, outcome, ...profile });
  return { ...simulation, recipients: recipientState === null ? rows : rows.inState(recipientState) };
};

export const recordSimulationEvents: Handler<'recordSimulationEvents'> = ({ body }, tenant) => {
  const events = readEvidence(body.events);
  return tenant.transaction((tx) => recordEvents(tx, events, { areReported: true }));
};

export const receiveGoPhishEvent: Handler<'receiveGoPhishEvent'> = async ({ sourceId, body }, tenant) => {
  const event = translateEvent(body, sourceId, new Date());
  if (!event) return { outcome: 'ignored', code: null, message: null };
  const [failure] = (await recordReportedEvent(tenant, event)).failures;
  if (!failure) return { outcome: 'recorded', code: null, message: null };
  return { outcome: 'refused', code: failure.code, message: failure.message };
};

export const reportMessage: Handler<'reportMessage'> = async ({ body }, tenant) => {
  return { isSimulation: await recordReport(tenant, body) };
};

export const getSimulationMetrics: Handler<'getSimulationMetrics'> = async (input, tenant) => {
  const { groupId = null } = input;
  const period = readPeriod(input);
  const past = await readPast(tenant, input);
  if (groupId !== null) await (past === null ? requireGroup : requirePastGroup)(tenant, groupId);
  const filter = { groupId, ...(await findPeriodTimes(tenant, period)) };
  const simulations = await (past === null
    ? listMetrics(tenant, filter)
    : listPastMetrics(tenant, { ...filter, ...past }));
  return { totalMetrics: sumTotals(simulations), simulations };
};

export const listLearnerSimulationQueue: Handler<'listLearnerSimulationQueue'> = async ({ learnerId }, tenant) => {
  await requireLearner(tenant, learnerId);
  return tenant.stream(recipients.listQueueOfLearner, { learnerId });
};

export const listLearnerSimulationResults: Handler<'listLearnerSimulationResults'> = async (input, tenant) => {
  const { learnerId, includeInteractions = false, includeVoided = false } = input;
  if (includeVoided && !includeInteractions)
    throw invalidField('query/includeInteractions', 'is required if `includeVoided` is set');
  await requireLearner(tenant, learnerId);
  return recipients.listResultsOfLearner(tenant, { learnerId, includeInteractions, includeVoided });
};

export const listSimulationInteractions: Handler<'listSimulationInteractions'> = async (input, tenant) => {
  const { simulationId, includeVoided = false } = input;
  await repository.requireSimulation(tenant, simulationId);
  const learnerId = input.learnerId === undefined ? null : await toCurrentLearnerId(tenant, input.learnerId);
  return listInteractions(tenant, { simulationId, learnerId, includeVoided });
};

export const withdrawSimulationMilestone: Handler<'withdrawSimulationMilestone'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await withdrawMilestone(tx, body);
    return recipients.getRecipient(tx, body);
  });
};

function sumTotals(simulations: readonly Schemas['SimulationListItem'][]): Schemas['SimulationTotals'] {
  const totals = { opened: 0, visited: 0, compromised: 0, reported: 0, total: 0 };
  for (const { openCount, visitCount, compromiseCount, reportCount, sentCount } of simulations) {
    totals.opened += openCount;
    totals.visited += visitCount;
    totals.compromised += compromiseCount;
    totals.reported += reportCount;
    totals.total += sentCount;
  }
  return totals;
}
