// Checks that Citus accepts each statement of the service and routes it to one shard, which keeps a company on one
// node.
import pg from 'pg';
import { parameterTypes } from '../db/describe.ts';
import { companies } from '../support/world.ts';
import { allStatements, sampleValues } from '../db/samples.ts';

/** Statements about companies other than the caller's, which go to every shard. */
const OF_SEVERAL_COMPANIES = new Set([
  'company_children',
  'template_list',
  'template_by_id',
  'template_visible',
  'template_adopt',
]);

/** Statements about events of children, which the service rejects on Citus before reaching them. */
const NOT_REACHED = new Set(['event_at_of_children', 'audit_reads_of_children']);

/** Lists the statements that Citus rejects or sends to several shards, with its message. */
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
    // The samples match no rows here. A statement rejected for a value or a constraint was routed.
    (error: pg.DatabaseError) => {
      if (!/^2[23]/.test(error.code ?? '')) throw error;
    },
  );
  return '';
}

/** Runs the work in a transaction and rolls it back. */
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

/** Replaces parameters with their values: Citus cannot explain an INSERT ... SELECT with parameters. */
async function filledIn(client: pg.Client, { text }: AnyStatement, values: unknown[]): Promise<string> {
  const types = await parameterTypes(client, text);
  if (types.length === 0) return text;
  const literals = types.map((name, index) => `quote_nullable($${index + 1}::${name}::text) || '::${name}'`);
  const { rows } = await client.query<{ literals: string[] }>(`select array[${literals.join()}] as literals`, values);
  return text.replace(/\$(\d+)/g, (_, place: string) => rows[0]!.literals[Number(place) - 1]!);
}
