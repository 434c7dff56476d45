import burner from '@kenjiuno/msgreader/lib/Burner.js';

// Writes the two containers of Outlook: a compound file (.msg) and a TNEF stream (winmail.dat).

export interface OutlookFields {
  subject: string;
  sender: string;
  messageId?: string;
  headers?: string;
  body?: string;
  html?: string;
}

type Entry = Parameters<typeof burner.burn>[0][number];
const [DIRECTORY, DOCUMENT, ROOT] = [1, 2, 5];

/** Builds a `.msg` file. An inner message becomes an attached Outlook item. */
export function outlookMessage(fields: OutlookFields, inner?: OutlookFields): Buffer {
  const entries: Entry[] = [];
  const add = (entry: Entry): number => entries.push(entry) - 1;
  const stream = (name: string, content: Buffer) =>
    add({ name, type: DOCUMENT, length: content.length, binaryProvider: () => new Uint8Array(content) });
  const root: Entry = { name: 'Root Entry', type: ROOT, length: 0, children: [] };
  add(root);
  root.children!.push(...streams(fields, 32, stream));
  if (inner) {
    const message: Entry = { name: '__substg1.0_3701000D', type: DIRECTORY, length: 0, children: [] };
    const attachment: Entry = { name: '__attach_version1.0_#00000000', type: DIRECTORY, length: 0, children: [] };
    root.children!.push(add(attachment));
    const properties = Buffer.alloc(8 + 16);
    // The attachment method: an embedded message.
    properties.writeUInt32LE(0x37050003, 8);
    properties.writeUInt32LE(6, 8 + 4);
    properties.writeUInt32LE(5, 8 + 8);
    attachment.children!.push(stream('__properties_version1.0', properties), add(message));
    message.children!.push(...streams(inner, 24, stream));
  }
  return Buffer.from(burner.burn(entries));
}

function streams(fields: OutlookFields, headerBytes: number, add: (name: string, content: Buffer) => number): number[] {
  const text = { '0037': fields.subject, '1000': fields.body, '1035': fields.messageId, '007D': fields.headers };
  const unicode = { ...text, '001A': 'IPM.Note', '5D01': fields.sender };
  const html = fields.html === undefined ? [] : [add('__substg1.0_10130102', Buffer.from(fields.html))];
  return [
    add('__properties_version1.0', Buffer.alloc(headerBytes)),
    ...Object.entries(unicode).flatMap(([tag, value]) =>
      value === undefined ? [] : [add(`__substg1.0_${tag}001F`, Buffer.from(value, 'utf16le'))],
    ),
    ...html,
  ];
}

/** Builds a `winmail.dat` with the MAPI properties of a message. */
export function tnef({ messageId, headers, body, html }: OutlookFields, inner?: OutlookFields): Buffer {
  const unicode = (id: number, value: string | undefined) =>
    value === undefined ? [] : [property(0x1f, id, Buffer.from(`${value}\0`, 'utf16le'))];
  const properties = [
    property(0x3, 0x0e07, 1),
    ...unicode(0x1000, body),
    ...unicode(0x1035, messageId),
    ...unicode(0x007d, headers),
    ...(html === undefined ? [] : [property(0x102, 0x1013, Buffer.from(html))]),
  ];
  const parts = [header(), attribute(1, 0x69003, list(properties))];
  if (inner) {
    const object = property(0xd, 0x3701, Buffer.concat([Buffer.alloc(16), tnef(inner)]));
    parts.push(attribute(2, 0x69002, Buffer.alloc(14)), attribute(2, 0x69005, list([object])));
  }
  return Buffer.concat(parts);
}

function header(): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUInt32LE(0x223e9f78);
  return bytes;
}

function attribute(level: number, id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(level);
  head.writeUInt32LE(id, 1);
  head.writeUInt32LE(data.length, 5);
  return Buffer.concat([head, data, Buffer.alloc(2)]);
}

function list(properties: readonly Buffer[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(properties.length);
  return Buffer.concat([count, ...properties]);
}

function property(type: number, id: number, value: Buffer | number): Buffer {
  const tag = Buffer.alloc(typeof value === 'number' ? 8 : 12);
  tag.writeUInt16LE(type);
  tag.writeUInt16LE(id, 2);
  tag.writeUInt32LE(typeof value === 'number' ? value : 1, 4);
  if (typeof value === 'number') return tag;
  tag.writeUInt32LE(value.length, 8);
  return Buffer.concat([tag, value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}
