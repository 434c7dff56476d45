import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import { CommandError } from '../../src/commands/command.ts';
import { simulationDomainRow } from '../../seeds/demo-safeguards.ts';
import { SECRETS_KEY } from '../../seeds/demo-sources.ts';
import { buildRecordName } from '../../src/resources/simulations/settings/domain-rules.ts';
import { type DemoDatabase, knowsKey } from './database.ts';
import { DnsServer } from './dns-server.ts';
import type { Service } from './service.ts';

const READY_TIMEOUT_MS = 60_000;
const MAIL_FOLDER = join(import.meta.dirname, '../../.mail');
/** Sender domain of the demo's simulations, which nobody can register. */
export const SIMULATION_SENDER = 'parcel-desk.example';

/** Returns the settings of the service: the environment of this process, with the demo's defaults. */
export async function demoSettings(database: DemoDatabase, host: string, port: number): Promise<NodeJS.ProcessEnv> {
  const shown = (await knowsKey(database, keys.tenant))
    ? { DOCS_DEMO_KEY: keys.tenant, ...(await simulationSettings()) }
    : {};
  // Only programs on this machine can call a service on loopback.
  const loopback = ['127.0.0.1', '::1', 'localhost'].includes(host) && { WEBHOOKS_ALLOW_LOOPBACK: 'yes' };
  const publicUrl = formatAddress(host, port);
  const addresses = { PUBLIC_URL: publicUrl, CONTENT_URL: toContentUrl(publicUrl) };
  const own = { LOG_LEVEL: 'warn', ...addresses, MAIL_FOLDER, SECRETS_KEY, ...loopback };
  const env = { ...own, ...shown, ...process.env };
  // The service is always one process, which ends with the demo.
  const ownUrls = { DATABASE_URL: database.serviceUrl, DATABASE_OWNER_URL: undefined };
  return { ...env, ...ownUrls, HOST: host, PORT: String(port), HTTP_PROCESSES: undefined };
}

/** Returns the settings that let the demo's tenant, the only company with a proved domain, run phishing simulations. */
async function simulationSettings(): Promise<NodeJS.ProcessEnv> {
  const dns = (await new DnsServer().start()).unref();
  const { domain, challenge } = simulationDomainRow();
  dns.answers.set(buildRecordName(domain), [challenge]);
  return { ROLES: 'api,mcp,worker,simulate', SIMULATION_SENDER_DOMAINS: SIMULATION_SENDER, DNS_SERVERS: dns.place };
}

/** Describes where the messages of the service go. */
export function formatMailUrl(settings: NodeJS.ProcessEnv): string {
  return settings.SMTP_URL ? 'sent to the server of SMTP_URL' : `written to ${settings.MAIL_FOLDER}`;
}

export function formatAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Returns this machine's URL with its other host name, as a separate origin for course packages. */
export function toContentUrl(publicUrl: string): string {
  const { hostname, port } = new URL(publicUrl);
  return `http://${hostname === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`;
}

/** Waits for the service. Returns false if it ends before it is ready. */
export async function isReady(service: Service, base: string, timeoutMs = READY_TIMEOUT_MS): Promise<boolean> {
  let ended = false;
  void service.ended.then(() => (ended = true));
  const deadline = Date.now() + timeoutMs;
  while (!ended && Date.now() < deadline) {
    const answer = await fetch(`${base}/ready`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (answer?.ok) return true;
    await Promise.race([service.ended, sleep(50)]);
  }
  if (ended) return false;
  throw new CommandError(`The service is not ready after ${timeoutMs / 1000} seconds; see its log.`);
}
