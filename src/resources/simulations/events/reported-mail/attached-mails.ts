import { unzipSync } from 'fflate';
import { isOutlookMessage, readOutlookMessage } from './outlook-message.ts';
import { type ReadAttachment, readInternetMessage, type ReadMessage } from './read-message.ts';
import { isTnef, readTnef } from './tnef.ts';

/** Limits everything that is unpacked from one email. */
export class UnpackBudget {
  #mails = 100;
  #bytes = 32 * 1024 * 1024;

  /** @throws if too much has been unpacked */
  spend(bytes: number): void {
    this.#mails -= 1;
    this.#bytes -= bytes;
    if (this.#mails < 0 || this.#bytes < 0) throw new Error('too much is attached to the email');
  }
}

const MAIL_TYPES = ['message/rfc822', 'message/global', 'message/global-headers', 'text/rfc822-headers'];
const MAIL_TYPE_OF_FILES = /^application\/(?:eml|x-eml|mbox|vnd\.ms-outlook|x-msg)$/;
const MAIL_NAME = /\.(?:eml|emlx|mht|mhtml|msg)$/i;
const HEADER_LINES = /^(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*){2}/;
const USUAL_HEADER = /^(?:received|return-path|delivered-to|from|message-id|subject|date|mime-version|arc-seal):/im;
const ZIP_MAGIC = Buffer.from('PK\x03\x04');

/**
 * Reads the emails in an attachment, which can be an email under any content type, an Outlook message, or a ZIP file
 * with either of these. Returns undefined if the attachment contains no email.
 * @throws if the attachment cannot be read, or is built to be hard to read
 */
export async function readAttachedMails(
  attachment: ReadAttachment,
  budget: UnpackBudget,
): Promise<ReadMessage[] | undefined> {
  const { content, message } = attachment;
  if (message) return [message];
  if (isOutlookMessage(content)) {
    // Outlook messages are compound files, but so are Office documents in the formats before 2007.
    if (!isNamedAsMail(attachment) && !/^(?:|application\/octet-stream)$/.test(attachment.mimeType)) return undefined;
    budget.spend(content.length);
    return [await readOutlookMessage(content)];
  }
  if (ZIP_MAGIC.equals(content.subarray(0, 4))) return readZip(content, budget);
  const source = withoutEnvelope(content);
  if (!isNamedAsMail(attachment) && !looksLikeMail(source)) return undefined;
  budget.spend(source.length);
  return [await readInternetMessage(source)];
}

function isNamedAsMail({ name, mimeType }: ReadAttachment): boolean {
  return MAIL_TYPES.includes(mimeType) || MAIL_TYPE_OF_FILES.test(mimeType) || MAIL_NAME.test(name);
}

/**
 * Removes the line that Apple Mail (a length) or an mbox file (`From `) puts before an email, and a byte order mark.
 */
function withoutEnvelope(content: Uint8Array): Uint8Array {
  const start = Buffer.from(content.subarray(0, 300)).toString('latin1');
  const envelope = /^(?:\u00ef\u00bb\u00bf)?(?:\d{1,9} *\r?\n|From [^\n]{1,200}\n)?/.exec(start)![0];
  return content.subarray(envelope.length);
}

function looksLikeMail(source: Uint8Array): boolean {
  const start = Buffer.from(source.subarray(0, 8192)).toString('latin1');
  const lines = HEADER_LINES.exec(start)?.[0];
  return lines !== undefined && USUAL_HEADER.test(start.slice(0, start.search(/\r?\n\r?\n/) >>> 0));
}

async function readZip(content: Uint8Array, budget: UnpackBudget): Promise<ReadMessage[] | undefined> {
  const files = unzipSync(content, {
    filter: ({ name, originalSize }) => {
      if (!MAIL_NAME.test(name)) return false;
      // The library allocates the size that the ZIP directory states, and never inflates more than that.
      budget.spend(originalSize);
      return true;
    },
  });
  const mails = Object.entries(files).map(([name, file]) => ({ name, mimeType: '', content: file }));
  if (mails.length === 0) return undefined;
  return (await Promise.all(mails.map((mail) => readAttachedMails(mail, budget)))).flatMap((read) => read ?? []);
}

/** Moves the parts that Exchange wrapped into `winmail.dat` back to their places in the email. */
export async function unwrapTnef(message: ReadMessage): Promise<ReadMessage> {
  const wrapped = message.attachments.filter(({ content }) => isTnef(content));
  if (wrapped.length === 0) return message;
  const tnefs = wrapped.map(({ content }) => readTnef(content));
  const attachments = message.attachments.filter((attachment) => !wrapped.includes(attachment));
  for (const { attachments: inner } of tnefs) {
    for (const attachment of inner) {
      const { content } = attachment;
      attachments.push(isTnef(content) ? { ...attachment, message: await toReadMessage(content) } : attachment);
    }
  }
  return {
    ...message,
    text: [message.text, ...tnefs.map(({ text }) => text)].join('\n'),
    html: [message.html, ...tnefs.map(({ html }) => html)].join('\n'),
    attachments,
  };
}

async function toReadMessage(content: Uint8Array): Promise<ReadMessage> {
  const { headers, ...tnef } = readTnef(content);
  const read = await readInternetMessage(Buffer.from(`${headers.trimEnd()}\r\n\r\n`));
  return { ...read, ...tnef, messageId: read.messageId || tnef.messageId };
}
