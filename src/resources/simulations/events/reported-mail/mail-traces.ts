// Reads a reported email: finds the messages that it reports, and the identifiers of simulations in each of them.
//
// People report in many forms. An email can be attached (under any type, as an Outlook message, in a ZIP file), quoted
// in the text, or resent unchanged. One report can contain several messages, such as a simulation message and a real
// attack, so each message is judged by its own identifiers. The reporter's own text is not a reported message, unless
// the email contains nothing else.
import { readAttachedMails, unwrapTnef, UnpackBudget } from './attached-mails.ts';
import { findTokens } from './find-tokens.ts';
import { splitForwards, type SplitText, toTextWithLinks } from './forwarded-sections.ts';
import { readAddresses, type ReadAttachment, readInternetMessage, type ReadMessage } from './read-message.ts';

/** Identifiers in a message within a reported email. */
export interface MessageTraces {
  /** Message-IDs, without angle brackets. */
  messageIds: string[];
  /** Strings at the position of the token in the service's links. */
  tokens: string[];
  headerSecrets: string[];
  subject: string;
  senders: string[];
  /** Whether the person reports this message; false for text that merely surrounds the reported messages. */
  isReported: boolean;
  /** Messages that this message quotes. If this message is a simulation message, they count as part of it. */
  quoted: MessageTraces[];
}

/** Identifiers in a reported email that lead to the original messages. */
export interface MailTraces {
  /** Message-ID of the email itself, without angle brackets. */
  messageId: string | undefined;
  /** E-mail addresses that the email states as its senders; they are not verified. */
  senders: string[];
  messages: MessageTraces[];
  /** Whether every part could be read. */
  isComplete: boolean;
}

/** Maximum depth of emails attached to emails; nobody forwards an email that often. */
const MAX_DEPTH = 5;
/** Maximum number of Message-IDs to look up per message. */
const MAX_IDS = 100;
const MAX_SCANNED_BYTES = 1024 * 1024;
/** Types of attachments that a mail program or a mail server adds to a message. */
const ADDED =
  /^(?:image\/.*|text\/(?:vcard|x-vcard|plain)|application\/(?:(?:x-)?pkcs7-signature|pgp-signature)|message\/.*)$/;

interface Reading {
  budget: UnpackBudget;
  senders: readonly string[];
  isComplete: boolean;
}

/**
 * Reads an email and the emails in it. The email can be truncated.
 * @throws if the source is not an email, or is built to be hard to read
 */
export async function readMailTraces(source: Uint8Array): Promise<MailTraces> {
  const mail = await unwrapTnef(await readInternetMessage(source));
  const { senders } = mail;
  const reading: Reading = { budget: new UnpackBudget(), senders, isComplete: true };
  const messages = await readReport(mail, reading);
  return { messageId: idsIn(mail.messageId)[0], senders, messages, isComplete: reading.isComplete };
}

async function readReport(mail: ReadMessage, reading: Reading): Promise<MessageTraces[]> {
  const { nested, files } = await readAttachments(mail, reading, 0);
  const { head, sections } = split(mail);
  const own = toTraces(mail, head, nested.length > 0 ? [] : files);
  // Mail programs name the forwarded message in these headers, and quote this message first.
  const [first = own] = sections;
  first.messageIds.push(...idsIn(mail.references).slice(0, MAX_IDS));
  // With several sections, a token above the sections can belong to any of them.
  if (sections.length === 1) first.tokens.push(...own.tokens);
  own.isReported = sections.length + nested.length === 0;
  // The reporter's own text vouches for the messages that it quotes. An attack can name the reporter as its sender, but
  // that vouches for nothing.
  for (const section of sections) section.isReported = section === sections.at(-1) || !isByReporter(section, reading);
  const reportedFiles = nested.length > 0 ? files.filter(({ mimeType }) => !ADDED.test(mimeType)) : [];
  return [own, ...sections, ...nested, ...reportedFiles.map(toFileTraces)];
}

