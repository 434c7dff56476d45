// Reads everything that the demo's callers can GET, and compares the responses of two services.
import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import contract from '../../generated/openapi.json' with { type: 'json' };

interface QueryParameter {
  name: string;
  in: string;
  schema: { enum?: string[]; type?: string };
}

interface Answer {
  status: number;
  body: string;
}

/** Rows of a list to read: the first two by index, then the middle and the last as fractions of the length. */
const PLACES = [0, 1, 0.5, 1];
const OF_NO_COMPANY = new Set(['/health', '/ready', '/openapi.json']);
/**
 * Path that Citus rejects: events of several companies have an order only on a single server (docs/guides/citus.md).
 */
const OTHERWISE_ON_CITUS = /^\/events\?children=true$/;
const paths = Object.entries(contract.paths as Record<string, { get?: { parameters?: object[] } }>)
  .filter(([path, { get }]) => get && !OF_NO_COMPANY.has(path))
  .map(([path, { get }]) => ({ path, parameters: (get!.parameters ?? []).map(resolve) }));

/** Returns the calls whose responses differ, and the number of calls. */
export async function compareReads(one: string, other: string): Promise<{ calls: number; different: string[] }> {
  const different: string[] = [];
  let calls = 0;
  for (const [holder, key] of Object.entries(keys)) {
    for (const call of await callsOf(one, key)) {
      if (OTHERWISE_ON_CITUS.test(call)) continue;
      calls += 1;
      const [here, there] = [await read(one, key, call), await read(other, key, call)];
      const [a, b] = [comparable(call, here), comparable(call, there)];
      if (a !== b) different.push(`${holder} ${call}: ${firstDifference(a, b)}`);
    }
  }
  return { calls, different };
}

/** Lists the calls of a caller: each path with rows of its lists, each filter, and a company below its own. */
async function callsOf(base: string, key: string): Promise<string[]> {
  const children = itemsOf(await read(base, key, '/companies'));
  const suffixes = ['', ...children.slice(0, 1).map(({ id }) => `companyId=${id}`)];
  const calls: string[] = [];
  for (const { path, parameters } of paths) {
    for (const filled of await fill(base, key, path)) {
      const filters = parameters.flatMap(({ name, schema }) =>
        (schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : [])).map((value) => `${name}=${value}`),
      );
      const takesCompany = parameters.some(({ name }) => name === 'companyId');
      const asked = [...(takesCompany ? suffixes : ['']), ...filters];
      calls.push(...asked.map((query) => (query ? `${filled}?${query}` : filled)));
    }
  }
  return calls;
}

/** Fills in a path with some rows of its list. */
async function fill(base: string, key: string, path: string): Promise<string[]> {
  const [list, rest] = [path.split('/{')[0]!, path.split('}')[1]];
  if (list === path) return [path];
  const items = itemsOf(await read(base, key, list));
  const places = PLACES.map((place, index) => (index < 2 ? place : Math.floor(place * (items.length - 1))));
  const ids = new Set(places.flatMap((place) => items[place]?.id ?? []));
  return [...ids].map((id) => `${list}/${id}${rest}`);
}

async function read(base: string, key: string, call: string): Promise<Answer> {
  const answer = await fetch(`${base}/v1${call}`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: answer.status, body: await answer.text() };
}

function itemsOf({ body }: Answer): { id: string }[] {
  const { data } = JSON.parse(body) as { data?: unknown };
  return Array.isArray(data) ? (data as { id: string }[]) : [];
}

const ID = /"id":"[0-9a-f-]{36}",?/g;
/** Values that depend on the time of reading, or on a position in the database's log. */
const NOW = /"(?:generatedAt|lastUsedAt|nextCursor|syncToken)":"[^"]*"/g;
/** Ids that the service assigned in each database; the ids of the demo have more zeros. */
const MADE_ID = /"(?:id|attemptId)":"(?![0-9a-f-]{14}7000-8[0-9a-f]00-0000)[0-9a-f-]{36}",?/g;

/**
 * Removes what differs between databases. Breach ids are assigned in each database, and also order breaches of one day.
 */
function comparable(call: string, { status, body }: Answer): string {
  if (call.startsWith('/audit-log')) return `${status} ${whatWasDone(body)}`;
  if (!call.includes('breach')) return `${status} ${body.replace(NOW, '').replace(MADE_ID, '')}`;
  const { data } = JSON.parse(body) as { data?: unknown };
  const items = Array.isArray(data) ? data.map((item) => sorted(item)).sort() : [sorted(data ?? body)];
  return `${status} ${items.join('\n')}`;
}

interface Entry {
  actorType: string;
  operation: string;
  outcome: string;
  targets: { field: string; count: number }[];
}

/**
 * Reduces the audit log to its operations, without ids and times, because several changes can have the same time.
 * Denied calls are left out: they are reads of this comparison, of which one service received more.
 */
function whatWasDone(body: string): string {
  const { data } = JSON.parse(body) as { data: { entries: Entry[] } };
  return data.entries
    .filter(({ outcome }) => outcome === 'done')
    .map(({ actorType, operation, targets }) =>
      JSON.stringify([actorType, operation, targets.map(({ field, count }) => [field, count])]),
    )
    .sort()
    .join('\n');
}

function sorted(item: unknown): string {
  const text = JSON.stringify(item, (_, value: unknown) =>
    Array.isArray(value) ? value.map((one) => JSON.stringify(one).replace(ID, '')).sort() : value,
  );
  return text.replace(ID, '');
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `…${around(a)}… but …${around(b)}…`;
}

function resolve(parameter: object): QueryParameter {
  if (!('$ref' in parameter)) return parameter as QueryParameter;
  const name = (parameter.$ref as string).split('/').at(-1)!;
  return (contract.components.parameters as unknown as Record<string, QueryParameter>)[name]!;
}
