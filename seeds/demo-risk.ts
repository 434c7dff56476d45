import type { Knex } from 'knex';
import type { Compiled } from '../src/db/statement.ts';
import type { TenantWriter } from '../src/db/tenant.ts';
import { countCompanyFigures } from '../src/resources/reports/companies/count-company-figures.ts';
import { recordRiskOfDays } from '../src/resources/risk/record-risk.ts';
import { DEMO_COMPANIES } from './demo-companies.ts';
import { formatDate, toDay, LAST_DATE } from './demo-days.ts';
import { companyId } from './demo-ids.ts';

const LAST_DAY = toDay(LAST_DATE);
const DAYS = 30;

/**
 * Records the risk scores of the last month, and the figures for a company's managers, as the nightly job computes them
 * from the rest of the demo.
 */
export async function recordRisks(transaction: Knex.Transaction): Promise<void> {
  const days = Array.from({ length: DAYS }, (_, index) => formatDate(LAST_DAY - DAYS + 1 + index));
  for (const company of DEMO_COMPANIES) {
    const tenant = inSeed(transaction, companyId(company));
    await recordRiskOfDays(tenant, days);
    await countCompanyFigures(tenant, new Date(LAST_DATE));
  }
}

/** Runs the service's statements in the seed's transaction. */
function inSeed(transaction: Knex.Transaction, id: string): TenantWriter {
  const run = async <P, R>(statement: Compiled<P, R>, params: P): Promise<R[]> => {
    const values = statement.values(id, params) as Knex.RawBinding[];
    const bindings: Knex.RawBinding[] = [];
    const text = statement.text.replaceAll(/\$(\d+)/g, (_, place: string) => {
      bindings.push(values[Number(place) - 1]!);
      return '?';
    });
    return (await transaction.raw<{ rows: R[] }>(text, bindings)).rows;
  };
  const tenant: TenantWriter = {
    companyId: id,
    mutate: run,
    queryAll: run,
    queryOne: async (statement, params) => (await run(statement, params))[0],
    stream: () => {
      throw new Error('A seed has no lists.');
    },
    transaction: (work) => work(tenant),
    addTargets: () => undefined,
  };
  return tenant;
}
