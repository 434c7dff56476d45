// Reading of mailboxes by IMAP, for bounces and for reported messages. `readMailbox` passes each new mail to a
// function, and then marks the email: `\Seen` if it is done, `\Flagged` if it needs manual review.
//
// Guarantees: at least once. Only one process reads a mailbox at a time, because it holds an advisory lock in Postgres.
// An email is marked after it was processed, so an email can be processed again if the process dies in between. The
// function must recognise it.
//
// Failures: if the server, the login or the database fails, the reader connects again after a delay that grows to five
// minutes. An email whose processing fails is left unmarked and read again at the next poll; other emails are not
// delayed.
//
// Everything in a mail is a stranger's input. `readMail` (read-mail.ts) parses it with limits on time and
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
/** Maximum number of bytes that are read from an email. */
const MAX_BYTES = 2 * 1024 * 1024;
/** Keys of the advisory locks that the reading processes hold; arbitrary numbers. */
const LOCKS = { report: 7_261_124, bounce: 7_261_125 };

/** The outcome of an email: `seen` is done, `flagged` waits for manual review. */
export type Outcome = 'seen' | 'flagged';

export interface FetchedMail {
  uid: number;
  /** Source of the email; cut off at the end unless `isWhole`. */
  source: Buffer;
  isWhole: boolean;
  arrivedAt: Date;
}

export interface MailboxOptions {
  /** The purpose of the mailbox. */
  purpose: keyof typeof LOCKS;
  mailbox: MailboxAccount;
  /** Pool for the connection that holds the lock; its connections must go directly to Postgres. */
  pool: pg.Pool;
  logger: Logger;
  /** Processes an email. If this function throws, the email is processed again at the next poll. */
  take: (mail: FetchedMail) => Promise<Outcome>;
}

/**
 * Reads a mailbox until the poller stops. Processes each email that is neither seen nor flagged, when the server
 * announces it and once a minute. Only one process reads at a time.
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
  /** Outcomes of emails that are processed but not marked; keeps later connections from processing the emails again. */
  readonly #unmarked = new Map<string, Outcome>();
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
      // Closes the connection, because the lock ends with its session.
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
        // IDLE ends with the next command.
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
    for (const uid of uids) {
      if (signal.aborted) return;
      await this.#takeOne(client, uid).catch((err: unknown) => {
        if (!client.usable) throw err;
        const { logger, purpose } = this.#options;
        logger.warn({ err, uid, purpose }, 'processing a mailbox message failed; retrying');
      });
    }
  }

  async #takeOne(client: ImapFlow, uid: number): Promise<void> {
    const key = `${(client.mailbox || undefined)?.uidValidity} ${uid}`;
    const outcome = this.#unmarked.get(key) ?? (await this.#take(client, uid));
    if (!outcome) return;
    this.#unmarked.set(key, outcome);
    const flag = outcome === 'seen' ? '\\Seen' : '\\Flagged';
    if (!(await client.messageFlagsAdd(String(uid), [flag], { uid: true })))
      throw new Error('the message could not be flagged');
    this.#unmarked.delete(key);
  }

  /** Returns undefined if the email was deleted in the meantime. */
  async #take(client: ImapFlow, uid: number): Promise<Outcome | undefined> {
    const fields = { size: true, internalDate: true, source: { maxLength: MAX_BYTES } };
    const message = await client.fetchOne(String(uid), fields, { uid: true });
    return message ? this.#options.take(toFetchedMail(message)) : undefined;
  }
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
  // Loaded on first use: few processes ever read a mailbox.
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
