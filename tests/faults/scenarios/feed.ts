import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type Behaviour, FeedServer, listed } from '../../breach-feed/feed-support.ts';
import type { Finding } from '../finding.ts';
import { Bystander } from '../support/bystander.ts';
import { type Answer, Client, succeeded } from '../support/client.ts';
import { repeat, type Stage, within } from '../support/stage.ts';

const BROKEN_MS = 20_000;
const ANSWER_TARGET_S = 20;
const WELL_TARGET_S = 45;
const AT_ONCE = 4;

interface Failure {
  what: string;
  /** Behaviour of the feed; undefined if nothing listens. */
  behaviour: Behaviour | undefined;
}

const respond = (status: number, headers: Record<string, string> = {}, body = ''): Behaviour => {
  return (_request, response) => void response.writeHead(status, headers).end(body);
};

const FAILURES: Failure[] = [
  { what: 'refuses connections', behaviour: undefined },
  { what: 'accepts and says nothing', behaviour: () => undefined },
  { what: 'answers 500', behaviour: respond(500) },
  { what: 'answers 503 with Retry-After: 5', behaviour: respond(503, { 'retry-after': '5' }) },
  { what: 'answers 429 with Retry-After: 5', behaviour: respond(429, { 'retry-after': '5' }) },
  { what: 'answers 401', behaviour: respond(401) },
  { what: 'answers JSON that ends in the middle', behaviour: respond(200, {}, '[{"Name":') },
  { what: 'sends its answer a byte a second', behaviour: trickle },
];

/** Runs a breach feed that fails in eight ways, each with a separate service and database. */
export async function feed(stage: Stage): Promise<void> {
  for (let first = 0; first < FAILURES.length; first += AT_ONCE) {
    const some = FAILURES.slice(first, first + AT_ONCE);
    await Promise.all(some.map((failure, index) => play(stage, failure, first + index)));
  }
}

async function play(stage: Stage, { what, behaviour }: Failure, number: number): Promise<void> {
  const world = await stage.world(`_feed${number}`);
  const company = await world.company(2);
  const server = await new FeedServer().start();
  stage.atEnd(() => server.stop());
  const proxy = await stage.proxy(server.url);
  const settings = { BREACH_FEED_KEY: 'key-of-the-faults', BREACH_FEED_URL: proxy.through(server.url) };
  const service = await stage.service(`feed-${number}`, { ROLES: 'api', DATABASE_URL: world.serviceUrl, ...settings });
  const bystander = await Bystander.before(service.url, company, stage.over);
  if (behaviour) server.behaviour = behaviour;
  else proxy.refuse();
  bystander.begin();
  const client = new Client(service.url, company.key);
  const answers: Answer[] = [];
  const broken = AbortSignal.any([AbortSignal.timeout(BROKEN_MS), stage.over]);
  await repeat(broken, async () => {
    answers.push(await client.get('/breaches/accounts'));
    await sleep(200);
  });
  const calls = await bystander.end();
  server.behaviour = answer({
    '/breaches': [listed('Shop')],
    [`/breacheddomain/${company.domain}`]: { press: ['Shop'] },
  });
  await proxy.open();
  const wellS = await secondsUntilWell(client, company.domain);
  await service.kill();
  stage.report(finding(what, answers, calls, wellS));
}

function trickle(_request: unknown, response: Parameters<Behaviour>[1]): void {
  response.writeHead(200, { 'content-type': 'application/json' }).write('[');
  const timer = setInterval(() => response.write(' '), 1000);
  response.once('close', () => clearInterval(timer));
}

async function secondsUntilWell(client: Client, domain: string): Promise<number> {
  const at = Date.now();
  const isWell = await within(WELL_TARGET_S * 1000, async () => {
    const one = await client.get('/breaches/accounts');
    await sleep(200);
    return succeeded(one) && JSON.stringify(one.body).includes(`press@${domain}`);
  });
  return isWell ? (Date.now() - at) / 1000 : Infinity;
}

function finding(what: string, answers: Answer[], calls: { isFine: boolean; seen: string }, wellS: number): Finding {
  const slowestS = Math.max(...answers.map(({ startedAt, endedAt }) => (endedAt - startedAt) / 1000));
  const statuses = [...new Set(answers.map(({ status }) => status))].sort();
  const areRight = statuses.every((status) => [502, 503, 504].includes(status));
  return {
    what: `the breach feed ${what}`,
    times: answers.length,
    longestS: wellS,
    seen: `breach calls: ${statuses.join(' ')} after ${slowestS.toFixed(1)} s at most; ${calls.seen}`,
    target: `502, 503 or 504 within ${ANSWER_TARGET_S} s, ${Bystander.target}; asked again within ${WELL_TARGET_S} s`,
    reached: areRight && slowestS <= ANSWER_TARGET_S && calls.isFine && wellS <= WELL_TARGET_S,
  };
}
