const MAX_LENGTH = 255;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;
/** A string of structured fields (RFC 8941), without spaces. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;

/** Returns the key in a header, bare or in quotes; undefined if it is invalid. */
export function parseIdempotencyKey(header: string): string | undefined {
  const [, quoted] = QUOTED.exec(header) ?? [];
  const key = quoted === undefined ? BARE.exec(header)?.[0] : quoted.replaceAll(/\\(.)/g, '$1');
  return key !== undefined && key.length <= MAX_LENGTH ? key : undefined;
}
