import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type Entry as ZipEntry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { getContentType } from './file-types.ts';
import { doOverlap, type Entry, findEntriesFault, isFolder, isLeftover, MAX_ENTRIES } from './entry-rules.ts';
import { type Manifest, MANIFEST, readManifest } from './manifest.ts';
import { decodeXml, XmlFault } from './xml-tree.ts';

/** A file of a package, and its location in the ZIP file. */
export interface PackageFile {
  path: string;
  contentType: string;
  sizeBytes: number;
  offset: number;
  packedBytes: number;
  isDeflated: boolean;
}

export interface PackageContents extends Manifest {
  files: PackageFile[];
  unpackedBytes: number;
}

/** Contents of a package, or its fault, worded to follow "The file". */
export type PackageInspection = (PackageContents & { fault?: undefined }) | { fault: string };

export const MAX_MANIFEST_BYTES = 256 * 1024;
const UNREADABLE = 'is not a readable ZIP file';
const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

/** Error that ends an inspection with a fault. */
class Fault extends Error {}

/**
 * Reads a ZIP file as a SCORM package. The rules on entries limit how many bytes are unpacked.
 * @param signal aborts the reading
 * @throws the signal's reason
 */
export async function inspectPackage(bytes: Buffer, signal?: AbortSignal): Promise<PackageInspection> {
  try {
    return await readContents(bytes, signal);
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    if (error instanceof XmlFault) return { fault: `has an ${MANIFEST} that ${error.message}` };
    throw error;
  }
}

async function readContents(bytes: Buffer, signal: AbortSignal | undefined): Promise<PackageContents> {
  const files: (PackageFile & { crc: number })[] = [];
  const zip = await readable(fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false }));
  const entries = await readEntries(zip);
  const fault = findEntriesFault(entries.map(toEntry));
  if (fault) throw new Fault(fault);
  for (const raw of entries) {
    const entry = toEntry(raw);
    if (isFolder(entry) || isLeftover(entry)) continue;
    const { fileDataStart } = await readable(zip.readLocalFileHeaderPromise(raw, { minimal: true }));
    const { packedBytes, sizeBytes, method } = entry;
    const path = entry.path.normalize('NFC');
    const isDeflated = method !== 0;
    const where = { offset: fileDataStart, packedBytes, isDeflated };
    files.push({ path, contentType: getContentType(path)!, sizeBytes, ...where, crc: raw.crc32 });
  }
  if (doOverlap(files)) throw new Fault('has overlapping files');
  const manifest = findManifest(files);
  for (const file of files) {
    signal?.throwIfAborted();
    await requireSound(bytes, file);
  }
  const text = decodeXml(await unpacked(bytes, manifest));
  const manifestContent = readManifest(text, new Set(files.map(({ path }) => path)));
  const unpackedBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { ...manifestContent, files: files.map(({ crc: _, ...file }) => file), unpackedBytes };
}

async function readEntries(zip: ZipFile): Promise<ZipEntry[]> {
  if (zip.entryCount > MAX_ENTRIES) throw new Fault(`has more than ${MAX_ENTRIES} entries`);
  const entries: ZipEntry[] = [];
  const read = async () => {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  };
  await readable(read());
  return entries;
}

/** Turns every error of the library into the fault of an unreadable ZIP file. */
async function readable<T>(step: Promise<T>): Promise<T> {
  return step.catch(() => {
    throw new Fault(UNREADABLE);
  });
}

const ENCRYPTED = 0x2041;

function toEntry(entry: ZipEntry): Entry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, externalFileAttributes } = entry;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  return {
    // Old Windows programs write backslashes.
    path: name.replaceAll('\\', '/'),
    packedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    method: entry.compressionMethod,
    isEncrypted: (generalPurposeBitFlag & ENCRYPTED) !== 0,
    fileType: externalFileAttributes >>> 28,
  };
}

function findManifest<T extends PackageFile>(files: readonly T[]): T {
  const manifest = files.find(({ path }) => path === MANIFEST);
  if (manifest && manifest.sizeBytes <= MAX_MANIFEST_BYTES) return manifest;
  if (manifest) throw new Fault(`has an ${MANIFEST} that is larger than ${MAX_MANIFEST_BYTES / 1024} KiB`);
  const isDeeper = files.some(({ path }) => path.toLowerCase().endsWith(`/${MANIFEST}`));
  throw new Fault(isDeeper ? `has its ${MANIFEST} in a folder; put it at the top level` : `has no ${MANIFEST}`);
}

/** Requires that a file matches the ZIP directory, so that it can be served without another check. */
async function requireSound(bytes: Buffer, file: PackageFile & { crc: number }): Promise<void> {
  const content = await unpacked(bytes, file);
  if (content.length !== file.sizeBytes || crc32(content) !== file.crc) throw new Fault('is damaged');
}

async function unpacked(bytes: Buffer, { offset, packedBytes, sizeBytes, isDeflated }: PackageFile): Promise<Buffer> {
  const packed = bytes.subarray(offset, offset + packedBytes);
  return isDeflated ? inflated(packed, sizeBytes) : packed;
}

/** @throws if the bytes are damaged, or unpack to more than the directory says */
async function inflated(packed: Buffer, sizeBytes: number): Promise<Buffer> {
  return inflate(packed, { maxOutputLength: Math.max(sizeBytes, 1) }).catch(() => {
    throw new Fault('is damaged');
  });
}
