import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Client } from './client.ts';
import type { Ledger } from './ledger.ts';

const BATCH_SIZE = 5;
const PAUSE_MS = 20;

interface Known {
  id: string;
  email: string;
}

/**
 * A client that creates, renames, deletes and enrols learners, and records the responses in the ledger. It repeats
 * calls without a response until it gets one, as an integrator would.
 */
export class ChangingClient {
  readonly #client: Client;
  readonly #ledger: Ledger;
  readonly #random: () => number;
  readonly #name: string;
  readonly #courseId: string;
  readonly #onAnswer: (answer: Answer) => void;
  #made = 0;
  #own: Known[] = [];

  constructor(options: {
    client: Client;
    ledger: Ledger;
    random: () => number;
    /** Unique among the clients of a scenario: the prefix of its learners' addresses. */
    name: string;
    courseId: string;
    onAnswer: (answer: Answer) => void;
  }) {
    this.#client = options.client;
    this.#ledger = options.ledger;
    this.#random = options.random;
    this.#name = options.name;
    this.#courseId = options.courseId;
    this.#onAnswer = options.onAnswer;
  }

  /** Makes one change, or several that belong together. */
  async change(signal: AbortSignal): Promise<void> {
    const dice = this.#random();
    if (dice < 0.35 || this.#own.length === 0) await this.#create(signal);
    else if (dice < 0.6) await this.#rename();
    else if (dice < 0.7) await this.#delete();
    else if (dice < 0.8) await this.#createMany();
    else await this.#enroll(signal);
    await sleep(PAUSE_MS);
  }

  async #create(signal: AbortSignal): Promise<void> {
    const learner = this.#newLearner();
    const answer = await this.#untilAnswered(signal, () => this.#call('POST', '/learners', learner));
    // If the address is taken, an unanswered attempt has created the learner.
    const acknowledged = answer.status === 200 || answer.body?.error?.code === 'email_taken';
    this.#ledger.created([learner.email], learner.firstName, acknowledged);
    if (answer.status === 200) this.#own.push({ id: answer.body.data.id, email: learner.email });
  }

  async #rename(): Promise<void> {
    const { id, email } = this.#pick();
    const name = `Renamed${++this.#made}`;
    const { status } = await this.#call('PATCH', `/learners/${id}`, { firstName: name, lastName: 'Learner' });
    this.#ledger.renamed(email, name, status === 200);
  }

  async #delete(): Promise<void> {
    const one = this.#pick();
    this.#own = this.#own.filter((other) => other !== one);
    const { status } = await this.#call('DELETE', `/learners/${one.id}`);
    this.#ledger.deleted(one.email, status === 200);
  }

  async #createMany(): Promise<void> {
    const learners = Array.from({ length: BATCH_SIZE }, () => this.#newLearner());
    const { status } = await this.#call('POST', '/learners/bulk', { learners });
    this.#ledger.created(
      learners.map(({ email }) => email),
      learners[0]!.firstName,
      status === 200,
    );
  }

  /**
   * Enrols learners, each of whom must get one email. Repeats some calls without a response, to judge both cases.
   */
  async #enroll(signal: AbortSignal): Promise<void> {
    const chosen = this.#own.splice(0, BATCH_SIZE);
    const pairs = { courseIds: [this.#courseId], learnerIds: chosen.map(({ id }) => id) };
    const enroll = () => this.#call('POST', '/course-enrollments', pairs);
    const { status } = this.#random() < 0.5 ? await enroll() : await this.#untilAnswered(signal, enroll);
    this.#ledger.enrolled(
      chosen.map(({ email }) => email),
      status === 200,
    );
  }

  async #untilAnswered(signal: AbortSignal, call: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const answer = await call();
      if ((answer.status > 0 && answer.status < 500 && answer.status !== 429) || signal.aborted) return answer;
      await sleep(PAUSE_MS);
    }
  }

  async #call(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#client.call(method, path, body);
    this.#onAnswer(answer);
    return answer;
  }

  #newLearner(): { email: string; firstName: string; lastName: string } {
    const email = `${this.#name}-${++this.#made}@changes.test`;
    return { email, firstName: 'New', lastName: 'Learner' };
  }

  #pick(): Known {
    return this.#own[Math.floor(this.#random() * this.#own.length)]!;
  }
}
