import { promisify } from 'node:util';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib';
import { type Entry as ZipEntry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import type { PackageLimits } from '../../../../config/package-limits.ts';
import { ProcessFault, runInProcess } from '../../../../limits/run-in-process.ts';
import { listPieces } from './pieces-of-bytes.ts';
import { DOWNLOAD_TYPE, getContentType, isProgram } from './file-types.ts';
import { toLaunchFile } from './launch-path.ts';
import { type PackageSigns, SignCollector } from './package-signs.ts';
import { doOverlap, type Entry, findEntriesFault, isFolder, isLeftover, MAX_ENTRIES } from './entry-rules.ts';
import { type Manifest, MANIFEST, readManifestOrFault } from './manifest.ts';
import { decodeXml } from './xml-tree.ts';

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
  report: PackageReport;
}

/** Inspection findings that are stored with a package. */
export interface PackageReport extends PackageSigns {
  /** Paths of programs, which were left out of the package. */
  leftOut: string[];
  /** Paths of files that browsers save instead of showing them. */
  downloads: string[];
}

/** Maximum number of paths in each list of a report. */
const MAX_LISTED = 20;

/** Contents of a package, or the fault that it has, worded to follow "The file". */
export type PackageInspection = (PackageContents & { fault?: undefined }) | { fault: string };

export const MAX_MANIFEST_BYTES = 2 * 1024 * 1024;
const UNREADABLE = 'is not a readable ZIP file';
const inflate = promisify<Buffer, object, Buffer>(inflateRaw);

/** Error that ends an inspection with a fault. */
class Fault extends Error {}

/**
 * Reads a ZIP file as a SCORM package. The entry rules limit how many bytes are unpacked. Large files are unpacked in
 * chunks, so that memory holds only the ZIP file and at most 8 MiB of an unpacked file.
 * @param signal aborts reading
 * @throws the signal's reason
 */
export async function inspectPackage(
  bytes: Buffer,
  limits: PackageLimits,
  signal?: AbortSignal,
): Promise<PackageInspection> {
  try {
    return await readContents(bytes, limits, signal);
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message };
    throw error;
  }
}

async function readContents(
  bytes: Buffer,
  limits: PackageLimits,
  signal: AbortSignal | undefined,
): Promise<PackageContents> {
  const { files, leftOut } = await listFiles(bytes, limits);
  if (doOverlap([...files, ...leftOut])) throw new Fault('has overlapping files');
  const manifest = findManifest(files);
  const signs = new SignCollector();
  for (const file of files) {
    signal?.throwIfAborted();
    signs.add(file.path, file.contentType, await readSound(bytes, file));
  }
  const text = decodeXml(await unpacked(bytes, manifest));
  const manifestContent = await readManifestText(
    text,
    files.map(({ path }) => path),
    signal,
  );
  return {
    ...manifestContent,
    files: files.map(({ crc: _, ...file }) => file),
    unpackedBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    report: {
      ...signs.collect(toLaunchFile(manifestContent.launchPath)),
      leftOut: leftOut.map(({ path }) => path).slice(0, MAX_LISTED),
      downloads: files
        .filter(({ contentType }) => contentType === DOWNLOAD_TYPE)
        .map(({ path }) => path)
        .slice(0, MAX_LISTED),
    },
  };
}

/**
 * Maximum length of manifests that are read on the event loop, which takes about 30 ms. Longer manifests take up to 400
 * ms, and are read in a separate process.
 */
const MAX_INLINE = 64_000;
const PROGRAM = new URL('manifest-program.ts', import.meta.url);
const LIMITS = { maxCpuMs: 10_000, maxMemoryMib: 384, maxHeapMib: 256, maxMs: 30_000 };

