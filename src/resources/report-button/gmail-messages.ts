// Reads the message that a person reports in Gmail. Google calls an endpoint of the button with several tokens:
//
// - `systemIdToken`, signed by Google for exactly this endpoint, proves that the caller is Google's add-on platform.
// - `userOAuthToken` and the access token of the open message together let the service read that message, and no other,
//   from Gmail. Both are used once and never stored.
//
// `userIdToken` identifies the reporter. Like the reporter that Outlook states, it can only prevent a report from being
// recorded.
//
// The service connects only to two fixed Google URLs, through the guarded connector (src/outbound/).
import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { ApiError, invalidField } from '../../contract/errors.ts';
import type { Logger } from '../../observability/logger.ts';
import { createConnector } from '../../outbound/connector.ts';
import { createFetch } from '../../outbound/fetch.ts';
import { readLimited } from '../../outbound/read-limited.ts';
import { decodeBase64 } from '../../limits/decode-base64.ts';
import type { ReportedMail } from './report-buttons.ts';

/** Maximum size of Gmail's response, in bytes: an email of 20 MiB in base64, and a few fields. */
const MAX_RESPONSE_BYTES = 28 * 1024 * 1024 + 4096;
const TIMEOUT_MS = 20_000;
const ISSUERS = ['https://accounts.google.com', 'accounts.google.com'];
/** Pattern of the service accounts from which Google's add-on platform calls our endpoints. */
const PLATFORM = /^service-\d+@gcp-sa-gsuiteaddons\.iam\.gserviceaccount\.com$/;
const MESSAGE_ID = /^[\w:-]{1,200}$/;

export interface GoogleAddresses {
  keys: string;
  gmail: string;
}

const GOOGLE: GoogleAddresses = {
  keys: 'https://www.googleapis.com/oauth2/v3/certs',
  gmail: 'https://gmail.googleapis.com',
};

/** Tokens and message id in a call by Google. */
export interface GmailCall {
  systemIdToken: string;
  userIdToken: string | undefined;
  userOAuthToken: string;
  accessToken: string;
  messageId: string;
}

export interface GmailMessagesOptions {
  logger: Logger;
  addresses?: GoogleAddresses;
  /** Fetches a Google URL, without following redirects. */
  fetch?: ReturnType<typeof createFetch>;
}

export class GmailMessages {
  readonly #logger: Logger;
  readonly #addresses: GoogleAddresses;
  readonly #fetch: ReturnType<typeof createFetch>;
  readonly #findKey: JWTVerifyGetKey;

  constructor({ logger, addresses = GOOGLE, fetch = createFetch(createConnector()) }: GmailMessagesOptions) {
    this.#logger = logger;
    this.#addresses = addresses;
    this.#fetch = fetch;
    // Reads the keys again for an unknown key at most twice a minute, so that made-up tokens do not cause requests to
    // Google.
    this.#findKey = createRemoteJWKSet(new URL(addresses.keys), { timeoutDuration: TIMEOUT_MS, [customFetch]: fetch });
  }

  /**
   * Requires that Google's add-on platform calls an endpoint.
   * @throws {ApiError} `unauthorized`; `service_unavailable` if Google's keys cannot be read
   */
  async requirePlatform(systemIdToken: string, endpoint: string): Promise<void> {
    const { email, email_verified: isVerified } = await this.#verify(systemIdToken, endpoint);
    if (isVerified !== true || !PLATFORM.test(String(email))) throw notByGoogle();
  }

  /**
   * Reads the open message of a person.
   * @throws {ApiError} `invalid_request`, `payload_too_large`, or `service_unavailable` if Gmail does not return the
   *   message
   */
  async read({ messageId, accessToken, userOAuthToken, userIdToken }: GmailCall): Promise<ReportedMail> {
    if (!MESSAGE_ID.test(messageId)) throw invalidField('body/gmail/messageId', 'must be the id of a message');
    const url = `${this.#addresses.gmail}/gmail/v1/users/me/messages/${encodeURIComponent(messageId)}?format=raw`;
    const headers = { Authorization: `Bearer ${userOAuthToken}`, 'X-Goog-Gmail-Access-Token': accessToken };
    const text = await this.#get(url, headers);
    if (text === undefined) throw new ApiError('payload_too_large', 'The message is larger than 20 MiB.');
    const source = await decodeBase64(readRaw(text));
    if (source.length === 0) throw notRead();
    return { source, reporter: await this.#findReporter(userIdToken) };
  }

  async #get(url: string, headers: Record<string, string>): Promise<string | undefined> {
    try {
      const response = await this.#fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (response.status === 200) return await readLimited(response, MAX_RESPONSE_BYTES);
      this.#logger.warn({ status: response.status }, 'reading a reported message from Gmail failed');
    } catch (error) {
      // Omits the error, whose text might name the message.
      this.#logger.warn({ code: (error as { code?: string }).code }, 'reading a reported message from Gmail failed');
    }
    throw notRead();
  }

  /** Returns the person's e-mail address if Google has signed it; undefined otherwise. */
  async #findReporter(userIdToken: string | undefined): Promise<string | undefined> {
    if (userIdToken === undefined) return undefined;
    const claims = await this.#verify(userIdToken, undefined).catch(() => undefined);
    return typeof claims?.email === 'string' && claims.email_verified === true ? claims.email.toLowerCase() : undefined;
  }

  async #verify(token: string, audience: string | undefined): Promise<JWTPayload> {
    try {
      const options = { issuer: ISSUERS, algorithms: ['RS256'], ...(audience !== undefined && { audience }) };
      return (await jwtVerify(token, this.#findKey, options)).payload;
    } catch (error) {
      // Errors about the token have a code of this form; other errors are about the connection to Google.
      const { code = '' } = error as { code?: string };
      if (/^ERR_(?:JWT|JWS|JOSE_ALG|JWKS_NO_MATCHING)/.test(code)) throw notByGoogle();
      throw new ApiError('service_unavailable', "Google's keys cannot be read; try again later.", {
        cause: error,
      });
    }
  }
}

function readRaw(text: string): string {
  try {
    const { raw } = JSON.parse(text) as { raw?: unknown };
    return typeof raw === 'string' ? raw : '';
  } catch {
    return '';
  }
}

function notByGoogle(): ApiError {
  return new ApiError('unauthorized', 'The call does not come from Google for this address.');
}

function notRead(): ApiError {
  return new ApiError('service_unavailable', 'Gmail did not return the message; try again later.');
}
