import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, Client, succeeded } from '../support/client.ts';
import type { Service } from '../support/processes.ts';
import { repeat, type Stage } from '../support/stage.ts';
import type { World } from '../support/world.ts';

/** Number of concurrent pairs of calls. */
const AT_ONCE = 4;
const KILL_EVERY_MS = 1500;
const AGAIN_AFTER_MS = 100;

interface Pair {
  name: string;
  answers: [Answer, Answer];
}

/**
 * Creates each group twice under one idempotency key, concurrently on two processes, one of which is killed repeatedly.
 * Each call is repeated, alternating between the processes, until it succeeds.
 */
export async function retries(stage: Stage): Promise<void> {
  const world = await stage.world();
  const { key } = await world.company(0);
  const env = { ROLES: 'api', DATABASE_URL: world.serviceUrl };
  const processes = [await stage.service('killed', env), await stage.service('other', env)] as const;
  const count = stage.count(1000, 60);
  const [done, waiting, pairs] = [new AbortController(), Array.from({ length: count }).keys(), [] as Pair[]];
  const work = async () => {
    const clients = processes.map(({ url }) => new Client(url, key)) as [Client, Client];
    for (const number of waiting) {
      const [name, header] = [`Pair ${number}`, { 'idempotency-key': randomUUID() }];
      const create = (order: readonly Client[]) => untilDone(order, () => ({ name }), header, stage.over);
      pairs.push({ name, answers: await Promise.all([create(clients), create(clients.toReversed())]) });
    }
  };
  const killing = killAgainAndAgain(processes[0], AbortSignal.any([done.signal, stage.over]));
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  done.abort();
  await report(stage, world, pairs, await killing);
}

async function untilDone(
  clients: readonly Client[],
  body: () => object,
  headers: Record<string, string>,
  over: AbortSignal,
): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const answer = await clients[tries % clients.length]!.call('POST', '/groups', body(), headers);
    if (succeeded(answer) || over.aborted) return answer;
    await sleep(AGAIN_AFTER_MS);
  }
}

async function killAgainAndAgain(victim: Service, signal: AbortSignal): Promise<number> {
  let times = 0;
  await repeat(signal, async () => {
    await sleep(KILL_EVERY_MS);
    await victim.kill();
    await victim.start();
    times += 1;
  });
  return times;
}

async function report(stage: Stage, world: World, pairs: Pair[], kills: number): Promise<void> {
  const rows = await world.query<{ name: string; ids: string[] }>(
    'select name, array_agg(id::text) as ids from groups group by name',
  );
  const idsOf = new Map(rows.map(({ name, ids }) => [name, ids]));
  const made = pairs.map(({ name }) => idsOf.get(name)?.length ?? 0);
  const isOne = ({ name, answers }: Pair) => answers.every(({ body }) => body?.data?.id === idsOf.get(name)?.[0]);
  const [unlike, lost] = [pairs.filter((pair) => !isOne(pair)).length, made.filter((times) => times === 0).length];
  const doubled = made.filter((times) => times > 1).length;
  const [entries] = await world.query<{ count: number }>('select count(*)::integer as count from audit_log');
  stage.report({
    what: 'pairs of equal calls with one key, side by side by two processes, one of which is killed again and again',
    times: pairs.length,
    lost,
    doubled,
    seen: `${kills} kills; ${unlike} pairs with two answers; ${entries!.count} entries in the audit log`,
    target: 'one effect, one answer and one entry for each pair',
    reached: lost + doubled + unlike === 0 && entries!.count === pairs.length && kills > 0,
  });
}
