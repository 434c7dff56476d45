import type { Handler } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { requireReferences } from './campaign-references.ts';
import * as repository from './campaign-repository.ts';
import { completeMessages } from './messages/message-settings.ts';
import { changeCampaign, declareCampaign, isSame, newParts, type Statement } from './campaign-rules.ts';

export const listCampaigns: Handler<'listCampaigns'> = (_input, tenant) => tenant.stream(repository.campaigns, {});

export const getCampaign: Handler<'getCampaign'> = ({ campaignId }, tenant) =>
  repository.getCampaign(tenant, campaignId);

export const createCampaign: Handler<'createCampaign'> = ({ body }, tenant, { modules }) => {
  const declaration = declareCampaign(body, new Date());
  return tenant.transaction(async (tx) => {
    await requireReferences(tx, declaration, modules);
    return repository.getCampaign(tx, await repository.insertCampaign(tx, declaration));
  });
};

/** Values of fields that a request which replaces a campaign can omit. The status and the start stay. */
const DEFAULTS = { includeNewcomers: true, keepOpenAfterLeaving: false, recurrence: null };

export const putCampaign: Handler<'putCampaign'> = ({ body }, tenant, { modules }) =>
  tenant.transaction(async (tx) => {
    const campaignId = await repository.findByExternalId(tx, body.externalId);
    const changes = { ...DEFAULTS, ...body, ...completeMessages(body) };
    if (campaignId !== undefined) return change(tx, { campaignId, changes, modules });
    const declaration = declareCampaign(body, new Date());
    await requireReferences(tx, declaration, modules);
    return repository.getCampaign(tx, await repository.insertCampaign(tx, declaration));
  });

export const updateCampaign: Handler<'updateCampaign'> = ({ campaignId, body }, tenant, { modules }) =>
  tenant.transaction((tx) => change(tx, { campaignId, changes: body, modules }));

interface Change {
  campaignId: string;
  changes: Statement;
  modules: readonly string[];
}

async function change(tx: TenantWriter, { campaignId, changes, modules }: Change) {
  const campaign = await repository.lockCampaign(tx, campaignId);
  const declaration = changeCampaign(campaign, changes, new Date());
  if (isSame(campaign, declaration)) return campaign;
  await requireReferences(tx, newParts(campaign, declaration), modules);
  await repository.storeCampaign(tx, campaignId, declaration);
  return repository.getCampaign(tx, campaignId);
}

export const deleteCampaign: Handler<'deleteCampaign'> = ({ campaignId }, tenant) =>
  tenant.transaction(async (tx) => {
    const { startedOn } = await repository.lockCampaign(tx, campaignId);
    if (startedOn !== null) throw new ApiError('campaign_locked', 'The campaign has started; end it instead.');
    await tx.mutate(repository.removeCampaign, { campaignId });
    return { id: campaignId };
  });
