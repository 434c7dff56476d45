import { DEFAULT_PACKAGE_LIMITS } from '../src/config/package-limits.ts';
import { SamlMetadata } from '../src/identity/providers/saml-metadata.ts';
import type { Knex } from 'knex';
import { createApiKey } from '../src/auth/api-key.ts';
import type { Caller } from '../src/auth/caller.ts';
import { ApiKeyCache } from '../src/auth/api-key-cache.ts';
import { DeniedCallAudit } from '../src/auth/denied-call-audit.ts';
import { SealedSecrets } from '../src/auth/sealed-secrets.ts';
import { TenantAccess } from '../src/auth/tenant-access.ts';
import { openBreachFeed } from '../src/resources/breaches/feed/open-breach-feed.ts';
import type { Data, Input, KeyedOperationId } from '../src/contract/contract.ts';
import { openPool } from '../src/db/pool.ts';
import { createLogs } from '../src/observability/logger.ts';
import { CourseLibrary } from '../src/resources/courses/authored/course-library.ts';
import { createInvoke } from '../src/operations/invoke.ts';
import { createHandlers } from '../src/operations/operations.ts';
import { freeMailDomains } from '../src/config/free-mail.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { companyId, fixedId } from './demo-ids.ts';
import { SEED_KEY } from './demo-state.ts';

/** Calls an operation for a company. */
export type Call = <Op extends KeyedOperationId>(operationId: Op, input: Input<Op>) => Promise<Data<Op>>;

/** Functions that report a company's facts to the service. Facts can be reported repeatedly. */
export interface Teller {
  owner: Knex;
  company: DemoCompany;
  call: Call;
}

const STATEMENT_TIMEOUT_MS = 60_000;
const KEY_CACHE_MS = 60_000;

/** Issues a temporary key to each company. Deletes the keys of a seed that was not completed. */
export async function issueSeedKeys(transaction: Knex.Transaction): Promise<Map<DemoCompany, string>> {
  await transaction('api_keys').where({ name: SEED_KEY }).delete();
  const keys = new Map<DemoCompany, string>();
  for (const [index, company] of DEMO_COMPANIES.entries()) {
    const { key, publicId, keyHash } = createApiKey();
    const id = fixedId(Date.parse(company.createdAt), 'key', 100 + index);
    const row = { id, company_id: companyId(company), public_id: publicId, key_hash: keyHash, name: SEED_KEY };
    await transaction('api_keys').insert(row);
    keys.set(company, key);
  }
  return keys;
}

/**
 * Runs work that calls operations as every transport does: with the caller of a key, and with the role of the service,
 * to which row-level security applies.
 */
export async function withService(
  { serviceUrl, keys }: { serviceUrl: string; keys: ReadonlyMap<DemoCompany, string> },
  work: (callOf: (company: DemoCompany) => Call) => Promise<void>,
): Promise<void> {
  const { logger } = createLogs('error');
  const pool = openPool({
    connectionString: serviceUrl,
    poolSize: 2,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    connectTimeoutMs: 10_000,
    onIdleError: (err) => logger.warn({ err }, 'idle database connection failed'),
  });
  try {
    const breachFeed = openBreachFeed({ pool, logger });
    const freeMail = freeMailDomains({ added: [], excepted: [] });
    const access = new TenantAccess(pool);
    const ownCompany = (caller: Caller) => access.ofReader(caller);
    const webhookRules = { ports: [], ownHosts: [], allowedNetworks: [], allowsLoopback: false };
    const sealedSecrets = new SealedSecrets([]);
    const recordReads = () => Promise.resolve();
    const findTexts = () => Promise.resolve(undefined);
    const services = {
      breachFeed,
      beginSession: () => Promise.resolve(undefined),
      library: new CourseLibrary(undefined, () => undefined),
      findTexts,
      freeMail,
      sealedSecrets,
      webhookRules,
      samlMetadata: new SamlMetadata({ fetch, allowsHttp: false }),
      publicUrl: 'http://127.0.0.1',
      reportMailbox: undefined,
      hasContentHost: false,
      packageLimits: DEFAULT_PACKAGE_LIMITS,
      ownCompany,
      recordReads: recordReads,
    };
    const handlers = createHandlers({ ...services, simulations: undefined });
    const invoke = createInvoke(access, handlers, new DeniedCallAudit(access));
    const directory = new ApiKeyCache(pool, KEY_CACHE_MS);
    await work((company) => async (operationId, input) => {
      const caller = await directory.find(keys.get(company)!);
      if (!caller) throw new Error(`The key of ${company.name} does not work.`);
      return (await invoke(operationId, caller, input as Record<string, unknown>)) as Data<typeof operationId>;
    });
  } finally {
    await pool.end();
  }
}

/** @throws if the service rejected a part of a call */
export function expectSuccess(answer: {
  success: boolean;
  failures?: readonly object[];
  errors?: readonly object[];
}): void {
  if (answer.success) return;
  const [first] = [...(answer.failures ?? []), ...(answer.errors ?? [])];
  throw new Error(`The service rejected a part of the demo: ${JSON.stringify(first)}`);
}
