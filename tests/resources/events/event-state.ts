import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import pg from 'pg';
import { get } from '../../support/client.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';

export interface SeenEvent {
  id: string;
  type: string;
  timestamp: string;
  companyId: string;
  data: Record<string, unknown>;
}

/** Data of a page. */
export interface SeenPage {
  events: SeenEvent[];
  nextCursor: string;
  hasMore: boolean;
}

export async function page(query: Record<string, string | number | boolean> = {}, key: KeyName = 'tenant') {
  const params = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, body } = await get(`/events?${params.toString()}`, key);
  expect({ status, error: body.error }).toEqual({ status: 200 });
  return body.data as SeenPage;
}

/**
 * Waits until all transactions that have begun so far have ended, because transactions of other tests hold the log
 * back. On Citus, queries the node with the rows of each company.
 */
export async function settled(): Promise<void> {
  await Promise.all(Object.values(companies).map(settledOf));
}

async function settledOf(companyId: string): Promise<void> {
  const ask = async (what: string) => {
    const [row] = await testService.query(
      `select pg_snapshot_${what}(pg_current_snapshot())::text as "transactionId", count(*) from company_seats where company_id = $1`,
      [companyId],
    );
    return BigInt(row!.transactionId as string);
  };
  const all = await ask('xmax');
  while ((await ask('xmin')) < all) await sleep(5);
}

/** Returns the current position in the log of a company. */
export async function here(key: KeyName = 'tenant'): Promise<string> {
  await settled();
  for (let after: string | undefined; ;) {
    const { nextCursor, hasMore } = await page({ limit: 1000, ...(after !== undefined && { after }) }, key);
    if (!hasMore) return nextCursor;
    after = nextCursor;
  }
}

/** Returns the events that `work` emits: types with their data, in order. */
export async function eventsOf(work: () => Promise<unknown>, key: KeyName = 'tenant'): Promise<[string, object][]> {
  const after = await here(key);
  await work();
  await settled();
  const { events } = await page({ after, limit: 1000 }, key);
  return events.map(({ type, data }) => [type, data]);
}

/** Validates the tenant's events after a cursor against their webhooks in the contract, and returns their types. */
export async function requireShapes(after: string): Promise<Set<string>> {
  const contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: { $ref: string } }> } } }>;
  };
  const ajv = new Ajv2020.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(contract, 'contract');
  const { events } = await page({ after, limit: 1000 });
  for (const event of events) {
    const { $ref } = contract.webhooks[event.type]!.post.requestBody.content['application/json']!.schema;
    const validate = ajv.compile({ $ref: `contract${$ref}` });
    expect({ event, valid: validate(event), errors: validate.errors }).toMatchObject({ valid: true });
    expect(event.companyId).toBe(companies.tenant);
  }
  return new Set(events.map(({ type }) => type));
}

/** Opens a transaction of a company, outside the service. */
export async function openTransaction(company: CompanyName = 'tenant'): Promise<pg.Client> {
  const client = new pg.Client(testService.database.serviceUrl);
  await client.connect();
  await client.query('begin');
  await client.query(`set local app.company_id = '${companies[company]}'`);
  return client;
}

/** Returns a writer of cursors for the tenant's list, as this database or another (`otherLog`) would write them. */
export async function cursorWriter(otherLog?: string) {
  const { writeCursor } = await import('../../../src/resources/events/log/event-cursor.ts');
  const [row] = await testService.query(
    `select concat_ws('/', system_identifier, current_database(), left(pg_walfile_name(pg_current_wal_lsn()), 8)) as log
       from pg_control_system()`,
  );
  const stream = { companyId: companies.tenant, ofChildren: false, log: otherLog ?? (row!.log as string) };
  return (transactionId: string, day: string, eventId = 'ffffffff-ffff-ffff-ffff-ffffffffffff') =>
    writeCursor(stream, { transactionId, eventId, day });
}
