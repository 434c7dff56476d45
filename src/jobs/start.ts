import { setTimeout as sleep } from 'node:timers/promises';
import type { Task, TaskList } from 'graphile-worker';
import type pg from 'pg';
import { TenantAccess } from '../auth/tenant-access.ts';
import type { BreachFeed } from '../resources/breaches/feed/breach-feed.ts';
import type { Config } from '../config/config.ts';
import { freeMailDomains } from '../config/free-mail.ts';
import type { ReportMailboxConfig } from '../config/phish-report-mailbox.ts';
import type { SimulationsConfig } from '../config/simulation-settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { PoolOptions } from '../db/pool.ts';
import { openMailTransport } from '../mail/sending/mail-transport.ts';
import type { MessageRow } from '../mail/messages/message-repository.ts';
import { preparing } from '../mail/sending/prepare-message.ts';
import { Mailing, type MailingOptions } from '../mail/sending/send-message.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { traced } from '../observability/tracing/tracing.ts';
import type { WorkerPoolConfig } from './queue-worker-pool.ts';
import { NAMES_PER_CONNECTION } from './reap-dead-workers.ts';
import { SEND_BOARD_REPORT } from '../resources/board-report/schedules/delivery-repository.ts';
import { preparingBoardReports } from '../resources/board-report/schedules/prepare-board-report.ts';
import { startCampaignPoller } from '../resources/campaigns/campaign-poller.ts';
import { enrolInCourse } from '../resources/courses/course-enrollments.ts';
import { createFindTexts } from '../resources/simulations/settings/find-texts.ts';
import { preparingPhishingEmails } from '../resources/simulations/sending/prepare-phishing-email.ts';
import { SEND_SIMULATION_MESSAGE } from '../resources/simulations/sending/queue-due-messages.ts';
import { createMailTasks, createTasks, schedule } from './tasks.ts';
import {
  MAILBOX_CONNECTIONS,
  startReportMailbox,
} from '../resources/simulations/events/reported-mail/phish-report-mailbox.ts';
import { BOUNCE_CONNECTIONS, startBounceMailbox } from '../resources/mail-bounces/bounce-mailbox.ts';
import type { Poller } from '../limits/poller.ts';
import { startSimulationPoller } from '../resources/simulations/sending/simulation-poller.ts';
import { createDelivering, startWebhookPoller } from '../resources/webhooks/delivery/webhook-poller.ts';
import { startWorker, type Worker } from './worker.ts';

/**
 * Number of connections of a run in addition to those that listen and those that hold the lock names: one schedules the
 * timed tasks, and two take jobs and record their ends.
 */
const CONNECTIONS_OF_RUN = 3;
/** Number of connections of the pollers; small, because pollers spend most of their time waiting for other servers. */
const CONNECTIONS_OF_POLLERS = 2;

export interface JobOptions {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  openPool: (name: string, options: Pick<PoolOptions, 'poolSize' | 'timesAsDates'>) => pg.Pool;
  breachFeed: BreachFeed;
  /** Called when the worker is stuck and only a new process can help. */
  onGiveUp: () => void;
}

/** Work of a role: queue jobs, and pollers. */
interface Part {
  plans: WorkerPoolConfig[];
  startPoller: () => Poller[];
}

/** Starts the work of the roles `worker` and `simulate`. */
export function startJobs(options: JobOptions): Worker {
  const { config, logger, openPool, onGiveUp } = options;
  const { roles, simulations, workerConcurrency } = config;
  const [works, sends] = [roles.includes('worker'), roles.includes('simulate')];
  const { mail, other } = planSlots(config);
  const forWork = works ? mail + other + CONNECTIONS_OF_POLLERS : 0;
  const forSimulations = sends ? workerConcurrency + CONNECTIONS_OF_POLLERS : 0;
  const pool = openPool('jobs', { poolSize: forWork + forSimulations });
  const access = new TenantAccess(pool);
  const parts = [
    ...(works ? [workerPart(options, pool, access)] : []),
    ...(sends ? [simulationPart(options, simulations!, pool, access)] : []),
  ];
  const plans = parts.flatMap((part) => part.plans);
  const holding = Math.ceil(plans.length / NAMES_PER_CONNECTION);
  const poolSize = CONNECTIONS_OF_RUN + plans.length + holding;
  const openRunPool = () => openPool('queue', { poolSize, timesAsDates: true });
  const worker = startWorker({ pool, openPool: openRunPool, plans, logger, onGiveUp });
  const pollers = parts.flatMap(({ startPoller }) => startPoller());
  const late = (timeoutMs: number) => sleep(timeoutMs, undefined, { ref: false });
  return {
    isHealthy: () => worker.isHealthy(),
    stop: async (timeoutMs) => {
      const stopped = Promise.all(pollers.map((poller) => poller.stop()));
      await Promise.all([worker.stop(timeoutMs), Promise.race([stopped, late(timeoutMs)])]);
    },
  };
}

