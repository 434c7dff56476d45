/** A breach as a source tells it. */
export interface Breach {
  /** The source's key, which stays the same. */
  name: string;
  title: string;
  category: string;
  /** ISO 8601; null when the source does not say. */
  date: string | null;
  dataClasses: string[];
}

/** An address of a domain in a breach, which it names by its key. */
export interface BreachedAccount {
  email: string;
  breach: string;
}

/** Where breach data comes from. */
export interface BreachSource {
  /** Tells its answers from those of other sources. */
  readonly name: string;
  /** @throws {BreachSourceError} */
  breaches(): Promise<Breach[]>;
  /**
   * The addresses of a domain that are in breaches; none for a clean domain.
   * @param domain in lower case
   * @throws {BreachSourceError}
   */
  accounts(domain: string): Promise<BreachedAccount[]>;
}

/**
 * Why a source gave no answer: it does not let us ask, asks us to wait, fails by itself, says what makes no sense, is not
 * there, or takes too long.
 */
export type BreachSourceFailure = 'refused' | 'limited' | 'failing' | 'unreadable' | 'unreachable' | 'slow';

export class BreachSourceError extends Error {
  readonly failure: BreachSourceFailure;
  /** When it may be asked again, in milliseconds from now; undefined: whenever. */
  readonly retryAfterMs: number | undefined;

  constructor(failure: BreachSourceFailure, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'BreachSourceError';
    this.failure = failure;
    this.retryAfterMs = options.retryAfterMs;
  }
}

const DOMAIN = /^[\p{L}\p{N}]([\p{L}\p{N}-]*\.)+[\p{L}\p{N}-]*[\p{L}\p{N}]$/u;

/** Anything else could pass for something else in a source, such as a path. */
export function isDomain(text: string): boolean {
  return DOMAIN.test(text);
}

export function noDomain(): BreachSourceError {
  return new BreachSourceError('refused', 'What is watched is no domain.');
}
