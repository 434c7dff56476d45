import { PACKAGE_CLIENT } from './package-assets.ts';

// None goes on behind the next tag: a page of many beginnings would take the square of its length.
const PLACES = [/<head(\s[^<>]*)?>/i, /<html(\s[^<>]*)?>/i, /<!doctype[^<>]*>/i];
/** Of a page, so much is looked at. */
const BEGINNING = 65_536;

/**
 * A page of a package with the client of its learning system, before all scripts of its own: pages look for it in their own
 * window first, and those above are closed to them. Bytes that are no ASCII stay as they are, in whatever encoding.
 */
export function withClient(page: Buffer, standard: string): Buffer {
  const script = Buffer.from(`<script src="${PACKAGE_CLIENT.path}?${standard}"></script>`);
  const text = page.toString('latin1', 0, BEGINNING);
  // In UTF-16 there is no place to find.
  if (/^(\xff\xfe|\xfe\xff)/.test(text)) return page;
  for (const place of PLACES) {
    const found = place.exec(text);
    if (!found) continue;
    const end = found.index + found[0].length;
    return Buffer.concat([page.subarray(0, end), script, page.subarray(end)]);
  }
  return Buffer.concat([script, page]);
}
