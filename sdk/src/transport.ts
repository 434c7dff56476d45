import { readError } from './answer.ts';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import { tellDeprecation } from './deprecation.ts';
import type { CallOptions } from './options.ts';
import type { OperationRequest } from './request.ts';
import { mayRepeat, pause, waitMsBefore } from './retry.ts';
import { checked, checkedKey, type Settings } from './settings.ts';

/**
 * A function that reads a successful response. A response that is returned unread can take longer than the time-out;
 * the signal still applies.
 */
export type Read<T> = (response: Response) => T | Promise<T>;

/**
 * Sends a request, and retries it until it succeeds, must not be repeated, or has no retries left.
 * @throws {ApiError | ConnectionError | TimeoutError} the error of the last attempt, or the reason of the caller's
 * signal
 */
export async function send<T>(
  settings: Settings,
  request: OperationRequest,
  read: Read<T>,
  options: CallOptions = {},
): Promise<T> {
  const { signal, repeatable = false } = options;
  const idempotencyKey = request.once ? chooseKey(options) : undefined;
  const isHarmless = repeatable || request.method === 'GET' || idempotencyKey !== undefined;
  const maxRetries = checked('maxRetries', options.maxRetries ?? settings.maxRetries, 0);
  const timeoutMs = checked('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1);
  for (let repeated = 0; ; repeated++) {
    try {
      return await attempt(settings, { ...request, idempotencyKey, ifMatch: options.ifMatch }, read, timeoutMs, signal);
    } catch (failure) {
      if (signal?.aborted || repeated >= maxRetries || !mayRepeat(failure, isHarmless)) throw failure;
      const retryAfter = failure instanceof ApiError ? failure.retryAfter : null;
      if (retryAfter !== null && retryAfter * 1000 > settings.maxRetryWaitMs) throw failure;
      await pause(waitMsBefore(repeated, retryAfter), signal);
    }
  }
}

interface KeyedRequest extends OperationRequest {
  idempotencyKey: string | undefined;
  ifMatch: string | undefined;
}

/**
 * Returns the caller's key or a new one. Does not use `randomUUID`, which browsers hide from pages loaded over http.
 */
function chooseKey({ idempotencyKey }: CallOptions): string {
  if (idempotencyKey !== undefined) return checkedKey(idempotencyKey);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function attempt<T>(
  settings: Settings,
  request: KeyedRequest,
  read: Read<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const late = new TimeoutError(`No complete response within ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  // `AbortSignal.any` is used, because a separate listener would have to remain on the signal until the response has
  // been read.
  const either = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  try {
    const response = await settings.fetch(settings.baseUrl + request.target, buildInit(settings, request, either));
    tellDeprecation(settings, request.operationId, response);
    if (!response.ok) throw await readError(response);
    return await read(response);
  } catch (error) {
    if (either.aborted) throw either.reason;
    if (error instanceof ApiError) throw error;
    throw new ConnectionError(`No complete response from ${new URL(settings.baseUrl).host}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function buildInit(settings: Settings, request: KeyedRequest, signal: AbortSignal) {
  const { method, contentType, body, idempotencyKey, ifMatch } = request;
  const headers: Record<string, string> = { accept: 'application/json', authorization: settings.authorization };
  if (contentType) headers['content-type'] = contentType;
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  // Redirects are not followed, because their target must not get the key.
  const init: RequestInit = { method, headers, redirect: 'manual', signal };
  return body === undefined ? init : { ...init, body };
}
