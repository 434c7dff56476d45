import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Finding } from '../finding.ts';
import { Client } from '../support/client.ts';
import { WEBHOOK_SETTINGS } from '../support/listener.ts';
import { p99, repeat, type Stage, within } from '../support/stage.ts';
import type { Company } from '../support/world.ts';

const ENDPOINTS = 20;
const WORKERS = 2;
const EVENT_EVERY_MS = 200;
const LATEST_MS = 120_000;
const TARGET_S = 2;

/** The number of companies that attack concurrently, and their description in the results. */
const ATTACKS = [
  { companies: 1, who: 'a company makes and deletes' },
  { companies: 5, who: 'five companies make and delete' },
];

/**
 * Runs attacks by companies that repeatedly create and delete twenty endpoints that never respond. During an attack, a
 * company has an endpoint that already received events, and another company creates its endpoint.
 */
export async function webhooks(stage: Stage): Promise<void> {
  for (const attack of ATTACKS) await play(stage, attack);
}

async function play(stage: Stage, { companies, who }: (typeof ATTACKS)[number]): Promise<void> {
  const world = await stage.world(`_${companies}`);
  const settings = { DATABASE_URL: world.serviceUrl, ...WEBHOOK_SETTINGS };
  const { url } = await stage.service(`api-${companies}`, { ROLES: 'api', ...settings });
  const workers = Array.from({ length: WORKERS }, (_, number) =>
    stage.service(`worker-${companies}-${number}`, { ROLES: 'worker', ...settings }),
  );
  await Promise.all(workers);
  const open = (company: Company) => new Client(url, company.key);
  const known = await Neighbour.open(stage, open(await world.company(1)));
  await known.arrivalMs();
  const hangingUrl = await listen(stage, () => undefined);
  const over = AbortSignal.any([AbortSignal.timeout(stage.count(60_000, 20_000)), stage.over]);
  const attackers = await Promise.all(Array.from({ length: companies }, async () => open(await world.company(1))));
  const attacks = attackers.map((client) => repeat(over, () => attack(client, hangingUrl)));
  // By then the service has polled the endpoints several times, so the attack holds all slots that it can get.
  await sleep(3000);
  const fresh = await Neighbour.open(stage, open(await world.company(1)));
  const latencies: number[] = [];
  await Promise.all([
    ...attacks,
    ...[known, fresh].map((neighbour) =>
      repeat(over, async () => {
        latencies.push(await neighbour.arrivalMs());
        await sleep(EVENT_EVERY_MS);
      }),
    ),
  ]);
  stage.report(finding(who, latencies));
}

/** Runs one round: creates all endpoints, which receive events about each other, and deletes them while they hang. */
async function attack(client: Client, url: string): Promise<void> {
  const ids: string[] = [];
  for (let number = 0; number < ENDPOINTS; number++) {
    const { status, body } = await client.post('/webhook-endpoints', { url });
    if (status === 200) ids.push(body.data.id as string);
  }
  await sleep(1000);
  for (const id of ids) await client.call('DELETE', `/webhook-endpoints/${id}`);
}

/** A company whose endpoint responds immediately. */
class Neighbour {
  readonly #client: Client;
  /** The groups reported to the endpoint. */
  readonly #arrived = new Set<string>();
  #made = 0;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async open(stage: Stage, client: Client): Promise<Neighbour> {
    const neighbour = new Neighbour(client);
    const url = await listen(stage, (request, response) => {
      void text(request).then((body) => {
        const { data } = JSON.parse(body) as { data: { groupId?: string } };
        if (data.groupId !== undefined) neighbour.#arrived.add(data.groupId);
        response.writeHead(204).end();
      });
    });
    const { status } = await client.post('/webhook-endpoints', { url });
    if (status !== 200) throw new Error(`the webhook endpoint was answered ${status}`);
    return neighbour;
  }

  /** Causes an event and returns the milliseconds from the response to its arrival. */
  async arrivalMs(): Promise<number> {
    this.#made += 1;
    const { status, body, endedAt } = await this.#client.post('/groups', { name: `Group ${this.#made}` });
    if (status !== 200) throw new Error(`a group was answered ${status}`);
    const hasArrived = await within(LATEST_MS, () => this.#arrived.has(body.data.id as string));
    return hasArrived ? performance.now() - endedAt : Infinity;
  }
}

async function listen(stage: Stage, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stage.atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function finding(who: string, latencies: number[]): Finding {
  const [slowestS, mostS] = [Math.max(...latencies) / 1000, p99(latencies) / 1000];
  return {
    what: `${who} ${ENDPOINTS} webhook endpoints that hang, again and again, beside ${WORKERS} workers`,
    times: latencies.length,
    longestS: slowestS,
    seen: `events of two other companies arrive after ${slowestS.toFixed(1)} s at most, p99 ${mostS.toFixed(1)} s`,
    target: `each within ${TARGET_S} s`,
    reached: slowestS <= TARGET_S,
  };
}
