import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client.ts';
import { within } from './stage.ts';
import type { Company, World } from './world.ts';

const DRAIN_MS = 180_000;

/** Settings of processes with webhook endpoints on this machine. */
export const WEBHOOK_SETTINGS = {
  SECRETS_KEY: Buffer.alloc(32, 'of the faults').toString('base64'),
  WEBHOOKS_ALLOW_LOOPBACK: 'yes',
};

export interface EventVerdict {
  committed: number;
  /** Number of events that were committed but never received. */
  missing: number;
  /** Number of events that were received but not committed. */
  unknown: number;
  /** Number of events that were received more than once. */
  repeated: number;
  /** Number of changes without an event. */
  untold: number;
  /** Seconds from the last change until no event was missing. */
  seconds: number;
}

/** Receives the events of a company and counts each. */
export class Listener {
  readonly #received = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    const id = request.headers['webhook-id'] as string;
    request.resume().once('end', () => {
      this.#received.set(id, (this.#received.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
    request.once('error', () => undefined);
  });

  /** Starts listening, and creates an endpoint so that the company's events are sent here. */
  async open(serviceUrl: string, company: Company): Promise<this> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.#server.address() as AddressInfo;
    const client = new Client(serviceUrl, company.key);
    const { status } = await client.post('/webhook-endpoints', { url: `http://127.0.0.1:${port}/` });
    client.close();
    if (status !== 200) throw new Error(`the webhook endpoint was answered ${status}`);
    return this;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Judges the events; call it only after the last change. Waits until all have arrived, for some minutes at most. */
  async judge(world: World, company: Company): Promise<EventVerdict> {
    const from = Date.now();
    // An endpoint is not sent events about itself.
    const rows = await world.query<{ id: string }>(
      `select id from events where company_id = $1 and type not like 'webhook_endpoint.%'`,
      [company.id],
    );
    const missing = () => rows.filter(({ id }) => !this.#received.has(id)).length;
    await within(DRAIN_MS, () => missing() === 0);
    const committed = new Set(rows.map(({ id }) => id));
    return {
      committed: committed.size,
      missing: missing(),
      unknown: [...this.#received.keys()].filter((id) => !committed.has(id)).length,
      repeated: [...this.#received.values()].filter((count) => count > 1).length,
      untold: await world.number(UNTOLD),
      seconds: (Date.now() - from) / 1000,
    };
  }
}

/** Learners of changing clients, and their enrolments, without an event. */
const UNTOLD = `
  select (select count(*) from learners l
           where l.email like '%@changes.test' and not exists (
             select from events e where e.company_id = l.company_id and e.type = 'learner.created'
                                    and e.data ->> 'learnerId' = l.id::text))
       + (select count(*) from enrollments n
           where not exists (
             select from events e where e.company_id = n.company_id and e.type = 'enrollment.created'
                                    and e.data ->> 'learnerId' = n.learner_id::text))`;
