import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { type AddressRules, judgeAddress, refusedAddresses } from './address-guard.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 20_000;
const KEPT_BYTES = 2000;

/** What came back for one try. */
export interface WebhookAnswer {
  /** Null when there was no answer. */
  status: number | null;
  /** The value of Retry-After. */
  retryAfter: string | undefined;
  /** The first 2 kB of the answer, or why there is none. */
  text: string;
  tookMs: number;
}

/** Posts a body as it is, and never throws. */
export type PostWebhook = (url: string, headers: Record<string, string>, body: string) => Promise<WebhookAnswer>;

/**
 * Makes a sender that connects to nothing that the rules refuse. It follows no redirect, uses no proxy, waits 15 seconds in
 * all and reads 20 kB of the answer.
 */
export function createWebhookSender(rules: AddressRules, timeoutMs = TIMEOUT_MS): PostWebhook {
  const blockList = refusedAddresses(rules);
  return async (url, headers, body) => {
    const startedAt = performance.now();
    const outcome = await exchange(url, headers, body).catch(({ code, name }: NodeJS.ErrnoException) => {
      return { status: null, retryAfter: undefined, text: name === 'AbortError' ? 'timeout' : (code ?? 'failed') };
    });
    return { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
  };

  async function exchange(
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<Omit<WebhookAnswer, 'tookMs'>> {
    const reason = judgeAddress(url, rules);
    if (reason !== undefined) return { status: null, retryAfter: undefined, text: `the address ${reason}` };
    const signal = AbortSignal.timeout(timeoutMs);
    const bytes = Buffer.from(body);
    // An agent of its own: the global one may take a proxy from the environment.
    const door = url.startsWith('https:') ? https : http;
    const options = { method: 'POST', agent: new door.Agent(), signal, blockList };
    const request = door.request(url, { ...options, headers: { ...headers, 'content-length': bytes.length } });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    request.end(bytes);
    const [response] = await answered;
    // What happens to the connection after the answer has begun does not change the answer.
    request.on('error', () => undefined);
    const text = await firstOf(response);
    return { status: response.statusCode!, retryAfter: response.headers['retry-after'], text };
  }
}

async function firstOf(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < KEPT_BYTES) chunks.push(chunk);
      size += chunk.length;
      if (size >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // It closed early or became too late: its status counts.
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\u0000', '\uFFFD');
}
