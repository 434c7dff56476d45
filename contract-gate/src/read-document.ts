import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { parse } from 'yaml';
import { type JsonObject, object, at } from './document.ts';
import { git } from './history/git.ts';
import { referencesIn } from './usage.ts';

export const bundle = 'generated/openapi.json';

/** The last released contract: the baseline of the gate. Only `make release` writes it. */
export const released = 'api/released/openapi.json';

/** The contract of the SCIM door, and the last released one. */
export const scimBundle = 'generated/scim.json';
export const scimReleased = 'api/released/scim.json';

/** The gate was called wrongly: exit code 2. */
export class Misuse extends Error {
  readonly exitCode: number = 2;
}

/** The baseline is missing, or is not what was released: exit code 4. */
export class NoBaseline extends Misuse {
  override readonly exitCode = 4;
}

const MISSING =
  `Nothing to compare with: ${released}, the last released contract, is missing. ` +
  '`make release` writes it, also the first time; after a release, restore it from git. ' +
  'Until then, compare with another contract: make contract-diff BASE=<git ref or file>';

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

/** The last released contract. @throws {NoBaseline} before the first release, and when the file is not what its tag has */
export async function releasedContract(root: string): Promise<Contract> {
  const text = await readFile(resolve(root, released), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new NoBaseline(MISSING);
    throw error;
  });
  const tag = await newestTag(root);
  const tagged = tag === null ? null : await git(root, 'show', `${tag}:${released}`);
  if (tagged !== null && tagged !== text)
    throw new NoBaseline(
      `${released} is not what ${tag} released, and only \`make release\` writes it: git checkout ${tag} -- ${released}`,
    );
  return { name: `${released}${tag === null ? '' : ` (${tag})`}`, document: parsed(released, text) };
}

/** The tag of the last release below HEAD. */
export async function newestTag(root: string): Promise<string | null> {
  const tag = await git(root, 'describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD');
  return tag?.trim() ?? null;
}

/** The contract at the merge base of HEAD and main. Null without a main, or without a contract there. */
export async function contractAtMergeBase(root: string): Promise<Contract | null> {
  for (const main of ['origin/main', 'main']) {
    const fork = (await git(root, 'merge-base', 'HEAD', main))?.trim();
    if (!fork) continue;
    const text = await git(root, 'show', `${fork}:${bundle}`);
    const name = `where HEAD left ${main} (${fork.slice(0, 9)})`;
    return text === null ? null : { name, document: parsed(`${fork}:${bundle}`, text) };
  }
  return null;
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
