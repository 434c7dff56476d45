import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { Mailbox } from './mailbox.ts';
import type { FaultyPostgres } from './postgres.ts';
import { Service } from './processes.ts';
import { Proxy } from './proxy.ts';
import { World } from './world.ts';

interface StageOptions {
  name: string;
  postgres: FaultyPostgres;
  folder: string;
  quick: boolean;
  seed: number;
  onFinding: (finding: Finding) => void;
}

/** The environment of a scenario: creates its processes, and ends them with the scenario. */
export class Stage {
  readonly postgres: FaultyPostgres;
  /** Returns numbers from 0 to 1, the same sequence for the same seed. */
  readonly random: () => number;
  /** Aborted when the scenario ends for any reason. */
  readonly over: AbortSignal;
  readonly #options: StageOptions;
  readonly #ending = new AbortController();
  readonly #endings: (() => unknown)[] = [];

  constructor(options: StageOptions) {
    this.#options = options;
    this.postgres = options.postgres;
    this.random = chance(options.seed);
    this.over = this.#ending.signal;
  }

  get name(): string {
    return this.#options.name;
  }

  /** Returns the number of repetitions: the small one with `--quick`. */
  count(whole: number, quick: number): number {
    return this.#options.quick ? quick : whole;
  }

  /** Creates a database with courses and without companies. */
  async world(name = ''): Promise<World> {
    const world = await World.on(await this.postgres.createDatabase(`faults_${this.#options.name}${name}`));
    this.#endings.push(() => world.close());
    return world;
  }

  /**
   * Starts a process of the service and waits until it is ready. It has production settings, without limits
   * per client.
   */
  async service(name: string, env: Record<string, string>): Promise<Service> {
    const settings = { RATE_LIMIT_PER_MINUTE: '0', AUTH_FAILURES_PER_MINUTE: '0', ...env };
    const service = await Service.start(settings, this.logFile(name));
    this.#endings.push(() => service.kill());
    return service;
  }

  /** Starts a process that only runs jobs and sends emails through the server at `smtpUrl`. */
  worker(name: string, smtpUrl: string, env: Record<string, string>): Promise<Service> {
    return this.service(name, { ROLES: 'worker', ...mailSettings(smtpUrl), ...env });
  }

  async mailbox(delayMs = 0): Promise<Mailbox> {
    const mailbox = await new Mailbox(delayMs).open();
    this.#endings.push(() => mailbox.close());
    return mailbox;
  }

  async proxy(url: string): Promise<Proxy> {
    const proxy = await Proxy.to(url);
    this.#endings.push(() => proxy.close());
    return proxy;
  }

  /** Registers a function that runs at the end of the scenario. */
  atEnd(end: () => unknown): void {
    this.#endings.push(end);
  }

  async end(): Promise<void> {
    this.#ending.abort();
    for (const end of this.#endings.reverse()) await end();
  }

  logFile(name: string): string {
    return join(this.#options.folder, `${this.#options.name}-${name}.log`);
  }

  report(finding: Finding): void {
    this.#options.onFinding(finding);
  }

  note(line: string): void {
    console.log(`  ${line}`);
  }
}

export function mailSettings(smtpUrl: string): Record<string, string> {
  return { SMTP_URL: smtpUrl, MAIL_FROM: 'Awareness <awareness@faults.test>', PUBLIC_URL: 'http://127.0.0.1' };
}

/** Mulberry32, because Math.random cannot be seeded. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Resolves to true once the condition holds, to false if it does not in time. */
export async function within(ms: number, condition: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const deadline = Date.now() + ms; ; await sleep(25)) {
    if (await condition()) return true;
    if (Date.now() > deadline) return false;
  }
}

/** Returns the 99th percentile. */
export function p99(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Infinity;
}

/** Repeats the work until the signal; resolves after the last round. */
export async function repeat(signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) await work();
}
