import { decompressRTF } from '@kenjiuno/decompressrtf';
import msgReader, { type FieldsData } from '@kenjiuno/msgreader';
import { type ReadAttachment, readInternetMessage, type ReadMessage } from './read-message.ts';

// The package is a CommonJS module, so its default export is a property.
const { default: MsgReader } = msgReader;

/** First bytes of a compound file, the format of Outlook messages (`.msg`). */
const MAGIC = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const MAX_DEPTH = 5;
/** Maximum size of compressed text, in bytes; the library uses an array with one number per byte. */
const MAX_RTF_BYTES = 1024 * 1024;

export function isOutlookMessage(content: Uint8Array): boolean {
  return MAGIC.equals(content.subarray(0, MAGIC.length));
}

/**
 * Reads an Outlook message.
 * @throws if the file is not an Outlook message, or is built to be hard to read
 */
export async function readOutlookMessage(content: Uint8Array): Promise<ReadMessage> {
  const reader = new MsgReader(new Uint8Array(content).buffer);
  const fields = reader.getFileData();
  if (fields.error !== undefined) throw new Error('the file is not an Outlook message');
  return toReadMessage(reader, fields, MAX_DEPTH);
}

type Reader = InstanceType<typeof MsgReader>;

async function toReadMessage(reader: Reader, fields: FieldsData, depth: number): Promise<ReadMessage> {
  const headers = await readInternetMessage(Buffer.from(`${(fields.headers ?? '').trimEnd()}\r\n\r\n`));
  const sender = fields.senderSmtpAddress ?? fields.sentRepresentingSmtpAddress ?? fields.senderEmail ?? '';
  const html = fields.bodyHtml ?? decode(fields.html);
  return {
    messageId: headers.messageId || (fields.messageId ?? ''),
    references: headers.references,
    subject: headers.subject || (fields.subject ?? ''),
    senders: headers.senders.length > 0 ? headers.senders : [sender.toLowerCase()].filter((one) => one.includes('@')),
    headerSecrets: headers.headerSecrets,
    text: `${fields.body ?? ''}\n${decompress(fields.compressedRtf)}`,
    html,
    attachments: await readAttachments(reader, fields.attachments ?? [], depth),
  };
}

async function readAttachments(
  reader: Reader,
  attachments: readonly FieldsData[],
  depth: number,
): Promise<ReadAttachment[]> {
  const read: ReadAttachment[] = [];
  for (const attachment of attachments) {
    const { innerMsgContentFields: inner, fileName, fileNameShort, name, attachMimeTag: mimeType = '' } = attachment;
    const named = { name: fileName ?? fileNameShort ?? name ?? '', mimeType };
    if (inner && depth === 0) throw new Error('the Outlook message is nested too deeply');
    if (inner)
      read.push({ ...named, content: new Uint8Array(), message: await toReadMessage(reader, inner, depth - 1) });
    else read.push({ ...named, content: reader.getAttachment(attachment).content });
  }
  return read;
}

function decode(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString('utf8') : '';
}

/** Decompresses the text of an Outlook message, which contains the full links. */
export function decompress(rtf: Uint8Array | undefined): string {
  if (!rtf || rtf.length > MAX_RTF_BYTES) return '';
  return Buffer.from(decompressRTF([...rtf])).toString('latin1');
}
