import { ADDRESS_KEYS, addressFault, textFault } from './addresses.ts';
import { contentFault, nameFault } from './attachments.ts';
import { ACTION_KEYS, AutomaticActions, leaves } from './automatic-actions.ts';
import { NestedTooDeep, ObjectReader, type PdfItems, type PdfValue, referencesOf, valuesOf } from './object-reader.ts';
import { contentOf, dataPlace } from './streams.ts';

const MIB = 1024 * 1024;
const MAX_OBJECT_STREAM_BYTES = 16 * MIB;
const MAX_ATTACHMENT_BYTES = 64 * MIB;
/** How often a PDF may be attached to a PDF that is attached. */
const MAX_LEVEL = 3;

const UNREADABLE = 'has objects that cannot be looked into';
/** How many actions may follow each other from the one that begins by itself. */
const MAX_FOLLOWED = 8;

const UNREADABLE_ATTACHMENT = 'has an attached file that cannot be looked into';

/** What makes a PDF more than paper, by a key and the value that it must have, if any. */
const FORBIDDEN: { key: string; value?: string; fault: string }[] = [
  { key: '/S', value: '/Launch', fault: 'has a /Launch action, which would start a program: remove it' },
  { key: '/JS', fault: 'has JavaScript, which would run when people open or use it: remove it' },
  {
    key: '/S',
    value: '/ImportData',
    fault: 'has an /ImportData action, which would read a file of its reader: remove it',
  },
  { key: '/XFA', fault: 'has an XFA form, which can hold scripts: save it without /XFA' },
  { key: '/RichMediaContent', fault: 'has a /RichMedia annotation, which can hold a program: remove it' },
  { key: '/OnInstantiate', fault: 'has a 3D model with JavaScript: remove it' },
];
/** A dictionary that holds the word `stream` did not end for us where it ends for others. */
const NOT_ENDED = 'stream';
const KEYS = new Set([...FORBIDDEN.map(({ key }) => key), '/EF', ...ACTION_KEYS, ...ADDRESS_KEYS, NOT_ENDED]);

/** Thrown with what is wrong, to follow the name of the file. */
class Refused extends Error {}

/**
 * What a PDF would do or carry beyond what is read: start a program, run a script, go elsewhere without a click, point to a
 * file on a server, bring a file that may be a program. Links, forms that are filled in and attached documents are fine. Undefined when there is nothing.
 *
 * It does not follow the index: viewers read broken ones differently, and an update may replace an object for some of
 * them only. It reads what stands after each `obj`, wherever that is, and whatever streams of objects hold.
 */
