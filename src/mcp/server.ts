import { ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';
import { contractVersion, tools } from '../../generated/tools.ts';
import type { Caller } from '../auth/caller.ts';
import { HELP_TOOL, INSTRUCTIONS } from './help.ts';
import type { CallTool } from './tool-call.ts';

const INFO = { name: 'security-awareness', title: 'Security Awareness Program Service', version: contractVersion };
const LIST_VALID_MS = 300_000;

/** All of this release read, touch nothing outside of the service, and may be called again. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Every tool as it is listed, in the order of the names. */
export const listedTools: Tool[] = [HELP_TOOL, ...tools]
  .map(({ name, title, description, inputSchema }) => {
    return { name, title, description, inputSchema, annotations: { title, ...READS } } as unknown as Tool;
  })
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

export interface McpServerOptions {
  callTool: CallTool;
  /** Of the request that the server is made for. */
  caller: Caller;
  /** Throws when the key has no calls left. */
  takeCall: () => void;
}

/** Makes what speaks the protocol for one request that was let in. */
export type CreateServer = (options: McpServerOptions) => Server;

/** A server for one request: nothing is remembered from one to the next. */
export function createServer({ callTool, caller, takeCall }: McpServerOptions): Server {
  const server = new Server(INFO, {
    capabilities: { tools: { listChanged: false } },
    instructions: INSTRUCTIONS,
    cacheHints: { 'tools/list': { ttlMs: LIST_VALID_MS, cacheScope: 'private' } },
  });
  server.setRequestHandler('tools/list', () => ({ tools: listedTools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const result = await callTool({ name: params.name, arguments: params.arguments, caller, takeCall });
    if (!result) {
      const name = String(params.name).slice(0, 100);
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${name}. tools/list names those there are.`,
      );
    }
    return result;
  });
  return server;
}
