import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { freePort, statusOf } from '../../process/support.ts';
import { until } from '../../support/until.ts';
import { Skipped } from '../finding.ts';
import { endChild, type Service, startChild } from './processes.ts';
import type { Stage } from './stage.ts';

const CONFIG = join(import.meta.dirname, '../../../deploy/haproxy.cfg');
/** Time until the balancer notices a failure: it checks every half second and reacts to the second failure. */
export const NOTICE_MS = 1000;
/** Delay of a shutdown; longer than the balancer needs to detect that a replica is not ready. */
const DRAIN_DELAY_MS = 3000;

const PLACES = ['PUBLIC_BIND', 'DATABASE_BIND', 'STATUS_BIND', 'API_A', 'API_B'] as const;
type Ports = Record<(typeof PLACES)[number], number>;

/** The HAProxy configuration of `deploy/`, in front of two processes of the service and two Postgres servers. */
export class Balancer {
  readonly #stage: Stage;
  readonly #ports: Ports;

  private constructor(stage: Stage, ports: Ports) {
    this.#stage = stage;
    this.#ports = ports;
  }

  /** @throws {Skipped} if HAProxy is not installed */
  static async start(stage: Stage, [a, b]: readonly [number, number]): Promise<Balancer> {
    if (spawnSync('haproxy', ['-v']).error) throw new Skipped(`${stage.name}: there is no haproxy on the path`);
    const free = await Promise.all(PLACES.map(async (place) => [place, await freePort()] as const));
    const ports = Object.fromEntries(free) as Ports;
    const addresses = Object.entries({ ...ports, POSTGRES_A: a, POSTGRES_B: b });
    const env = Object.fromEntries(addresses.map(([place, port]) => [place, `127.0.0.1:${port}`]));
    const child = startChild('haproxy', ['-db', '-f', CONFIG], env, stage.logFile('haproxy'));
    stage.atEnd(() => endChild(child, 'SIGKILL'));
    return new Balancer(stage, ports);
  }

  /** The base URL of the service, ending in /v1. */
  get url(): string {
    return `http://127.0.0.1:${this.#ports.PUBLIC_BIND}/v1`;
  }

  /** Replaces the port in a Postgres URL with the balancer's. */
  through(databaseUrl: string): string {
    return Object.assign(new URL(databaseUrl), { port: String(this.#ports.DATABASE_BIND) }).href;
  }

  /**
   * Starts the processes behind the balancer with the settings that they need there. Resolves once clients can reach
   * them through the balancer.
   */
  async startReplicas(env: Record<string, string>): Promise<[Service, Service]> {
    const settings = {
      ROLES: 'api',
      TRUSTED_PROXY_HOPS: '1',
      KEEP_ALIVE_MS: '75000',
      DRAIN_DELAY_MS: String(DRAIN_DELAY_MS),
      ...env,
    };
    const { API_A, API_B } = this.#ports;
    const replicas = await Promise.all([
      this.#stage.service('replica-a', { ...settings, PORT: String(API_A) }),
      this.#stage.service('replica-b', { ...settings, PORT: String(API_B) }),
    ]);
    await until(async () => (await statusOf(`${this.url}/ready`)) === 200);
    return replicas;
  }
}
