/**
 * Returns the lookup key of a file. Many packages are created on systems with case-insensitive file names, so the case
 * of their links often differs from that of the files.
 */
export function toPathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Quotes an untrusted name, after shortening it and replacing control characters. */
export function quoted(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
  return `“${plain.length > 100 ? `${plain.slice(0, 100).toWellFormed()}…` : plain}”`;
}
