// Holds each statement of the service to what keeps a company on one node: Citus plans it, and sends it to one shard.
import pg from 'pg';
import { companies } from '../support/world.ts';
import { allStatements, sampleValues } from '../db/samples.ts';

/** They ask about companies beside the caller's own, so that they go to every shard. */
const OF_SEVERAL_COMPANIES = new Set([
  'company_children',
  'template_list',
  'template_by_id',
  'template_visible',
  'template_adopt',
]);

/** The statements that Citus refuses, or sends to several shards, each with what it says. */
export async function findStrays(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const strays: string[] = [];
    for (const statement of allStatements()) {
      const fault = await judge(client, statement).catch((error: Error) => error.message);
      if (fault) strays.push(`${statement.name}: ${fault}`);
    }
    return strays;
  } finally {
    await client.end();
  }
}

async function judge(client: pg.Client, statement: ReturnType<typeof allStatements>[number]): Promise<string> {
  await client.query('begin');
  try {
    await client.query(`set local app.company_id = '${companies.tenant}'`);
    const values = await sampleValues(client, statement);
    const { rows } = await client.query<Record<string, string>>(`explain (costs off) ${statement.text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const tasks = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
    const most = Math.max(0, ...tasks);
    return most > 1 && !OF_SEVERAL_COMPANIES.has(statement.name) ? `goes to ${most} shards` : '';
  } finally {
    await client.query('rollback');
  }
}
