import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidField } from '../../../contract/errors.ts';

/** Content of a version. Policies and templates have different fields, but each has a file. */
export interface Content {
  pdfFile: string | null;
}

/** A document with its live content and its draft. */
export interface Versioned<C extends Content> {
  isLive: boolean;
  /**
   * Live content; before the first publication, the content of the last draft, without its file if the draft was
   * discarded.
   */
  content: C;
  draft: C | null;
}

export type Decision<C extends Content> =
  | { step: 'save_draft'; content: C }
  | { step: 'publish'; content: C }
  | { step: 'discard'; keepsFile: boolean }
  | { step: 'nothing' };

/**
 * Decides what a change does. The action `draft` changes the draft; without a draft, it starts one from the live
 * content if any field is given, even with an unchanged value. An open draft is not saved again if nothing in it
 * changes. The action `live` publishes the draft together with the change, unless there is no draft and the live
 * version has the same content.
 * @param changes the fields that the request has
 * @throws invalid_request if the document would have no file
 */
export function decideChange<C extends Content>(
  { isLive, content, draft }: Versioned<C>,
  changes: Partial<C>,
  action: 'draft' | 'live',
): Decision<C> {
  if (action === 'draft' && Object.keys(changes).length === 0) return { step: 'nothing' };
  const next = { ...(draft ?? content), ...changes };
  if (next.pdfFile === null) throw invalidField('body/pdfFile', 'is required, because there is no content yet');
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

/** Decides to remove the draft. A document without a live version then has no file. @throws no_draft */
export function decideDiscard<C extends Content>({ isLive, draft }: Versioned<C>): Decision<C> & { step: 'discard' } {
  if (!draft) throw noDraft();
  return { step: 'discard', keepsFile: isLive };
}

function noDraft(): ApiError {
  return new ApiError('no_draft', 'The policy or template has no draft; create one first.');
}
