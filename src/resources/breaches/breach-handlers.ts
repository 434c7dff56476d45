import type { BreachFeed } from './feed/breach-feed.ts';
import type { Handler, Schemas } from '../../contract/contract.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import * as repository from './breach-repository.ts';
import { refreshWatchedDomains } from './watched-domains.ts';

/** Creates the handlers of the breach feed. Each handler first refreshes the stored data. */
export function createBreachHandlers(feed: BreachFeed) {
  const listBreachAccounts: Handler<'listBreachAccounts'> = async ({ accountType }, tenant) => {
    const { domains, coverage } = await refreshWatchedDomains(feed, tenant);
    const filter = { domains, accountType: toAccountType(accountType) };
    return tenant.stream(repository.listAccounts, filter).withMeta({ coverage });
  };

  const listBreachServices: Handler<'listBreachServices'> = async (input, tenant) => {
    const { domains, coverage } = await refreshWatchedDomains(feed, tenant);
    const { hasAffectedAccounts = null } = input;
    const filter = { domains, hasAffectedAccounts, accountType: toAccountType(input.accountType) };
    return repository.listServices(tenant, filter).withMeta({ coverage });
  };

  const listLearnerBreaches: Handler<'listLearnerBreaches'> = async ({ learnerId }, tenant) => {
    await requireLearner(tenant, learnerId);
    const { domains, coverage } = await refreshWatchedDomains(feed, tenant);
    return tenant.stream(repository.listBreachesOfLearner, { learnerId, domains }).withMeta({ coverage });
  };

  return { listBreachAccounts, listBreachServices, listLearnerBreaches };
}

function toAccountType(type: Schemas['ExposedAccountType'] | undefined): repository.AccountType | null {
  return type === 'employee' ? 'activeLearner' : (type ?? null);
}
