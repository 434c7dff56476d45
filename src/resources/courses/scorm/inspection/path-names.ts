/**
 * Returns the key under which a file is found. Many packages are written on systems that ignore the case of names, so
 * their links often differ in case from their files.
 */
export function toPathKey(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** Quotes an untrusted name, shortened and with control characters replaced. */
export function quoted(name: string): string {
  const plain = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\ufffd');
  return `“${plain.length > 100 ? `${plain.slice(0, 100).toWellFormed()}…` : plain}”`;
}
