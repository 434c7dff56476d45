import type { Fetch } from '../../../outbound/fetch.ts';
import { readLimited } from '../../../outbound/read-limited.ts';
import { parseRetryAfterMs } from '../../../outbound/retry-after.ts';
import { BreachSourceError } from './breach-source.ts';

export interface UpstreamRequest {
  fetch: Fetch;
  url: string;
  key: string;
  path: string;
  requestMs: number;
  /** Signal that aborts the request regardless of `requestMs`. */
  late: AbortSignal;
}

/**
 * Maximum size of a response, in bytes. The list of all breaches is about 1 MB; the response for a domain with 100,000
 * addresses is about 5 MB.
 */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Calls the upstream once. Returns undefined for a 404. Sends the key only to the configured URL: a redirect is an
 * error.
 * @throws {BreachSourceError}
 */
export async function fetchJson({ fetch, url, key, path, requestMs, late }: UpstreamRequest): Promise<unknown> {
  const signal = AbortSignal.any([late, AbortSignal.timeout(requestMs)]);
  try {
    const response = await fetch(`${url}${path}`, {
      headers: { accept: 'application/json', 'hibp-api-key': key },
      signal,
    });
    if (response.ok) return JSON.parse(await readText(response)) as unknown;
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw toBreachSourceError(response);
  } catch (error) {
    if (error instanceof BreachSourceError) throw error;
    if (error instanceof SyntaxError)
      throw new BreachSourceError('unreadable', 'The breach feed returned invalid JSON.');
    if (signal.aborted)
      throw new BreachSourceError('slow', 'The breach feed took too long to respond.', { cause: error });
    throw new BreachSourceError('unreachable', 'The breach feed could not be reached.', { cause: error });
  }
}

async function readText(response: Response): Promise<string> {
  const text = await readLimited(response, MAX_BYTES);
  if (text === undefined) throw new BreachSourceError('unreadable', 'The response of the breach feed is too long.');
  return text;
}

function toBreachSourceError({ status, headers }: Response): BreachSourceError {
  const message = `The breach feed responded with status ${status}.`;
  if (status === 429) return new BreachSourceError('limited', message, { retryAfterMs: parseRetryAfterMs(headers) });
  if (status >= 500) return new BreachSourceError('failing', message);
  return new BreachSourceError('refused', message);
}
