import type { Handler, Input } from '../../contract/contract.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { invalidField } from '../../contract/errors.ts';
import { findMinGroupSize } from '../company/settings-repository.ts';
import { readPeriod } from '../learners/shared/period.ts';
import { findRiskFactors } from '../risk/risk-repository.ts';
import { dayOf, findPeriodTimes, findTimeZone, type PeriodTimes, moveDay } from '../learners/shared/company-days.ts';
import { type Past, readPast } from '../learners/shared/past.ts';
import {
  NEWEST,
  listPastGroupFigures,
  pastCompanyFigures,
  pastGroupsWithFewOthers,
} from './past-group-report-repository.ts';
import { companyFigures, listGroupFigures } from './group-report-repository.ts';
import { type CountedFigures, shownFigures, sumCounts } from './group-report-rules.ts';
import { findGroupsWithFewOthers } from './group-rest-repository.ts';
import { listCountedSimulations } from './group-simulation-repository.ts';

export const getGroupReport: Handler<'getGroupReport'> = async (input, tenant) => {
  const past = await readPast(tenant, input);
  if (past !== null) return readPastReport(tenant, past, input);
  const period = await readSimulationPeriod(tenant, input);
  const [factors, minGroupSize] = await Promise.all([findRiskFactors(tenant), findMinGroupSize(tenant)]);
  const simulations = factors.includes('simulations')
    ? await tenant.queryAll(listCountedSimulations, { ...period, minGroupSize })
    : [];
  const company = { ...(await tenant.queryOne(companyFigures, {}))!, ...sumCounts(simulations) };
  const withFewOthers = await findGroupsWithFewOthers(tenant, minGroupSize);
  const isHidden = (counted: CountedFigures) => areMeansHidden(counted, minGroupSize, withFewOthers);
  const counted = {
    simulationIds: simulations.map(({ simulationId }) => simulationId),
    sentCounts: simulations.map(({ sentCount }) => sentCount),
    minGroupSize,
  };
  const groups = tenant
    .stream(listGroupFigures, counted)
    .map((group) => shownFigures(group, { factors, hidesMeans: isHidden(group) }));
  return { company: shownFigures(company, { factors, hidesMeans: isHidden(company) }), groups };
};

/** Reads the report of a past day, without simulations, whose recipients of that day are unknown. */
async function readPastReport(tenant: TenantReader, past: Past, { from, to }: Input<'getGroupReport'>) {
  if (from !== undefined || to !== undefined)
    throw invalidField(`query/${from === undefined ? 'to' : 'from'}`, 'cannot be combined with asOf and knownAt');
  const [modules, minGroupSize] = await Promise.all([findRiskFactors(tenant), findMinGroupSize(tenant)]);
  const factors = modules.filter((factor) => factor !== 'simulations');
  const filter = { ...past, ...NEWEST };
  const company = (await tenant.queryOne(pastCompanyFigures, filter))!;
  const withFewOthers = new Set((await tenant.queryOne(pastGroupsWithFewOthers, { ...past, minGroupSize }))!.groupIds);
  const toFigures = (counted: CountedFigures) => {
    const hidesMeans = areMeansHidden(counted, minGroupSize, withFewOthers);
    return shownFigures({ ...counted, ...sumCounts([]) }, { factors, hidesMeans });
  };
  return { company: toFigures(company), groups: tenant.stream(listPastGroupFigures, filter).map(toFigures) };
}

function areMeansHidden(
  { id, learnerCount }: CountedFigures,
  minGroupSize: number,
  withFewOthers: ReadonlySet<string>,
): boolean {
  return learnerCount < minGroupSize || withFewOthers.has(id);
}

/** Days before the last one, so that a year counts, as in the risk score. */
const DAYS_BEFORE_LAST = 364;

/** @throws invalid_request if the period ends before it begins */
async function readSimulationPeriod(tenant: TenantReader, input: Input<'getGroupReport'>): Promise<PeriodTimes> {
  const { to = dayOf(new Date(), await findTimeZone(tenant)) } = input;
  const { from = moveDay(to, -DAYS_BEFORE_LAST) } = input;
  return findPeriodTimes(tenant, readPeriod({ from, to }));
}
