import { join } from 'node:path';
import { Approver } from './approve.ts';
import { type Check, expect } from './checks.ts';
import { type Ended, programs, run } from './commands.ts';
import { closeServer, listen } from './services.ts';

/** Time limit of scenarios that wait for something that must not happen. */
const SCENARIO_MS = 8000;

export interface SuiteOptions {
  /** The URL of the suite's own tools, without a key. */
  fixture: string;
  /** The URL of the real tools, without a key. */
  tools: string;
  /** The URL of the service, which is its own authorization server. */
  service: string;
  key: string;
  home: string;
}

const realScenarios = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
    'http-header-validation',
    'caching',
  ],
};

/**
 * Returns the checks that use the official suite: the requirements of each revision on the fixture, and the scenarios
 * that need no tools of the suite on the service.
 */
export function suiteChecks(options: SuiteOptions): Check[] {
  const { fixture, tools, home } = options;
  const serve = (url: string, args: string[], baseline: string): Promise<Ended> => {
    const where = ['server', '--url', url, '--timeout', String(SCENARIO_MS), '--output-dir', join(home, 'results')];
    const expected = ['--expected-failures', join(import.meta.dirname, baseline)];
    return run(programs.conformance, [...where, ...args, ...expected], { home });
  };
  const required = Object.keys(realScenarios).map((revision) => ({
    what: `conformance: what ${revision} requires of a server, on the fixture`,
    look: async () => requiredSeen(await serve(fixture, ['--requirements', revision], 'stateless.yml')),
  }));
  const real = Object.entries(realScenarios).flatMap(([revision, scenarios]) =>
    scenarios.map((scenario) => ({
      what: `conformance: ${scenario} of ${revision}, on the tool server`,
      look: async () =>
        checksSeen(await serve(tools, ['--spec-version', revision, '--scenario', scenario], 'tools-only.yml')),
    })),
  );
  const authorization = { what: 'conformance: the authorization server', look: () => lookAtAuthorization(options) };
  return [...required, ...real, authorization];
}

function requiredSeen({ code, output }: Ended): string {
  expect(code === 0, output);
  const expected = output.match(/^ +~ /gm)?.length ?? 0;
  return `${output.match(/^✓ /gm)?.length} scenarios pass, ${expected} fail as expected`;
}

function checksSeen({ code, output }: Ended): string {
  expect(code === 0, output);
  return /Passed: (\d+\/\d+)/.exec(output)![1]!;
}

/** Checks the authorization server. The suite listens on a port for the browser's redirect. */
async function lookAtAuthorization({ service, key, home }: SuiteOptions): Promise<string> {
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  const registered = await fetch(`${service}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirect] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const args = ['authorization', '--url', service, '--client-id', clientId, '--resource', `${service}/mcp`];
  const approver = new Approver(key);
  const onOutput = (output: string) => approver.watch(output);
  const { code, output } = await run(programs.conformance, [...args, '--port', String(port)], { home, onOutput });
  await approver.hasApproved();
  expect(code === 0 && !/[1-9]\d* failed/.test(output) && !/SKIPPED|WARNING/.test(output), output);
  return (
    output
      .match(/^.*✓.*$/gm)
      ?.map((line) => line.replace(/^.*✓ /, ''))
      .join('; ') ?? 'passed'
  );
}

async function freePort(): Promise<number> {
  const { server, url } = await listen();
  await closeServer(server);
  return Number(new URL(url).port);
}
