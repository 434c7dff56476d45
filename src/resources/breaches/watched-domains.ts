import { ApiError } from '../../contract/errors.ts';
import type { Schemas } from '../../contract/contract.ts';
import { sql } from '../../db/sql.ts';
import { pointQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import type { BreachFeed } from './feed/breach-feed.ts';

const watched = pointQuery<object, { domains: string[] }>(
  'breach_watched_domains',
  (p) => sql`
    select array(select distinct lower(domain) from unnest(smbreachprodomains) as domain order by 1) as domains
      from companies where id = ${p.companyId} and smbreachproenabled`,
);

/** Returns the domains that the company watches, in lower case; none if it lacks the module. */
async function findWatchedDomains(tenant: TenantReader): Promise<string[]> {
  return (await tenant.queryOne(watched, {}))?.domains ?? [];
}

/**
 * Refreshes the stored data about the watched domains.
 * @returns the domains with data, and the coverage that responses report
 * @throws {ApiError} with the same codes as `BreachFeed.refresh`
 */
export async function refreshWatchedDomains(
  feed: BreachFeed,
  tenant: TenantReader,
): Promise<{ domains: string[]; coverage: Schemas['BreachCoverage'] }> {
  const watchedDomains = await findWatchedDomains(tenant);
  const unavailableDomains = await feed.refresh(watchedDomains);
  const domains = watchedDomains.filter((domain) => !unavailableDomains.includes(domain));
  return { domains, coverage: { watchedDomains, unavailableDomains } };
}

/**
 * Refreshes the watched domains before risk is scored. If the feed fails, it logs the failure, and the stored data
 * count.
 */
export async function refreshBeforeScoring(feed: BreachFeed, tenant: TenantReader): Promise<void> {
  const domains = await findWatchedDomains(tenant);
  if (domains.length === 0) return;
  await feed.refresh(domains).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
}
