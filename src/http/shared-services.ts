import type pg from 'pg';
import type { Caller } from '../auth/caller.ts';
import { DeprecatedUses } from '../auth/deprecated-uses.ts';
import { ApiKeyCache } from '../auth/api-key-cache.ts';
import { SealedSecrets } from '../auth/sealed-secrets.ts';
import { SourceCache } from '../auth/source-cache.ts';
import { toCallEntry } from '../audit/operation-audit-recorder.ts';
import { ChildReadAudit } from '../audit/child-read-audit.ts';
import { DeniedCallAudit } from '../auth/denied-call-audit.ts';
import { TenantAccess } from '../auth/tenant-access.ts';
import { beginAdminSession } from '../identity/admin-session.ts';
import type { Logger } from '../observability/logger.ts';
import { CourseLibrary } from '../resources/courses/authored/course-library.ts';
import { inLine } from '../resources/courses/authored/course.ts';
import { Certificates } from '../resources/courses/certificates/find-certificate.ts';
import { PackageVisits } from '../resources/courses/scorm/package-visits.ts';
import { SimulationLinks } from '../resources/simulations/events/simulation-links.ts';
import type { BreachFeed } from '../resources/breaches/feed/breach-feed.ts';
import type { Config } from '../config/config.ts';
import { type ClusterSyncOptions, startClusterSync } from './rate-limits/cluster-sync.ts';
import {
  type CountRequest,
  type CounterStores,
  type KeyBudget,
  limitAnonymousByAddress,
  limitByKey,
  limitFailuresByAddress,
} from './rate-limits/rate-limits.ts';
import { createInvoke, type Invoke } from '../operations/invoke.ts';
import { createHandlers } from '../operations/operations.ts';
import type { ThreadPool } from './thread-pool.ts';
import { createFindTexts } from '../resources/simulations/settings/find-texts.ts';
import { freeMailDomains } from '../config/free-mail.ts';

/** What all that acts for a caller shares: who they are, how often they may call, and what is done for them. */
export interface SharedServices {
  keys: ApiKeyCache;
  sources: SourceCache;
  /** Counts a wrong key or link of an address. */
  countFailure: CountRequest;
  /** Counts what an address begins without a key: registrations, approvals, and documents that are fetched for it. */
  countAnonymous: CountRequest;
  budget: KeyBudget;
  invoke: Invoke;
  /** Enters what is refused before `invoke`. */
  deniedCalls: DeniedCallAudit;
  deprecatedUses: DeprecatedUses;
  /** The courses that are written here. */
  library: CourseLibrary;
  /** Lookups by a secret in the URL, for people who are not signed in. */
  openings: { certificates: Certificates; packages: PackageVisits; simulations: SimulationLinks };
  /** Answers requests with large bodies; undefined in a thread, which is what answers them. */
  threads: ThreadPool | undefined;
}

export interface SharedServicesOptions {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  breachFeed: BreachFeed;
  /** How this process keeps in step with others; undefined: it is the only one. */
  inStep?: ClusterSyncOptions;
  threads?: ThreadPool;
}

export function createSharedServices({
  config,
  logger,
  pool,
  breachFeed,
  inStep,
  threads,
}: SharedServicesOptions): SharedServices {
  const keys = new ApiKeyCache(pool, config.keyCacheMs);
  const stores: CounterStores = new Map();
  const freeMail = freeMailDomains(config.freeMail);
  const sealedSecrets = new SealedSecrets(config.secretsKeys);
  const access = new TenantAccess(pool);
  const deniedCalls = new DeniedCallAudit(access);
  const childReads = new ChildReadAudit();
  const library = new CourseLibrary(config.contentFolder, (faults) => {
    logger.error({ faults: faults.map(inLine) }, 'courses with faults are left out');
  });
  const handlers = createHandlers({
    breachFeed,
    beginAdminSession,
    library,
    findTexts: createFindTexts(config.dnsServers),
    freeMail,
    sealedSecrets,
    webhookRules: config.webhooks,
    simulations: config.simulations,
    ownCompany: (caller: Caller) => access.ofReader(caller),
    recordReads: (caller, operationId, childIds) => {
      const entry = toCallEntry({ operationId, caller, input: {} }, {});
      return childReads.record(access.ofReader(caller), entry, childIds);
    },
  });
  if (inStep) void startClusterSync({ stores, keys }, inStep);
  return {
    keys,
    sources: new SourceCache(pool, sealedSecrets),
    countFailure: limitFailuresByAddress(config.authFailuresPerMinute, stores),
    countAnonymous: limitAnonymousByAddress(config.authFailuresPerMinute, stores),
    budget: limitByKey(config.rateLimitPerMinute, stores),
    invoke: createInvoke(access, handlers, deniedCalls),
    deniedCalls,
    deprecatedUses: new DeprecatedUses(access),
    library,
    openings: {
      certificates: new Certificates(pool),
      packages: new PackageVisits(pool),
      simulations: new SimulationLinks(pool),
    },
    threads,
  };
}
