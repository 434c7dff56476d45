import type { Handler } from '../../../contract/contract.ts';
import { getCampaign } from '../campaign-repository.ts';
import { previewCampaign } from './preview-campaign.ts';
import { previewLearners } from './preview-repository.ts';

export const getCampaignPreview: Handler<'getCampaignPreview'> = async ({ campaignId }, tenant) => {
  await getCampaign(tenant, campaignId);
  return previewCampaign(tenant, campaignId);
};

export const listCampaignPreviewLearners: Handler<'listCampaignPreviewLearners'> = async ({ campaignId }, tenant) => {
  await getCampaign(tenant, campaignId);
  return tenant
    .stream(previewLearners, { campaignId })
    .map(({ learnerId, name, email, itemId, isCourse, ...expected }) => ({
      learner: { id: learnerId, name, email },
      item: { type: isCourse ? ('course' as const) : ('policy' as const), id: itemId },
      ...expected,
    }));
};
