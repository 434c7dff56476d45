import { hashSetupToken } from '../identity/setup-token.ts';
import type { MessageRow } from './message-repository.ts';

/** Delays between attempts grow up to six hours. The last attempt is about 16 hours after the first. */
export const MAX_ATTEMPTS = 12;

/** Why a queued message must not be sent any more, or undefined. */
export function causeIsGone(message: MessageRow, now: Date): string | undefined {
  if (message.kind === 'admin_invite') {
    const { setupToken, setupTokenHash, setupExpiresAt } = message;
    if (!setupToken || !setupTokenHash?.equals(hashSetupToken(setupToken))) return 'the link was replaced or used';
    return Date.parse(setupExpiresAt!) <= now.getTime() ? 'the link has expired' : undefined;
  }
  if (message.kind === 'learner_address_changed') return undefined;
  if (message.inactive) return 'the learner is inactive';
  if (message.kind === 'sign_in' || message.kind === 'admin_sign_in') return undefined;
  return message.subjectNames.length === 0 ? 'nothing is left to do of what it is about' : undefined;
}

/** Whether a queued message is to be sent with everything that it was queued for. */
export function isWhole(message: MessageRow, now: Date): boolean {
  return causeIsGone(message, now) === undefined && message.subjectNames.length === message.subjectIds.length;
}

/** The error of nodemailer when it could not hand over a message. */
export interface DeliveryError extends Error {
  code?: string;
  /** The SMTP command, or `API` when nothing was sent. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Whether another attempt is useless, because this address or this message is refused for good. When the connection,
 * the password or the sender is refused, the operator can fix it, and the message waits.
 */
export function isPermanent({ code, command, responseCode = 0 }: DeliveryError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return command === 'API' || (responseCode >= 500 && command !== 'MAIL FROM');
}

/** The reason of a failed attempt, for the operator. */
export function formatFailureReason({ response, message }: DeliveryError): string {
  // Postgres does not store null characters.
  return (response ?? message).replaceAll('\0', ' ').slice(0, 500);
}
