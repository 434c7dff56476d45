import { errorOf } from './answer.ts';
import { ApiError, ConnectionError, TimeoutError } from './errors.ts';
import type { CallOptions } from './options.ts';
import type { OperationRequest } from './request.ts';
import { mayRepeat, pause, waitMsBefore } from './retry.ts';
import { checked, type Settings } from './settings.ts';

/** Reads a success. An answer that is handed on unread may take longer than the time-out, and still heeds the signal. */
export interface Reader<T> {
  read: (response: Response) => T | Promise<T>;
  unread?: boolean;
}

/**
 * Sends a request until it succeeds, must not be repeated, or has been repeated often enough.
 * @throws {ApiError | ConnectionError | TimeoutError} of the last attempt, or the reason of the caller's signal
 */
export async function send<T>(
  settings: Settings,
  request: OperationRequest,
  reader: Reader<T>,
  options: CallOptions = {},
): Promise<T> {
  const { signal, repeatable = false } = options;
  const maxRetries = checked('maxRetries', options.maxRetries ?? settings.maxRetries, 0);
  const timeoutMs = checked('timeoutMs', options.timeoutMs ?? settings.timeoutMs, 1);
  for (let repeated = 0; ; repeated++) {
    try {
      return await attempt(settings, request, reader, timeoutMs, signal);
    } catch (failure) {
      if (signal?.aborted || repeated >= maxRetries || !mayRepeat(failure, request.method, repeatable)) throw failure;
      const retryAfter = failure instanceof ApiError ? failure.retryAfter : null;
      if (retryAfter !== null && retryAfter * 1000 > settings.maxRetryWaitMs) throw failure;
      await pause(waitMsBefore(repeated, retryAfter), signal);
    }
  }
}

async function attempt<T>(
  settings: Settings,
  request: OperationRequest,
  { read, unread = false }: Reader<T>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const late = new TimeoutError(`No complete answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => controller.abort(late), timeoutMs);
  const onAbort = () => controller.abort(signal!.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  let handedOn = false;
  try {
    const response = await settings.fetch(settings.baseUrl + request.target, initOf(settings, request, controller));
    if (!response.ok) throw await errorOf(response);
    const result = await read(response);
    handedOn = unread;
    return result;
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof ApiError) throw error;
    throw new ConnectionError(`No complete answer from ${new URL(settings.baseUrl).host}`, { cause: error });
  } finally {
    clearTimeout(timer);
    if (!handedOn) signal?.removeEventListener('abort', onAbort);
  }
}

function initOf(settings: Settings, { method, contentType, body }: OperationRequest, controller: AbortController) {
  const headers: Record<string, string> = { accept: 'application/json', authorization: settings.authorization };
  if (contentType) headers['content-type'] = contentType;
  // A redirect is not followed: its target must not get the key.
  const init: RequestInit = { method, headers, redirect: 'manual', signal: controller.signal };
  return body === undefined ? init : { ...init, body };
}
