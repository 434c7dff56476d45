// Renders a phishing email as its recipient saw it, with the cues marked in it.
//
// A cue is a sentence by the template's author that quotes the words that gave the email away, such as: The email says
// “Dear customer”. Each quotation that occurs in the email becomes a numbered mark, which links to its cue below the
// email. If a cue quotes nothing but names the sender, the sender's domain or the subject, it marks the sender's
// address or the subject. Other cues have no mark, because they concern the email as a whole.
//
// The HTML is safe to insert into a page: all text is escaped, only the elements and attributes that
// phishing-email-html.ts allows are left, headings become plain blocks, and links and QR codes do not work. The HTML is
// rendered from the template again, so this also holds for templates that an older release checked with other rules.
import escapeHtml from 'escape-html';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { oneLineAmidText } from '../../../mail/messages/one-line.ts';
import { fillHtml, type PhishingEmailValues } from '../sending/render-phishing-email.ts';
import { fillIn } from '../sending/phishing-email-text.ts';
import { isAllowedAttribute, isAllowedElement } from './phishing-email-html.ts';
import type { PhishingEmailTexts } from './simulation-template-content.ts';

/** An email with marks. Fields that end in `Html` can be inserted into a page. */
export interface MarkedEmail {
  senderNameHtml: string;
  senderAddressHtml: string;
  subjectHtml: string;
  bodyHtml: string;
  attachment: { nameHtml: string; titleHtml: string; textHtml: string } | null;
  /** The cues in display order. A cue without a mark concerns the email as a whole. */
  cues: { text: string; isMarked: boolean }[];
}

type Names = Pick<PhishingEmailValues, 'firstName' | 'lastName' | 'companyName'>;

interface Mark {
  start: number;
  end: number;
  cue: number;
  /** Whether this is the first mark of its cue. The cue links back to that mark. */
  isFirst: boolean;
  /** Whether the mark ends the phrase. A phrase that spans several elements has a mark in each of them. */
  isLast: boolean;
}

/** A text node of the email. Its marks are in order and do not overlap. */
interface Piece {
  text: string;
  marks: Mark[];
}

/** @param sender domain of the sender */
export function markEmail(texts: PhishingEmailTexts, names: Names, sender: string): MarkedEmail {
  const safe = {
    firstName: oneLineAmidText(names.firstName),
    lastName: oneLineAmidText(names.lastName),
    companyName: oneLineAmidText(names.companyName),
  };
  const { attachment } = texts;
  const single = (text: string): Piece => ({ text, marks: [] });
  const subject = single(fillIn(texts.subject, safe));
  const senderName = single(texts.senderName);
  const senderAddress = single(`${texts.senderMailbox}@${sender}`);
  const link = `https://${sender}/`;
  const body = parseFragment(fillHtml(texts.html, safe, { link, qrCode: '' }));
  const bodyPieces = new Map<Node, Piece>();
  for (const node of listTexts(body)) bodyPieces.set(node, single(node.value));
  const file = attachment
    ? {
        name: single(attachment.name),
        title: single(fillIn(attachment.title, safe)),
        text: single(fillIn(attachment.text, { ...safe, link })),
      }
    : null;
  const fields = [
    ...[[subject], [senderName], [senderAddress], [...bodyPieces.values()]],
    ...(file ? [[file.title], [file.text], [file.name]] : []),
  ];
  const cues = texts.cues.map((text, index) => ({
    text,
    isMarked: markCue({ fields, senderAddress, subject }, text, index + 1),
  }));
  return {
    senderNameHtml: renderPiece(senderName),
    senderAddressHtml: renderPiece(senderAddress),
    subjectHtml: renderPiece(subject),
    bodyHtml: renderBody(body, bodyPieces),
    attachment: file && {
      nameHtml: renderPiece(file.name),
      titleHtml: renderPiece(file.title),
      textHtml: renderPiece(file.text),
    },
    cues,
  };
}

