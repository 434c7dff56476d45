// Reads mailboxes over IMAP, for bounces and for reported messages. `readMailbox` passes the new emails to a function
// in batches, and then marks each email: `\Seen` if it is done, `\Flagged` if it needs manual review. However full the
// mailbox is, the process holds only one batch and the ids of the other emails.
//
// Guarantees: at least once. Only one process reads a mailbox at a time, because it holds an advisory lock in Postgres.
// An email is marked only after it was processed, so it is processed again if the process dies in between. The function
// must recognise such an email.
//
// Failures: if the server, the login or the database fails, the reader connects again after a delay that grows to five
// minutes. An email whose processing fails is left unmarked and read again at the next poll; other emails are not
// delayed.
//
// Everything in an email is input from a stranger. `readMail` (read-mail.ts) parses the email with limits on time and
// memory.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type pg from 'pg';
import type { MailboxAccount } from '../../config/mailbox-account.ts';
import type { Poller } from '../../limits/poller.ts';
import type { Logger } from '../../observability/logger.ts';
import { getAccessTokens } from '../oauth/access-tokens.ts';

const LOOK_MS = 60_000;
const RECONNECT_MS = { first: 1000, maxLength: 300_000 };
/** Maximum number of bytes to read of an email. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Keys of the advisory locks that the reading processes hold; arbitrary numbers. */
const LOCKS = { report: 7_261_124, bounce: 7_261_125 };

/** The outcome of an email: `seen` if it is done, `flagged` if it needs manual review. */
export type Outcome = 'seen' | 'flagged';

export interface FetchedMail {
  uid: number;
  /** Source of the email; truncated unless `isWhole`. */
  source: Buffer;
  isWhole: boolean;
  arrivedAt: Date;
}

export interface MailboxOptions {
  /** Purpose of the mailbox. */
  purpose: keyof typeof LOCKS;
  mailbox: MailboxAccount;
  /** Pool of the connection that holds the lock. Its connections must go directly to Postgres, without a pooler. */
  pool: pg.Pool;
  logger: Logger;
  /** Maximum number of emails in a batch. */
  batchSize: number;
  /**
   * Processes a batch. Returns the results in the order of the emails. An email whose processing failed is processed
   * again at the next poll.
   */
  take: (mails: readonly FetchedMail[]) => Promise<PromiseSettledResult<Outcome>[]>;
}

/**
 * Reads a mailbox until the poller stops. Processes each email that is neither seen nor flagged: when the server
 * announces new emails, and once a minute. Only one process reads a mailbox at a time.
 */
export function readMailbox(options: MailboxOptions): Poller {
  const stopping = new AbortController();
  const reading = new MailboxReader(options).keepReading(stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await reading;
    },
  };
}

