export interface ClientOptions {
  /**
   * Where the service is, such as `https://awareness.example.com`. `/v1` is added when the address has no path. It is
   * https, or http on this machine.
   */
  baseUrl: string;
  /** The API key. It is sent to `baseUrl` alone, to none that it redirects to, and stands in no error. */
  apiKey: string;
  /** How long an attempt may take until its answer has been read; 60,000 unless given. */
  timeoutMs?: number;
  /** How often a call is tried again; 3 unless given, 0 for never. */
  maxRetries?: number;
  /** The longest wait that `Retry-After` may ask for; 60,000 unless given. A call that is to wait longer fails at once. */
  maxRetryWaitMs?: number;
  /** Allows http to other machines, which shows the key to the network between. */
  allowInsecureHttp?: boolean;
  /**
   * Called for each answer that says that the operation, or something that the call used, is deprecated. What it throws is
   * ignored.
   */
  onDeprecation?: (notice: DeprecationNotice) => void;
  /** What sends the requests instead of the global `fetch`: to log them, or to go through a proxy. It sees the key. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** What an answer says of something that is to go. */
export interface DeprecationNotice {
  /** The `operationId` that was called. */
  operationId: string;
  /** Since when it is deprecated; null when the answer does not say it in a way that is known. */
  since: Date | null;
  /** Until when it works for certain; null likewise. */
  sunset: Date | null;
  /** Where to read on; null when the answer does not say it. */
  link: string | null;
}

export interface CallOptions {
  /** Ends the call, between attempts too. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Instead of the client's. */
  timeoutMs?: number;
  /** Instead of the client's. */
  maxRetries?: number;
  /**
   * Names this call, so that it is done once however often it is sent, for 24 hours; a new one for each call unless given.
   * Give one, and store it, where another process may send the same call again: 1 to 255 visible ASCII characters that
   * nobody can guess, such as a UUID. Calls that only read have none.
   */
  idempotencyKey?: string;
  /**
   * The `ETag` of the thing as you have read it (`tagged` returns it): the call fails with `changed_meanwhile` when it has
   * changed since. For operations that have `If-Match`; others do not look at it.
   */
  ifMatch?: string;
  /**
   * Says that a call may be repeated although it is a POST without an idempotency key, so that it is also tried again after
   * an outage whose outcome is unknown: `revokeLeakedKeys` is the one operation of that kind.
   */
  repeatable?: boolean;
}

/**
 * A PDF. A `File` is sent as a form and keeps its name; a form is sent as it is, with the file in its field `file`; all
 * else is sent raw.
 */
export type PdfBody = FormData | Blob | Uint8Array | ArrayBuffer;

/** A ZIP file, likewise. */
export type ZipBody = PdfBody;

/** What the contract says of an operation, as far as it takes to call it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** It changes something, and takes an idempotency key. */
  readonly once?: boolean;
  /** The body is a file of this content type. */
  readonly upload?: string;
  /** The answer is the document itself, without `data` around it. */
  readonly bare?: boolean;
  /** The answer is a PDF. */
  readonly file?: boolean;
  /** The answer has pages: the field of `data` that holds their items, empty when `data` is the list. */
  readonly pages?: string;
}
