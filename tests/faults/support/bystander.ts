import { setTimeout as sleep } from 'node:timers/promises';
import { Client, succeeded } from './client.ts';
import { p99, repeat } from './stage.ts';
import { type Company, learnerId } from './world.ts';

const PAUSE_MS = 50;
const ALONE_MS = 5000;
const TIMES_ALONE = 3;
/** Response time that is never too slow: the load runs on the same machine, so a few milliseconds mean nothing. */
const FLOOR_MS = 50;

interface Felt {
  failed: number;
  p99Ms: number;
}

/** A client that is not involved in the fault and must not notice it. */
export class Bystander {
  static readonly target = `other calls p99 at most ${TIMES_ALONE} x before or ${FLOOR_MS} ms`;
  readonly #client: Client;
  readonly #company: Company;
  readonly #over: AbortSignal;
  readonly #before: Felt;
  #ended = new AbortController();
  #feeling: Promise<Felt> | undefined;

  private constructor(client: Client, company: Company, over: AbortSignal, before: Felt) {
    this.#client = client;
    this.#company = company;
    this.#over = over;
    this.#before = before;
  }

  /** Repeatedly reads one learner and changes another, first without a fault. */
  static async before(url: string, company: Company, over: AbortSignal): Promise<Bystander> {
    const client = new Client(url, company.key);
    // The first calls are always slower.
    await feel(client, company, AbortSignal.any([AbortSignal.timeout(ALONE_MS / 2), over]));
    const before = await feel(client, company, AbortSignal.any([AbortSignal.timeout(ALONE_MS), over]));
    return new Bystander(client, company, over, before);
  }

  /** Starts the calls, which continue until `end`. */
  begin(): void {
    this.#feeling = feel(this.#client, this.#company, AbortSignal.any([this.#ended.signal, this.#over]));
  }

  async end(): Promise<{ isFine: boolean; seen: string }> {
    this.#ended.abort();
    const { failed, p99Ms } = await this.#feeling!;
    const isFine = failed === 0 && p99Ms <= Math.max(FLOOR_MS, TIMES_ALONE * this.#before.p99Ms);
    const before = this.#before.p99Ms.toFixed(0);
    return { isFine, seen: `other calls p99 ${p99Ms.toFixed(0)} ms (before ${before} ms), ${failed} failed` };
  }
}

async function feel(client: Client, company: Company, signal: AbortSignal): Promise<Felt> {
  const times: number[] = [];
  let failed = 0;
  const name = { firstName: 'Ada', lastName: 'Lovelace' };
  await repeat(signal, async () => {
    const read = await client.get(`/learners/${learnerId(company, 1)}`);
    const changed = await client.call('PATCH', `/learners/${learnerId(company, 2)}`, name);
    for (const answer of [read, changed]) {
      times.push(answer.endedAt - answer.startedAt);
      if (!succeeded(answer)) failed += 1;
    }
    await sleep(PAUSE_MS);
  });
  return { failed, p99Ms: p99(times) };
}