class MailboxReader {
  readonly #options: MailboxOptions;
  /**
   * Outcomes of emails that are processed but not marked; keeps later connections from processing these emails again.
   */
  readonly #unmarked = new Map<string, Outcome>();
  /**
   * Keys of emails from batches that could not be fetched, the latest failure last. Such an email must not delay the
   * others.
   */
  readonly #suspects = new Set<string>();
  #waitMs = RECONNECT_MS.first;

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  async keepReading(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#readAlone(signal).catch((err: unknown) => {
        const { logger, purpose } = this.#options;
        if (!signal.aborted) logger.warn({ err, purpose }, 'reading the mailbox failed; retrying');
      });
      await sleep(this.#waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      this.#waitMs = Math.min(this.#waitMs * 2, RECONNECT_MS.maxLength);
    }
  }

  /** Reads while this process holds the lock. Returns if another process holds the lock. */
  async #readAlone(signal: AbortSignal): Promise<void> {
    const session = await this.#options.pool.connect();
    const lost = new AbortController();
    session.once('end', () => lost.abort());
    try {
      const { rows } = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
        LOCKS[this.#options.purpose],
      ]);
      if (rows[0]!.taken) await this.#read(AbortSignal.any([signal, lost.signal]));
      else this.#waitMs = LOOK_MS;
    } finally {
      // Closes the connection, because the lock ends with the database session.
      session.release(true);
    }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { mailbox } = this.#options;
    const tokens = mailbox.oauth && getAccessTokens(mailbox.oauth);
    const token = await tokens?.get();
    const client = await createImapClient(mailbox, token);
    const closed = new AbortController();
    client.once('close', () => closed.abort());
    // The client closes itself after an error.
    client.on('error', () => undefined);
    const over = AbortSignal.any([signal, closed.signal]);
    try {
      await client.connect().catch(async (error: unknown) => {
        // The next connection uses a new token.
        if (isAuthenticationFailure(error)) await tokens?.get(token);
        throw error;
      });
      const { readOnly } = await client.mailboxOpen(mailbox.folder);
      if (readOnly) throw new Error('the mailbox is read-only');
      while (!over.aborted) {
        const soon = AbortSignal.any([over, AbortSignal.timeout(LOOK_MS)]);
        const news = once(client, 'exists', { signal: soon }).catch(() => undefined);
        await this.#look(client, over);
        this.#waitMs = RECONNECT_MS.first;
        // The next command ends IDLE.
        void client.idle().catch(() => undefined);
        await news;
      }
    } finally {
      client.close();
    }
  }

  async #look(client: ImapFlow, signal: AbortSignal): Promise<void> {
    const uids = await client.search({ seen: false, flagged: false }, { uid: true });
    if (!uids) throw new Error('the mailbox could not be searched');
    const { batchSize, logger, purpose } = this.#options;
    for (const batch of this.#toBatches(client, uids, batchSize)) {
      if (signal.aborted) return;
      await this.#takeBatch(client, batch).catch((err: unknown) => {
        if (!client.usable) throw err;
        logger.warn({ err, uids: batch, purpose }, 'processing a mailbox message failed; retrying');
      });
    }
  }

  /** Divides emails into batches. Emails from a batch that could not be fetched come last, one by one. */
  #toBatches(client: ImapFlow, uids: readonly number[], batchSize: number): number[][] {
    const byKey = new Map(uids.map((uid) => [toKey(client, uid), uid]));
    const last: number[][] = [];
    for (const key of this.#suspects) {
      const uid = byKey.get(key);
      if (uid === undefined) this.#suspects.delete(key);
      else last.push([uid]);
      byKey.delete(key);
    }
    const others = [...byKey.values()];
    const batches: number[][] = [];
    for (let from = 0; from < others.length; from += batchSize) batches.push(others.slice(from, from + batchSize));
    return [...batches, ...last];
  }

  async #takeBatch(client: ImapFlow, uids: readonly number[]): Promise<void> {
    const { logger, purpose } = this.#options;
    const keyOf = (uid: number) => toKey(client, uid);
    // Computed before the fetch, because a failed fetch can close the connection.
    const suspects = uids.map(keyOf);
    const mails = await fetchMails(
      client,
      uids.filter((uid) => !this.#unmarked.has(keyOf(uid))),
    ).catch((error: unknown) => {
      for (const key of suspects) {
        this.#suspects.delete(key);
        this.#suspects.add(key);
      }
      throw error;
    });
    for (const key of suspects) this.#suspects.delete(key);
    const results = mails.length > 0 ? await this.#options.take(mails) : [];
    for (const [index, { uid }] of mails.entries()) {
      const result = results[index]!;
      if (result.status === 'fulfilled') this.#unmarked.set(keyOf(uid), result.value);
      else
        logger.warn({ err: result.reason as unknown, uid, purpose }, 'processing a mailbox message failed; retrying');
    }
    for (const [outcome, flag] of Object.entries(FLAGS)) {
      const processed = uids.filter((uid) => this.#unmarked.get(keyOf(uid)) === outcome);
      if (processed.length === 0) continue;
      if (!(await client.messageFlagsAdd(processed.join(','), [flag], { uid: true })))
        throw new Error('the messages could not be flagged');
      for (const uid of processed) this.#unmarked.delete(keyOf(uid));
    }
  }
}

/** Returns the key of an email, which does not depend on the connection. */
function toKey({ mailbox }: ImapFlow, uid: number): string {
  return `${(mailbox || undefined)?.uidValidity} ${uid}`;
}

const FLAGS: Record<Outcome, string> = { seen: '\\Seen', flagged: '\\Flagged' };

/** Returns the given emails that have not been deleted in the meantime. */
async function fetchMails(client: ImapFlow, uids: readonly number[]): Promise<FetchedMail[]> {
  if (uids.length === 0) return [];
  const fields = { size: true, internalDate: true, source: { maxLength: MAX_BYTES } };
  return (await client.fetchAll(uids.join(','), fields, { uid: true })).map(toFetchedMail);
}

function toFetchedMail({ uid, source, size, internalDate }: FetchMessageObject): FetchedMail {
  const isWhole = size! <= MAX_BYTES && source!.length < MAX_BYTES;
  return { uid, source: source!, isWhole, arrivedAt: new Date(Math.min(Number(new Date(internalDate!)), Date.now())) };
}

function isAuthenticationFailure(error: unknown): boolean {
  return (error as { authenticationFailed?: boolean }).authenticationFailed === true;
}

/** @param token the access token with which to log in; undefined to log in with the password */
async function createImapClient(
  { host, port, secure, user, password }: MailboxAccount,
  token: string | undefined,
): Promise<ImapFlow> {
  // Loaded on first use, because few processes ever read a mailbox.
  const { ImapFlow } = await import('imapflow');
  return new ImapFlow({
    ...{ host, port, secure, auth: token === undefined ? { user, pass: password } : { user, accessToken: token } },
    // The library's logger would log the content of emails.
    logger: false,
    disableAutoIdle: true,
    maxLiteralSize: 2 * MAX_BYTES,
    maxResponseSize: 4 * MAX_BYTES,
  });
}
