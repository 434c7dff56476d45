import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { attempt } from './attempts.ts';
import { contract } from './check.ts';
import { captureOutput, Failed } from './commands.ts';
import type { DemoService } from './demo-service.ts';
import { installNpmPackages, npmBin } from './npm-packages.ts';
import { type HttpCall, listProgramCalls, listReads } from './prism-calls.ts';

/** Header in which Prism lists how the request or the response violates the contract. */
const VIOLATIONS = 'sl-violations';
/** Media type of Prism's own responses, for calls that it could not forward. The service never uses it. */
const OF_PRISM = 'application/problem+json';
const ADDRESS = /Prism is listening on (http:\S+)/;

/**
 * Calls the demo through Prism, which validates each request and response against the contract, as integrators' proxies
 * do.
 * @returns the problems
 */
export async function checkThroughPrism(service: DemoService, wanted: string): Promise<string[]> {
  if (!'prism'.includes(wanted)) return [];
  return attempt('Prism', 'validating proxy', () => callThroughPrism(service));
}

async function callThroughPrism(service: DemoService): Promise<string> {
  await installNpmPackages();
  const calls = [...(await listProgramCalls(service)), ...(await listReads(service))];
  const violations = await withPrism(service.url, async (url) => {
    const found: string[] = [];
    for (const call of calls) found.push(...(await findViolations({ ...service, url }, call)));
    return found;
  });
  if (violations.length > 0) throw new Failed(violations.join('\n'));
  return `no violation in ${calls.length} calls`;
}

async function withPrism<T>(service: string, work: (url: string) => Promise<T>): Promise<T> {
  const options = ['proxy', contract, service, '--port', '0'];
  const prism = spawn(join(npmBin, 'prism'), options, { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(prism, 'close');
  try {
    return await work(await captureOutput('Prism', prism, ADDRESS));
  } finally {
    prism.kill('SIGTERM');
    await ended;
  }
}

async function findViolations({ url, key }: DemoService, { method, path, body }: HttpCall): Promise<string[]> {
  const isForm = body instanceof FormData;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isOfPrism = answer.headers.get('content-type')?.startsWith(OF_PRISM);
  const found = isOfPrism ? text : answer.headers.get(VIOLATIONS);
  return found ? [`${method} ${path} (${answer.status}): ${found}`] : [];
}
