// Bounce addresses: each message to a person has its own return path (VERP), such as
// `bounces+<token>@mail.example.org`. The token proves which message bounced, and that it was sent to the person's
// current address.
//
// A token consists of the message's id and a signature of that id and the recipient's e-mail address in lower case. The
// token names neither the company nor the person. A header of the message also contains it, because some providers
// replace the return path, and bounces quote the headers. The recipient of a message can forge its bounce, but nobody
// else can.
//
// Tokens use only lower-case letters and digits, because some mail servers change the case of local parts.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import type { BounceSettings } from '../../config/bounce-settings.ts';

/** Header with the token of a message. */
export const TOKEN_HEADER = 'X-Return-Token';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_BYTES = 16;
/** Bytes of the signature. Forging 80 bits takes about 10^24 emails, and the local part stays within 64 characters. */
const SIGNATURE_BYTES = 10;
/** Maximum number of tokens to find in an email; a bounce repeats its token only in a few places. */
const MAX_TOKENS = 20;

/** A message that a token identifies. */
export interface ReturnedMessage {
  messageId: string;
  signature: Buffer;
}

type SignedBy = Pick<BounceSettings, 'keys'>;

/** Creates the token of a message to an e-mail address. */
export function createBounceToken({ keys }: SignedBy, messageId: string, address: string): string {
  return toBase32(
    Buffer.concat([Buffer.from(messageId.replaceAll('-', ''), 'hex'), sign(keys[0]!, messageId, address)]),
  );
}

/** Finds the messages named by the tokens in a string. Only `isSignedFor` verifies their signatures. */
export function findTokens(text: string): ReturnedMessage[] {
  const tokens = new Set([...text.matchAll(TOKEN)].map(([token]) => token.toLowerCase()));
  return [...tokens].slice(0, MAX_TOKENS).map((token) => {
    const bytes = fromBase32(token);
    return { messageId: formatId(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) };
  });
}

/** Reports whether the service sent the message of a token to an e-mail address. Ignores case in the address. */
export function isSignedFor({ keys }: SignedBy, { messageId, signature }: ReturnedMessage, address: string): boolean {
  return keys.some((key) => timingSafeEqual(sign(key, messageId, address), signature));
}

/** Sets the return path of an email and the header with its token; changes nothing without bounce settings. */
export function withReturnPath(
  mail: SendMailOptions,
  settings: BounceSettings | undefined,
  { id, email }: { id: string; email: string },
): SendMailOptions {
  if (!settings) return mail;
  const token = createBounceToken(settings, id, email);
  const { address } = mail.from as { address: string };
  const sender = address.slice(address.lastIndexOf('@') + 1);
  return {
    ...mail,
    envelope: {
      from: `${settings.mailbox}+${token}@${settings.domain.replace('{sender}', sender)}`,
      to: [{ name: '', address: email }],
    },
    headers: { ...(mail.headers as Record<string, string>), [TOKEN_HEADER]: token },
  };
}

/** Number of characters of a token. */
export const TOKEN_LENGTH = Math.ceil(((ID_BYTES + SIGNATURE_BYTES) * 8) / 5);
const TOKEN = new RegExp(`(?<![a-z0-9])[a-z2-7]{${TOKEN_LENGTH}}(?![a-z0-9])`, 'gi');

function sign(secret: Buffer, messageId: string, address: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'bounce addresses', 32));
  return createHmac('sha256', key)
    .update(`${messageId}\0${address.toLowerCase()}`)
    .digest()
    .subarray(0, SIGNATURE_BYTES);
}

function formatId(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function toBase32(bytes: Buffer): string {
  let text = '';
  let [bits, value] = [0, 0];
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31];
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text;
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const character of text) {
    value = (value << 5) | ALPHABET.indexOf(character);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(value >>> bits);
    value &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
