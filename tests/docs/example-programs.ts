import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import demoKeys from '../../seeds/demo-keys.json' with { type: 'json' };
import type { OperationId } from '../../src/contract/contract.ts';
import { type ContractDocument, listOperations } from '../../src/docs/document.ts';
import { writeExamples } from '../../src/docs/examples/languages.ts';
import { callsOf, holderOf, MAKES_A_DRAFT, OF_OWN_SIMULATIONS, sendExample, turnOf } from '../seeds/example-calls.ts';
import { SECRETS_KEY } from '../../seeds/demo-sources.ts';
import { startService, statusOf, stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { exampleFile } from '../support/contract-requests.ts';

// Runs the examples of the pages of operations as their readers do: in a folder with a policy and a course, with the
// URL and the key in the environment, against the demo.

export interface Example {
  operationId: OperationId;
  code: string;
}

/** A way to run the examples of a language. */
export interface Toolchain {
  fence: string;
  /** Writes the programs into a folder, and builds them. */
  prepare: (folder: string, examples: readonly Example[]) => Promise<void>;
  /**
   * Returns the command that runs examples, and its arguments. A program that runs several prints the names of those
   * that fail, each after `failed: ` on a line.
   */
  command: (examples: readonly Example[]) => [string, ...string[]];
  /** Maximum number of examples that one program runs. */
  maxExamples: number;
}

/** Examples whose calls the demo rejects, in any language. */
const REJECTED: readonly OperationId[] = [
  ...OF_OWN_SIMULATIONS,
  // The demo's course has results, and the demo's version has signatures.
  'deleteCourse',
  'deletePolicyVersion',
  // The signature in the environment does not match the body.
  'receiveGoPhishEvent',
];

export async function readExamples(fence: string): Promise<Example[]> {
  const document = JSON.parse(await readFile('generated/openapi.json', 'utf8')) as ContractDocument;
  return listOperations(document)
    .map((entry) => {
      const { code } = writeExamples(document, entry).find((example) => example.fence === fence)!;
      return { operationId: entry.operation.operationId as OperationId, code };
    })
    .toSorted((a, b) => turnOf(a.operationId) - turnOf(b.operationId));
}

/** Starts a service on the database of the test, which has the demo's breaches. Returns its URL. */
async function startDemo(): Promise<string> {
  const own = { DATABASE_URL: testService.database.serviceUrl, SECRETS_KEY, RATE_LIMIT_PER_MINUTE: '0' };
  const { url } = await startService({ ...own, ROLES: 'api', LOG_LEVEL: 'error' });
  const address = url.replace(/\/v1$/, '');
  await until(async () => (await statusOf(`${address}/v1/ready`)) === 200);
  return address;
}

/** Reports whether a program starts, such as `go version`. */
export function isInstalled(command: string, ...args: string[]): Promise<boolean> {
  return promisify(execFile)(command, args).then(
    () => true,
    () => false,
  );
}

/** Runs the example of every operation, and expects that all succeed except those of `REJECTED`. */
export async function expectExamplesToRun({ fence, prepare, command, maxExamples }: Toolchain): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'));
  try {
    const examples = await readExamples(fence);
    await prepare(folder, examples);
    const url = await startDemo();
    for (const operationId of ['uploadPolicyFile', 'uploadCoursePackage'] as const) {
      const { fileName, bytes } = exampleFile(operationId);
      await writeFile(join(folder, fileName), bytes);
    }
    const failures = new Map<OperationId, string>();
    for (const batch of splitBatches(examples, maxExamples)) {
      const [{ operationId }] = batch as [Example];
      await makeDraft(url, operationId);
      const [program, ...args] = command(batch);
      const env = { ...process.env, URL: url, KEY: demoKeys[holderOf(operationId)], SIGNATURE: 'none' };
      const options = { cwd: folder, env, maxBuffer: 100_000_000 };
      const failure = await promisify(execFile)(program, args, options).then(
        () => undefined,
        (error: Error) => Object.values(error).join('\n'),
      );
      if (failure === undefined) continue;
      const named = [...failure.matchAll(/^failed: (\w+)/gm)].map((match) => match[1] as OperationId);
      for (const name of named.length > 0 ? named : [operationId]) failures.set(name, failure.slice(-2000));
    }
    const unexpected = [...failures].filter(([operationId]) => !REJECTED.includes(operationId));
    expect(Object.fromEntries(unexpected)).toEqual({});
    expect([...failures.keys()].toSorted()).toEqual(REJECTED.toSorted());
  } finally {
    stopServices();
    await rm(folder, { recursive: true });
  }
}

/** Splits examples into batches that need the same key. An example that needs a draft begins a batch. */
function splitBatches(examples: readonly Example[], maxLength: number): Example[][] {
  const batches: Example[][] = [];
  for (const example of examples) {
    const last = batches.at(-1);
    const isApart =
      last === undefined ||
      last.length >= maxLength ||
      MAKES_A_DRAFT[example.operationId] !== undefined ||
      holderOf(last[0]!.operationId) !== holderOf(example.operationId);
    if (isApart) batches.push([example]);
    else last.push(example);
  }
  return batches;
}

async function makeDraft(url: string, operationId: OperationId): Promise<void> {
  const before = MAKES_A_DRAFT[operationId];
  if (before)
    await sendExample(
      `${url}/v1`,
      callsOf(before).find(({ example }) => example === 'draft')!,
    );
}

/** Writes each example to its own file. */
export async function writePrograms(
  folder: string,
  examples: readonly Example[],
  name: (example: Example) => string,
): Promise<void> {
  for (const example of examples) {
    const file = join(folder, name(example));
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, `${example.code}\n`);
  }
}
