import type pg from 'pg';
import { NIL } from 'uuid';
import type { Origin } from '../auth/caller.ts';
import { isId } from '../db/ids.ts';
import { pointQuery } from '../db/statement.ts';
import { createTenantReader } from '../db/tenant-session.ts';
import { limitUnauthenticatedLookups } from './unauthenticated-lookups.ts';

/** Files that a company's pages load. */
export interface BrandFiles {
  color: string | null;
  logo: Buffer | null;
  logoFacts: { mediaType: string } | null;
}

const files = pointQuery<{ version: string }, BrandFiles>('brand_files', (p, knex) =>
  knex('company_settings')
    .where({ company_id: p.companyId, brand_version: p.version })
    .select({ color: 'brand_color', logo: 'brand_logo', logoFacts: 'brand_logo_facts' }),
);

/**
 * Finds the files of a company's branding. Everybody who knows their URL can read them, because pages show them before
 * the sign-in. Returns undefined if the company or the version does not exist.
 */
export async function findBrandFiles(
  pool: pg.Pool,
  { companyId, version }: { companyId: string; version: string },
  from: Origin,
): Promise<BrandFiles | undefined> {
  if (!isId(companyId) || !/^[0-9a-f]{12}$/.test(version)) return undefined;
  const reader = createTenantReader(pool, companyId, NIL);
  return limitUnauthenticatedLookups(from, () => reader.queryOne(files, { version }));
}
