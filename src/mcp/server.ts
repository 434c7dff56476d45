import {
  type CallToolResult,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  type ServerOptions,
  type Tool,
} from '@modelcontextprotocol/server';
import { tools } from '../../generated/tools.ts';
import type { Caller } from '../auth/caller.ts';
import { publicError } from '../http/response/public-error.ts';
import { REVISIONS } from './exchange.ts';
import { HELP_TOOL, INSTRUCTIONS } from './help.ts';
import { isObject } from './presentation.ts';
import { INFO } from './server-info.ts';
import { type CallTool, failedResult } from './tool-call.ts';
import { isOpenTo } from './tool-scopes.ts';

const LIST_VALID_MS = 300_000;
/** Error code for a rate limit, from the range that the protocol reserves for servers. The endpoint also uses it. */
const LIMITED = -32000;

/** Annotations of all tools. Tools only read, reach nothing outside the service and are idempotent. */
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** All tools as listed, sorted by name. */
const listedTools: Tool[] = [HELP_TOOL, ...tools]
  .map(({ name, title, description, inputSchema }) => {
    return { name, title, description, inputSchema, annotations: { title, ...READS } } as unknown as Tool;
  })
  .toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Lists the caller's tools. Omits a tool whose scope the caller lacks. */
function listTools(caller: Caller): Tool[] {
  return caller.scopes === null
    ? listedTools
    : listedTools.filter(({ name }) => name === HELP_TOOL.name || isOpenTo(caller, name));
}

export interface McpServerOptions {
  callTool: CallTool;
  /** Caller of the request that the server is created for. */
  caller: Caller;
  /** Counts a call against the key's limit. Throws if no call is left. */
  takeCall: () => void;
}

/** Creates a server that speaks each protocol version in `REVISIONS`, for one authenticated request. */
export type CreateServer = (options: McpServerOptions) => Server;

/** Creates a server for one request, without state that outlives the request. */
export const createServer: CreateServer = ({ callTool, caller, takeCall }) => {
  const server = new CountingServer(takeCall);
  server.setRequestHandler('tools/list', () => ({ tools: listTools(caller) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
    const result = await callTool({ name, arguments: args, caller });
    if (!result) throw invalid(`Tool ${name.slice(0, 100)} not found; use one that tools/list returns.`);
    return result;
  });
  return server;
};

type Handle = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

const OPTIONS: ServerOptions = {
  supportedProtocolVersions: REVISIONS,
  capabilities: { tools: { listChanged: false } },
  instructions: INSTRUCTIONS,
  cacheHints: { 'tools/list': { ttlMs: LIST_VALID_MS, cacheScope: 'private' } },
};

/**
 * Counts each request as a call, and checks it before the library does, because the library's error messages do not
 * help a model.
 */
class CountingServer extends Server {
  readonly #takeCall: () => void;

  constructor(takeCall: () => void) {
    super(INFO, OPTIONS);
    this.#takeCall = takeCall;
  }

  protected override _wrapHandler(method: string, handler: Handle): Handle {
    const handle = super._wrapHandler(method, handler);
    return async (request, context) => {
      const refused = this.#refused(method, request.params ?? {});
      return refused ?? handle(request, context).catch((thrown: unknown) => failed(method, thrown));
    };
  }

  /**
   * Returns a failure that the model can act on as the result of its call. Throws any other failure as a protocol
   * error.
   */
  #refused(method: string, params: Record<string, unknown>): CallToolResult | undefined {
    try {
      this.#takeCall();
    } catch (thrown) {
      const { message, code } = publicError(thrown);
      if (method === 'tools/call') return failedResult(message);
      throw new ProtocolError(LIMITED, message, { code });
    }
    if (method === 'tools/list' && params.cursor !== undefined) {
      throw invalid('`cursor` is not supported, because tools/list returns all tools at once; leave it out.');
    }
    if (method !== 'tools/call') return undefined;
    if (typeof params.name !== 'string') throw invalid('`name` must be the name of a tool that tools/list returns.');
    if (params.arguments === undefined || isObject(params.arguments)) return undefined;
    return failedResult('`arguments` must be an object of the arguments of the tool by name, or be left out.');
  }
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/**
 * Throws a protocol error. Our handlers throw only protocol errors; any other error comes from the library and is about
 * the request.
 */
function failed(method: string, thrown: unknown): never {
  throw thrown instanceof ProtocolError ? thrown : invalid(`\`params\` are invalid for ${method}.`);
}
