import type { Handler, Schemas } from '../../../contract/contract.ts';
import type { Caller } from '../../../auth/caller.ts';
import { riskScoreLevel } from '../../risk/risk-rules.ts';
import { selectedIds, type SortedFigures, STATEMENTS } from './companies-report-repository.ts';

export interface CompaniesReportServices {
  /** Records in each child's audit log that the caller has read the child's figures. */
  recordReads: (caller: Caller, operationId: 'getCompaniesReport', childIds: readonly string[]) => Promise<void>;
}

export function createCompaniesReportHandlers({ recordReads }: CompaniesReportServices) {
  const getCompaniesReport: Handler<'getCompaniesReport'> = async (
    { name = null, companyIds = null, sort = 'companyName' },
    tenant,
    caller,
  ) => {
    const children = await tenant.queryAll(selectedIds, { name, companyIds });
    await recordReads(
      caller,
      'getCompaniesReport',
      children.map(({ id }) => id),
    );
    return tenant.stream(STATEMENTS[sort], { name, companyIds }).map(toRow);
  };
  return { getCompaniesReport };
}

function toRow({ sortKey: _sortKey, ...figures }: SortedFigures): Schemas['CompaniesReportRow'] {
  const { averageRiskScore } = figures;
  return { ...figures, riskScoreLevel: averageRiskScore === null ? null : riskScoreLevel(averageRiskScore) };
}
