import type { Handler } from '../../../contract/contract.ts';
import { trendCells, trendSimulations } from './simulation-trend-repository.ts';
import { listTrendMonths, toRate, toTrendMonths } from './simulation-trend-rules.ts';

export const getSimulationTrendReport: Handler<'getSimulationTrendReport'> = async (_query, tenant) => {
  const months = listTrendMonths(new Date());
  const since = `${months[0]!}-01T00:00:00Z`;
  const cells = await tenant.queryAll(trendCells, { since });
  const simulations = (await tenant.queryAll(trendSimulations, { since })).map((row) => ({
    ...row,
    reportRate: toRate(row.reportCount, row.sentCount),
    visitRate: toRate(row.visitCount, row.sentCount),
  }));
  return { months: toTrendMonths(months, cells, simulations), simulations };
};
