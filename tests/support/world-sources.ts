import type { Knex } from 'knex';
import { SealedSecrets } from '../../src/auth/sealed-secrets.ts';
import { hashSourceSecret, sourceSecretFrom } from '../../src/auth/source-secret.ts';
import { companies, type CompanyName, id } from './world.ts';

const KINDS = ['gophish', 'xapi', 'reported_messages'] as const;
type Kind = (typeof KINDS)[number];

/** The key that encrypts the secrets of the test world. */
export const SECRETS_KEY = Buffer.alloc(32, 'of the tests').toString('base64');

/** Returns the id of a source. Each company has one source of each kind. */
export function sourceId(company: CompanyName, kind: Kind): string {
  return id('e', 256 + Object.keys(companies).indexOf(company) * 16 + KINDS.indexOf(kind));
}

export function sourceSecret(company: CompanyName, kind: Kind): string {
  const source = sourceId(company, kind);
  return sourceSecretFrom(source, Buffer.alloc(32, source));
}

export async function createSources(knex: Knex, company: CompanyName): Promise<void> {
  const secrets = new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')]);
  await knex('sources').insert(
    KINDS.map((kind) => ({
      company_id: companies[company],
      id: sourceId(company, kind),
      name: `The ${kind} of ${company}`,
      kind,
      secret_hash: hashSourceSecret(sourceSecret(company, kind)),
      sealed_secret: kind === 'gophish' ? secrets.seal(sourceSecret(company, kind), sourceId(company, kind)) : null,
    })),
  );
}

/** Returns the id of a company's only webhook endpoint. */
export function webhookEndpointId(company: CompanyName): string {
  return id('e', 4096 + Object.keys(companies).indexOf(company));
}

export async function createWebhookEndpoint(knex: Knex, company: CompanyName): Promise<void> {
  const [endpoint, secrets] = [webhookEndpointId(company), new SealedSecrets([Buffer.from(SECRETS_KEY, 'base64')])];
  await knex('webhook_endpoints').insert({
    company_id: companies[company],
    id: endpoint,
    url: `https://hooks.${company.toLowerCase()}.test/`,
    sealed_secret: secrets.seal(`whsec_${Buffer.alloc(32, endpoint).toString('base64')}`, endpoint),
    cursor_transaction_id: '3',
    cursor_event: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    cursor_day: '2026-01-01',
  });
}

/** Returns the id of a company's only connected application, which uses the company's spare key. */
export function connectionId(company: CompanyName): string {
  return id('e', 8192 + Object.keys(companies).indexOf(company));
}

export async function createConnection(knex: Knex, company: CompanyName, keyId: string): Promise<void> {
  await knex('oauth_grants').insert({
    id: `grant-of-${company}`,
    connection_id: connectionId(company),
    api_key_id: keyId,
    client_id: 'https://assistant.test/client.json',
    client_name: 'Test assistant',
    redirect_host: 'assistant.test',
    payload: { openid: { scope: 'tenant:read' } },
    expires_at: '2099-01-01T00:00:00Z',
  });
}
