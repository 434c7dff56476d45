import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parseDocument } from 'yaml';
import { at, type JsonObject, object } from './document.ts';
import { Misuse } from './misuse.ts';
import { referencesIn } from './usage.ts';

export interface Contract {
  /** The name in the report. */
  name: string;
  document: JsonObject;
}

const MAX_BYTES = 256 * 1024 * 1024;
/** The maximum number of expanded YAML aliases; a YAML bomb has more. */
const MAX_ALIASES = 1000;

/** Reads a contract from a file. @throws {Misuse} if it is not a bundled OpenAPI 3 document */
export async function readContract(path: string, name = path): Promise<Contract> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Misuse(`${name} cannot be read: ${error.code ?? error.message}`);
  });
  return { name, document: parseContract(name, content) };
}

/** Parses a contract. @throws {Misuse} if it is not a bundled OpenAPI 3 document */
export function parseContract(name: string, content: string): JsonObject {
  const document = parseObject(name, content);
  if (typeof document.swagger === 'string')
    throw new Misuse(`${name} is a Swagger ${document.swagger} document; convert it to OpenAPI 3 first`);
  if (typeof document.openapi !== 'string' || !/^3\.\d/.test(document.openapi))
    throw new Misuse(`${name} is not an OpenAPI 3 document`);
  for (const reference of referencesIn(document)) {
    if (!reference.startsWith('#')) throw new Misuse(`${name} refers to ${reference}; bundle it into one file first`);
    if (at(document, reference) === undefined)
      throw new Misuse(`${name} refers to ${reference}, which it does not contain`);
  }
  return document;
}

/** Parses JSON, or YAML if the name ends with `.yaml` or `.yml`. @throws {Misuse} */
export function parseObject(name: string, content: string): JsonObject {
  if (content.length > MAX_BYTES) throw new Misuse(`${name} is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  const text = content.replace(/^\uFEFF/, '');
  const isYaml = ['.yaml', '.yml'].includes(extname(name).toLowerCase());
  try {
    const value = (isYaml ? parseYaml(text) : parseJson(text)) as JsonObject;
    if (object(value) !== value) throw new Error('it must be an object');
    return value;
  } catch (error) {
    throw new Misuse(`${name} cannot be read: ${(error as Error).message.trim()}`);
  }
}

function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  refuseDuplicateKeys(text);
  return value;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/** Rejects duplicate keys: `JSON.parse` silently keeps the last one, other parsers the first. @param text valid JSON */
function refuseDuplicateKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token !== ':') last = token;
    else {
      const key = JSON.parse(last) as string;
      const keys = open.at(-1)!;
      if (keys.has(key)) throw new Error(`it has the key ${last} twice in one object`);
      keys.add(key);
    }
  }
}

function parseYaml(text: string): unknown {
  const parsed = parseDocument(text, { version: '1.2', merge: true });
  const [problem] = parsed.errors;
  if (problem) throw problem;
  return parsed.toJS({ maxAliasCount: MAX_ALIASES });
}
