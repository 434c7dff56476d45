import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { execute, Failed, fetched, once, Skipped } from '../../scripts/sdk-check/commands.ts';
import { type Check, expect } from '../mcp-conformance/checks.ts';

export interface ScimOptions {
  service: string;
  key: string;
}

const environment = join(import.meta.dirname, '../../.tools/scim');
const bin = join(environment, 'bin');
/** The e-mail addresses of scim-sanity's users; its default domain, example.com, counts as a free e-mail provider. */
const EMAILS = JSON.stringify({ emails: [{ value: 'probe@directory-check.test', type: 'work', primary: true }] });

/**
 * Returns the checks that use scim2-tester and scim-sanity from PyPI in a virtual environment. Without Python, skips
 * the checks with a message.
 */
export async function scimChecks(options: ScimOptions): Promise<Check[]> {
  try {
    await installed();
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`skip  SCIM: ${error.message}`);
    return [];
  }
  const key = once(() => makeKey(options));
  const service = `${options.service}/scim/v2`;
  return [
    { what: 'conformance: SCIM by scim2-tester', look: async () => lookWithTester(service, await key()) },
    { what: 'conformance: SCIM by scim-sanity', look: async () => lookWithSanity(service, await key()) },
  ];
}

const installed = once(async () => {
  const mark = join(environment, '.installed');
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const wanted = await readFile(requirements, 'utf8');
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted) return;
  await mkdir(environment, { recursive: true });
  await fetched('a virtual environment', () => execute('python3', ['-m', 'venv', '--clear', environment]));
  const pip = ['install', '--quiet', '--retries', '1', '--timeout', '20', '-r', requirements];
  await fetched('its Python packages', () => execute(join(bin, 'pip'), pip));
  await cp(requirements, mark);
});

async function lookWithTester(service: string, key: string): Promise<string> {
  const env = { SCIM_CLI_HEADERS: `Authorization: Bearer ${key}`, NO_COLOR: '1' };
  const said = await outputOf('scim2', ['--url', service, 'test', '--verbose'], env);
  return judge(said, /^(SUCCESS|ERROR|CRITICAL|DEVIATION)/, { passes: 'SUCCESS', least: 60 });
}

async function lookWithSanity(service: string, key: string): Promise<string> {
  const args = [
    'probe',
    service,
    '--token',
    key,
    '--i-accept-side-effects',
    '--user-domain',
    'directory-check.test',
    '--extra-user-fields',
    EMAILS,
  ];
  const said = await outputOf('scim-sanity', args);
  return judge(said, /^\[(PASS|FAIL|WARN)\]/, { passes: '[PASS]', least: 17 });
}

/** Returns the output of a tool, whether it succeeds or fails. */
async function outputOf(tool: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  try {
    return await execute(join(bin, tool), args, { env });
  } catch (error) {
    if (error instanceof Failed) return error.message;
    throw error;
  }
}

interface Passed {
  /** The prefix of a passed check. */
  passes: string;
  /** The minimum number of passed checks; fewer mean that the tool stopped early. */
  least: number;
}

/** Compares complaints with the known ones; a known one that no longer occurs must leave the list. */
async function judge(said: string, verdict: RegExp, { passes, least }: Passed): Promise<string> {
  const lines = said.split('\n').map((line) => line.trim());
  const verdicts = lines.flatMap((line, index) => (verdict.test(line) ? [`${line} ${lines[index + 1] ?? ''}`] : []));
  const [good, bad] = [true, false].map((isGood) => verdicts.filter((one) => one.startsWith(passes) === isGood));
  const known = (await exceptions()).filter((one) => verdict.test(one));
  const unexpected = bad!.filter((one) => !known.some((part) => one.startsWith(part)));
  const stale = known.filter((part) => !bad!.some((one) => one.startsWith(part)));
  expect(unexpected.length === 0, unexpected.join('\n'));
  expect(stale.length === 0, `No longer said:\n${stale.join('\n')}`);
  expect(good!.length >= least, `Only ${good!.length} checks have passed.\n${said}`);
  return `${good!.length} checks pass, ${bad!.length} complain as expected`;
}

async function exceptions(): Promise<string[]> {
  const entries = parse(await readFile(join(import.meta.dirname, 'exceptions.yml'), 'utf8')) as { said: string[] }[];
  return entries.flatMap(({ said }) => said);
}

async function makeKey({ service, key }: ScimOptions): Promise<string> {
  const answer = await fetch(`${service}/v1/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Conformance', scopes: ['scim'] }),
  });
  return ((await answer.json()) as { data: { secret: string } }).data.secret;
}
