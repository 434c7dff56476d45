import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { tools } from '../../generated/tools.ts';
import type { Caller } from '../auth/caller.ts';
import { type ApiError, type ErrorCode, formatFieldError } from '../contract/errors.ts';
import type { Invoke } from '../operations/invoke.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics/metrics.ts';
import { logFailure } from '../http/response/error-response.ts';
import { publicError } from '../http/response/public-error.ts';
import { HELP_TOOL, helpOn } from './help.ts';
import { present } from './presentation.ts';
import { readArguments, type ToolEntry } from './tool-arguments.ts';
import { isOpenTo } from './tool-scopes.ts';

export interface ToolCall {
  name: string;
  arguments: unknown;
  caller: Caller;
}

/** Runs a tool; returns undefined if the caller has no tool of this name. Failures are part of the result. */
export type CallTool = (call: ToolCall) => Promise<CallToolResult | undefined>;

const byName = new Map<string, ToolEntry>(tools.map((tool) => [tool.name, tool]));

export interface CallToolOptions {
  invoke: Invoke;
  logger: Logger;
  metrics: Pick<Metrics, 'toolCall'>;
}

/** Creates the tools for AI clients. Each tool runs one or more operations of the contract as REST does. */
export function createCallTool({ invoke, logger, metrics }: CallToolOptions): CallTool {
  return async ({ name, arguments: args, caller }) => {
    const tool = isOpenTo(caller, name) ? byName.get(name) : undefined;
    if (!tool && name !== HELP_TOOL.name) return undefined;
    try {
      const result = textResult(tool ? await run(invoke, { tool, args, caller }) : helpOn(args, caller));
      metrics.toolCall(name, 'ok');
      return result;
    } catch (thrown) {
      const error = publicError(thrown);
      metrics.toolCall(name, error.code);
      return failedResult(formatFailure(error, { name, args, logger }));
    }
  };
}

async function run(invoke: Invoke, { tool, args, caller }: { tool: ToolEntry; args: unknown; caller: Caller }) {
  const { operation, input, offset, limit } = readArguments(tool, args);
  return present(await invoke(operation.operationId, caller, input), operation.rows, { offset, limit });
}

function textResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text }] };
}

/** Builds the result of a failed call, which a model reads. */
export function failedResult(sentences: string): CallToolResult {
  return { ...textResult(sentences), isError: true };
}

/** Advice to a model about failures whose messages give no advice. */
const REMEDIES: Partial<Record<ErrorCode, string>> = {
  not_found: 'Use ids from the list tools, with the same companyId.',
  module_not_enabled: 'This tool works only once the plan includes the module.',
};

interface Failed {
  name: string;
  args: unknown;
  logger: Logger;
}

function formatFailure(error: ApiError, { name, args, logger }: Failed): string {
  const sentences = [formatToolError(error), findRemedy(error, args)];
  if (error.status >= 500) {
    const reference = randomUUID();
    logFailure(logger, { reference, tool: name }, error);
    sentences.push(`Reference: ${reference}.`);
  }
  return sentences.filter(Boolean).join(' ');
}

/** Formats an error with only the argument's name: its location in an HTTP request means nothing to a model. */
function formatToolError({ message, details }: ApiError): string {
  const [first] = details;
  return first ? formatFieldError({ ...first, field: first.field.slice(first.field.indexOf('/') + 1) }) : message;
}

function findRemedy({ code, advice }: ApiError, args: unknown): string | undefined {
  const namesCompany = Object.hasOwn((args as object | undefined) ?? {}, 'companyId');
  if (code === 'forbidden' && namesCompany) return 'Take companyId from service_list_companies, or leave it out.';
  return advice ?? REMEDIES[code];
}
