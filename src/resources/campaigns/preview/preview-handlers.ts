import type { Handler } from '../../../contract/contract.ts';
import { getCampaign } from '../campaign-repository.ts';
import type { SimulationServices } from '../simulations/begin-simulations.ts';
import { previewSimulations } from '../simulations/preview-simulations.ts';
import { previewCampaign } from './preview-campaign.ts';
import { previewLearners } from './preview-repository.ts';

export function createPreviewHandlers(services: SimulationServices) {
  const getCampaignPreview: Handler<'getCampaignPreview'> = async ({ campaignId }, tenant) => {
    await getCampaign(tenant, campaignId);
    const preview = await previewCampaign(tenant, campaignId, { countsPaused: true });
    return { ...preview, simulations: await previewSimulations(tenant, campaignId, services) };
  };
  return { getCampaignPreview, listCampaignPreviewLearners };
}

const listCampaignPreviewLearners: Handler<'listCampaignPreviewLearners'> = async ({ campaignId }, tenant) => {
  await getCampaign(tenant, campaignId);
  return tenant
    .stream(previewLearners, { campaignId })
    .map(({ learnerId, name, email, itemId, isCourse, ...expected }) => ({
      learner: { id: learnerId, name, email },
      item: { type: isCourse ? ('course' as const) : ('policy' as const), id: itemId },
      ...expected,
    }));
};
