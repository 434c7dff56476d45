import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort, statusOf } from '../../process/support.ts';
import { Skipped } from '../finding.ts';
import { endChild, type Service, startChild } from './processes.ts';
import { type Stage, within } from './stage.ts';

const CONFIG = join(import.meta.dirname, '../../../deploy/haproxy.cfg');
/** A balancer looks every half second, and believes it the second time. */
export const NOTICE_MS = 1000;
/** Longer than the balancer needs to notice that a replica is not ready. */
const DRAIN_DELAY_MS = 3000;

/** The HAProxy of `deploy/`, on ports of its own. */
export class Balancer {
  readonly #stage: Stage;
  readonly #ports: [front: number, database: number, status: number];

  private constructor(stage: Stage, ports: [number, number, number]) {
    this.#stage = stage;
    this.#ports = ports;
  }

  /** @throws {Skipped} where there is no HAProxy */
  static async make(stage: Stage): Promise<Balancer> {
    if (spawnSync('haproxy', ['-v']).error) throw new Skipped(`${stage.name}: there is no haproxy on the path`);
    return new Balancer(stage, [await freePort(), await freePort(), await freePort()]);
  }

  /** Where the service is reached, with /v1 at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports[0]}/v1`;
  }

  /** A Postgres address with the balancer's in place of what it names. */
  throughTo(databaseUrl: string): string {
    return Object.assign(new URL(databaseUrl), { port: String(this.#ports[1]) }).href;
  }

  /** Leads to these processes, and to whichever of the Postgres ports is the primary. */
  start(apiPorts: [number, number], postgresPorts: [number, number]): void {
    const [front, database, status] = this.#ports.map((port) => `127.0.0.1:${port}`) as [string, string, string];
    const [API_A, API_B, POSTGRES_A, POSTGRES_B] = [...apiPorts, ...postgresPorts].map((port) => `127.0.0.1:${port}`);
    const env = { PUBLIC_BIND: front, DATABASE_BIND: database, STATUS_BIND: status };
    const child = startChild(
      'haproxy',
      ['-db', '-f', CONFIG],
      { ...env, API_A: API_A!, API_B: API_B!, POSTGRES_A: POSTGRES_A!, POSTGRES_B: POSTGRES_B! },
      this.#stage.logFile('haproxy'),
    );
    this.#stage.atEnd(() => endChild(child, 'SIGKILL'));
  }

  /** Resolves when the service answers behind it. */
  async whenReady(): Promise<void> {
    if (await within(20_000, async () => (await statusOf(`${this.url}/ready`)) === 200)) return;
    throw new Error('the service does not answer behind HAProxy; the logs have the reason');
  }
}

/** A process of the service with what it needs behind a balancer. */
export function startReplica(stage: Stage, name: string, env: Record<string, string>): Promise<Service> {
  return stage.service(`replica-${name}`, {
    ROLES: 'api',
    TRUSTED_PROXY_HOPS: '1',
    KEEP_ALIVE_MS: '75000',
    DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
    ...env,
  });
}
