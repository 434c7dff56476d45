import { call, get } from '../../support/client.ts';
import type { KeyName } from '../../support/world.ts';

/** Builds the address of a report with filters. */
export function addressOf(path: string, filters: object): string {
  const query = new URLSearchParams({ ...filters } as Record<string, string>).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Reads a report page by page. Expects each page except the last to be full. */
export async function readPages(path: string, filters: object, limit: number, key: KeyName): Promise<object[]> {
  const rows: object[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...filters, limit: String(limit), ...(cursor !== undefined && { cursor }) };
    const { status, body } = await get(addressOf(path, page), key);
    expect(status).toBe(200);
    cursor = (body as { page: { nextCursor: string | null } }).page.nextCursor ?? undefined;
    if (cursor !== undefined) expect(body.data).toHaveLength(limit);
    rows.push(...body.data);
  } while (cursor !== undefined);
  return rows;
}

/** Reads a report as CSV. Returns the columns and the number of rows without them. */
export async function readCsv(path: string, key: KeyName): Promise<{ columns: string[]; text: string }> {
  const { status, headers, text } = await call(key, 'GET', path, { headers: { accept: 'text/csv' } });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  return { columns: text.slice(0, text.indexOf('\r\n')).split(','), text };
}

/** Reads a report as JSON lines. */
export async function readLines(path: string, key: KeyName): Promise<object[]> {
  const { status, text } = await call(key, 'GET', path, { headers: { accept: 'application/jsonl' } });
  expect(status).toBe(200);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
}
