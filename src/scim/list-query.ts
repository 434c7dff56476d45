import type { Request } from 'express';

/** A text in quotes, or what stands between two of them. */
const PART = /"(?:[^"\\]|\\.)*"?|[^"]+/g;
/** Stands for a `+` that was not encoded, and in no filter. */
const PLUS = '\u0001';
const ADDRESS = /^"[^\s@"]+@[^\s@"]+"$/;

/**
 * The query of a list. In its `filter` a `+` is itself, as in any address (RFC 3986), where nothing shows that the client
 * has encoded the query as a form: a space between the words of a filter that is sent as `+`. Then it is a space in texts
 * too, but never in an e-mail address, which has none.
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
