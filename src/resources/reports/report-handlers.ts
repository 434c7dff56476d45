import type { Handler, Input, Schemas } from '../../contract/contract.ts';
import { ResultWithMeta } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { invalidField } from '../../contract/errors.ts';
import { findSettings } from '../company/settings-repository.ts';
import { findPeriodTimes } from '../learners/shared/company-days.ts';
import { readPeriod } from '../learners/shared/period.ts';
import { readSince } from '../events/log/changes.ts';
import { getCourse } from '../courses/course-repository.ts';
import { readReportedAttempts } from '../courses/results/reported-attempts.ts';
import { listPastResults } from '../courses/results/past-result-repository.ts';
import { listChangedResults, listResults } from '../courses/results/result-repository.ts';
import { type Past, readPast, requirePastGroup } from '../learners/shared/past.ts';
import { requireCampaign } from '../learners/shared/known-campaigns.ts';
import { requireGroup } from '../learners/shared/known-groups.ts';
import { type LearnersFilter, readLearnersFilter } from '../learners/shared/reported-learners.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { NOBODY } from '../learners/shared/managed-learners.ts';
import { listRiskHistory } from '../risk/risk-repository.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';
import { requirePastPolicy } from '../policies/past-policy-results.ts';
import { requireKnownPolicy } from '../policies/policy-repository.ts';
import { requireSimulation } from '../simulations/simulation-repository.ts';
import { type LearningFilter, learningSummary, listLearningRows } from './learning/learning-repository.ts';
import { listReportedPolicyResults } from './policies/policy-results-repository.ts';
import {
  listPastParticipants,
  listPastParticipationCourses,
  type PastParticipationFilter,
  pastGroupTree,
} from './learning/past-participation-repository.ts';
import { listPastPolicyResults } from './policies/past-policy-results-repository.ts';
import { listPastLearningRows, pastLearningSummary } from './learning/past-learning-repository.ts';
import {
  groupTree,
  listParticipationCourses,
  listParticipationLearners,
  managedGroupTree,
} from './learning/participation-repository.ts';
import { listPastRepeatClickers } from './simulations/past-repeat-clickers-repository.ts';
import { listPastSimulationResults } from './simulations/past-simulation-results-repository.ts';
import { listRepeatClickers } from './simulations/repeat-clickers-repository.ts';
import { listReportedSimulationResults } from './simulations/simulation-results-repository.ts';

export const getCourseParticipationReport: Handler<'getCourseParticipationReport'> = async (input, tenant, caller) => {
  const filter = { ...readLearnersFilter(input), ...readReportedAttempts(input) };
  const past = await readPast(tenant, input);
  await requireNamed(tenant, { ...filter, past });
  if (past !== null) return readPastParticipation(tenant, { ...filter, ...past });
  return {
    groupTree: (await (caller.isManager ? tenant.queryOne(managedGroupTree, filter) : tenant.queryOne(groupTree, {})))!,
    courses: await tenant.queryAll(listParticipationCourses, {}),
    learners: listParticipationLearners(tenant, filter),
  };
};

async function readPastParticipation(tenant: TenantReader, filter: PastParticipationFilter) {
  return {
    groupTree: (await tenant.queryOne(pastGroupTree, filter))!,
    courses: await tenant.queryAll(listPastParticipationCourses, filter),
    learners: listPastParticipants(tenant, filter),
  };
}

export const getCourseResultsReport: Handler<'getCourseResultsReport'> = (input, tenant) => {
  return resultsReport(tenant, 'training', input);
};

export const getGapAnalysisResultsReport: Handler<'getGapAnalysisResultsReport'> = (input, tenant) => {
  return resultsReport(tenant, 'gap_analysis', input);
};

async function resultsReport(
  tenant: TenantReader,
  type: Schemas['CourseType'],
  input: Input<'getCourseResultsReport'>,
) {
  const filter = { type, ...readLearnersFilter(input), ...readReportedAttempts(input) };
  const past = await readPast(tenant, input);
  await requireNamed(tenant, { ...filter, past });
  if (past !== null) return listPastResults(tenant, { ...filter, ...past });
  if (input.updatedSince === undefined) return listResults(tenant, filter);
  const { changesQuery, syncedUntil } = await readSince(tenant, input.updatedSince);
  const { results, removed } = listChangedResults(tenant, { ...changesQuery, ...filter });
  return new ResultWithMeta(results, { removed, syncedUntil });
}

