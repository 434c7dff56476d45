import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Json, JsonObject } from './contract-document.ts';

/** A node of the compared trees: the values are those of the documents that were handed in, by identity. */
interface TreeNode {
  value: Json;
  location: { pointer: string };
}

/** The same node of both trees, and the other places that refer to it. */
export interface NodePair {
  base?: TreeNode;
  revision?: TreeNode;
  parent: NodePair | null;
  referencedBy: NodePair[];
}

interface Place {
  location: { pointer: string };
  value?: Json;
}

export interface EngineChange {
  kind: 'added' | 'removed' | 'modified';
  path: string;
  property?: string;
  node: NodePair;
  base?: Place;
  revision?: Place;
  verdicts: { ruleId: string; message: string }[];
}

interface Engine {
  diff: (input: { base: unknown; revision: unknown; config: unknown }) => Promise<{
    changes: EngineChange[];
    problems: { message: string }[];
  }>;
  configure: (config: { extends: string[] }) => Promise<unknown>;
}

/**
 * Redocly's diff, without a process for each comparison. The command-line package is the only one that carries the engine,
 * under names that its build makes up, so it is found by what it says. The version is pinned, and
 * tests/contract-diff/ holds an upgrade to every verdict that we rely on.
 */
let engine: Promise<Engine> | undefined;

/** Every difference between two documents, with the verdicts of the rules of `diff-recommended`. Throws on a dangling reference. */
export async function engineChanges(base: JsonObject, head: JsonObject): Promise<EngineChange[]> {
  const { diff, configure } = await (engine ??= loadEngine());
  const config = await configure({ extends: ['diff-recommended'] });
  const { changes, problems } = await diff({ base: asFile('base', base), revision: asFile('head', head), config });
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join('; '));
  return changes;
}

function asFile(name: string, parsed: JsonObject) {
  return { source: { absoluteRef: `/${name}.json`, body: '' }, parsed };
}

async function loadEngine(): Promise<Engine> {
  const folder = join(import.meta.dirname, '../../node_modules/@redocly/cli/lib/chunks');
  for (const file of await readdir(folder)) {
    if (!(await readFile(join(folder, file), 'utf8')).includes('Cannot compare ')) continue;
    const chunk = (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>;
    return {
      diff: functionThat(chunk, (source) => source.includes('Cannot compare ')) as Engine['diff'],
      configure: functionThat(
        chunk,
        (source) => source.includes('rawConfigDocument') && !source.includes('customExtends'),
      ) as Engine['configure'],
    };
  }
  throw new Error('@redocly/cli holds no diff engine; is it the version that package.json pins?');
}

function functionThat(chunk: Record<string, unknown>, says: (source: string) => boolean): unknown {
  const found = Object.values(chunk).filter((one) => typeof one === 'function' && says(String(one)));
  if (found.length !== 1)
    throw new Error('the diff engine of @redocly/cli is not as in the version that package.json pins');
  return found[0];
}
