import type { Input, Schemas } from '../../../contract/contract.ts';
import type { Rows } from '../../../db/rows.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { findMinGroupSize } from '../../company/settings-repository.ts';
import { readPeriod } from '../../learners/shared/period.ts';
import { findRiskFactors } from '../../risk/risk-repository.ts';
import type { RiskFactor } from '../../risk/risk-rules.ts';
import {
  formatDay,
  findPeriodTimes,
  findTimeZone,
  type PeriodTimes,
  moveDay,
} from '../../learners/shared/company-days.ts';
import { type Past, readPast } from '../../learners/shared/past.ts';
import {
  NEWEST,
  listPastCountedSimulations,
  listPastGroupFigures,
  pastCompanyFigures,
  pastGroupsWithFewOthers,
} from './past-group-report-repository.ts';
import { listDepartmentFigures } from './department-report-repository.ts';
import { companyFigures, listGroupFigures } from './group-report-repository.ts';
import { type CountedFigures, shownCounts, shownFigures, sumCounts } from './group-report-rules.ts';
import { findGroupsWithFewOthers } from './group-rest-repository.ts';
import {
  type CountedSimulation,
  type CountedSimulations,
  listCountedSimulations,
  type SimulationCounts,
} from './group-simulation-repository.ts';

/** Reads the figures of the company and its groups. @throws invalid_request for days that contradict each other */
export async function readGroupReport(tenant: TenantReader, input: Input<'getGroupReport'>) {
  const past = await readPast(tenant, input);
  const period = await readSimulationPeriod(tenant, input, past);
  const [factors, minGroupSize] = await Promise.all([findRiskFactors(tenant), findMinGroupSize(tenant)]);
  const request = { factors, minGroupSize, period };
  return past === null ? readReport(tenant, request) : readPastReport(tenant, past, request);
}

/** Reads the current figures of the company, as the report shows them by default. */
export async function readCompanyFigures(tenant: TenantReader): Promise<Schemas['GroupReportCompany']> {
  const period = await readSimulationPeriod(tenant, {}, null);
  const [factors, minGroupSize] = await Promise.all([findRiskFactors(tenant), findMinGroupSize(tenant)]);
  const { company } = await countCompany(tenant, { factors, minGroupSize, period });
  return figuresBuilder({ factors, minGroupSize, withFewOthers: new Set() })(company);
}

/** Reads the figures of the departments. */
export async function readDepartments(tenant: TenantReader): Promise<Rows<Schemas['DepartmentReportRow']>> {
  const factors = await findRiskFactors(tenant);
  return tenant.stream(listDepartmentFigures, {}).map((counted) => shownCounts(counted, factors));
}

interface Request {
  factors: RiskFactor[];
  minGroupSize: number;
  /** Period in which the simulations began. */
  period: PeriodTimes;
}

async function countCompany(tenant: TenantReader, { factors, minGroupSize, period }: Request) {
  const [simulations, figures] = await Promise.all([
    factors.includes('simulations') ? tenant.queryAll(listCountedSimulations, { ...period, minGroupSize }) : [],
    tenant.queryOne(companyFigures, {}),
  ]);
  return { company: { ...figures!, ...sumCounts(simulations) }, simulations };
}

async function readReport(tenant: TenantReader, { factors, minGroupSize, period }: Request) {
  const [{ company, simulations }, withFewOthers] = await Promise.all([
    countCompany(tenant, { factors, minGroupSize, period }),
    findGroupsWithFewOthers(tenant, minGroupSize),
  ]);
  const toFigures = figuresBuilder({ factors, minGroupSize, withFewOthers });
  const groups = tenant.stream(listGroupFigures, toCounted(simulations, minGroupSize)).map(toFigures);
  return { company: toFigures(company), groups };
}

async function readPastReport(tenant: TenantReader, past: Past, { factors, minGroupSize, period }: Request) {
  const simulations = factors.includes('simulations')
    ? await tenant.queryAll(listPastCountedSimulations, { ...period, ...past, minGroupSize })
    : [];
  const filter = { ...past, ...NEWEST };
  const company = { ...(await tenant.queryOne(pastCompanyFigures, filter))!, ...sumCounts(simulations) };
  const withFewOthers = new Set((await tenant.queryOne(pastGroupsWithFewOthers, { ...past, minGroupSize }))!.groupIds);
  const toFigures = figuresBuilder({ factors, minGroupSize, withFewOthers });
  const counted = { ...filter, ...toCounted(simulations, minGroupSize) };
  return { company: toFigures(company), groups: tenant.stream(listPastGroupFigures, counted).map(toFigures) };
}

/** Converts the simulations of the company to the parameters for counting them in a group. */
function toCounted(simulations: readonly CountedSimulation[], minGroupSize: number): CountedSimulations {
  return {
    simulationIds: simulations.map(({ simulationId }) => simulationId),
    sentCounts: simulations.map(({ sentCount }) => sentCount),
    minGroupSize,
  };
}

interface Hiding {
  factors: RiskFactor[];
  minGroupSize: number;
  /** Ids of groups that the company or another group exceeds by too few people. */
  withFewOthers: ReadonlySet<string>;
}

/** Returns a function that builds the figures to show for the company or a group. */
function figuresBuilder({ factors, minGroupSize, withFewOthers }: Hiding) {
  return (counted: CountedFigures & SimulationCounts) =>
    shownFigures(counted, { factors, hidesMeans: areMeansHidden(counted, minGroupSize, withFewOthers) });
}

function areMeansHidden(
  { id, learnerCount }: CountedFigures,
  minGroupSize: number,
  withFewOthers: ReadonlySet<string>,
): boolean {
  return learnerCount < minGroupSize || withFewOthers.has(id);
}

/** Number of days of the period before its last day, so that a full year counts, as in the risk score. */
const DAYS_BEFORE_LAST = 364;

/** @throws invalid_request if the period ends before it begins */
async function readSimulationPeriod(
  tenant: TenantReader,
  input: Input<'getGroupReport'>,
  past: Past | null,
): Promise<PeriodTimes> {
  const { to = past?.asOf ?? formatDay(new Date(), await findTimeZone(tenant)) } = input;
  const { from = moveDay(to, -DAYS_BEFORE_LAST) } = input;
  return findPeriodTimes(tenant, readPeriod({ from, to }));
}