function workerPart(options: JobOptions, pool: pg.Pool, access: TenantAccess): Part {
  const { config, logger, metrics, breachFeed } = options;
  if (!config.mail) logger.warn('SMTP_URL, MAIL_GRAPH_URL and MAIL_FOLDER are not set; messages stay in the queue');
  const { mail: mails, other } = planSlots(config);
  const { signatureRetentionDays } = config;
  const freeMail = freeMailDomains(config.freeMail);
  const mailings = createMailings(config, { logger, metrics, connections: mails, freeMail });
  const services = { pool, access, breachFeed: breachFeed.withPool(pool), freeMail, signatureRetentionDays };
  const tasks = observeTasks(createTasks(services), metrics);
  const mailTasks = mailings && observeTasks(createTasksOfMailings({ pool, access }, mailings), metrics);
  const findTexts = createFindTexts(config.dnsServers);
  return {
    plans: [
      { name: 'other', tasks, schedule, concurrency: other },
      ...(mailTasks ? [{ name: 'mail', tasks: mailTasks, schedule: [], concurrency: mails }] : []),
    ],
    startPoller: () => [
      startWebhookPoller({ pool, access, logger, ...createDelivering(config, metrics.registry) }),
      startCampaignPoller({ pool, access, logger, simulations: config.simulations, findTexts }),
      ...startBounces(options),
    ],
  };
}

/**
 * Creates the part for simulations. Simulations have their own mail server, so their slots never wait for the server of
 * other emails.
 */
function simulationPart(
  options: JobOptions,
  simulations: SimulationsConfig,
  pool: pg.Pool,
  access: TenantAccess,
): Part {
  const { config, logger, metrics } = options;
  const concurrency = config.workerConcurrency;
  const transport = openMailTransport({ delivery: simulations.delivery! }, concurrency);
  const findTexts = createFindTexts(config.dnsServers);
  const preparation = preparingPhishingEmails({ ...simulations, bounces: config.bounces });
  const mailing = new Mailing({ ...preparation, transport, connections: concurrency, logger, metrics });
  const tasks = observeTasks(createMailTasks({ pool, access }, mailing, SEND_SIMULATION_MESSAGE), metrics);
  return {
    plans: [{ name: 'simulations', tasks, schedule: [], concurrency }],
    startPoller: () => [
      startSimulationPoller({ pool, access, logger, simulations, findTexts, enrol: enrolInCourse }),
      ...(config.reportMailbox ? [startMailbox(config.reportMailbox, options)] : []),
    ],
  };
}

function startBounces({ config, logger, openPool }: JobOptions): Poller[] {
  const { bounces } = config;
  if (!bounces?.account) return [];
  const pool = openPool('bounces', { poolSize: BOUNCE_CONNECTIONS });
  return [
    startBounceMailbox({ settings: bounces, account: bounces.account, pool, access: new TenantAccess(pool), logger }),
  ];
}

function startMailbox(mailbox: ReportMailboxConfig, { config, logger, openPool }: JobOptions): Poller {
  const pool = openPool('reports', { poolSize: MAILBOX_CONNECTIONS });
  return startReportMailbox({ mailbox, mail: config.mail, pool, access: new TenantAccess(pool), logger });
}

/**
 * Divides the slots between emails and other jobs. A mail server that does not respond occupies each slot for minutes,
 * so emails get six tenths of the slots and never all. Each kind of job has at least one slot.
 */
function planSlots({ mail, workerConcurrency }: Config): { mail: number; other: number } {
  if (!mail) return { mail: 0, other: workerConcurrency };
  const mails = Math.max(1, Math.min(Math.ceil(workerConcurrency * 0.6), workerConcurrency - 1));
  return { mail: mails, other: Math.max(1, workerConcurrency - mails) };
}

interface Mailings {
  messages: Mailing<MessageRow>;
  boardReports: Mailing;
}

/** Creates the senders of the service's own emails, which share the connections of one transport. */
function createMailings(
  { mail, publicUrl, bounces }: Config,
  {
    freeMail,
    ...options
  }: Pick<MailingOptions, 'logger' | 'metrics' | 'connections'> & { freeMail: ReadonlySet<string> },
): Mailings | undefined {
  if (!mail) return undefined;
  const settings = { ...mail, publicUrl, bounces };
  const shared = { ...options, transport: openMailTransport(mail, options.connections) };
  return {
    messages: new Mailing({ ...preparing(settings), ...shared }),
    boardReports: new Mailing({ ...preparingBoardReports(settings, freeMail), ...shared }),
  };
}

function createTasksOfMailings(
  services: Parameters<typeof createMailTasks>[0],
  { messages, boardReports }: Mailings,
): TaskList {
  return { ...createMailTasks(services, messages), ...createMailTasks(services, boardReports, SEND_BOARD_REPORT) };
}

/** Wraps tasks: counts and times each job, and records a span if tracing is enabled. */
function observeTasks(tasks: TaskList, metrics: Pick<Metrics, 'job'>): TaskList {
  return Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, observed(name, task as Task, metrics)]));
}

function observed(name: string, task: Task, metrics: Pick<Metrics, 'job'>): Task {
  return async (payload, helpers) => {
    const startedAt = performance.now();
    const secondsPassed = () => (performance.now() - startedAt) / 1000;
    try {
      await traced(`job ${name}`, { kind: 'consumer' }, async () => task(payload, helpers));
    } catch (error) {
      metrics.job(name, 'failed', secondsPassed());
      throw error;
    }
    metrics.job(name, 'succeeded', secondsPassed());
  };
}
