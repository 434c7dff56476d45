import { decompress } from './outlook-message.ts';
import type { ReadAttachment } from './read-message.ts';

// Reads `winmail.dat`, the Transport Neutral Encapsulation Format (MS-OXTNEF) in which Exchange wraps a whole email if
// it assumes that the recipient uses Outlook. The format is a list of attributes, one of which is a list of MAPI
// properties.

const MAGIC = 0x223e9f78;
const ATTRIBUTE = {
  body: 0x2800c,
  title: 0x18010,
  data: 0x6800f,
  rendering: 0x69002,
  properties: 0x69003,
  attachment: 0x69005,
};
const PROPERTY = { body: 0x1000, rtf: 0x1009, html: 0x1013, messageId: 0x1035, headers: 0x007d, object: 0x3701 };
const MAX_PROPERTIES = 2000;

export interface Tnef {
  text: string;
  html: string;
  messageId: string;
  /** Headers of the email as it came from the internet. */
  headers: string;
  attachments: ReadAttachment[];
}

export function isTnef(content: Uint8Array): boolean {
  return content.length > 6 && toBuffer(content).readUInt32LE(0) === MAGIC;
}

/** Reads the stream up to the first malformed part. */
export function readTnef(content: Uint8Array): Tnef {
  const tnef: Tnef = { text: '', html: '', messageId: '', headers: '', attachments: [] };
  for (const { id, data } of listAttributes(toBuffer(content))) {
    const attachment = tnef.attachments.at(-1);
    if (id === ATTRIBUTE.rendering) tnef.attachments.push({ name: '', mimeType: '', content: new Uint8Array() });
    else if (id === ATTRIBUTE.body) tnef.text += data.toString('latin1');
    else if (id === ATTRIBUTE.properties) readProperties(data, tnef);
    else if (attachment && id === ATTRIBUTE.title) attachment.name = data.toString('latin1').replace(/\0.*$/s, '');
    else if (attachment && id === ATTRIBUTE.data) attachment.content = data;
    else if (attachment && id === ATTRIBUTE.attachment) {
      const object = readObject(data);
      if (object) attachment.content = object;
    }
  }
  return tnef;
}

function* listAttributes(bytes: Buffer): Generator<{ id: number; data: Buffer }> {
  // The stream starts with the signature and the key; each attribute has a level, an id, a length, data and a checksum.
  for (let at = 6; at + 9 <= bytes.length;) {
    const id = bytes.readUInt32LE(at + 1);
    const length = bytes.readUInt32LE(at + 5);
    yield { id, data: bytes.subarray(at + 9, at + 9 + length) };
    at += 9 + length + 2;
  }
}

function readProperties(data: Buffer, tnef: Tnef): void {
  for (const { id, type, value } of listProperties(data)) {
    const text = value.toString(type === 0x1f ? 'utf16le' : 'utf8');
    if (id === PROPERTY.body) tnef.text += text;
    else if (id === PROPERTY.rtf) tnef.text += `\n${decompress(value)}`;
    else if (id === PROPERTY.html) tnef.html += text;
    else if (id === PROPERTY.messageId) tnef.messageId = text.replace(/\0/g, '');
    else if (id === PROPERTY.headers) tnef.headers = text.replace(/\0/g, '');
  }
}

/** Returns an attached email: TNEF data that follows the id of its interface. */
function readObject(data: Buffer): Buffer | undefined {
  for (const { id, value } of listProperties(data)) if (id === PROPERTY.object) return value.subarray(16);
  return undefined;
}

const FIXED = new Map([
  ...[0x2, 0x3, 0x4, 0xa, 0xb].map((type) => [type, 4] as const),
  ...[0x5, 0x6, 0x7, 0x14, 0x40].map((type) => [type, 8] as const),
  [0x48, 16] as const,
]);

/** Lists the properties up to the first that is malformed or has an unknown type. */
function* listProperties(bytes: Buffer): Generator<{ id: number; type: number; value: Buffer }> {
  const count = bytes.length < 4 ? 0 : Math.min(bytes.readUInt32LE(0), MAX_PROPERTIES);
  let at = 4;
  const isWithin = (size: number) => at + size <= bytes.length;
  for (let index = 0; index < count && isWithin(8); index += 1) {
    const [type, id] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    at += 4;
    if (id >= 0x8000) {
      // A named property has the id of its set, the kind of its name, and a number or a string.
      if (!isWithin(24)) return;
      const isText = bytes.readUInt32LE(at + 16) === 1;
      at += 24 + (isText ? pad(bytes.readUInt32LE(at + 20)) : 0);
    }
    const size = FIXED.get(type & 0xfff);
    const isList = (type & 0x1000) !== 0 || size === undefined;
    if (isList && !isWithin(4)) return;
    const values = isList ? bytes.readUInt32LE(at) : 1;
    at += isList ? 4 : 0;
    for (let one = 0; one < values && one < MAX_PROPERTIES; one += 1) {
      if (!isWithin(4)) return;
      const length = size ?? bytes.readUInt32LE(at);
      at += size === undefined ? 4 : 0;
      yield { id, type: type & 0xfff, value: bytes.subarray(at, at + length) };
      at += pad(length);
    }
  }
}

function pad(length: number): number {
  return Math.ceil(length / 4) * 4;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
