import { hash } from 'node:crypto';
import { Rows } from '../db/rows.ts';

/** The tag of a result, and the result as text if the tag was computed from the text. */
export interface Tagged {
  tag: string;
  text: string | undefined;
}

/**
 * Computes the strong ETag of an operation's result. The tag covers the whole content, including group names and
 * figures, which the version of a row would not cover.
 * @returns undefined if the result has rows without a `state`
 */
export function tagResult(data: unknown): Tagged | undefined {
  const rows = Object.values(data as object).filter((field) => field instanceof Rows);
  const text = JSON.stringify({ data });
  if (rows.length === 0) return { tag: formatEntityTag(text), text };
  const states = rows.map(({ state }) => state);
  return states.includes(undefined) ? undefined : { tag: formatEntityTag(text + states.join()), text: undefined };
}

/** Length of a tag in base64url characters; more than a hundred bits. */
const TAG_LENGTH = 22;

function formatEntityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
}
