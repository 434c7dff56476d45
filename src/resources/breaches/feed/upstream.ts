import {
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  type FailureReason,
  handleWhen,
  type IPolicy,
  isBrokenCircuitError,
  retry,
  wrap,
} from 'cockatiel';
import { createConnector } from '../../../outbound/connector.ts';
import { createFetch, type Fetch } from '../../../outbound/fetch.ts';
import type { ResolveName } from '../../../outbound/resolve-name.ts';
import {
  type Breach,
  type BreachedAccount,
  type BreachSource,
  BreachSourceError,
  isDomain,
  noDomain,
} from './breach-source.ts';
import { readAccounts, readBreaches } from './upstream-responses.ts';
import { fetchJson } from './upstream-request.ts';

export interface UpstreamOptions {
  /** Base URL without a trailing slash, such as `https://haveibeenpwned.com/api/v3`. */
  url: string;
  key: string;
  timeouts?: Partial<Timeouts>;
  resolve?: ResolveName;
}

/** Timeouts and delays in milliseconds. */
export interface Timeouts {
  /** Maximum time of one request, including the response. */
  requestMs: number;
  /** Maximum time of all attempts of one call. */
  questionMs: number;
  /** Maximum delay before the second attempt. Doubles with each attempt. */
  retryMs: number;
  /** Longest `Retry-After` that a retry waits for; a longer one fails the call. */
  longestWaitMs: number;
  /** Time for which the circuit breaker stays open. */
  breakMs: number;
}

const TIMEOUTS: Timeouts = {
  requestMs: 5000,
  questionMs: 12_000,
  retryMs: 300,
  longestWaitMs: 2500,
  breakMs: 30_000,
};
const MAX_RETRIES = 2;
const FAILURES_TO_BREAK = 4;

/** An upstream with version 3 of the Have I Been Pwned API. */
export class Upstream implements BreachSource {
  readonly name: string;
  readonly #options: UpstreamOptions;
  readonly #fetch: Fetch;
  readonly #timeouts: Timeouts;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #policy: IPolicy;
  #limitedUntil = 0;

  constructor(options: UpstreamOptions) {
    const { url, resolve } = options;
    this.name = url;
    this.#options = options;
    // The operator configured this host, so only it can be on this machine or in its network.
    const trustedHosts = [new URL(url).hostname.replace(/^\[|\]$/g, '')];
    this.#fetch = createFetch(createConnector({ trustedHosts, ...(resolve && { resolve }) }));
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    const { retryMs, longestWaitMs, breakMs } = this.#timeouts;
    this.#breaker = circuitBreaker(handleWhen(isItsOwnFault), {
      halfOpenAfter: breakMs,
      breaker: new ConsecutiveBreaker(FAILURES_TO_BREAK),
    });
    const retrying = retry(
      handleWhen((error) => isItsOwnFault(error) && getRequestedWait(error) <= longestWaitMs),
      { maxAttempts: MAX_RETRIES, backoff: new DelegateBackoff((context) => waitBefore(context, retryMs)) },
    );
    this.#policy = wrap(this.#breaker, retrying);
  }

  /** Whether the circuit breaker is open. */
  get isOpen(): boolean {
    return this.#breaker.state === CircuitState.Open;
  }

  async breaches(): Promise<Breach[]> {
    return readBreaches(await this.#ask('/breaches'));
  }

  /**
   * Returns the e-mail addresses of a domain that are in breaches. For a domain without any, the upstream responds with
   * 404.
   */
  async accounts(domain: string): Promise<BreachedAccount[]> {
    if (!isDomain(domain)) throw noDomain();
    const answer = await this.#ask(`/breacheddomain/${encodeURIComponent(domain)}`);
    return answer === undefined ? [] : readAccounts(answer, domain);
  }

  async #ask(path: string): Promise<unknown> {
    const left = this.#limitedUntil - Date.now();
    if (left > 0)
      throw new BreachSourceError('limited', 'The breach feed is rate limiting the service.', { retryAfterMs: left });
    const late = AbortSignal.timeout(this.#timeouts.questionMs);
    try {
      const request = { ...this.#options, fetch: this.#fetch, path, late, ...this.#timeouts };
      return await this.#policy.execute(() => fetchJson(request), late);
    } catch (error) {
      const reason = isBrokenCircuitError(error) ? getError(this.#breaker.lastFailure) : error;
      this.#limitedUntil = Math.max(this.#limitedUntil, Date.now() + getRequestedWait(reason));
      if (reason instanceof BreachSourceError) throw reason;
      throw new BreachSourceError('slow', 'The breach feed took too long to respond.', { cause: reason });
    }
  }
}

/**
 * Reports whether the upstream itself failed. A refusal is not such a failure: the operator must fix the cause, and a
 * retry does not help.
 */
function isItsOwnFault(error: unknown): boolean {
  return error instanceof BreachSourceError && error.failure !== 'refused';
}

function getRequestedWait(error: unknown): number {
  return error instanceof BreachSourceError ? (error.retryAfterMs ?? 0) : 0;
}

function waitBefore({ attempt, result }: { attempt: number; result: FailureReason<unknown> }, retryMs: number): number {
  return getRequestedWait(getError(result)) + waitBeforeRetry(attempt, retryMs);
}

/**
 * Returns the delay in milliseconds before a retry, with jitter, ignoring the delay that the upstream asks for. Retries
 * are counted from 1.
 */
export function waitBeforeRetry(retry: number, retryMs: number): number {
  return Math.random() * retryMs * 2 ** (retry - 1);
}

function getError(failure: FailureReason<unknown> | undefined): unknown {
  return failure && 'error' in failure ? failure.error : undefined;
}
