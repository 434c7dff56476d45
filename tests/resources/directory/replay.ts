import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ask, type ScimResponse } from './directory-support.ts';

/** Request and its expected response. `{{name}}` stands for a value that an earlier step kept. */
interface Step {
  what: string;
  /** Method and path below the SCIM base path, with the query not encoded. */
  send: string;
  headers?: Record<string, string>;
  body?: object;
  status: number;
  /** Part of the expected response. */
  answer?: object;
  /** Paths, such as `Resources[0].id`, of values that must be non-empty, be numbers or be absent. */
  filled?: string[];
  numbers?: string[];
  absent?: string[];
  /** Paths of values to keep for later steps, by name. */
  keep?: Record<string, string>;
}

type Kept = Map<string, unknown>;

/** Sends the requests of a file in order and returns the differences from the expected responses. */
export async function replay(name: string): Promise<string[]> {
  const text = await readFile(join(import.meta.dirname, 'replays', name), 'utf8');
  const kept: Kept = new Map();
  const failures: string[] = [];
  for (const step of parse(text, { merge: true }) as Step[]) failures.push(...(await replayed(step, kept)));
  return failures;
}

async function replayed(step: Step, kept: Kept): Promise<string[]> {
  const { what, send, headers = {}, body, status, answer = {}, keep = {} } = filledIn(step, kept);
  const space = send.indexOf(' ');
  const answered = await ask(send.slice(0, space), send.slice(space + 1), { headers, body });
  for (const [name, place] of Object.entries(keep)) kept.set(name, valueAt(answered.body, place));
  const found = wrongPlaces(step, answered);
  if (answered.status !== status) found.push(`${answered.status} and not ${status}: ${answered.text}`);
  else if (!holds(answered.body, answer)) found.push(`lacks ${JSON.stringify(answer)}: ${answered.text}`);
  return found.map((wrong) => `${what}: ${wrong}`);
}

function filledIn(step: Step, kept: Kept): Step {
  return JSON.parse(JSON.stringify(step).replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String(kept.get(name)))) as Step;
}

function wrongPlaces({ filled = [], numbers = [], absent = [] }: Step, { body }: ScimResponse): string[] {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || isEmptyList(value);
  return [
    ...filled.filter((place) => isEmpty(valueAt(body, place))).map((place) => `${place} is empty`),
    ...numbers.filter((place) => typeof valueAt(body, place) !== 'number').map((place) => `${place} is no number`),
    ...absent.filter((place) => valueAt(body, place) !== undefined).map((place) => `${place} is there`),
  ];
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function valueAt(body: unknown, place: string): unknown {
  const names = place.split(/[.[\]]+/).filter((name) => name !== '');
  return names.reduce<any>((value, name) => value?.[name], body);
}

/** Reports whether a value contains everything in `asked`. Lists must have the same length. */
function holds(value: any, asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return value === asked;
  if (Array.isArray(asked) && value?.length !== asked.length) return false;
  return Object.entries(asked).every(([name, one]) => holds(value?.[name], one));
}
