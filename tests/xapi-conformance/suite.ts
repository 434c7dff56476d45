import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Check, expect } from '../mcp-conformance/checks.ts';
import type { Seen } from './drive.ts';

export interface XapiOptions {
  service: string;
  key: string;
  home: string;
}

/** The parts of the suite about sending statements; the others concern reading them and other resources. */
const PARTS = /^(E\.)?Data|^H\.Communication(1\.[245]|2\.[18]|3\.[23]|4\.0)-.*js$/;
const DIRECTORY = 'v1_0_3';

/**
 * Returns the checks that use ADL's suite (https://github.com/adlnet/lrs-conformance-test-suite, in no package
 * registry) in the folder `XAPI_SUITE`, with its packages installed.
 */
export function xapiChecks(options: XapiOptions): Check[] {
  const folder = process.env.XAPI_SUITE;
  if (folder === undefined || !existsSync(join(folder, 'node_modules'))) {
    console.log('skip  xAPI: XAPI_SUITE names no folder of its conformance suite with its packages installed');
    return [];
  }
  return [{ what: 'conformance: statements of xAPI 1.0.3', look: () => lookAtStatements(folder, options) }];
}

async function lookAtStatements(folder: string, { service, key, home }: XapiOptions): Promise<string> {
  const source = await makeSource(service, key);
  const tests = join(folder, 'test', DIRECTORY);
  const files = (await readdir(tests)).filter((file) => PARTS.test(file)).map((file) => join(tests, file));
  const result = join(home, 'xapi.json');
  await drive([result, ...files], {
    cwd: folder,
    env: {
      ...{ PATH: '', DIRECTORY, XAPI_VERSION: '1.0.3', LRS_ENDPOINT: `${service}/xapi` },
      ...{ BASIC_AUTH_ENABLED: 'true', BASIC_AUTH_USER: source.id, BASIC_AUTH_PASSWORD: source.secret },
    },
  });
  return judge(JSON.parse(await readFile(result, 'utf8')) as Seen[]);
}

/** Compares failures with the known ones; a known one that passes must leave the list. */
async function judge(seen: Seen[]): Promise<string> {
  const exceptions = parse(await readFile(join(import.meta.dirname, 'exceptions.yml'), 'utf8')) as {
    why: string;
    tests: string[];
  }[];
  const known = exceptions.flatMap(({ tests }) => tests);
  const failed = seen.filter(({ passed, reads }) => !passed && !reads);
  const isKnown = ({ title }: Seen) => known.some((part) => title.includes(part));
  const unexpected = failed.filter((test) => !isKnown(test)).map(({ title, message }) => `${title}\n  ${message}`);
  const stale = known.filter((part) => !failed.some(({ title }) => title.includes(part)));
  expect(unexpected.length === 0, unexpected.join('\n'));
  expect(stale.length === 0, `No longer fail:\n${stale.join('\n')}`);
  const passed = seen.filter((test) => test.passed).length;
  const readers = seen.length - passed - failed.length;
  expect(passed > 1000, `Only ${passed} tests have passed.`);
  return `${passed} tests pass, ${readers} read statements, ${failed.length} fail as expected`;
}

async function makeSource(service: string, key: string): Promise<{ id: string; secret: string }> {
  const answer = await fetch(`${service}/v1/sources`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Conformance', kind: 'xapi' }),
  });
  return ((await answer.json()) as { data: { id: string; secret: string } }).data;
}

function drive(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const program = join(import.meta.dirname, 'drive.ts');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-deprecation', program, ...args], { ...options, stdio: 'ignore' });
    child.once('error', reject).once('close', () => resolve());
  });
}
