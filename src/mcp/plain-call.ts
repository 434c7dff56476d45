import type { IncomingMessage } from 'node:http';
import { type CallToolResult, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { sendJson } from '../http/response/respond.ts';
import type { SingleRequest } from './exchange.ts';
import { isObject } from './presentation.ts';
import { INFO } from './server-info.ts';

type Era = SingleRequest['classification']['era'];

/** A tool call that requires nothing but running the tool. */
export interface PlainCall {
  id: string | number;
  name: string;
  arguments: object | undefined;
  era: Era;
}

interface Params {
  name: string;
  arguments?: object;
  _meta?: Record<string, unknown>;
}

const MAX_ENTRIES = 1000;
const MAX_KNOWN_LENGTH = 2000;

/**
 * Finds tool calls that can bypass the library, because the library has already served a call under the same
 * circumstances (see `#served`). The library would create a server for each call. The circumstances are learned from
 * served calls, so that the library's rules are not duplicated here.
 */
export class PlainCalls {
  /** Protocol era by circumstances of served calls: all that a client sends except the tool and its arguments. */
  readonly #served = new Map<string, Era>();

  /** Returns the call in a body; undefined if the library must handle it. */
  find({ headers }: IncomingMessage, body: unknown): PlainCall | undefined {
    if (!isPlain(body)) return undefined;
    const { id, params } = body;
    const era = this.#served.get(serializeCircumstances(headers, params));
    if (era === undefined || (era === 'modern' && headers['mcp-name'] !== params.name)) return undefined;
    return { id, name: params.name, arguments: params.arguments, era };
  }

  /** Records the circumstances of a request that the library has answered with a result. */
  recordServed({ headers }: IncomingMessage, { request, classification }: SingleRequest): void {
    if (!isPlain(request)) return;
    const circumstances = serializeCircumstances(headers, request.params);
    if (circumstances.length > MAX_KNOWN_LENGTH) return;
    if (this.#served.size >= MAX_ENTRIES) this.#served.clear();
    this.#served.set(circumstances, classification.era);
  }
}

/** Fields that the current protocol adds to each result, as the end of a JSON object. */
const MODERN_RESULT_FIELDS = JSON.stringify({ resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: INFO } }).slice(
  1,
);

/** Sends the result of a plain call as the library would. */
export function sendResult(res: Response, { id, era }: PlainCall, result: CallToolResult): void {
  const text = JSON.stringify(result);
  const resultText = era === 'modern' ? `${text.slice(0, -1)},${MODERN_RESULT_FIELDS}` : text;
  sendJson(res, 200, `{"result":${resultText},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, 'application/json');
}

/** Serialises everything that decides whether a call is plain, except the tool and the value of a progress token. */
function serializeCircumstances(headers: IncomingMessage['headers'], { _meta = {} }: Params): string {
  const { progressToken, ...meta } = _meta;
  const { accept, 'content-type': type, 'mcp-protocol-version': version, 'mcp-method': method } = headers;
  return JSON.stringify([accept, type, version, method, progressToken === undefined || isId(progressToken), meta]);
}

const CALL_KEYS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS_KEYS = new Set(['name', 'arguments', '_meta']);

function isPlain(body: unknown): body is { id: string | number; params: Params } {
  if (!isObject(body) || body.method !== 'tools/call' || body.jsonrpc !== '2.0' || !isId(body.id)) return false;
  const { params } = body;
  if (!isObject(params) || typeof params.name !== 'string') return false;
  const { arguments: args = {}, _meta = {} } = params;
  return isObject(args) && isObject(_meta) && hasOnly(body, CALL_KEYS) && hasOnly(params, PARAMS_KEYS);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function hasOnly(object: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => keys.has(key));
}
