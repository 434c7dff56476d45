import { crc32, deflateRawSync } from 'node:zlib';

/** A file in a ZIP file. Optional fields replace the true values in its headers. */
export interface ZippedFile {
  path: string | Buffer;
  content: Buffer | string;
  isStored?: boolean;
  method?: number;
  flags?: number;
  crc?: number;
  packedBytes?: number;
  sizeBytes?: number;
  /** The Unix mode, including the file type. */
  mode?: number;
  /** Position of the bytes; can be set to point at another file. */
  offset?: number;
}

const UTF8 = 0x0800;
const MADE_BY_UNIX = 0x0314;
const REGULAR = 0o100644;

/** Builds a ZIP file with the same bytes each time. */
export function buildZip(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let end = 0;
  for (const file of files) {
    const content = Buffer.from(file.content);
    const packed = file.isStored ? content : deflateRawSync(content);
    const head = buildHeader(file, content, packed);
    const name = Buffer.from(file.path);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((file.mode ?? REGULAR) << 16) >>> 0, 6);
    tail.writeUInt32LE(file.offset ?? end, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, name, packed]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), word(MADE_BY_UNIX), head, tail, name]));
    parts.push(local);
    end += local.length;
  }
  const index = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(files.length, 8);
  last.writeUInt16LE(files.length, 10);
  last.writeUInt32LE(index.length, 12);
  last.writeUInt32LE(end, 16);
  return Buffer.concat([...parts, index, last]);
}

/** Builds the fields that both headers of a file share. */
function buildHeader(file: ZippedFile, content: Buffer, packed: Buffer): Buffer {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(20, 0);
  head.writeUInt16LE(file.flags ?? UTF8, 2);
  head.writeUInt16LE(file.method ?? (file.isStored ? 0 : 8), 4);
  // 1 January 1980, the earliest date in a ZIP file.
  head.writeUInt16LE(0x21, 8);
  head.writeUInt32LE(file.crc ?? crc32(content), 10);
  head.writeUInt32LE(file.packedBytes ?? packed.length, 14);
  head.writeUInt32LE(file.sizeBytes ?? content.length, 18);
  head.writeUInt16LE(Buffer.from(file.path).length, 22);
  return head;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
