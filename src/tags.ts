const TAG = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;

/** The tags in a header `If-Match`, or all tags; undefined when it is not one (RFC 9110, section 13.1.1). */
export function tagsOf(header: string): string[] | '*' | undefined {
  if (header.trim() === '*') return '*';
  const tags = header.match(/(?:W\/)?"[^"]*"|[^\s,]+/g);
  return tags?.every((tag) => TAG.test(tag)) ? tags : undefined;
}

/** Whether one of the tags is that of the thing as it is. A weak tag is none: it does not tell one state from another. */
export function isAmong(tags: readonly string[] | '*', tag: string): boolean {
  return tags === '*' || tags.includes(tag);
}

/** Whether a header `If-None-Match` names a tag, or all of them. A tag is the same weakly and strongly there. */
export function namesTag(header: string | undefined, tag: string): boolean {
  const strong = (one: string) => one.trim().replace(/^W\//, '');
  return header?.split(',').some((one) => one.trim() === '*' || strong(one) === strong(tag)) ?? false;
}
