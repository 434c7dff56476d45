import type { IncomingMessage } from 'node:http';
import { type CallToolResult, SERVER_INFO_META_KEY } from '@modelcontextprotocol/server';
import type { Response } from 'express';
import { sendJson } from '../http/response/respond.ts';
import type { SingleRequest } from './exchange.ts';
import { isObject } from './presentation.ts';
import { INFO } from './server-info.ts';

type Era = SingleRequest['classification']['era'];

/** A call of a tool with which there is nothing to do but to run the tool. */
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

const MAX_KNOWN = 1000;
const MAX_KNOWN_LENGTH = 2000;

/**
 * Finds the calls that the library need not be asked about: it has served one in the same circumstances before, and would make
 * a server for this one alone. Rules of our own would be a second list beside its own.
 */
export class PlainCalls {
  /** What a client sends beside the tool and its arguments, the same with each call, and the era of the protocol. */
  readonly #served = new Map<string, Era>();

  /** The call in a body; undefined for what the library has to judge. */
  find({ headers }: IncomingMessage, body: unknown): PlainCall | undefined {
    if (!isPlain(body)) return undefined;
    const { id, params } = body;
    const era = this.#served.get(serializeCircumstances(headers, params));
    if (era === undefined || (era === 'modern' && headers['mcp-name'] !== params.name)) return undefined;
    return { id, name: params.name, arguments: params.arguments, era };
  }

  /** To be called when the library has answered a request with a result. */
  recordServed({ headers }: IncomingMessage, { request, classification }: SingleRequest): void {
    if (!isPlain(request)) return;
    const circumstances = serializeCircumstances(headers, request.params);
    if (circumstances.length > MAX_KNOWN_LENGTH) return;
    if (this.#served.size >= MAX_KNOWN) this.#served.clear();
    this.#served.set(circumstances, classification.era);
  }
}

/** What the current protocol says beside each result, which has a field of its own before it. */
const TOLD_OF_MODERN = JSON.stringify({ resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: INFO } }).slice(1);

/** Answers a plain call as the library does. */
export function sendResult(res: Response, { id, era }: PlainCall, result: CallToolResult): void {
  const text = JSON.stringify(result);
  const resultText = era === 'modern' ? `${text.slice(0, -1)},${TOLD_OF_MODERN}` : text;
  sendJson(res, 200, `{"result":${resultText},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, 'application/json');
}

/** All that the judgement of a plain call depends on, but for the tool. How a call reports progress does not matter. */
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
  const { arguments: given = {}, _meta = {} } = params;
  return isObject(given) && isObject(_meta) && hasOnly(body, CALL_KEYS) && hasOnly(params, PARAMS_KEYS);
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function hasOnly(object: object, keys: ReadonlySet<string>): boolean {
  return Object.keys(object).every((key) => keys.has(key));
}
