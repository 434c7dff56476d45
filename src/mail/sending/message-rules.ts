import { hashSetupToken } from '../../identity/setup-token.ts';
import type { MessageRow } from '../messages/message-repository.ts';
import { isInLeave, isWorkingTime } from '../messages/working-hours.ts';

/**
 * Maximum number of attempts to send a message. Delays between them grow up to six hours; the last attempt is about 16
 * hours after the first.
 */
export const MAX_ATTEMPTS = 12;

/** Returns why a queued message must no longer be sent, or undefined. */
export function getObsoleteReason(message: MessageRow, now: Date): string | undefined {
  if (message.kind === 'admin_invite') {
    const { setupToken, setupTokenHash, setupExpiresAt } = message;
    if (!setupToken || !setupTokenHash?.equals(hashSetupToken(setupToken))) return 'the link was replaced or used';
    return Date.parse(setupExpiresAt!) <= now.getTime() ? 'the link has expired' : undefined;
  }
  if (message.kind === 'learner_address_changed') return undefined;
  if (message.inactive) return 'the learner is inactive';
  if (message.kind === 'keep_passkeys') return message.setupToken ? undefined : 'the link was replaced or used';
  if (message.kind === 'sign_in' || message.kind === 'admin_sign_in') return undefined;
  if (message.isUndeliverable) return 'the address of the learner is undeliverable';
  if (waitsForMorning(message, now))
    return isInLeave(now, message) ? 'the learner is on leave' : 'outside working hours';
  return message.subjectNames.length === 0 ? 'its subject no longer needs action' : undefined;
}

/** Reports whether a campaign message cannot be sent at this time. Another message replaces it. */
export function waitsForMorning(message: MessageRow, now: Date): boolean {
  const { kind, timeZone, subjectNames } = message;
  if (!kind.startsWith('assignments_') || subjectNames.length === 0) return false;
  return !isWorkingTime(now, timeZone) || isInLeave(now, message);
}

/** Reports whether a queued message must be sent with all subjects for which it was queued. */
export function isWhole(message: MessageRow, now: Date): boolean {
  if (getObsoleteReason(message, now) !== undefined) return false;
  return message.kind.startsWith('assignments_') || message.subjectNames.length === message.subjectIds.length;
}

/** Error of an attempt that the queue repeats. Its message names no person, because the queue stores the message. */
export class NotSentYet extends Error {}

/** A nodemailer error about a message that could not be sent. */
export interface DeliveryError extends Error {
  code?: string;
  /** The SMTP command, or `API` if nothing was sent. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Reports whether another attempt is useless, because the server permanently rejects this address or message. If the
 * server rejects the connection, the password or the sender, the operator can fix the cause, and the message waits.
 */
export function isPermanent(error: DeliveryError): boolean {
  const { code, command, responseCode = 0, response = '' } = error;
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  if (isLoggedOut(error) || ABOUT_SENDER.test(response)) return false;
  return command === 'API' || (responseCode >= 500 && command !== 'MAIL FROM');
}

/** Error codes that concern a single message. */
const OF_MESSAGE = ['EENVELOPE', 'EMESSAGE', 'EWITHDRAWN'];

/**
 * Reports whether every message would fail now, because the server does not respond or rejects the connection, the
 * login or the sender.
 */
export function isOfServer(error: DeliveryError): boolean {
  const { code = '', command, response = '' } = error;
  return !OF_MESSAGE.includes(code) || command === 'MAIL FROM' || isLoggedOut(error) || ABOUT_SENDER.test(response);
}

/**
 * Enhanced status codes about the account or the sender, regardless of the rejected command: a missing or insufficient
 * login (RFC 4954), and Exchange Online's codes for accounts, senders and tenants.
 */
const ABOUT_SENDER = /^5\d\d[ -]5\.(7\.(3|8|9|11|57|60|7\d\d)|1\.8|2\.252)\b/;

/**
 * Reports whether the server requires a new login (RFC 4954), for example because the token was revoked after the
 * login.
 */
export function isLoggedOut({ responseCode = 0 }: DeliveryError): boolean {
  return [530, 534, 535, 538].includes(responseCode);
}

/** Formats the reason of a failed attempt, for the operator. */
export function formatFailureReason({ response, message }: DeliveryError): string {
  // Postgres does not store null characters.
  return (response ?? message).replaceAll('\0', ' ').slice(0, 500);
}
