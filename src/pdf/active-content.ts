import { ActionKinds, couldLeave, hasOperand } from './action-kinds.ts';
import { ADDRESS_KEYS, addressFault, textFault } from './addresses.ts';
import { contentFault } from './attachments.ts';
import { DocumentObjects, parseObjectNumber, readObjects, UNREADABLE } from './document-objects.ts';
import { NestedTooDeep, type PdfItems, listValues } from './object-reader.ts';
import { HAS_FORM_SCRIPT, ObjectWalk, WALK_KEYS } from './object-walk.ts';
import { Refused } from './refused.ts';
import { isPicture } from './streams.ts';

const MIB = 1024 * 1024;
const MAX_ATTACHMENT_BYTES = 64 * MIB;
/** Maximum depth of PDFs attached to PDFs. */
const MAX_LEVEL = 3;

const UNREADABLE_ATTACHMENT = 'has an attached file that cannot be inspected';

/** Keyword whose presence in a dictionary shows that it was read beyond the point at which other readers stop. */
const NOT_ENDED = 'stream';
const KEYS = new Set([...WALK_KEYS, ...ADDRESS_KEYS, '/S', '/XFA', '/RichMediaContent', NOT_ENDED]);

/**
 * Finds active content of a PDF: content that starts a program, runs a script, goes elsewhere without a click, points
 * to a file on a server, or attaches a file that could be a program. Links, forms to fill in and attached documents are
 * fine. Returns the fault; undefined if there is no active content.
 *
 * The search does not follow the index (see {@link DocumentObjects}). It judges every object that any viewer could
 * find, in two ways:
 *
 * - by its references, from everything that could be a catalogue, a page, a field or an annotation: {@link ObjectWalk}
 * - on its own, because an action can be in a place that no walk reaches. A dictionary is an action if it names a kind
 *   of action and has an operand of this kind. A key in itself proves little: /S, /JS and /XFA also name glyphs,
 *   states, fonts and places.
 */
export function findActiveContent(file: Buffer): string | undefined {
  try {
    search(file, 0);
    return undefined;
  } catch (error) {
    if (error instanceof NestedTooDeep) return 'nests its objects too deeply';
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

function search(file: Buffer, level: number): void {
  const objects = new DocumentObjects(file);
  const kinds = new ActionKinds();
  const walk = new ObjectWalk(kinds);
  let hasLeaving = false;
  const check = (items: PdfItems) => {
    if (!items.items.some((value) => typeof value === 'string' && KEYS.has(value))) return;
    refuse(kinds.findFault(items) ?? findContentFault(items));
    walk.recordReferences(items);
    hasLeaving ||= couldLeave(items);
  };
  objects.read(check, ({ value, stream }) => {
    kinds.recordObject(value);
    refuse(textFault(value));
    if (stream && hasOperand(stream.dictionary, '/OnInstantiate')) {
      throw new Refused('has a 3D model with JavaScript; remove it');
    }
  });
  walk.follow(objects, hasLeaving);
  refuse(kinds.pendingFault);
  if (walk.attached.size > 0) searchAttachments(file, objects, walk.attached, level);
}

function refuse(fault: string | undefined): void {
  if (fault !== undefined) throw new Refused(fault);
}

/** Returns the fault of a dictionary, regardless of references to it. */
function findContentFault(items: PdfItems): string | undefined {
  if (items.items.includes(NOT_ENDED)) return UNREADABLE;
  if (items.items.includes('/Fields') && hasOperand(items, '/XFA')) return HAS_FORM_SCRIPT;
  if (hasOperand(items, '/RichMediaContent') && !listValues(items, '/Subtype').every(isOtherName)) {
    return 'has a /RichMedia annotation, which can contain a program; remove it';
  }
  return addressFault(items);
}

const isOtherName = (value: unknown) => typeof value === 'string' && value !== '/RichMedia';

function searchAttachments(file: Buffer, objects: DocumentObjects, numbers: ReadonlySet<number>, level: number): void {
  const attachedNumbers = new Set<number>();
  let end = 0;
  for (const { at, stream } of readObjects(file, () => undefined)) {
    if (!stream) continue;
    const number = parseObjectNumber(file, at);
    // An object whose number cannot be read could be the attachment.
    if (number !== undefined && !numbers.has(number)) continue;
    // Object numbers inside an uncompressed attached PDF belong to that PDF, unless an index points into data that only
    // looks like a PDF.
    const isInside = at < end;
    if (isInside && isPicture(stream)) continue;
    const content = objects.readContent(stream, MAX_ATTACHMENT_BYTES);
    if (!content) throw new Refused(UNREADABLE_ATTACHMENT);
    if (content.buffer === file.buffer) end = Math.max(end, stream.place + content.length);
    checkContent(content, level);
    if (number !== undefined && !isInside) attachedNumbers.add(number);
  }
  if (attachedNumbers.size < numbers.size) throw new Refused(UNREADABLE_ATTACHMENT);
}

function checkContent(content: Buffer, level: number): void {
  refuse(contentFault(content));
  if (!content.subarray(0, 1024).includes('%PDF-')) return;
  if (level >= MAX_LEVEL) throw new Refused(UNREADABLE_ATTACHMENT);
  search(content, level + 1);
}
