// Holds each statement of the service to what keeps a company on one node: Citus sends it to one shard, and runs it.
import pg from 'pg';
import { parameterTypes } from '../db/describe.ts';
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

/** Of the events of children, which the service refuses on Citus before it comes to these. */
const NOT_REACHED = new Set(['event_at_of_children', 'audit_reads_of_children']);

/** The statements that Citus refuses, or sends to several shards, each with what it says. */
export async function findStrays(url: string): Promise<string[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const strays: string[] = [];
    for (const statement of allStatements()) {
      if (NOT_REACHED.has(statement.name)) continue;
      const fault = await judge(client, statement).catch((error: Error) => error.message);
      if (fault) strays.push(`${statement.name}: ${fault}`);
    }
    return strays;
  } finally {
    await client.end();
  }
}

type AnyStatement = ReturnType<typeof allStatements>[number];

async function judge(client: pg.Client, statement: AnyStatement): Promise<string> {
  const most = await inCompany(client, () => countShards(client, statement));
  if (most > 1 && !OF_SEVERAL_COMPANIES.has(statement.name)) return `goes to ${most} shards`;
  await inCompany(client, async () => client.query(statement.text, await sampleValues(client, statement))).catch(
    // The samples are of no row here. What a value or a constraint refuses was sent.
    (error: pg.DatabaseError) => {
      if (!/^2[23]/.test(error.code ?? '')) throw error;
    },
  );
  return '';
}

/** In a transaction, which is taken back. */
async function inCompany<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(`set local app.company_id = '${companies.tenant}'`);
    return await work();
  } finally {
    await client.query('rollback');
  }
}

async function countShards(client: pg.Client, statement: AnyStatement): Promise<number> {
  const text = await filledIn(client, statement, await sampleValues(client, statement));
  const { rows } = await client.query<Record<string, string>>(`explain (costs off) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  return Math.max(0, ...[...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count)));
}

/** The statement with its values in place of parameters: Citus explains no INSERT from a SELECT that has parameters. */
async function filledIn(client: pg.Client, { text }: AnyStatement, values: unknown[]): Promise<string> {
  const types = await parameterTypes(client, text);
  if (types.length === 0) return text;
  const literals = types.map((name, index) => `quote_nullable($${index + 1}::${name}::text) || '::${name}'`);
  const { rows } = await client.query<{ literals: string[] }>(`select array[${literals.join()}] as literals`, values);
  return text.replace(/\$(\d+)/g, (_, place: string) => rows[0]!.literals[Number(place) - 1]!);
}
