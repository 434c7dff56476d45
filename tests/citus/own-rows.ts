// Reads all rows of every distributed table, as a service would whose statements omitted the company.
import pg from 'pg';

/** Lists rows that a company sees of others, and rows visible without a company; empty if isolation holds. */
export async function findForeignRows(serviceUrl: string, companyIds: readonly string[]): Promise<string[]> {
  const client = new pg.Client(serviceUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      // A partition is read only through its table, because the service has no rights on partitions.
      `select t.table_name::text as name from citus_tables t join pg_class c on c.oid = t.table_name
        where t.citus_table_type = 'distributed' and not c.relispartition`,
    );
    const faults: string[] = [];
    let own = 0;
    for (const { name } of rows) {
      for (const company of ['', ...companyIds]) {
        const seen = await count(client, name, company);
        if (seen.others > 0) faults.push(`${name} shows ${seen.others} rows of others to ${company || 'nobody'}`);
        own += seen.own;
      }
    }
    return own > 0 ? faults : ['no company is shown a row of its own'];
  } finally {
    await client.end();
  }
}

async function count(client: pg.Client, table: string, company: string): Promise<{ own: number; others: number }> {
  await client.query('begin');
  await client.query(`set local app.company_id = '${company}'`);
  const { rows } = await client.query<{ own: number; others: number }>(
    `select count(*) filter (where company_id::text = $1)::integer as own,
            count(*) filter (where company_id::text <> $1)::integer as others from ${table}`,
    [company],
  );
  await client.query('rollback');
  return rows[0]!;
}
