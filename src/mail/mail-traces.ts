import PostalMime, { addressParser, type Email } from 'postal-mime';

/** What tells whose message was forwarded. */
export interface MailTraces {
  /** Of the mail itself, without angle brackets. */
  messageId: string | undefined;
  /** Who sent the mail, by its own word. */
  senders: string[];
  /** Of the mail, of those that it answers or forwards, and of those that are attached to it; without angle brackets. */
  messageIds: string[];
  /** What stands in it where links of ours have their token. */
  tokens: string[];
}

/** Nobody attaches a forward of a forward more often. */
const MAX_DEPTH = 5;
const MAX_LINES_OF_PARTS = 2000;
/** As many as one could have been sent; the rest of a hostile mail is not looked up. */
const MAX_FOUND = 100;

/** Programs that make links safe put them, encoded once or twice, behind an address of their own. */
const TOKEN = /(?:\/|%(?:25)*2f)s(?:\/|%(?:25)*2f)([\w-]{64})/gi;

/**
 * Reads a mail, also one that is cut off at the end, and the mails in it.
 * @throws what is no mail, or one that is built to be hard to read
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

/** Each part begins with such a line. */
function requireFewParts(source: Uint8Array): void {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let count = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 1)) count += 1;
  if (count > MAX_LINES_OF_PARTS) throw new Error('the mail has too many parts');
}

/** A mail that is sent on unchanged names whoever did so beside its author. */
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
