// Tests the MCP server and its authorization server with the official conformance suite and real clients, xAPI with
// ADL's suite, SCIM with two tools from PyPI, and the GoPhish webhook with a campaign. Starts everything itself; the
// exit code is 1 if anything fails.
//   node tests/mcp-conformance/run.ts [suite] [clients] [xapi] [scim] [gophish]
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import keys from '../../seeds/demo-keys.json' with { type: 'json' };
import { lookAtAll } from './checks.ts';
import { clientChecks } from './clients.ts';
import { createFixtureServer } from './fixture/server.ts';
import { startKeyProxy } from './key-proxy.ts';
import { type ServiceOptions, startDatabase, startService } from './services.ts';
import { suiteChecks } from './suite.ts';
import { goPhishChecks } from '../gophish-conformance/suite.ts';
import { scimChecks } from '../scim-conformance/suite.ts';
import { xapiChecks } from '../xapi-conformance/suite.ts';

const parts = ['suite', 'clients', 'xapi', 'scim', 'gophish'];
const asked = process.argv.slice(2);
if (!asked.every((part) => parts.includes(part))) {
  console.error(`Usage: node tests/mcp-conformance/run.ts [${parts.join('] [')}]`);
  process.exit(64);
}

const home = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
const database = await startDatabase();
const databaseUrl = database.serviceUrl;
const closing: (() => Promise<void>)[] = [];
try {
  const service = await start({ databaseUrl });
  const fixture = await startBehindKey({ databaseUrl, createMcpServer: createFixtureServer });
  const tools = await startBehindKey({ databaseUrl });
  const options = { service, fixture: `${fixture}/mcp`, tools: `${tools}/mcp`, key: keys.tenant, home };
  for (const name of ['key-legacy', 'key-auto', 'oauth-legacy', 'oauth-auto']) await mkdir(join(home, name));
  const isAsked = (part: string) => asked.length === 0 || asked.includes(part);
  const checks = [
    ...(isAsked('suite') ? suiteChecks(options) : []),
    ...(isAsked('clients') ? clientChecks(options) : []),
    ...(isAsked('xapi') ? xapiChecks(options) : []),
    ...(isAsked('scim') ? await scimChecks({ service, key: keys.otherTenant }) : []),
    ...(isAsked('gophish') ? goPhishChecks(options) : []),
  ];
  if (!(await lookAtAll(checks))) process.exitCode = 1;
} finally {
  for (const close of closing) await close();
  await database.server.stop();
  await rm(home, { recursive: true });
}

async function start(options: ServiceOptions): Promise<string> {
  const service = await startService(options);
  closing.push(() => service.close());
  return service.url;
}

/** Starts a service behind the key proxy, for clients that cannot send a key. Its public URL is the proxy's. */
async function startBehindKey(options: ServiceOptions): Promise<string> {
  const proxy = await startKeyProxy(keys.tenant);
  closing.push(() => proxy.close());
  proxy.target = await start({ ...options, publicUrl: proxy.url });
  return proxy.url;
}
