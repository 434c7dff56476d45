import { companies, type CompanyName } from '../../support/world.ts';

/** Sets the domains that a company watches. */
export async function watch(company: CompanyName, domains: string[]): Promise<void> {
  await testService.query('update companies set smbreachprodomains = $2 where id = $1', [companies[company], domains]);
}

/** Builds the metadata of a breach list: the watched domains, and the domains among them that the feed refuses. */
export function coverageOf(watchedDomains: string[], unavailableDomains: string[] = []): object {
  return { watchedDomains, unavailableDomains };
}

/** Stores the feed's response about a domain: the names of breaches by alias. */
export async function feedHasSaid(domain: string, accounts: Record<string, string[]>): Promise<void> {
  const list = Object.entries(accounts).flatMap(([alias, names]) =>
    names.map((breach) => ({ email: `${alias}@${domain}`, breach })),
  );
  await testService.query(`select store_breached_accounts($1, 'local', $2)`, [domain, JSON.stringify(list)]);
}

/** Restores the watched domains of every company, and forgets the responses of the feed; for afterEach. */
export async function restoreBreaches(): Promise<void> {
  await testService.query('delete from breaches');
  await testService.query('delete from breach_feed_answers');
  for (const company of Object.keys(companies) as CompanyName[]) {
    await watch(company, [`${company.toLowerCase()}.test`]);
  }
}

export async function setAddress(learnerId: string, email: string): Promise<void> {
  await testService.query('update learners set email = $2 where id = $1', [learnerId, email]);
}
