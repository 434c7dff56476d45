import { requireFound } from '../../../contract/errors.ts';
import { pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';

const exists = pointQuery<{ campaignId: string }, { id: string }>('campaign_exists', (p, knex) =>
  knex('campaigns').select('id').where({ company_id: p.companyId, id: p.campaignId }),
);

/** @throws not_found */
export async function requireCampaign(tenant: TenantReader, campaignId: string): Promise<void> {
  requireFound(await tenant.queryOne(exists, { campaignId }), 'campaign');
}
