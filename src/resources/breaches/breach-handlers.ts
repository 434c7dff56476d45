import type { BreachFeed } from './feed/breach-feed.ts';
import type { Handler, Schemas } from '../../contract/contract.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import * as repository from './breach-repository.ts';

/** The handlers that answer from the breach feed. Each one first refreshes what is stored of the feed. */
export function createBreachHandlers(feed: BreachFeed) {
  const listBreachAccounts: Handler<'listBreachAccounts'> = async ({ accountType }, tenant) => {
    const { domains, coverage } = await refresh(feed, tenant);
    const filter = { domains, accountType: toAccountType(accountType) };
    return tenant.stream(repository.listAccounts, filter).withMeta({ coverage });
  };

  const listBreachServices: Handler<'listBreachServices'> = async (input, tenant) => {
    const { domains, coverage } = await refresh(feed, tenant);
    const { hasAffectedAccounts = null } = input;
    const filter = { domains, hasAffectedAccounts, accountType: toAccountType(input.accountType) };
    return repository.listServices(tenant, filter).withMeta({ coverage });
  };

  const listLearnerBreaches: Handler<'listLearnerBreaches'> = async ({ learnerId }, tenant) => {
    await requireLearner(tenant, learnerId);
    const { domains, coverage } = await refresh(feed, tenant);
    return tenant.stream(repository.listBreachesOfLearner, { learnerId, domains }).withMeta({ coverage });
  };

  return { listBreachAccounts, listBreachServices, listLearnerBreaches };
}

/** The domains that are known about now, and what an answer says of the others. */
async function refresh(
  feed: BreachFeed,
  tenant: TenantReader,
): Promise<{ domains: string[]; coverage: Schemas['BreachCoverage'] }> {
  const watchedDomains = await repository.findWatchedDomains(tenant);
  const unavailableDomains = await feed.refresh(watchedDomains);
  const domains = watchedDomains.filter((domain) => !unavailableDomains.includes(domain));
  return { domains, coverage: { watchedDomains, unavailableDomains } };
}

function toAccountType(type: Schemas['ExposedAccountType'] | undefined): repository.AccountType | null {
  return type === 'employee' ? 'activeLearner' : (type ?? null);
}
