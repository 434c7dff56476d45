import { hash } from 'node:crypto';
import { SealedSecrets } from '../src/auth/sealed-secrets.ts';
import { hashSourceSecret, sourceSecretFrom } from '../src/auth/source-secret.ts';
import { companyId, findCompany, fixedId, numberIn } from './demo-ids.ts';

const CREATED_AT = '2025-02-10T09:00:00.000Z';

/**
 * The key with which the demo encrypts secrets. It is constant, so that the secrets in the database can be decrypted.
 */
export const SECRETS_KEY = hash('sha256', 'the demo key of secrets', 'base64');

/** Builds the source of the tenant's learning platform. */
export function sourceRow(): object {
  const company = findCompany('tenant');
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

/** Builds a webhook endpoint of the tenant. It is disabled, because nobody listens there. */
export function webhookEndpointRow(): object {
  const company = findCompany('tenant');
  const id = fixedId(Date.parse(CREATED_AT), 'endpoint', numberIn(company, 0));
  const secret = `whsec_${hash('sha256', 'the demo secret of webhooks', 'base64')}`;
  return {
    company_id: companyId(company),
    id,
    url: 'https://soc.acme-industries.test/hooks/awareness',
    types: ['simulation.message.visited', 'simulation.message.compromised'],
    sealed_secret: new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')]).seal(secret, id),
    disabled_because: 'requested',
    cursor_transaction_id: '3',
    cursor_event: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    cursor_day: CREATED_AT.slice(0, 10),
    next_poll_at: CREATED_AT,
    created_at: CREATED_AT,
  };
}
