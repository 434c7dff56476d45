import { randomUUID } from 'node:crypto';
import { type Answer, call } from '../../support/client.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';

/** Returns the audit log entries of a request in the order in which they were written. */
export function entriesOf(requestId: string): Promise<Record<string, unknown>[]> {
  return testService.query(`select * from audit_log where request_id = $1 order by occurred_at, id`, [requestId]);
}

/** Sends a call and returns the response and its audit log entries. */
export async function entered(
  key: KeyName,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ answer: Answer; entries: Record<string, unknown>[] }> {
  const requestId = randomUUID();
  const headers = { 'x-request-id': requestId };
  const answer = await call(key, method, path, { body, headers, alone: false });
  return { answer, entries: await entriesOf(requestId) };
}

export async function countEntries(company: CompanyName): Promise<number> {
  const [row] = await testService.query('select count(*)::integer as count from audit_log where company_id = $1', [
    companies[company],
  ]);
  return row!.count as number;
}
