import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Generates a secret for an endpoint in the format of Standard Webhooks. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** Content to sign: the body as it is sent, the id of the event and the time of this attempt. */
export interface SignedMessage {
  id: string;
  /** Time of this attempt, in seconds since 1970. */
  timestamp: number;
  body: string;
}

/** Builds the headers of Standard Webhooks. During a rotation, two secrets sign. */
export function signedHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signMessage(secret, message)).join(' '),
  };
}

function signMessage(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
