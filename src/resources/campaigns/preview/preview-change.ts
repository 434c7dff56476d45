import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { getCampaign } from '../campaign-repository.ts';
import { countEnding, previewCampaign } from './preview-campaign.ts';

type DayChange = Schemas['CampaignMessageDayChange'];

/**
 * Previews a change to a campaign: makes the change, previews the campaign, and rolls the change back.
 * @throws not_found, and the errors of the change
 */
export async function previewChange(
  tenant: TenantWriter,
  campaignId: string,
  change: (tx: TenantWriter) => Promise<unknown>,
): Promise<Schemas['CampaignChangePreview']> {
  await getCampaign(tenant, campaignId);
  const before = await previewCampaign(tenant, campaignId, { countsPaused: false });
  const rollback = new Error('The preview ends.');
  let preview: Schemas['CampaignChangePreview'] | undefined;
  try {
    await tenant.transaction(async (tx) => {
      if (tx === tenant) throw new Error('A preview in an open transaction would keep the change');
      await change(tx);
      const { learners, assignments, messages, dueDays } = await previewCampaign(tx, campaignId, {
        countsPaused: false,
      });
      preview = {
        assigned: { learners, assignments },
        ended: await countEnding(tx, campaignId),
        messages: joinDays(before.messages, messages),
        dueDays,
      };
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  return preview!;
}

/** Joins the message counts of each day before and after the change. */
function joinDays(
  before: readonly Schemas['CampaignMessageDay'][],
  after: readonly Schemas['CampaignMessageDay'][],
): DayChange[] {
  const [countsBefore, countsAfter] = [before, after].map(
    (days) => new Map(days.map(({ day, messages }) => [day, messages])),
  );
  const days = new Set([...before, ...after].map(({ day }) => day));
  return [...days].toSorted().map((day) => {
    return { day, before: countsBefore!.get(day) ?? 0, after: countsAfter!.get(day) ?? 0 };
  });
}
