import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { Approver } from './approve.ts';
import { type Check, expect } from './checks.ts';
import { type Ended, environment, programs, run } from './commands.ts';

export interface ClientOptions {
  /** The service's URL, without a trailing slash. */
  service: string;
  key: string;
  home: string;
}

const eras = ['legacy', 'modern'];
const COMPANY = 'Acme Industries';

/** Returns the checks that use popular client programs. */
export function clientChecks(options: ClientOptions): Check[] {
  return [...eras.flatMap((era) => inspectorChecks(era, options)), ...remoteChecks(options)];
}

function inspectorChecks(era: string, { service, key, home }: ClientOptions): Check[] {
  const ask = (...args: string[]): Promise<Ended> => {
    const where = ['--cli', `${service}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`];
    return run(programs.inspector, [...where, '--protocol-era', era, '--format', 'json', ...args], { home });
  };
  const call = (name: string, args: object): Promise<Ended> =>
    ask('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args));
  const look = (what: string, see: () => Promise<string>) => ({ what: `inspector, ${era}: ${what}`, look: see });
  return [
    look('lists the tools, and finds no schema that some model cannot take', async () => {
      const { code, output } = await ask('--method', 'tools/list', '--strict');
      expect(code === 0, output);
      return `${(JSON.parse(output) as { result: { tools: unknown[] } }).result.tools.length} tools`;
    }),
    look('reads the company', async () => {
      const { code, output } = await call('service_get_company', {});
      expect(code === 0 && output.includes(COMPANY), output);
      return COMPANY;
    }),
    look('reads a part of a list', async () => {
      const { code, output } = await call('service_list_learners', { limit: 2 });
      expect(code === 0 && output.includes('1 to 2'), output);
      return '1 to 2';
    }),
    look('is told what is wrong with an argument', async () => {
      const { code, output } = await call('service_list_learners', { limit: 'all' });
      expect(code === 5 && output.includes('`limit` must be an integer.'), output);
      return '`limit` must be an integer.';
    }),
  ];
}

function remoteChecks({ service, key, home }: ClientOptions): Check[] {
  const args = [programs.remote, `${service}/mcp`, '--transport', 'http-only', '--protocol'];
  const withKey = ['--header', `Authorization: Bearer ${key}`];
  return ['legacy', 'auto'].flatMap((protocol) => [
    {
      what: `mcp-remote, ${protocol}: with a key`,
      look: () => talk([...args, protocol, ...withKey], { home: join(home, `key-${protocol}`), key, isAsked: false }),
    },
    {
      what: `mcp-remote, ${protocol}: with what a person approves`,
      look: () => talk([...args, protocol], { home: join(home, `oauth-${protocol}`), key, isAsked: true }),
    },
  ]);
}

interface TalkOptions {
  home: string;
  key: string;
  /** Whether a person must approve the client, which the check does with the key. */
  isAsked: boolean;
}

/** Starts the bridge as a client does, and calls a tool through it. */
async function talk(args: string[], { home, key, isAsked }: TalkOptions): Promise<string> {
  const env = environment(home);
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  const approver = new Approver(key);
  let said = '';
  transport.stderr!.on('data', (part: Buffer) => {
    said += part.toString();
    approver.watch(said);
  });
  const client = new Client({ name: 'conformance', version: '1' });
  try {
    await client.connect(transport, { timeout: 30_000 });
    const { tools } = await client.listTools();
    const { content } = await client.callTool({ name: 'service_get_company', arguments: {} });
    expect(JSON.stringify(content).includes(COMPANY), JSON.stringify(content));
    expect((await approver.hasApproved()) === isAsked, 'It was let in otherwise.');
    return `${tools.length} tools, ${COMPANY}`;
  } catch (error) {
    await approver.hasApproved();
    throw new Error(`${String(error)}\n${said}`, { cause: error });
  } finally {
    await client.close();
  }
}
