import PostalMime, { addressParser, type Email } from 'postal-mime';
import { requireFewParts } from '../../../../mail/require-few-parts.ts';

/** An email as read from any container. */
export interface ReadMessage {
  messageId: string;
  /** Values of In-Reply-To and References. */
  references: string;
  subject: string;
  /** E-mail addresses in From and Resent-From; they are not verified. */
  senders: string[];
  /** Values of the header by which a mail team recognises simulations. */
  headerSecrets: string[];
  text: string;
  html: string;
  attachments: ReadAttachment[];
}

export interface ReadAttachment {
  name: string;
  mimeType: string;
  content: Uint8Array;
  /** The attached email, if the container stores it as fields rather than as bytes. */
  message?: ReadMessage;
}

const HEADER = 'x-awareness-simulation';
const MAX_LINES_OF_PARTS = 2000;

/**
 * Reads an email in the Internet Message Format. The email can be truncated.
 * @throws if the source is built to be hard to read
 */
export async function readInternetMessage(source: Uint8Array): Promise<ReadMessage> {
  requireFewParts(source, MAX_LINES_OF_PARTS);
  const email = await PostalMime.parse(source, { forceRfc822Attachments: true });
  return {
    messageId: email.messageId ?? '',
    references: `${email.inReplyTo ?? ''} ${email.references ?? ''}`,
    subject: email.subject ?? '',
    senders: readSenders(email),
    headerSecrets: email.headers.filter(({ key }) => key === HEADER).map(({ value }) => withoutNull(value).trim()),
    text: email.text ?? '',
    html: email.html ?? '',
    attachments: email.attachments.map(({ filename, mimeType, content }) => {
      return { name: filename ?? '', mimeType, content: new Uint8Array(content as ArrayBuffer) };
    }),
  };
}

/**
 * Returns at most two senders, because an email that was resent unchanged names its author and the person who resent
 * it.
 */
function readSenders({ headers }: Email): string[] {
  const named = headers.filter(({ key }) => key === 'from' || key === 'resent-from');
  return [...new Set(named.flatMap(({ value }) => readAddresses(value)))].slice(0, 2);
}

/** Returns the e-mail addresses in the value of a header. */
export function readAddresses(value: string): string[] {
  const addresses = addressParser(withoutNull(value).slice(0, 1000), { flatten: true });
  return addresses.flatMap(({ address }) => address?.toLowerCase() || []);
}

/** Removes null characters, because Postgres rejects parameters that contain them. */
function withoutNull(text: string): string {
  return text.replaceAll('\0', '');
}
