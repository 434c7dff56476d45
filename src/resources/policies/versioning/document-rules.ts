import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidField } from '../../../contract/errors.ts';

/** The content of a version. Policies and templates have different fields, but both have a file. */
export interface Content {
  pdfFile: string | null;
}

/** A document with its live content and the draft beside it. */
export interface Versioned<C extends Content> {
  isLive: boolean;
  /** The live content. Before the first publication: the last draft, without its file when it was discarded. */
  content: C;
  draft: C | null;
}

/** What is to be done with a document. */
export type Decision<C extends Content> =
  | { step: 'save_draft'; content: C }
  | { step: 'publish'; content: C }
  | { step: 'discard'; keepsFile: boolean }
  | { step: 'nothing' };

/**
 * Decides what a change does. `draft` changes the draft, or starts one from the live content when any field is given,
 * even one that has its value already; a draft that the change leaves the same is not saved again. `live` publishes the
 * draft together with the change, or nothing if the live version says all of it and there is no draft.
 * @param changes the fields that are given
 * @throws invalid_request when the document would have no file
 */
export function decideChange<C extends Content>(
  { isLive, content, draft }: Versioned<C>,
  changes: Partial<C>,
  action: 'draft' | 'live',
): Decision<C> {
  if (action === 'draft' && Object.keys(changes).length === 0) return { step: 'nothing' };
  const next = { ...(draft ?? content), ...changes };
  if (next.pdfFile === null) throw invalidField('body/pdfFile', 'is required: there is no content yet');
  const isOpen = draft !== null;
  const isSame = isDeepStrictEqual(next, draft ?? content);
  if (isSame && (action === 'draft' ? isOpen : isLive && !isOpen)) return { step: 'nothing' };
  if (action === 'draft') return { step: 'save_draft', content: next };
  return { step: 'publish', content: next };
}

/** @throws no_draft */
export function decidePublication<C extends Content>({ draft }: Versioned<C>): Decision<C> & { step: 'publish' } {
  if (!draft) throw noDraft();
  return { step: 'publish', content: draft };
}

/** Removes the draft. The live version stays; without one, the document keeps no file. @throws no_draft */
export function decideDiscard<C extends Content>({ isLive, draft }: Versioned<C>): Decision<C> & { step: 'discard' } {
  if (!draft) throw noDraft();
  return { step: 'discard', keepsFile: isLive };
}

function noDraft(): ApiError {
  return new ApiError('no_draft', 'There is no draft.');
}
