import { hashSetupToken } from '../auth/setup-token.ts';
import type { MessageRow } from './message-repository.ts';

/** The queue's delays grow up to six hours: the last attempt comes some sixteen hours after the first. */
export const MAX_ATTEMPTS = 12;

/** Why there is no cause for a queued message any more, or undefined when it is to be sent. */
export function causeIsGone(message: MessageRow, now: Date): string | undefined {
  if (message.kind === 'admin_invite') {
    const { setupToken, setupTokenHash, setupExpiresAt } = message;
    if (!setupToken || !setupTokenHash?.equals(hashSetupToken(setupToken))) return 'the link was replaced or used';
    return Date.parse(setupExpiresAt!) <= now.getTime() ? 'the link has expired' : undefined;
  }
  if (message.inactive) return 'the learner is inactive';
  return message.subjectNames.length === 0 ? 'nothing is left to do of what it is about' : undefined;
}

/** Whether a queued message is to be sent, and about all that it was queued for. */
export function isWhole(message: MessageRow, now: Date): boolean {
  return causeIsGone(message, now) === undefined && message.subjectNames.length === message.subjectCount;
}

/** What nodemailer throws when it could not hand a message over. */
export interface DeliveryError extends Error {
  code?: string;
  /** The step of SMTP, or `API` for what was not even tried. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/**
 * Whether another attempt is useless: this address or this message is refused for good. A refusal of the connection, the
 * password or the sender is the operator's to mend, and the message waits for it.
 */
export function isPermanent({ code, command, responseCode = 0 }: DeliveryError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  return command === 'API' || (responseCode >= 500 && command !== 'MAIL FROM');
}

/** What the operator is told of a failed attempt. */
export function reasonOf({ response, message }: DeliveryError): string {
  // The database takes no null characters.
  return (response ?? message).replaceAll('\0', ' ').slice(0, 500);
}
