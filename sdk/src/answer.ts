import { ApiError } from './errors.ts';
import type { ErrorResponse } from './generated/schemas.ts';

/**
 * Returns the body of a success, without its envelope if it has one.
 * @throws {ApiError} if the response is not from this API
 */
export async function readContent(response: Response, bare: boolean): Promise<unknown> {
  const body = parse(await response.text());
  if (isObject(body)) {
    if (bare) return body;
    if ('data' in body) return body.data;
  }
  throw unexpected(response, 'The response is not from this API; check the address.');
}

/** Returns the body of a success with its envelope. @throws {ApiError} if the response is not from this API */
export async function readEnvelope(response: Response): Promise<Record<string, unknown>> {
  const body = parse(await response.text());
  if (isObject(body) && 'data' in body) return body;
  throw unexpected(response, 'The response is not from this API; check the address.');
}

/**
 * Returns a page with its envelope, and the cursor of the next page.
 * @throws {ApiError} if the response is not a page of this API
 */
export async function readPage(
  response: Response,
): Promise<{ envelope: Record<string, unknown>; nextCursor: string | null }> {
  const envelope = parse(await response.text());
  if (isObject(envelope) && 'data' in envelope && isObject(envelope.page)) {
    const { nextCursor } = envelope.page;
    if (typeof nextCursor === 'string' || nextCursor === null) return { envelope, nextCursor };
  }
  throw unexpected(response, 'The response is not a page; the service might be older than this package.');
}

/** Returns the file of a success. @throws {ApiError} if the response is not a file of this API */
export async function readFile(response: Response): Promise<Blob> {
  if (/^application\/(pdf|zip)\b/.test(response.headers.get('content-type') ?? '')) return response.blob();
  await response.body?.cancel();
  throw unexpected(response, 'The response is not from this API; check the address.');
}

/** Returns the error for a response that is not a success. */
export async function readError(response: Response): Promise<ApiError> {
  // Browsers report a redirect that is not followed as status 0.
  if (response.status < 400) {
    await response.body?.cancel();
    return unexpected(
      response,
      'The address redirects. The client follows no redirects, because they would reveal the key.',
    );
  }
  const body = parse(await response.text());
  if (!isFailure(body)) return unexpected(response, `The response (HTTP ${response.status}) is not from this API.`);
  const { code, message, details = [] } = body.error;
  return new ApiError({ ...circumstances(response), code, message, details });
}

function unexpected(response: Response, message: string): ApiError {
  return new ApiError({ ...circumstances(response), code: 'unexpected_response', message, details: [] });
}

function circumstances({ status, headers }: Response): Pick<ApiError, 'status' | 'requestId' | 'retryAfter'> {
  return { status, requestId: headers.get('x-request-id'), retryAfter: parseSeconds(headers.get('retry-after')) };
}

/** Parses `Retry-After`. The service sends seconds; a proxy in front of it might send a date. */
function parseSeconds(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter);
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFailure(body: unknown): body is ErrorResponse {
  if (!isObject(body) || !isObject(body.error)) return false;
  const { code, message, details = [] } = body.error;
  return typeof code === 'string' && typeof message === 'string' && Array.isArray(details);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
