import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../../auth/caller.ts';
import type { Handler } from '../../contract/contract.ts';
import { ApiError } from '../../contract/errors.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { isActive, requireItemModules, requireReferences, requireSending } from './campaign-references.ts';
import * as repository from './campaign-repository.ts';
import { completeMessages } from './messages/message-settings.ts';
import {
  changeCampaign,
  declareCampaign,
  isSame,
  type NewStatement,
  newParts,
  type Statement,
} from './campaign-rules.ts';
import { previewChange } from './preview/preview-change.ts';
import { keepRounds, type SimulationServices, stopSimulations } from './simulations/begin-simulations.ts';

const listCampaigns: Handler<'listCampaigns'> = (_input, tenant) => tenant.stream(repository.campaigns, {});

const getCampaign: Handler<'getCampaign'> = ({ campaignId }, tenant) => repository.getCampaign(tenant, campaignId);

/** Defaults of the fields that a request to replace a campaign can omit. An omitted status or start keeps its value. */
const DEFAULTS = { includeNewcomers: true, keepOpenAfterLeaving: false, recurrence: null };

export function createCampaignHandlers({ simulations }: Pick<SimulationServices, 'simulations'>) {
  const createCampaign: Handler<'createCampaign'> = ({ body }, tenant, caller) =>
    tenant.transaction((tx) => create(tx, { statement: body, caller }));

  const putCampaign: Handler<'putCampaign'> = ({ body }, tenant, caller) =>
    tenant.transaction(async (tx) => {
      const campaignId = await repository.findByExternalId(tx, body.externalId);
      const changes = { ...DEFAULTS, ...body, ...completeMessages(body) };
      if (campaignId !== undefined) return change(tx, { campaignId, changes, caller });
      return create(tx, { statement: body, caller });
    });

  const updateCampaign: Handler<'updateCampaign'> = ({ campaignId, body }, tenant, caller) =>
    tenant.transaction((tx) => change(tx, { campaignId, changes: body, caller }));

  const previewCampaignChange: Handler<'previewCampaignChange'> = ({ campaignId, body }, tenant, caller) =>
    previewChange(tenant, campaignId, (tx) => change(tx, { campaignId, changes: body, caller }));

  async function create(tx: TenantWriter, { statement, caller }: { statement: NewStatement; caller: Caller }) {
    const declaration = declareCampaign(statement, new Date());
    await requireReferences(tx, declaration, { modules: caller.modules, simulations });
    requireSending(caller, declaration);
    return repository.getCampaign(tx, await repository.insertCampaign(tx, declaration));
  }

  async function change(tx: TenantWriter, { campaignId, changes, caller }: Change) {
    const campaign = await repository.lockCampaign(tx, campaignId);
    const declaration = changeCampaign(campaign, changes, new Date());
    if (isSame(campaign, declaration)) return campaign;
    await requireReferences(tx, newParts(campaign, declaration), { modules: caller.modules, simulations });
    if (isActive(declaration.status) && !isActive(campaign.status))
      requireItemModules(declaration.items, caller.modules);
    requireSending(caller, declaration);
    await repository.storeCampaign(tx, campaignId, declaration);
    if (!isDeepStrictEqual(campaign.recurrence, declaration.recurrence)) await keepRounds(tx, campaignId);
    await stopSimulations(tx, campaignId);
    return repository.getCampaign(tx, campaignId);
  }

  return {
    ...{ listCampaigns, createCampaign, putCampaign, getCampaign, updateCampaign, deleteCampaign },
    previewCampaignChange,
  };
}

interface Change {
  campaignId: string;
  changes: Statement;
  caller: Caller;
}

const deleteCampaign: Handler<'deleteCampaign'> = ({ campaignId }, tenant) =>
  tenant.transaction(async (tx) => {
    const { startedOn } = await repository.lockCampaign(tx, campaignId);
    if (startedOn !== null) throw new ApiError('campaign_locked', 'The campaign has started; end it instead.');
    await tx.mutate(repository.removeCampaign, { campaignId });
    return { id: campaignId };
  });
