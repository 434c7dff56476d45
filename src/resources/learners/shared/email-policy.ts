import { pointQuery } from '../../../db/statement.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { EmailPolicy } from './person-rules.ts';

const policy = pointQuery<object, EmailPolicy & { id: string }>('company_email_policy', (p, knex) =>
  knex('companies').select({ id: 'id', domain: 'domain', domainLock: 'domain_lock' }).where({ id: p.companyId }),
);

/** Returns the rules for the e-mail addresses of the company's learners and admins. */
export async function findEmailPolicy(tenant: TenantReader): Promise<EmailPolicy> {
  return (await tenant.queryOne(policy, {}))!;
}
