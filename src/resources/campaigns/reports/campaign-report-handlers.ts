import type { Handler } from '../../../contract/contract.ts';
import { getCampaign } from '../campaign-repository.ts';
import { campaignFigures, readProgress } from './campaign-report-repository.ts';

export const getCampaignReport: Handler<'getCampaignReport'> = (
  { campaignId = null, campaignStatus: status = null, nameContains = null },
  tenant,
) => tenant.stream(campaignFigures, { campaignId, status, nameContains });

export const getCampaignProgress: Handler<'getCampaignProgress'> = async ({ campaignId, by }, tenant) => {
  await getCampaign(tenant, campaignId);
  return readProgress(tenant, by ?? 'department', campaignId);
};
