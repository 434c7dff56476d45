/** A breach as a source reports it. */
export interface Breach {
  /** Stable key of the breach at the source. */
  name: string;
  title: string;
  category: string;
  /** Date of the breach in ISO 8601; null if unknown. */
  date: string | null;
  dataClasses: string[];
}

/** An e-mail address in a breach. `breach` is the key of the breach. */
export interface BreachedAccount {
  email: string;
  breach: string;
}

/** A source of breach data. */
export interface BreachSource {
  /** Distinguishes the stored answers of this source from those of other sources. */
  readonly name: string;
  /** @throws {BreachSourceError} */
  breaches(): Promise<Breach[]>;
  /**
   * Returns the e-mail addresses of a domain that are in breaches; none for a clean domain.
   * @param domain in lower case
   * @throws {BreachSourceError}
   */
  accounts(domain: string): Promise<BreachedAccount[]>;
}

/**
 * Reason why a source gave no answer: it refuses the call, limits the rate, fails, sends an invalid response, cannot be
 * reached, or takes too long.
 */
export type BreachSourceFailure = 'refused' | 'limited' | 'failing' | 'unreadable' | 'unreachable' | 'slow';

export class BreachSourceError extends Error {
  readonly failure: BreachSourceFailure;
  /** Milliseconds until the next call is allowed; undefined if there is no limit. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: BreachSourceFailure, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'BreachSourceError';
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const DOMAIN = /^[\p{L}\p{N}]([\p{L}\p{N}-]*\.)+[\p{L}\p{N}-]*[\p{L}\p{N}]$/u;

/** Reports whether a string is a domain. Any other string, such as a path, could change the meaning of a call. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

export function noDomain(): BreachSourceError {
  return new BreachSourceError('refused', 'The watched domain is not a domain name.');
}
