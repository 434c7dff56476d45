import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { type JsonObject, object } from '../contract-document.ts';
import { at } from './pointers.ts';
import { referencesIn } from './usage.ts';

export const bundle = 'generated/openapi.json';

/** The gate was called wrongly: exit code 2. */
export class Misuse extends Error {}

export interface Contract {
  name: string;
  document: JsonObject;
}

/** The contract in a file, or the bundle of a git ref. */
export async function contractOf(root: string, given: string): Promise<Contract> {
  const path = resolve(root, given);
  if (await isFile(path)) return { name: given, document: parsed(given, await readFile(path, 'utf8')) };
  if (given.startsWith('-') || (await git(root, 'rev-parse', '--verify', '--quiet', `${given}^{commit}`)) === null)
    throw new Misuse(`${given} is neither a file nor a git ref`);
  const text = await git(root, 'show', `${given}:${bundle}`);
  if (text === null) throw new Misuse(`${given} has no ${bundle}`);
  return { name: given, document: parsed(`${given}:${bundle}`, text) };
}

/** What was released last: the newest tag `v…` below HEAD, or else where HEAD left main; or why there is nothing. */
export async function lastReleased(root: string, head: JsonObject): Promise<Contract | { nothing: string }> {
  const base = await releaseRef(root);
  if (base === null) return { nothing: 'there is no tag v*, and no main to compare with' };
  const text = await git(root, 'show', `${base.ref}:${bundle}`);
  if (text === null) return { nothing: `${base.name} has no ${bundle}` };
  const document = parsed(`${base.name}:${bundle}`, text);
  const isHead = (await git(root, 'rev-parse', `${base.ref}^{commit}`)) === (await git(root, 'rev-parse', 'HEAD'));
  if (isHead && JSON.stringify(document) === JSON.stringify(head))
    return { nothing: `${base.name} is this very commit` };
  return { name: base.name, document };
}

async function releaseRef(root: string): Promise<{ ref: string; name: string } | null> {
  const tag = await git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD');
  if (tag) return { ref: tag.trim(), name: `release ${tag.trim()}` };
  for (const main of ['origin/main', 'main']) {
    const fork = await git(root, 'merge-base', 'HEAD', main);
    if (fork)
      return { ref: fork.trim(), name: `the merge base with ${main} (${fork.slice(0, 9)}; no tag v* is below HEAD)` };
  }
  return null;
}

/** The output of git, or null where it fails: no repository, no such ref, no such file. */
async function git(root: string, ...args: string[]): Promise<string | null> {
  const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
  return promisify(execFile)('git', args, options).then(
    ({ stdout }) => stdout,
    () => null,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

function parsed(name: string, text: string): JsonObject {
  let document: JsonObject;
  try {
    document = object((['.yaml', '.yml'].includes(extname(name)) ? parse(text) : JSON.parse(text)) as JsonObject);
  } catch (error) {
    throw new Misuse(`${name} cannot be read: ${(error as Error).message}`);
  }
  if (typeof document.openapi !== 'string' || !document.openapi.startsWith('3.'))
    throw new Misuse(`${name} is not an OpenAPI 3 document`);
  for (const reference of referencesIn(document)) {
    if (!reference.startsWith('#/')) throw new Misuse(`${name} is not bundled: it refers to ${reference}`);
    if (at(document, reference) === undefined)
      throw new Misuse(`${name} refers to ${reference}, which it does not hold`);
  }
  return document;
}
