import { adminId, groupId, learnerId } from '../support/world.ts';
import { campaignId } from '../support/world-campaigns.ts';
import { policyId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';

const today = new Date().toISOString().slice(0, 10);
const profile = { department: 'sales' };
const group = { groupId: groupId('msp', 1) };

type Report =
  | 'getGapAnalysisResultsReport'
  | 'getRepeatClickersReport'
  | 'getPolicy'
  | 'getSimulation'
  | 'getSimulationResultsReport'
  | 'listLearners'
  | 'getCourseResultsReport'
  | 'getLearningReport'
  | 'getPolicyResultsReport'
  | 'getCourseParticipationReport'
  | 'getGroupReport'
  | 'listLearnerRiskHistory'
  | 'listGroupRiskHistory'
  | 'listMembershipHistory'
  | 'listAdminSessions'
  | 'listLearnerSessions'
  | 'listLearnerMemberships'
  | 'listLearnerMessages'
  | 'listLearnerBounces'
  | 'listSignIns';

/**
 * Calls of participation, of the reports on past days or with a profile, and of risk histories, with every filter that has
 * a statement.
 */
export const PAST_REPORTS: [Report, Record<string, unknown>][] = [
  ['getCourseResultsReport', { asOf: '2026-03-12', attempts: 'all' }],
  ['getCourseResultsReport', { knownAt: today, ...group }],
  ['getLearningReport', { asOf: today }],
  ['getLearningReport', { asOf: '2026-03-12', learnerId: learnerId('msp', 1) }],
  ['getLearningReport', { knownAt: today, ...group }],
  ['getPolicyResultsReport', { asOf: today }],
  ['getPolicyResultsReport', { asOf: today, learnerId: learnerId('msp', 1) }],
  ['getPolicyResultsReport', { knownAt: today, ...group }],
  ['getCourseParticipationReport', {}],
  ['getCourseParticipationReport', { attempts: 'best' }],
  ['getCourseParticipationReport', group],
  ['getCourseParticipationReport', { asOf: today }],
  ['getGroupReport', { asOf: today }],
  ['getCourseParticipationReport', { knownAt: today, ...group }],
  ['getSimulationResultsReport', { asOf: today }],
  ['getSimulationResultsReport', { asOf: today, simulationId: simulationId('msp', 2), outcome: 'visited' }],
  ['getSimulationResultsReport', { asOf: today, learnerId: learnerId('msp', 1) }],
  ['getSimulationResultsReport', { knownAt: today, ...group }],
  ['getRepeatClickersReport', { asOf: today, minimum: 1 }],
  ['getRepeatClickersReport', { asOf: today, learnerId: learnerId('msp', 1), minimum: 1 }],
  ['getRepeatClickersReport', { knownAt: today, ...group, minimum: 1 }],
  ['listLearnerRiskHistory', { learnerId: learnerId('msp', 1) }],
  ['listLearnerRiskHistory', { learnerId: learnerId('msp', 1), from: '2026-01-12', to: '2026-03-01' }],
  ['listGroupRiskHistory', group],
  ['listMembershipHistory', group],
  ['listAdminSessions', { adminId: adminId('msp', 2) }],
  ['listLearnerSessions', { learnerId: learnerId('msp', 1) }],
  ['listLearnerMemberships', { learnerId: learnerId('msp', 1) }],
  ['listLearnerMessages', { learnerId: learnerId('msp', 1) }],
  ['listLearnerBounces', { learnerId: learnerId('msp', 1) }],
  ['listLearners', { overdue: true }],
  ['listLearners', { ids: [learnerId('msp', 1)] }],
  ['listSignIns', {}],
  ['listSignIns', { adminId: adminId('msp', 2), outcome: 'succeeded' }],
  ['listSignIns', { learnerId: learnerId('msp', 1), outcome: 'failed' }],
  ['listLearners', profile],
  ['listLearners', { riskScoreLevel: 'low' }],
  ['getCourseResultsReport', profile],
  ['getGapAnalysisResultsReport', { ...profile, attempts: 'all' }],
  ['getLearningReport', profile],
  ['getCourseParticipationReport', profile],
  ['getPolicyResultsReport', profile],
  ['getPolicyResultsReport', { ...profile, outcome: 'signed' }],
  ['getLearningReport', { campaignId: campaignId('msp') }],
  ['getPolicyResultsReport', { campaignId: campaignId('msp') }],
  ['getSimulationResultsReport', profile],
  ['getSimulation', { simulationId: simulationId('msp', 2), ...profile }],
  ['getPolicy', { policyId: policyId('msp', 1), outcome: 'all', ...profile }],
  ['getRepeatClickersReport', { ...profile, minimum: 1 }],
  ['getCourseResultsReport', { ...profile, asOf: today }],
  ['getLearningReport', { ...profile, asOf: today }],
  ['getPolicyResultsReport', { ...profile, asOf: today }],
  ['getCourseParticipationReport', { ...profile, asOf: today }],
];
