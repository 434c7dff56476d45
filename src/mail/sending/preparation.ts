import type { SendMailOptions } from 'nodemailer';
import type { TenantWriter } from '../../db/tenant.ts';
import type { MessageResult } from './settle-messages.ts';

/** An email to send. `Context` is the data needed to settle the message later. */
export interface PreparedMail<Context = undefined> {
  mail: SendMailOptions;
  /** Reports whether the email must still be sent, if that can change while it is being sent. */
  isWanted?: () => Promise<boolean>;
  context?: Context;
}

/** A queued message to send, and the number of this attempt, counted from 1. */
export interface Attempt {
  messageId: string;
  attempt: number;
}

/**
 * A prepared message: an email to send, `cancelled` if this call cancelled the message because it is no longer needed,
 * or an error, such as `NotSentYet`, if the message must wait.
 */
export type Prepared<Context = undefined> = PreparedMail<Context> | 'cancelled' | Error;

/** The result of a prepared message. */
export interface PreparedResult<Context> extends MessageResult {
  context: Context | undefined;
  /** Time of the attempt; does not change while recording the result is retried. */
  at: string;
}

/** Functions that prepare and settle a kind of message. */
export interface Preparation<Context = undefined> {
  /**
   * Reads and composes queued messages of a company, right before each attempt. Message-ID and Date are the same on
   * every attempt. Returns nothing for messages that are already settled or deleted.
   */
  prepare: (tenant: TenantWriter, attempts: readonly Attempt[]) => Promise<Map<string, Prepared<Context>>>;
  /**
   * Records results.
   * @param waits whether to wait for rows that another call has locked; otherwise, leaves out their messages
   * @returns the ids of the messages that this call has settled
   */
  settle: (tenant: TenantWriter, results: readonly PreparedResult<Context>[], waits: boolean) => Promise<string[]>;
}

/** Queue job of a message. */
export interface SendJob extends Attempt {
  jobId: string;
  companyId: string;
}