async function readManifestText(
  text: string,
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Manifest> {
  const isLong = text.length > MAX_INLINE;
  const manifest = isLong
    ? await readInProcess(JSON.stringify({ text, paths }), signal)
    : readManifestOrFault(text, paths);
  if (typeof manifest === 'string') throw new Fault(`has an ${MANIFEST} that ${manifest}`);
  return manifest;
}

async function readInProcess(input: string, signal: AbortSignal | undefined): Promise<Manifest | string> {
  try {
    const [manifest] = await runInProcess<Manifest | string>(PROGRAM, Buffer.from(input), { limits: LIMITS, signal });
    return manifest!;
  } catch (error) {
    if (!(error instanceof ProcessFault)) throw error;
    return error.reason === 'failed' ? 'cannot be read' : 'takes too long to read';
  }
}

type CheckedFile = PackageFile & { crc: number };

/**
 * Lists the files in the directory of a ZIP file: those that belong to the package, and programs, which are left out.
 */
async function listFiles(bytes: Buffer, limits: PackageLimits): Promise<Record<'files' | 'leftOut', CheckedFile[]>> {
  const zip = await readable(fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false }));
  const entries = await readEntries(zip);
  // Data before the first file belong to another format, such as a self-extracting program.
  if (entries.length > 0 && bytes.readUInt32LE(0) !== LOCAL_HEADER) throw new Fault('has data before its first file');
  const fault = findEntriesFault(entries.map(toEntry), limits);
  if (fault) throw new Fault(fault);
  const all: CheckedFile[] = [];
  for (const raw of entries) {
    const entry = toEntry(raw);
    if (isFolder(entry) || isLeftover(entry)) continue;
    const { fileDataStart } = await readable(zip.readLocalFileHeaderPromise(raw, { minimal: true }));
    const { packedBytes, sizeBytes, method } = entry;
    const path = entry.path.normalize('NFC');
    const where = { offset: fileDataStart, packedBytes, isDeflated: method !== 0 };
    all.push({ path, contentType: getContentType(path), sizeBytes, ...where, crc: raw.crc32 });
  }
  const [files, leftOut] = [false, true].map((isLeftOut) => all.filter(({ path }) => isProgram(path) === isLeftOut));
  return { files: files!, leftOut: leftOut! };
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

/** Converts every library error to the fault of an unreadable ZIP file. */
async function readable<T>(step: Promise<T>): Promise<T> {
  return step.catch(() => {
    throw new Fault(UNREADABLE);
  });
}

const ENCRYPTED = 0x2041;
const LOCAL_HEADER = 0x04034b50;

function toEntry(entry: ZipEntry): Entry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, externalFileAttributes } = entry;
  const name = getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, true);
  return {
    // Some old Windows programs write backslashes.
    path: name.replaceAll('\\', '/'),
    packedBytes: entry.compressedSize,
    sizeBytes: entry.uncompressedSize,
    method: entry.compressionMethod,
    isEncrypted: (generalPurposeBitFlag & ENCRYPTED) !== 0,
    fileType: externalFileAttributes >>> 28,
  };
}

function findManifest<T extends PackageFile>(files: readonly T[]): T {
  const manifest = files.find(({ path }) => path.toLowerCase() === MANIFEST);
  if (manifest && manifest.sizeBytes <= MAX_MANIFEST_BYTES) return manifest;
  if (manifest) throw new Fault(`has an ${MANIFEST} that is larger than ${MAX_MANIFEST_BYTES / 1024 ** 2} MiB`);
  const isDeeper = files.some(({ path }) => path.toLowerCase().endsWith(`/${MANIFEST}`));
  throw new Fault(isDeeper ? `has its ${MANIFEST} in a folder; put it at the top level` : `has no ${MANIFEST}`);
}

/** Maximum size of a file that is unpacked as a whole, in bytes. */
const MAX_WHOLE_BYTES = 8 * 1024 * 1024;

/**
 * Unpacks a file and checks it against the ZIP directory, so that it can be served without another check. Returns the
 * file, or its first chunk if it is large.
 */
async function readSound(bytes: Buffer, file: CheckedFile): Promise<Buffer> {
  if (file.sizeBytes > MAX_WHOLE_BYTES) return readLarge(bytes, file);
  const content = await unpacked(bytes, file);
  if (content.length !== file.sizeBytes || crc32(content) !== file.crc) throw new Fault('is damaged');
  return content;
}

async function readLarge(bytes: Buffer, file: CheckedFile): Promise<Buffer> {
  const { offset, packedBytes, sizeBytes, crc, isDeflated } = file;
  const packed = bytes.subarray(offset, offset + packedBytes);
  const pieces = isDeflated ? Readable.from([packed]).pipe(createInflateRaw()) : listPieces(packed);
  let first: Buffer | undefined;
  let length = 0;
  let sum = 0;
  try {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      first ??= piece;
      length += piece.length;
      if (length > sizeBytes) break;
      sum = crc32(piece, sum);
    }
  } catch {
    throw new Fault('is damaged');
  }
  if (!first || length !== sizeBytes || sum !== crc) throw new Fault('is damaged');
  return first;
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