/** Maximum number of quotations to mark per cue; limits the work that a hostile template can cause. */
const MAX_QUOTATIONS = 5;
const QUOTED = /[“„«"]\s*([^“”„«»"]{2,}?)\s*[”“»"]/gu;
const ABOUT_SENDER = /\bsender\b|\bdomain|\babsender|expéditeur|expéditrice/iu;
const ABOUT_SUBJECT = /\bsubject\b|\bbetreff|\bobjet\b/iu;

interface Places {
  fields: readonly Piece[][];
  senderAddress: Piece;
  subject: Piece;
}

/** Marks the quotations of a cue. Reports whether it marked any. */
function markCue({ fields, senderAddress, subject }: Places, cue: string, number: number): boolean {
  let isMarked = false;
  for (const [, quotation] of [...cue.matchAll(QUOTED)].slice(0, MAX_QUOTATIONS)) {
    const phrases = [quotation!, quotation!.replace(/[\p{P}\s]+$/u, '')];
    const isFirst = !isMarked;
    if (phrases.some((phrase) => fields.some((field) => markPhrase(field, phrase, { cue: number, isFirst }))))
      isMarked = true;
  }
  if (isMarked) return true;
  const whole = ABOUT_SENDER.test(cue) ? senderAddress : ABOUT_SUBJECT.test(cue) ? subject : undefined;
  if (!whole || whole.marks.length > 0) return false;
  whole.marks.push({ start: 0, end: whole.text.length, cue: number, isFirst: true, isLast: true });
  return true;
}

/** Marks the first free occurrence of a phrase, which can span several elements. Ignores case and kinds of space. */
function markPhrase(pieces: readonly Piece[], phrase: string, mark: Pick<Mark, 'cue' | 'isFirst'>): boolean {
  const places = listed.get(pieces) ?? listCharacters(pieces);
  listed.set(pieces, places);
  const text = places.map(({ character }) => character).join('');
  const wanted = toComparable(phrase).trim();
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const found = places.slice(at, at + wanted.length);
    if (found.some(isMarked)) continue;
    for (const piece of new Set(found.map((place) => place.piece))) {
      const offsets = found.filter((place) => place.piece === piece).map(({ offset }) => offset);
      const [start, end] = [offsets[0]!, offsets.at(-1)! + 1];
      const isFirst = mark.isFirst && piece === found[0]!.piece;
      piece.marks.push({ start, end, cue: mark.cue, isFirst, isLast: piece === found.at(-1)!.piece });
      piece.marks.sort((one, other) => one.start - other.start);
    }
    return true;
  }
  return false;
}

interface CharacterPlace {
  character: string;
  piece: Piece;
  offset: number;
}

/** Cache of the characters in an email's fields, which are the same for each phrase. */
const listed = new WeakMap<readonly Piece[], CharacterPlace[]>();

function isMarked({ piece, offset }: CharacterPlace): boolean {
  return piece.marks.some(({ start, end }) => start <= offset && offset < end);
}

/** Lists the characters of text nodes in comparable form, with a single space for each run of white space. */
function listCharacters(pieces: readonly Piece[]): CharacterPlace[] {
  const places: CharacterPlace[] = [];
  for (const piece of pieces) {
    for (let offset = 0; offset < piece.text.length; offset += 1) {
      const character = toComparable(piece.text[offset]!);
      if (character === ' ' && places.at(-1)?.character === ' ') continue;
      places.push({ character, piece, offset });
    }
  }
  return places;
}

/** Converts a string to lower case with plain spaces. A single UTF-16 code unit remains a single code unit. */
function toComparable(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\s\S]/g, (unit) => {
    const lower = unit.toLowerCase();
    return lower.length === 1 ? lower : unit;
  });
}

type Node = DefaultTreeAdapterTypes.Node;
type TextNode = DefaultTreeAdapterTypes.TextNode;

function listTexts(root: DefaultTreeAdapterTypes.ParentNode): TextNode[] {
  const texts: TextNode[] = [];
  const left: Node[] = root.childNodes.toReversed();
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.nodeName === '#text') texts.push(node as TextNode);
    else if ('childNodes' in node) left.push(...node.childNodes.toReversed());
  }
  return texts;
}

function renderPiece({ text, marks }: Piece): string {
  let rendered = '';
  let from = 0;
  for (const { start, end, cue, isFirst, isLast } of marks) {
    const id = isFirst ? ` id="mark-${cue}" tabindex="-1"` : '';
    const number = isLast ? `<sup><a href="#cue-${cue}" role="doc-noteref">${cue}</a></sup>` : '';
    rendered += `${escapeHtml(text.slice(from, start))}<mark${id}>${escapeHtml(text.slice(start, end))}${number}</mark>`;
    from = end;
  }
  return rendered + escapeHtml(text.slice(from));
}

const HEADING = /^h[1-6]$/;

/** Renders the body. Uses no recursion, because deeply nested HTML could exhaust the stack. */
function renderBody(body: DefaultTreeAdapterTypes.ParentNode, pieces: ReadonlyMap<Node, Piece>): string {
  let rendered = '';
  const left: (Node | string)[] = body.childNodes.toReversed();
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (typeof node === 'string') rendered += node;
    else if (node.nodeName === '#text') rendered += renderPiece(pieces.get(node)!);
    else if ('tagName' in node) {
      const [begin, end] = renderTags(node);
      rendered += begin;
      left.push(end, ...node.childNodes.toReversed());
    }
  }
  return rendered;
}

/** Renders the tags around the children of an element. Keeps only the text of an element that is not allowed. */
function renderTags({ tagName, attrs }: DefaultTreeAdapterTypes.Element): [begin: string, end: string] {
  if (tagName === 'img') return ['<span class="qr-code">QR</span>', ''];
  if (!isAllowedElement(tagName)) return ['', ''];
  const kept = attrs.filter(({ name, value }) => isAllowedAttribute(name, value));
  const attributes = kept.map(({ name, value }) => ` ${name}="${escapeHtml(value)}"`).join('');
  if (tagName === 'br' || tagName === 'hr') return [`<${tagName}${attributes}>`, ''];
  if (tagName === 'a') return [`<span class="link"${attributes}>`, '</span>'];
  const name = HEADING.test(tagName) ? 'div' : tagName;
  const heading = HEADING.test(tagName) ? ' class="heading"' : '';
  return [`<${name}${heading}${attributes}>`, `</${name}>`];
}
