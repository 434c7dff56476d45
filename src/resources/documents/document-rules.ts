import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidField } from '../../errors.ts';

/** What a version of a document says. Policies and templates have different fields, but all have a file. */
export interface Content {
  pdfFile: string | null;
}

/** A document with its live content and the draft beside it. */
export interface Versioned<C extends Content> {
  isLive: boolean;
  /** The live content; before the first publication, that of the last draft, whose file goes when it is discarded. */
  content: C;
  draft: C | null;
}

/** What becomes of a document: its draft is replaced, it gets a new live version, or nothing happens. */
export type Decision<C extends Content> =
  | { step: 'save_draft'; content: C }
  | { step: 'publish'; content: C }
  | { step: 'discard'; keepsFile: boolean }
  | { step: 'nothing' };

/**
 * What a change does. `draft` goes into the draft, begun from the live content where there is none, and without a field
 * leaves the content alone; `live` publishes the open draft and the change together.
 * @param changes the fields that are given
 * @throws invalid_request for a document without a file that is given none
 */
export function decideChange<C extends Content>(
  { isLive, content, draft }: Versioned<C>,
  changes: Partial<C>,
  action: 'draft' | 'live',
): Decision<C> {
  if (action === 'draft' && Object.keys(changes).length === 0) return { step: 'nothing' };
  const next = { ...(draft ?? content), ...changes };
  if (next.pdfFile === null) throw invalidField('body/pdfFile', 'is required: there is no content yet');
  if (action === 'draft') return { step: 'save_draft', content: next };
  if (isLive && draft === null && isDeepStrictEqual(next, content)) return { step: 'nothing' };
  return { step: 'publish', content: next };
}

/** @throws no_draft */
export function decidePublication<C extends Content>({ draft }: Versioned<C>): Decision<C> & { step: 'publish' } {
  if (!draft) throw noDraft();
  return { step: 'publish', content: draft };
}

/** The live version stays; what was never published is left without a file. @throws no_draft */
export function decideDiscard<C extends Content>({ isLive, draft }: Versioned<C>): Decision<C> & { step: 'discard' } {
  if (!draft) throw noDraft();
  return { step: 'discard', keepsFile: isLive };
}

function noDraft(): ApiError {
  return new ApiError('no_draft', 'There is no draft.');
}