export function findActiveContent(file: Buffer): string | undefined {
  try {
    search(file, 0);
    return undefined;
  } catch (error) {
    if (error instanceof NestedTooDeep) return 'nests its objects too deep';
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

function search(file: Buffer, level: number): void {
  const attached = new Set<number>();
  const automatic = new AutomaticActions();
  let hasLeaving = false;
  const check = (items: PdfItems) => {
    if (!items.items.some((value) => typeof value === 'string' && KEYS.has(value))) return;
    checkKeys(items);
    automatic.note(items);
    hasLeaving ||= leaves(items);
    for (const number of checkAttachment(items)) attached.add(number);
  };
  for (const { value, stream } of objectsOf(file, check)) {
    checkText(value);
    if (stream && isObjectStream(stream.dictionary)) searchObjectStream(file, stream, check);
  }
  if (hasLeaving) followActions(file, automatic);
  if (attached.size > 0) searchAttachments(file, attached, level);
}

interface Stream {
  dictionary: PdfItems;
  /** Where its data begins. */
  place: number;
}

interface FoundObject {
  /** Where its word `obj` is. */
  at: number;
  value: PdfValue | undefined;
  stream?: Stream;
}

/** What stands after each `obj`; what stands after each `trailer` is but read. */
function* objectsOf(file: Buffer, onItems: (items: PdfItems) => void): Generator<FoundObject> {
  const reader = new ObjectReader(file, onItems);
  for (let at = file.indexOf('trailer'); at >= 0; at = file.indexOf('trailer', at + 7)) reader.readAt(at + 7);
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    if (file[at - 1] === LETTER_D) continue; // endobj
    const value = reader.readAt(at + 3);
    const place = isItems(value) ? dataPlace(file, reader) : undefined;
    yield isItems(value) && place !== undefined ? { at, value, stream: { dictionary: value, place } } : { at, value };
  }
}

const LETTER_D = 0x64;
/** Room for the number and the generation of an object. */
const HEADER_BYTES = 24;

/** The number of the object whose `obj` is at a place; undefined when it cannot be told. */
function numberOf(file: Buffer, at: number): number | undefined {
  const header = file.toString('latin1', Math.max(0, at - HEADER_BYTES), at);
  const number = /(\d+)\s+\d+\s*$/.exec(header)?.[1];
  return number === undefined ? undefined : Number(number);
}

function isItems(value: PdfValue | undefined): value is PdfItems {
  return typeof value === 'object' && 'items' in value;
}

/** What viewers go by: the type is for people. */
function isObjectStream({ items }: PdfItems): boolean {
  return items.includes('/N') && items.includes('/First');
}

/**
 * Every dictionary in a stream of objects begins with two brackets, whatever the table at its start says of where, be it
 * in the middle of a string.
 */
function searchObjectStream(file: Buffer, { dictionary, place }: Stream, check: (items: PdfItems) => void): void {
  const content = contentOf(file, dictionary, place, MAX_OBJECT_STREAM_BYTES);
  if (!content) throw new Refused(UNREADABLE);
  for (const [, value] of objectsIn(content, dictionary)) checkText(value);
  const isRead = new Uint8Array(content.length);
  const reader = new ObjectReader(content, (items, start) => {
    isRead[start] = 1;
    check(items);
  });
  for (let at = content.indexOf('<<'); at >= 0; at = content.indexOf('<<', at + 1)) {
    if (isRead[at]) continue;
    reader.readAt(at);
    if (dataPlace(content, reader) !== undefined) throw new Refused(UNREADABLE);
  }
}

/** The objects of a stream of objects as the table at its start says. */
function* objectsIn(content: Buffer, dictionary: PdfItems): Generator<[number, PdfValue]> {
  const [first, ...others] = valuesOf(dictionary, '/First');
  if (typeof first !== 'number' || others.length > 0 || referencesOf(dictionary, '/First').length > 0) {
    throw new Refused(UNREADABLE);
  }
  const table = new ObjectReader(content, () => undefined);
  const reader = new ObjectReader(content, () => undefined);
  for (let at = 0; at < first; at = table.position) {
    const [number, offset] = [table.readAt(at), table.readAt(table.position)];
    if (typeof number !== 'number' || typeof offset !== 'number') return;
    const value = reader.readAt(first + offset);
    if (value !== undefined) yield [number, value];
  }
}

function followActions(file: Buffer, automatic: AutomaticActions): void {
  for (let steps = 0; automatic.wanted.length > 0 && !automatic.found; steps++) {
    if (steps === MAX_FOLLOWED) throw new Refused('has a long chain of actions that begins without a click: remove it');
    automatic.look(numberedObjects(file, automatic.wanted));
  }
  if (automatic.found) throw new Refused('has an action that goes elsewhere without a click: remove it');
}

/** Each object with its number, and one whose number cannot be told with all that it could be. */
function* numberedObjects(file: Buffer, wanted: readonly number[]): Generator<[number, PdfValue]> {
  for (const { at, value, stream } of objectsOf(file, () => undefined)) {
    const number = numberOf(file, at);
    for (const one of number === undefined ? wanted : [number]) yield [one, value ?? 'null'];
    if (!stream || !isObjectStream(stream.dictionary)) continue;
    const content = contentOf(file, stream.dictionary, stream.place, MAX_OBJECT_STREAM_BYTES)!;
    yield* objectsIn(content, stream.dictionary);
  }
}

function checkText(value: PdfValue | undefined): void {
  const fault = value === undefined ? undefined : textFault(value);
  if (fault !== undefined) throw new Refused(fault);
}

function checkKeys(items: PdfItems): void {
  if (items.items.includes(NOT_ENDED)) throw new Refused(UNREADABLE);
  for (const { key, value, fault } of FORBIDDEN) {
    const values = valuesOf(items, key);
    if (value === undefined ? values.some((one) => one !== 'null') : values.includes(value)) throw new Refused(fault);
  }
  if (referencesOf(items, '/S').length > 0) {
    throw new Refused('has an action that names its kind in another object: remove it');
  }
  const fault = addressFault(items);
  if (fault !== undefined) throw new Refused(fault);
}

/** The numbers of the streams with what is attached. */
function checkAttachment(items: PdfItems): number[] {
  return valuesOf(items, '/EF').flatMap((files) => {
    const fault = nameFault(items);
    if (fault !== undefined) throw new Refused(fault);
    const numbers = isItems(files) ? referencesOf(files) : [];
    if (numbers.length === 0) throw new Refused(UNREADABLE_ATTACHMENT);
    return numbers;
  });
}

function searchAttachments(file: Buffer, numbers: ReadonlySet<number>, level: number): void {
  const found = new Set<number>();
  let end = 0;
  for (const { at, stream } of objectsOf(file, () => undefined)) {
    // A PDF that is attached unpacked has numbers of its own.
    if (!stream || at < end) continue;
    const number = numberOf(file, at);
    // A number that cannot be told may be that of the attachment.
    if (number !== undefined && !numbers.has(number)) continue;
    const content = contentOf(file, stream.dictionary, stream.place, MAX_ATTACHMENT_BYTES);
    if (!content) throw new Refused(UNREADABLE_ATTACHMENT);
    if (content.buffer === file.buffer) end = stream.place + content.length;
    checkContent(content, level);
    if (number !== undefined) found.add(number);
  }
  if (found.size < numbers.size) throw new Refused(UNREADABLE_ATTACHMENT);
}

function checkContent(content: Buffer, level: number): void {
  const fault = contentFault(content);
  if (fault !== undefined) throw new Refused(fault);
  if (!content.subarray(0, 1024).includes('%PDF-')) return;
  if (level >= MAX_LEVEL) throw new Refused(UNREADABLE_ATTACHMENT);
  search(content, level + 1);
}
