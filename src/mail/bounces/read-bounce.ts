import PostalMime, { type Email } from 'postal-mime';
import { requireFewParts } from '../require-few-parts.ts';
import { type Bounce, classifyBounce } from './bounce-rules.ts';

/** Data read from an email in the bounce mailbox. */
export interface BounceMail {
  /** Strings that might contain tokens (bounce-token.ts): the source of the email, and the parts decoded from it. */
  texts: string[];
  /** The bounce that the email reports; undefined if it reports none. */
  bounce: Bounce | undefined;
}

const MAX_LINES_OF_PARTS = 500;
/** Maximum number of characters to read of each string. */
const MAX_TEXT = 200_000;
/** Maximum number of characters to read of a server's explanation of the failure, before the quoted message. */
const MAX_WORDS = 4000;

/**
 * Reads an email that a mail server or its recipient sent to a bounce address. Delay reports, automatic replies,
 * receipts and complaints are not bounces. The email can be truncated.
 * @throws if the source is not an email, or is built to be hard to read
 */
export async function readBounceMail(source: Uint8Array): Promise<BounceMail> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  requireFewParts(source, MAX_LINES_OF_PARTS);
  const mail = await PostalMime.parse(source, { forceRfc822Attachments: true });
  const attached = mail.attachments.map(({ mimeType, content }) => ({ mimeType, text: toText(content) }));
  const texts = [bytes.toString('latin1'), mail.text ?? '', mail.html ?? '', ...attached.map(({ text }) => text)];
  return { texts: texts.map((text) => text.slice(0, MAX_TEXT)), bounce: findBounce(mail, attached) };
}

function toText(content: ArrayBuffer | Uint8Array | string): string {
  return typeof content === 'string' ? content : Buffer.from(content as ArrayBuffer).toString('latin1');
}

interface Attached {
  mimeType: string;
  text: string;
}

function findBounce(mail: Email, attached: readonly Attached[]): Bounce | undefined {
  const type = (getHeader(mail, 'content-type') ?? '').toLowerCase();
  const words = getWords(mail);
  const report = attached.find(({ mimeType }) => /^message\/(global-)?delivery-status$/.test(mimeType));
  if (report) return readReport(report.text, words);
  // Receipts (RFC 8098), complaints (RFC 5965) and other reports.
  if (/report-type="?(?!delivery-status)[a-z]/.test(type)) return undefined;
  return isOfServer(mail) && !isDelayed(mail) ? classifyUnformatted(words) : undefined;
}

/**
 * Reads a delivery status report (RFC 3464). The service sends each message to one recipient, so the first failure is
 * about that recipient.
 */
function readReport(text: string, words: string): Bounce | undefined {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .map(parseFields);
  const failed = blocks.find((fields) => fields.get('action')?.toLowerCase().startsWith('failed'));
  if (!failed) return undefined;
  const diagnostic = failed.get('diagnostic-code')?.replace(/^[\w.-]+\s*;/, '') ?? '';
  const status = failed.get('status') ?? '';
  // The text before the report is about the whole message, such as "delivery has failed", and can mention policies.
  return classifyBounce({ status, words: diagnostic === '' ? words : diagnostic });
}

/** Parses fields like those in the header of an email. If fields have the same name, the first one counts. */
function parseFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const at = line.indexOf(':');
    const name = line.slice(0, Math.max(at, 0)).trim().toLowerCase();
    if (name !== '' && !fields.has(name)) fields.set(name, line.slice(at + 1).trim());
  }
  return fields;
}

/** Reports whether a mail server sent an email that contains no report in a standard format. */
function isOfServer(mail: Email): boolean {
  if (getHeader(mail, 'x-failed-recipients') !== undefined) return true;
  if (mail.headers.some(({ key }) => /^x-auto-?(reply|respond)/.test(key))) return false;
  const from = mail.from?.address?.toLowerCase() ?? getHeader(mail, 'from')?.toLowerCase() ?? '';
  const isNull = /^<?\s*>?$/.test(getHeader(mail, 'return-path') ?? 'unknown');
  return (
    /^(mailer-daemon|postmaster|mail-daemon|mdaemon|microsoftexchange[0-9a-f]+)(@|$)/.test(from) ||
    (isNull && FAILURE.test(mail.subject ?? ''))
  );
}

/** Subjects of failure reports, as common servers write them. */
const FAILURE =
  /undeliver|delivery (status|fail|error|problem)|failure notice|returned mail|mail delivery|non ?remis|unzustellbar|nicht zugestellt|non recapitabil|no se pudo entregar/i;

function isDelayed(mail: Email): boolean {
  return /delay|warning: (message|could not send)|still (being )?retried|verzögert/i.test(mail.subject ?? '');
}

/** Classifies the text of an unformatted report; undefined if the text does not say that delivery failed. */
function classifyUnformatted(words: string): Bounce | undefined {
  const isFailure =
    /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?![\d.])|(?<!\d)5[0-5]\d[ -]|could not be delivered|couldn't be delivered|not delivered|undeliverable|permanent (fatal )?error|unable to deliver|wasn't able to deliver|delivery (to .{0,200})?failed|failed to deliver|not listed in/is;
  return isFailure.test(words) ? classifyBounce({ words }) : undefined;
}

/** Returns the server's text, without the message that it quotes. */
function getWords({ text = '', html = '' }: Email): string {
  const plain = text.trim() === '' ? html.replace(/<[^>]{0,2000}>/g, ' ') : text;
  const quoted =
    /^[ >-]*(-{2,}.{0,40}(copy of the message|original message|returned message|unsent message|message follows)|Received: |Return-Path: )/im.exec(
      plain,
    );
  return plain.slice(0, quoted?.index ?? plain.length).slice(0, MAX_WORDS);
}

function getHeader({ headers }: Email, name: string): string | undefined {
  return headers.find(({ key }) => key === name)?.value;
}
