import PostalMime, { addressParser, type Email } from 'postal-mime';

/** Identifiers in a forwarded mail that lead to the original message. */
export interface MailTraces {
  /** Message-ID of the mail itself, without angle brackets. */
  messageId: string | undefined;
  /** Addresses that the mail names as its senders; nothing proves them. */
  senders: string[];
  /** Message-IDs of the mail, of mails that it answers or forwards, and of attached mails; without angle brackets. */
  messageIds: string[];
  /** Texts at the position of the token in the service's links. */
  tokens: string[];
}

/** Maximum depth of mails attached to mails; nobody forwards a forward more often. */
const MAX_DEPTH = 5;
const MAX_LINES_OF_PARTS = 2000;
/** Maximum number of identifiers of one kind to look up. One person receives fewer; the excess is ignored. */
const MAX_FOUND = 100;

/** Pattern of the token in a link. Link scanners embed the link in their own URL, percent-encoded once or twice. */
const TOKEN = /(?:\/|%(?:25)*2f)s(?:\/|%(?:25)*2f)([\w-]{64})/gi;

/**
 * Reads a mail and the mails attached to it. The mail can be cut off at the end.
 * @throws if the source is not a mail, or is built to be hard to read
 */
export async function readMailTraces(source: Uint8Array): Promise<MailTraces> {
  const mails = await mailsIn(source, MAX_DEPTH);
  const [own] = mails as [Email];
  return {
    messageId: idsIn([own.messageId])[0],
    senders: senders(own),
    messageIds: limitTraces(mails.flatMap((mail) => idsIn([mail.messageId, mail.inReplyTo, mail.references]))),
    tokens: limitTraces(mails.flatMap(({ text = '', html = '' }) => tokensIn(`${text}\n${html}`))),
  };
}

async function mailsIn(source: Uint8Array, depth: number): Promise<Email[]> {
  requireFewParts(source);
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true });
  if (depth === 0) return [mail];
  const attached: Email[] = [];
  for (const { mimeType, content } of mail.attachments) {
    if (mimeType === 'message/rfc822')
      attached.push(...(await mailsIn(new Uint8Array(content as ArrayBuffer), depth - 1)));
  }
  return [mail, ...attached];
}

/** Rejects a mail with too many parts, before it is parsed. Each part begins with a line that starts with `--`. */
function requireFewParts(source: Uint8Array): void {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let count = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 1)) count += 1;
  if (count > MAX_LINES_OF_PARTS) throw new Error('the mail has too many parts');
}

/** Returns at most two senders: a mail that was resent unchanged names its author and the person who resent it. */
function senders({ headers }: Email): string[] {
  const named = headers.filter(({ key }) => key === 'from' || key === 'resent-from');
  const addresses = named.flatMap(({ value }) => addressParser(value.slice(0, 1000), { flatten: true }));
  return limitTraces(addresses.flatMap(({ address }) => address?.toLowerCase() ?? [])).slice(0, 2);
}

function idsIn(values: readonly (string | undefined)[]): string[] {
  return values.flatMap((value = '') => [...value.matchAll(/<([^<>\s]+)>/g)].map((match) => match[1]!));
}

function tokensIn(text: string): string[] {
  return [...text.matchAll(TOKEN)].map((match) => match[1]!);
}

function limitTraces(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_FOUND);
}