async function readAttachments(
  mail: ReadMessage,
  reading: Reading,
  depth: number,
): Promise<{ nested: MessageTraces[]; files: ReadAttachment[] }> {
  const [nested, files]: [MessageTraces[], ReadAttachment[]] = [[], []];
  for (const attachment of mail.attachments) {
    const mails = await readAttachedMails(attachment, reading.budget).catch(() => 'unreadable' as const);
    if (mails === 'unreadable') reading.isComplete = false;
    if (mails === 'unreadable' || !mails) files.push(attachment);
    else if (depth === MAX_DEPTH) reading.isComplete = false;
    else for (const inner of mails) nested.push(...(await readNested(await unwrapTnef(inner), reading, depth + 1)));
  }
  return { nested, files };
}

async function readNested(mail: ReadMessage, reading: Reading, depth: number): Promise<MessageTraces[]> {
  const { nested, files } = await readAttachments(mail, reading, depth);
  const { head, sections } = split(mail);
  const own = { ...toTraces(mail, head, files), quoted: sections };
  // An email that only carries other emails, for example because a colleague forwarded them, is not what the person
  // reports.
  const isCarrier = nested.length > 0 && !/https?:|www\./i.test(head);
  const carriesOthers = nested.length + sections.length > 0;
  own.isReported = !isCarrier && !(carriesOthers && isByReporter(mail, reading));
  return [own, ...nested];
}

function isByReporter({ senders }: Pick<MessageTraces, 'senders'>, reading: Reading): boolean {
  return reading.senders.some((sender) => senders.includes(sender));
}

/** Splits the text and the HTML of an email, which have the same content. */
function split(mail: ReadMessage): { head: string; sections: MessageTraces[] } {
  const [text, html] = [splitForwards(mail.text), splitForwards(toTextWithLinks(mail.html))];
  const isSame = text.sections.length === html.sections.length;
  const main = text.sections.length > html.sections.length ? text : html;
  // The raw HTML belongs to the head if nothing is forwarded: links in broken HTML are found only there.
  const rest = main === text ? `${html.head}\n${mail.html}` : text.head;
  const raw = main.sections.length === 0 ? `\n${mail.html}\n${mail.text}` : '';
  const other = main === text ? html : text;
  // It is unknown which of several sections the other text belongs to. A token in that text must not vouch for all of
  // them.
  const unplaced = !isSame && main.sections.length > 1 ? joinSections(other) : '';
  return {
    head: `${main.head}\n${isSame || main.sections.length === 0 ? rest : unplaced}${raw}`,
    sections: main.sections.map((section, index) => {
      const same = isSame ? other.sections[index]!.text : unplaced === '' ? joinSections(other) : '';
      return toSectionTraces(section, `${section.text}\n${same}`);
    }),
  };
}

function joinSections({ head, sections }: SplitText): string {
  return [head, ...sections.map(({ text }) => text)].join('\n');
}

function toTraces(mail: ReadMessage, text: string, files: readonly ReadAttachment[]): MessageTraces {
  return {
    messageIds: idsIn(mail.messageId),
    tokens: [...new Set([...findTokens(text), ...files.flatMap(tokensInFile)])],
    headerSecrets: mail.headerSecrets,
    ...{ subject: mail.subject, senders: mail.senders, isReported: true, quoted: [] },
  };
}

function toSectionTraces({ subject, from }: { subject: string; from: string }, text: string): MessageTraces {
  const senders = [...from.matchAll(/[^\s<>[\]()"':;,]{1,100}@[\w.-]{1,200}/g)].map(([address]) =>
    address.toLowerCase(),
  );
  return {
    messageIds: idsIn(text.match(/message-id:\s*<[^<>\s]{1,500}>/gi)?.join(' ') ?? ''),
    tokens: findTokens(text),
    ...{ headerSecrets: [], subject, senders: [...senders, ...readAddresses(from)], isReported: true, quoted: [] },
  };
}

function toFileTraces(file: ReadAttachment): MessageTraces {
  const tokens = tokensInFile(file);
  return { messageIds: [], tokens, headerSecrets: [], subject: '', senders: [], isReported: true, quoted: [] };
}

/** Finds the tokens in a file, such as the PDF of a simulation. */
function tokensInFile({ content }: ReadAttachment): string[] {
  return findTokens(Buffer.from(content.subarray(0, MAX_SCANNED_BYTES)).toString('latin1'));
}

function idsIn(value: string): string[] {
  // Postgres does not store null characters, so an identifier that contains one belongs to no message.
  const ids = [...value.matchAll(/<([^<>\s\0]+)>/g)].map((match) => match[1]!);
  return [...new Set(ids)].slice(0, MAX_IDS);
}
