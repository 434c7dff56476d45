import { hash } from 'node:crypto';
import { Rows } from '../db/rows.ts';

/** The tag of an answer, and its text where the tag was made of that. */
export interface Tagged {
  tag: string;
  text: string | undefined;
}

/**
 * The strong ETag of what an operation answers. It is made of all that the answer says, so it differs whenever the answer
 * does: with the name of a group or a figure too, which no number of a row would tell.
 * @returns undefined for rows of which nobody says in short what they are
 */
export function taggedAnswer(data: unknown): Tagged | undefined {
  const rows = Object.values(data as object).filter((field) => field instanceof Rows);
  const text = JSON.stringify({ data });
  if (rows.length === 0) return { tag: formatEntityTag(text), text };
  const states = rows.map(({ state }) => state);
  return states.includes(undefined) ? undefined : { tag: formatEntityTag(text + states.join()), text: undefined };
}

/** A hundred bits or more. */
const TAG_LENGTH = 22;

function formatEntityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, TAG_LENGTH)}"`;
}
