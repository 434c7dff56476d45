export interface ClientOptions {
  /**
   * The URL of the service, such as `https://awareness.example.com`. If it has no path, `/v1` is added. It must use
   * https, or http on this machine.
   */
  baseUrl: string;
  /** The API key. It is sent only to `baseUrl`, never to the target of a redirect, and no error contains it. */
  apiKey: string;
  /** The time limit of an attempt, until its response has been read, in milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** The maximum number of retries of a call; 0 disables retries. Default 3. */
  maxRetries?: number;
  /**
   * The longest wait accepted from `Retry-After`, in milliseconds; a call that would have to wait longer fails at once.
   * Default 60,000.
   */
  maxRetryWaitMs?: number;
  /** Whether http to other machines is allowed, which exposes the key to the network. Default false. */
  allowInsecureHttp?: boolean;
  /**
   * Called for each response that reports the operation, or something that the call used, as deprecated. Errors that it
   * throws are ignored.
   */
  onDeprecation?: (notice: DeprecationNotice) => void;
  /** Sends the requests instead of the global `fetch`, for example to log them or to use a proxy. It sees the key. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The deprecation that a response reports. */
export interface DeprecationNotice {
  /** The `operationId` that was called. */
  operationId: string;
  /** Start of the deprecation; null if the response does not state it in a known format. */
  since: Date | null;
  /**
   * The date until which the deprecated part is guaranteed to work; null if the response does not state it in a known
   * format.
   */
  sunset: Date | null;
  /** The URL of further information; null if the response has none. */
  link: string | null;
}

export interface CallOptions {
  /** Ends the call, even between attempts. The call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Overrides the client's `timeoutMs`. */
  timeoutMs?: number;
  /** Overrides the client's `maxRetries`. */
  maxRetries?: number;
  /**
   * The key under which the service performs this call only once within 24 hours, however often it is sent. By default,
   * each call gets a new key. If another process might send the same call again, pass a key and store it: 1 to 255
   * visible ASCII characters that nobody can guess, such as a UUID. Read calls have no key.
   */
  idempotencyKey?: string;
  /**
   * The `ETag` of the object as you have read it (`tagged` returns it). If the object has changed since, the call fails
   * with `changed_meanwhile`. Only for operations that have `If-Match`; others ignore it.
   */
  ifMatch?: string;
  /**
   * Whether a POST without an idempotency key is retried after an outage, even though it is unknown whether the service
   * has acted. Only `revokeLeakedKeys` needs this option.
   */
  repeatable?: boolean;
}

/**
 * A PDF. A `File` is sent as a form and keeps its name. A form is sent unchanged and must have the file in its field
 * `file`. Other bodies are sent raw.
 */
export type PdfBody = FormData | Blob | Uint8Array | ArrayBuffer;

/** A ZIP file, sent in the same way as a PDF. */
export type ZipBody = PdfBody;

/** Facts from the contract that the client needs to call an operation. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** True if the operation changes something and accepts an idempotency key. */
  readonly once?: boolean;
  /** The content type of a body that is a file. */
  readonly upload?: string;
  /** True if the response is the document itself, without `data` around it. */
  readonly bare?: boolean;
  /** True if the response is a PDF. */
  readonly file?: boolean;
  /**
   * The field of `data` that holds the items of a paged list, empty if `data` is the list; omitted for an operation
   * without pages.
   */
  readonly pages?: string;
}
