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
import { beginSession } from '../identity/begin-session.ts';
import { toProviderRequestOptions } from '../identity/providers/provider-requests.ts';
import { SamlMetadata } from '../identity/providers/saml-metadata.ts';
import type { Logger } from '../observability/logger.ts';
import { CourseLibrary } from '../resources/courses/authored/course-library.ts';
import { inLine } from '../resources/courses/authored/course.ts';
import { BoardUnsubscriptions } from '../resources/board-report/schedules/board-unsubscriptions.ts';
import { Certificates } from '../resources/courses/certificates/find-certificate.ts';
import { PackageVisits } from '../resources/courses/scorm/package-visits.ts';
import { GmailMessages } from '../resources/report-button/gmail-messages.ts';
import { ReportButtons } from '../resources/report-button/report-buttons.ts';
import { SimulationLinks } from '../resources/simulations/events/simulation-links.ts';
import type { BreachFeed } from '../resources/breaches/feed/breach-feed.ts';
import type { Config } from '../config/config.ts';
import type { PackageLimits } from '../config/package-limits.ts';
import { type ClusterSyncOptions, startClusterSync } from './rate-limits/cluster-sync.ts';
import {
  type CountRequest,
  type CounterStores,
  type KeyBudget,
  limitAnonymousByAddress,
  limitByKey,
  limitFailuresByAddress,
  limitReportsByAddress,
} from './rate-limits/rate-limits.ts';
import { createInvoke, type Invoke } from '../operations/invoke.ts';
import { createHandlers } from '../operations/operations.ts';
import type { ThreadPool } from './thread-pool.ts';
import { createFindTexts } from '../resources/simulations/settings/find-texts.ts';
import { freeMailDomains } from '../config/free-mail.ts';

/** Services that all transports share: authentication, rate limits and the pipeline of operations. */
export interface SharedServices {
  keys: ApiKeyCache;
  sources: SourceCache;
  sealedSecrets: SealedSecrets;
  /** Counts an invalid key or link against the client's IP address. */
  countFailure: CountRequest;
  /**
   * Counts requests without a key against the client's IP address: registrations, approvals, fetches of client
   * documents, requests for sign-in links, and reports of leaked keys.
   */
  countAnonymous: CountRequest;
  /** Counts a report of an email against the client's IP address. */
  countReport: CountRequest;
  budget: KeyBudget;
  invoke: Invoke;
  /** Audits calls that are denied before `invoke`. */
  deniedCalls: DeniedCallAudit;
  deprecatedUses: DeprecatedUses;
  /** The authored courses. */
  library: CourseLibrary;
  /** Finds rows by a secret in the URL, for people who are not signed in. */
  openings: {
    boardReports: BoardUnsubscriptions;
    certificates: Certificates;
    gmail: GmailMessages;
    packages: PackageVisits;
    reportButtons: ReportButtons;
    simulations: SimulationLinks;
  };
  packageLimits: PackageLimits;
  /** The pool that handles requests with large bodies; undefined in a thread of that pool. */
  threads: ThreadPool | undefined;
}

export interface SharedServicesOptions {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  breachFeed: BreachFeed;
  /** The exchange of counts with other processes; undefined if the process counts only on its own, as a thread does. */
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
    logger.error({ faults: faults.map(inLine) }, 'invalid courses skipped');
  });
  const handlers = createHandlers({
    breachFeed,
    beginSession,
    library,
    findTexts: createFindTexts(config.dnsServers),
    freeMail,
    sealedSecrets,
    webhookRules: config.webhooks,
    samlMetadata: new SamlMetadata(toProviderRequestOptions(config)),
    publicUrl: config.publicUrl,
    reportMailbox: config.reportMailbox?.user,
    packageLimits: config.packageLimits,
    hasContentHost: config.contentHost !== undefined,
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
    sealedSecrets,
    countFailure: limitFailuresByAddress(config.authFailuresPerMinute, stores),
    countAnonymous: limitAnonymousByAddress(config.authFailuresPerMinute, stores),
    countReport: limitReportsByAddress(config.authFailuresPerMinute, stores),
    budget: limitByKey(config.rateLimitPerMinute, stores),
    invoke: createInvoke(access, handlers, deniedCalls),
    deniedCalls,
    deprecatedUses: new DeprecatedUses(access),
    library,
    openings: {
      boardReports: new BoardUnsubscriptions(pool),
      certificates: new Certificates(pool),
      gmail: new GmailMessages({ logger }),
      packages: new PackageVisits(pool),
      reportButtons: new ReportButtons({ pool, mail: config.mail, reportMailbox: config.reportMailbox?.user, logger }),
      simulations: new SimulationLinks(pool),
    },
    packageLimits: config.packageLimits,
    threads,
  };
}
