import type { BreachFeed } from '../../breach-feed/breach-feed.ts';
import type { Handler, Schemas } from '../../contract.ts';
import { requireLearner } from '../people/known-learners.ts';
import * as repository from './breach-repository.ts';

/** The handlers that answer from the breach feed. Each one first refreshes what is stored of the feed. */
export function createBreachHandlers(feed: BreachFeed) {
  const listBreachAccounts: Handler<'listBreachAccounts'> = async ({ accountType }, tenant) => {
    const domains = await repository.findWatchedDomains(tenant);
    await feed.refresh(domains);
    return tenant.rows(repository.listAccounts, { domains, accountType: toAccountType(accountType) });
  };

  const listBreachServices: Handler<'listBreachServices'> = async (input, tenant) => {
    const domains = await repository.findWatchedDomains(tenant);
    await feed.refresh(domains);
    const { hasAffectedAccounts = null } = input;
    const filter = { domains, hasAffectedAccounts, accountType: toAccountType(input.accountType) };
    return repository.listServices(tenant, filter);
  };

  const listLearnerBreaches: Handler<'listLearnerBreaches'> = async ({ learnerId }, tenant) => {
    await requireLearner(tenant, learnerId);
    const domains = await repository.findWatchedDomains(tenant);
    await feed.refresh(domains);
    return tenant.rows(repository.listBreachesOfLearner, { learnerId, domains });
  };

  return { listBreachAccounts, listBreachServices, listLearnerBreaches };
}

function toAccountType(asked: Schemas['ExposedAccountType'] | undefined): repository.AccountType | null {
  return asked === 'employee' ? 'activeLearner' : (asked ?? null);
}
