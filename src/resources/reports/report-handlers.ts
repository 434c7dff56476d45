import type { Handler } from '../../contract/contract.ts';
import { ResultWithMeta } from '../../db/rows.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { invalidField } from '../../contract/errors.ts';
import { readSince } from '../events/log/changes.ts';
import { getCourse } from '../courses/course-repository.ts';
import { listChangedResults, listResults, type ReportedResults } from '../courses/results/result-repository.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { findRiskFactors, listRiskHistory } from '../risk/risk-repository.ts';
import { riskScoreLevel } from '../risk/risk-rules.ts';
import { requireSimulation } from '../simulations/simulation-repository.ts';
import { companyFigures, listGroupFigures } from './group-report-repository.ts';
import { shownFigures } from './group-report-rules.ts';
import { learningSummary, listLearningRows } from './learning-repository.ts';
import { groupTree, listParticipationCourses, listParticipationLearners } from './participation-repository.ts';

export const getCourseParticipationReport: Handler<'getCourseParticipationReport'> = async (input, tenant) => {
  const { includeInactive = false } = input;
  return {
    groupTree: (await tenant.queryOne(groupTree, {}))!,
    courses: tenant.stream(listParticipationCourses, {}),
    learners: listParticipationLearners(tenant, includeInactive),
  };
};

export const getCourseResultsReport: Handler<'getCourseResultsReport'> = (input, tenant) => {
  const { includeInactive = false, updatedSince } = input;
  return resultsReport(tenant, { type: 'training', attempts: 'newest', includeInactive }, updatedSince);
};

export const getGapAnalysisResultsReport: Handler<'getGapAnalysisResultsReport'> = (input, tenant) => {
  const { attempts = 'newest', includeInactive = false, updatedSince } = input;
  return resultsReport(tenant, { type: 'gap_analysis', attempts, includeInactive }, updatedSince);
};

async function resultsReport(tenant: TenantReader, filter: ReportedResults, updatedSince: string | undefined) {
  if (updatedSince === undefined) return listResults(tenant, filter);
  const { changesQuery, syncedUntil } = await readSince(tenant, updatedSince);
  const { results, removed } = listChangedResults(tenant, { ...changesQuery, ...filter });
  return new ResultWithMeta(results, { removed, syncedUntil });
}

export const getLearningReport: Handler<'getLearningReport'> = async (input, tenant) => {
  const { learnerId = null, courseId = null, status = null, simulationId = null, outcome = null } = input;
  const { includeInactive = false } = input;
  if (simulationId === null && outcome !== null) throw invalidField('query/simulationId', 'is required with outcome');
  if (simulationId !== null && outcome === null) throw invalidField('query/outcome', 'is required with simulationId');
  if (learnerId !== null) await requireLearner(tenant, learnerId);
  if (courseId !== null) await getCourse(tenant, courseId);
  if (simulationId !== null) await requireSimulation(tenant, simulationId);
  const filter = { learnerId, courseId, status, simulationId, outcome, includeInactive };
  return {
    generatedAt: new Date().toISOString(),
    summary: (await tenant.queryOne(learningSummary(filter), filter))!,
    rows: tenant.stream(listLearningRows(filter), filter),
  };
};

export const getGroupReport: Handler<'getGroupReport'> = async (_input, tenant) => {
  const factors = await findRiskFactors(tenant);
  const company = (await tenant.queryOne(companyFigures, {}))!;
  const groups = tenant.stream(listGroupFigures, {}).map((group) => shownFigures(group, factors));
  return { company: shownFigures(company, factors), groups };
};

const DAY_MS = 86_400_000;
const DAYS_BEFORE_LAST = 89;

export const getRiskScoreHistoryReport: Handler<'getRiskScoreHistoryReport'> = (input, tenant) => {
  const toDate = input.toDate ?? isoDate(Date.now());
  const fromDate = input.fromDate ?? isoDate(Date.parse(toDate) - DAYS_BEFORE_LAST * DAY_MS);
  if (fromDate > toDate) throw invalidField('query/fromDate', 'must not be after toDate');
  const rows = tenant.stream(listRiskHistory, { fromDate, toDate }).map(({ date, averageScore, ...counts }) => {
    return { date, averageScore, level: riskScoreLevel(averageScore), ...counts };
  });
  return { fromDate, toDate, rows };
};

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
