import { setTimeout as sleep } from 'node:timers/promises';
import { Client, succeeded } from './client.ts';
import { p99, repeat } from './stage.ts';
import { type Company, learnerId } from './world.ts';

const PAUSE_MS = 50;

/** Somebody who has nothing to do with what is broken, and is not to notice it. */
export class Bystander {
  readonly #ended = new AbortController();
  readonly #times: number[] = [];
  readonly #going: Promise<void>;
  #failed = 0;

  /** Reads one learner and changes another, over and over. */
  constructor(url: string, company: Company, over: AbortSignal) {
    const client = new Client(url, company.key);
    const signal = AbortSignal.any([this.#ended.signal, over]);
    const name = { firstName: 'Ada', lastName: 'Lovelace' };
    this.#going = repeat(signal, async () => {
      const read = await client.get(`/learners/${learnerId(company, 1)}`);
      const changed = await client.call('PATCH', `/learners/${learnerId(company, 2)}`, name);
      for (const answer of [read, changed]) {
        this.#times.push(answer.endedAt - answer.startedAt);
        if (!succeeded(answer)) this.#failed += 1;
      }
      await sleep(PAUSE_MS);
    });
  }

  /** Ends, and tells how many calls failed and the milliseconds that 99 of 100 did not exceed. */
  async end(): Promise<{ failed: number; p99Ms: number }> {
    this.#ended.abort();
    await this.#going;
    return { failed: this.#failed, p99Ms: p99(this.#times) };
  }
}
