const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The tags in a header `If-Match`, or all tags; undefined when it is not one (RFC 9110, section 13.1.1). */
export function parseIfMatch(header: string): string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g);
  return tags?.every((tag) => TAG.test(tag)) ? tags : undefined;
}

/**
 * Reports whether one of the tags is that of the thing as it is. RFC 9110 asks for strong tags in If-Match. But a proxy
 * that compresses answers makes a weak tag of ours, the only one that its clients see. It still names one state, since our
 * tags are made of all that an answer says.
 */
export function isAmong(tags: readonly string[] | '*', tag: string): boolean {
  return tags === '*' || tags.some((one) => strong(one) === strong(tag));
}

function strong(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}

/** Whether a header `If-None-Match` names a tag, or all of them. A tag is the same weakly and strongly there. */
export function namesTag(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((one) => one.trim() === '*' || strong(one) === strong(tag)) ?? false;
}