export const getLearningReport: Handler<'getLearningReport'> = async (input, tenant) => {
  const { courseId = null, status = null, simulationId = null, outcome = null } = input;
  const learners = readLearnersFilter(input);
  const attempts = readReportedAttempts(input);
  const past = await readPast(tenant, input);
  if (simulationId === null && outcome !== null)
    throw invalidField('query/simulationId', 'is required if `outcome` is set');
  if (simulationId !== null && outcome === null)
    throw invalidField('query/outcome', 'is required if `simulationId` is set');
  await requireNamed(tenant, { ...learners, past });
  if (courseId !== null) await getCourse(tenant, courseId);
  if (simulationId !== null) await requireSimulation(tenant, simulationId);
  const filter = { ...learners, courseId, status, simulationId, outcome, ...attempts };
  return { generatedAt: new Date().toISOString(), ...(await readLearning(tenant, filter, past)) };
};

async function readLearning(tenant: TenantReader, filter: LearningFilter, past: Past | null) {
  if (past === null) {
    const summary = (await tenant.queryOne(learningSummary(filter), filter))!;
    return { summary, rows: tenant.stream(listLearningRows(filter), filter) };
  }
  const pastFilter = { ...filter, ...past };
  const summary = (await tenant.queryOne(pastLearningSummary(filter), pastFilter))!;
  return { summary, rows: tenant.stream(listPastLearningRows(filter), pastFilter) };
}

export const getPolicyResultsReport: Handler<'getPolicyResultsReport'> = async (input, tenant) => {
  const { policyId = null, outcome = null } = input;
  const filter = { ...readLearnersFilter(input), policyId, outcome };
  const past = await readPast(tenant, input);
  await requireNamed(tenant, { ...filter, past });
  if (policyId !== null) await (past === null ? requireKnownPolicy : requirePastPolicy)(tenant, policyId);
  if (past !== null) return listPastPolicyResults(tenant, { ...filter, ...past });
  return listReportedPolicyResults(tenant, filter);
};

export const getSimulationResultsReport: Handler<'getSimulationResultsReport'> = async (input, tenant) => {
  const { simulationId = null, outcome = null } = input;
  const filter = { ...readLearnersFilter(input), simulationId, outcome };
  const period = readPeriod(input);
  const past = await readPast(tenant, input);
  await requireNamed(tenant, { ...filter, past });
  if (simulationId !== null) await requireSimulation(tenant, simulationId);
  const reported = { ...filter, ...(await findPeriodTimes(tenant, period)) };
  if (past !== null) return listPastSimulationResults(tenant, { ...reported, ...past });
  return listReportedSimulationResults(tenant, reported);
};

export const getRepeatClickersReport: Handler<'getRepeatClickersReport'> = async (input, tenant) => {
  const { minimum = 2 } = input;
  const filter = { ...readLearnersFilter(input), minimum };
  const period = readPeriod(input);
  const past = await readPast(tenant, input);
  await requireNamed(tenant, { ...filter, past });
  const reported = { ...filter, ...(await findPeriodTimes(tenant, period)) };
  return past === null
    ? listRepeatClickers(tenant, reported)
    : listPastRepeatClickers(tenant, { ...reported, ...past });
};

/** @throws not_found if the company lacks a learner, manager, group or campaign that the input names */
async function requireNamed(
  tenant: TenantReader,
  { learnerId, managerId, groupId, assignedBy, past = null }: LearnersFilter & { past?: Past | null },
): Promise<void> {
  if (learnerId !== null) await requireLearner(tenant, learnerId);
  if (managerId !== null && managerId !== NOBODY) await requireLearner(tenant, managerId);
  if (groupId !== null) await (past === null ? requireGroup : requirePastGroup)(tenant, groupId);
  if (assignedBy !== null) await requireCampaign(tenant, assignedBy);
}

const DAY_MS = 86_400_000;
const DAYS_BEFORE_LAST = 89;

export const getRiskScoreHistoryReport: Handler<'getRiskScoreHistoryReport'> = async (input, tenant) => {
  const toDate = readDay(input, 'to', 'toDate') ?? isoDate(Date.now());
  const fromDate = readDay(input, 'from', 'fromDate') ?? isoDate(Date.parse(toDate) - DAYS_BEFORE_LAST * DAY_MS);
  if (fromDate > toDate) {
    const [from, to] = input.fromDate === undefined ? ['from', 'to'] : ['fromDate', 'toDate'];
    throw invalidField(`query/${from}`, `must not be after \`${to}\``);
  }
  const { minGroupSize } = await findSettings(tenant);
  const history = { fromDate, toDate, minGroupSize: minGroupSize ?? 0 };
  const rows = tenant.stream(listRiskHistory, history).map(({ date, averageScore, ...counts }) => {
    return { date, averageScore, level: riskScoreLevel(averageScore), ...counts };
  });
  return { fromDate, toDate, rows };
};

/** Reads a day, whose parameter has two names. */
function readDay(
  input: Input<'getRiskScoreHistoryReport'>,
  name: 'from' | 'to',
  otherName: 'fromDate' | 'toDate',
): string | undefined {
  if (input[name] !== undefined && input[otherName] !== undefined)
    throw invalidField(`query/${otherName}`, `cannot be combined with \`${name}\``);
  return input[name] ?? input[otherName];
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
