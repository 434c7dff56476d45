const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** Parses the tags of an `If-Match` header. Returns undefined if the header is invalid (RFC 9110, section 13.1.1). */
export function parseIfMatch(header: string): string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g);
  return tags?.every((tag) => TAG.test(tag)) ? tags : undefined;
}

/**
 * Reports whether the tags include the current tag, in strong or weak form. RFC 9110 requires strong tags in If-Match.
 * But a proxy that compresses responses turns our tags into weak tags, so clients behind it know only weak tags. A weak
 * tag still names a single state, because our tags are hashes of the whole response.
 */
export function isAmong(tags: readonly string[] | '*', tag: string): boolean {
  return tags === '*' || tags.some((one) => strong(one) === strong(tag));
}

function strong(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/**
 * Reports whether an `If-None-Match` header names a tag or all tags. Weak and strong forms of a tag count as equal.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((one) => one.trim() === '*' || strong(one) === strong(tag)) ?? false;
}
