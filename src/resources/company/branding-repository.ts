import { hash } from 'node:crypto';
import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { mutation, pointQuery } from '../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import type { LogoFacts } from './branding-rules.ts';

interface Row {
  name: string | null;
  color: string | null;
  replyTo: string | null;
  logoFacts: LogoFacts | null;
  version: string | null;
}

const stored = pointQuery<object, Row>('company_branding', (p, knex) =>
  knex('company_settings')
    .where({ company_id: p.companyId })
    .select({
      ...{ name: 'brand_name', color: 'brand_color', replyTo: 'brand_reply_to' },
      ...{ logoFacts: 'brand_logo_facts', version: 'brand_version' },
    }),
);

/** Finds the branding of a company; every field is null if the company has set none. */
export async function findBranding(tenant: TenantReader): Promise<Schemas['CompanyBranding']> {
  const row = await tenant.queryOne(stored, {});
  if (!row) return { name: null, color: null, replyTo: null, logo: null };
  const { name, color, replyTo, logoFacts, version } = row;
  const logo = logoFacts && { ...logoFacts, url: `/brand/${tenant.companyId}/${version!}/logo` };
  return { name, color, replyTo, logo };
}

const ensure = mutation<object>(
  'company_branding_ensure',
  (p) => sql`insert into company_settings (company_id) values (${p.companyId}) on conflict do nothing`,
);

interface StoredRow extends Row {
  logo: Buffer | null;
}

const lock = mutation<object, StoredRow>(
  'company_branding_lock',
  (p) => sql`
    select brand_name as name, brand_color as color, brand_reply_to as "replyTo", brand_logo as logo,
           brand_logo_facts as "logoFacts", brand_version as version
      from company_settings where company_id = ${p.companyId} for no key update`,
);

/** Makes other changes to the branding wait until the transaction ends. */
export async function lockBranding(tx: TenantWriter): Promise<StoredRow> {
  await tx.mutate(ensure, {});
  return (await tx.mutate(lock, {}))[0]!;
}

const update = mutation<Omit<StoredRow, 'logoFacts'> & { logoFacts: string | null }>(
  'company_branding_update',
  (p) => sql`
    update company_settings
       set brand_name = ${p.name}, brand_color = ${p.color}, brand_reply_to = ${p.replyTo}, brand_logo = ${p.logo},
           brand_logo_facts = ${p.logoFacts}::jsonb, brand_version = ${p.version}
     where company_id = ${p.companyId}`,
  { logoFacts: '{}' },
);

export interface BrandingChange extends Omit<Schemas['UpdateCompanyBrandingInput'], 'logo'> {
  /** Null removes the logo. */
  logo?: { bytes: Buffer; facts: LogoFacts } | null;
}

/** Changes the given branding fields. */
export async function updateBranding(tx: TenantWriter, change: BrandingChange): Promise<Schemas['CompanyBranding']> {
  const now = await lockBranding(tx);
  const { name = now.name, color = now.color, replyTo = now.replyTo } = change;
  const logo = change.logo === undefined ? now.logo : (change.logo?.bytes ?? null);
  const logoFacts = change.logo === undefined ? now.logoFacts : (change.logo?.facts ?? null);
  const parts = Buffer.concat([Buffer.from(`${color ?? ''} `), logo ?? Buffer.alloc(0)]);
  const version = color === null && logo === null ? null : hash('sha256', parts).slice(0, 12);
  const facts = logoFacts && JSON.stringify(logoFacts);
  await tx.mutate(update, { name, color, replyTo, logo, logoFacts: facts, version });
  return findBranding(tx);
}
