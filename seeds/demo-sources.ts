import { hash } from 'node:crypto';
import { hashSourceSecret, sourceSecretFrom } from '../src/auth/source-secret.ts';
import { companyId, companyOf, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';

/** What the demo encrypts secrets with: the same each time, so that what is in its database opens. */
export const SECRETS_KEY = hash('sha256', 'the demo key of secrets', 'base64');

/** The learning platform of the tenant. */
export function sourceRow(): object {
  const company = companyOf('tenant');
  const id = fixedId(Date.parse(CREATED_AT), 'source', numberIn(company, 0));
  const secret = sourceSecretFrom(id, Buffer.from(hash('sha256', 'the demo secret of Moodle', 'hex'), 'hex'));
  return {
    company_id: companyId(company),
    id,
    name: 'Moodle',
    kind: 'xapi',
    secret_hash: hashSourceSecret(secret),
    created_at: CREATED_AT,
  };
}
