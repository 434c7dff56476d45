import type { PackageLimits } from '../../../../config/package-limits.ts';
import { quoted, toPathKey } from './path-names.ts';

const MIB = 1024 * 1024;
/** Package limits, which the contract states in `uploadCoursePackage`. */
export const MAX_FILES = 10_000;
const MAX_RATIO = 100;
/** Size in bytes up to which files are exempt from the limit on the compression ratio. */
const RATIO_FROM_BYTES = MIB;
const MAX_PATH_LENGTH = 250;
const STORED = 0;
const DEFLATED = 8;

/** An entry in the directory of a ZIP file. */
export interface Entry {
  /** Path in the ZIP file, with slashes instead of backslashes. */
  path: string;
  packedBytes: number;
  sizeBytes: number;
  method: number;
  isEncrypted: boolean;
  /** File type bits of the Unix mode; 0 if unknown. */
  fileType: number;
}

const REGULAR = 0o10;
const FOLDER = 0o04;

/** Maximum number of entries in a ZIP directory: `MAX_FILES` files, and the same number of folders and leftovers. */
export const MAX_ENTRIES = 2 * MAX_FILES;

export function isFolder({ path }: Pick<Entry, 'path'>): boolean {
  return path.endsWith('/');
}

/** Reports whether an operating system added the entry to the ZIP file. Such entries do not belong to the package. */
export function isLeftover({ path }: Pick<Entry, 'path'>): boolean {
  return path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(path);
}

/** Returns the fault of a package's entries, worded to follow "The file"; undefined if there is none. */
export function findEntriesFault(
  entries: readonly Entry[],
  { maxUnpackedBytes }: Pick<PackageLimits, 'maxUnpackedBytes'>,
): string | undefined {
  const files = entries.filter((entry) => !isFolder(entry) && !isLeftover(entry));
  if (files.length === 0) return 'has no files';
  if (files.length > MAX_FILES) return `has more than ${MAX_FILES} files`;
  for (const entry of entries) {
    const fault = findPathFault(entry.path) ?? findKindFault(entry);
    if (fault) return `has an entry ${quoted(entry.path)} that ${fault}`;
  }
  for (const file of files) {
    const fault = findFileFault(file);
    if (fault) return `has a file ${quoted(file.path)} that ${fault}`;
  }
  if (files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxUnpackedBytes) {
    return `unpacks to more than ${maxUnpackedBytes / MIB} MiB`;
  }
  const twice = findRepeated(files.map(({ path }) => path));
  return twice && `has two files named ${twice.map(quoted).join(' and ')}, which differ at most in case`;
}

/** Returns the fault of an entry's path. A path must stay in its folder, and be valid on every system and in a URL. */
function findPathFault(path: string): string | undefined {
  const name = path.endsWith('/') ? path.slice(0, -1) : path;
  if (path.length > MAX_PATH_LENGTH) return `has a name of more than ${MAX_PATH_LENGTH} characters`;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'has an absolute path';
  // A URL cannot contain a lone surrogate or the replacement character.
  if (/[\p{Cc}<>:"|?*\ufffd]/u.test(path) || !path.isWellFormed()) return 'has an invalid character in its name';
  const steps = name.split('/');
  if (steps.includes('..') || steps.includes('.')) return 'points outside its folder';
  if (steps.some((step) => step.trim() === '' || /[. ]$/.test(step))) return 'has an invalid name';
  return undefined;
}

function findKindFault({ isEncrypted, fileType, ...entry }: Entry): string | undefined {
  if (isEncrypted) return 'is encrypted';
  if (fileType !== 0 && fileType !== (isFolder(entry) ? FOLDER : REGULAR))
    return 'is a link or a device instead of a file';
  return undefined;
}

function findFileFault({ method, packedBytes, sizeBytes }: Entry): string | undefined {
  if (method !== STORED && method !== DEFLATED) return 'uses a compression method other than deflate';
  if (method === STORED && packedBytes !== sizeBytes) return 'has two different sizes';
  if (sizeBytes > RATIO_FROM_BYTES && sizeBytes > packedBytes * MAX_RATIO) {
    return `unpacks to more than ${MAX_RATIO} times its size`;
  }
  return undefined;
}

/** Location of a file's bytes in a ZIP file. */
export interface Span {
  offset: number;
  packedBytes: number;
}

/** Reports whether two files share bytes, as in a zip bomb. */
export function doOverlap(spans: readonly Span[]): boolean {
  const inOrder = spans.filter(({ packedBytes }) => packedBytes > 0).toSorted((a, b) => a.offset - b.offset);
  return inOrder.some(({ offset }, index) => {
    const before = inOrder[index - 1];
    return before !== undefined && offset < before.offset + before.packedBytes;
  });
}

/** Returns two paths that have the same key; undefined if there are none. */
function findRepeated(paths: readonly string[]): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const key = toPathKey(path);
    const other = seen.get(key);
    if (other !== undefined) return [other, path];
    seen.set(key, path);
  }
  return undefined;
}
