import type { PdfItems, PdfValue } from './object-reader.ts';
import { decodePdfString } from './strings.ts';

/** Keys of URLs in a document. */
export const ADDRESS_KEYS = ['/F', '/UF', '/DOS', '/Mac', '/Unix', '/URI', '/URL', '/Base', '/Dir'];
/** URLs and paths on a server: `\\server\share`, `//server/share` and `file://server/share`; not `file:///C:/`. */
const ON_SERVER = /^[\0-\x20]*([\\/]{2}|file:[\\/]{2}(?!(localhost)?[\\/](?![\\/])))/i;
const SMB = /^[\0-\x20]*(smb|cifs|nfs|search|search-ms):/i;
const SCRIPT = /^[\0-\x20]*(javascript|vbscript):/i;

/** Returns the fault of the URLs in a dictionary; undefined if there is none. */
export function addressFault({ items }: PdfItems): string | undefined {
  const values = items.filter((_value, index) => ADDRESS_KEYS.includes(items[index - 1] as string));
  return values.map(textFault).find(Boolean);
}

/**
 * Returns the fault of a string that is an unsafe URL or path; undefined if there is none. Windows sends its user's
 * name and hashed password to any server that such a URL names.
 */
export function textFault(value: PdfValue): string | undefined {
  if (typeof value !== 'object' || !('raw' in value)) return undefined;
  const text = decodePdfString(value);
  if (SCRIPT.test(text)) return 'has a link that runs a script; remove it';
  const isOnServer = ON_SERVER.test(text) || SMB.test(text);
  return isOnServer ? 'points to a file on a server, which learns who opens it; use a web link' : undefined;
}
