import type { Handler, Input } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { findMinGroupSize } from '../company/settings-repository.ts';
import { findRiskFactors } from '../risk/risk-repository.ts';
import { companyFigures, listGroupFigures } from './group-report-repository.ts';
import { shownFigures, sumCounts } from './group-report-rules.ts';
import { findGroupsWithFewOthers } from './group-rest-repository.ts';
import { listCountedSimulations } from './group-simulation-repository.ts';

export const getGroupReport: Handler<'getGroupReport'> = async (input, tenant) => {
  const period = readSimulationPeriod(input);
  const [factors, minGroupSize] = await Promise.all([findRiskFactors(tenant), findMinGroupSize(tenant)]);
  const simulations = factors.includes('simulations')
    ? await tenant.queryAll(listCountedSimulations, { ...period, minGroupSize })
    : [];
  const company = { ...(await tenant.queryOne(companyFigures, {}))!, ...sumCounts(simulations) };
  const withFewOthers = await findGroupsWithFewOthers(tenant, minGroupSize);
  const isHidden = ({ id, learnerCount }: { id: string; learnerCount: number }) =>
    learnerCount < minGroupSize || withFewOthers.has(id);
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

const DAY_MS = 86_400_000;
/** Days before the last one, so that a year counts, as in the risk score. */
const DAYS_BEFORE_LAST = 364;

/** @throws invalid_request if the period ends before it begins */
function readSimulationPeriod(input: Input<'getGroupReport'>): { from: string; to: string } {
  const { to = isoDate(Date.now()) } = input;
  const { from = isoDate(Date.parse(to) - DAYS_BEFORE_LAST * DAY_MS) } = input;
  if (from > to) throw invalidField('query/from', 'must not be after to');
  return { from, to };
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
