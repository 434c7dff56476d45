import type { Request } from 'express';

/** A quoted string, or the part between two quoted strings. */
const PART = /"(?:[^"\\]|\\.)*"?|[^"]+/g;
/** Placeholder for a `+` that was not encoded; no filter contains it. */
const PLUS = '\u0001';
const ADDRESS = /^"[^\s@"]+@[^\s@"]+"$/;

/**
 * Reads the query of a list. A `+` in its `filter` stands for itself (RFC 3986), unless a `+` between the words of the
 * filter shows that the client encoded the query as a form. In that case, a `+` in a quoted string is also a space,
 * except in an e-mail address, which contains none.
 */
export function readListQuery({ query, originalUrl }: Request): Record<string, unknown> {
  const filter = typeof query.filter === 'string' ? sentFilter(originalUrl) : undefined;
  return filter === undefined ? query : { ...query, filter };
}

function sentFilter(url: string): string | undefined {
  const pairs = url.slice(url.indexOf('?') + 1).split('&');
  const sent = pairs.find((pair) => pair.startsWith('filter='))?.slice('filter='.length);
  if (!sent?.includes('+')) return undefined;
  const text = decoded(sent.replaceAll('+', encodeURIComponent(PLUS)));
  const parts = text?.match(PART) ?? [];
  const isForm = parts.some((part) => !part.startsWith('"') && part.includes(PLUS));
  const read = (part: string) => part.replaceAll(PLUS, isForm && !ADDRESS.test(part) ? ' ' : '+');
  return text === undefined ? undefined : parts.map(read).join('');
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
