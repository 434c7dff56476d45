import { marked, type Token, type Tokens } from 'marked';
import { countLines, hasProse, type Passage, PartsBuilder } from './passages.ts';

/** Location and language of a passage. */
export type Origin = Omit<Passage, 'parts'>;

/**
 * Returns the passages of Markdown: headings, paragraphs, list items, table cells and the descriptions of
 * pictures. Code blocks, HTML and comments are left out; inline code reads as a noun.
 */
export function markdownPassages(text: string, origin: Origin): Passage[] {
  const passages: Passage[] = [];
  addBlocks(marked.lexer(text), origin, passages);
  return passages;
}

function addBlocks(tokens: readonly Token[], origin: Origin, passages: Passage[]): void {
  let { line } = origin;
  for (const token of tokens) {
    addBlock(token, { ...origin, line }, passages);
    line += countLines(token.raw);
  }
}

function addBlock(token: Token, origin: Origin, passages: Passage[]): void {
  switch (token.type) {
    case 'list':
      addBlocks((token as Tokens.List).items, origin, passages);
      break;
    case 'list_item':
    case 'blockquote':
      addBlocks(token.tokens ?? [], origin, passages);
      break;
    case 'table':
      addTable(token as Tokens.Table, origin, passages);
      break;
    case 'heading':
    case 'paragraph':
    case 'text':
      addInline(token.tokens ?? [], origin, passages);
      break;
    default:
  }
}

function addTable({ header, rows }: Tokens.Table, origin: Origin, passages: Passage[]): void {
  for (const cell of header) addInline(cell.tokens, origin, passages);
  for (const [index, row] of rows.entries()) {
    for (const cell of row) addInline(cell.tokens, { ...origin, line: origin.line + 2 + index }, passages);
  }
}

function addInline(tokens: readonly Token[], origin: Origin, passages: Passage[]): void {
  const builder = new PartsBuilder(origin.language);
  const pictures: string[] = [];
  for (const token of tokens) addSpan(token, builder, pictures);
  if (hasProse(builder.parts)) passages.push({ ...origin, parts: builder.parts });
  for (const text of pictures) passages.push({ ...origin, parts: [{ text }] });
}

function addSpan(token: Token, builder: PartsBuilder, pictures: string[]): void {
  switch (token.type) {
    case 'text':
      builder.addText(token.raw);
      break;
    case 'codespan':
      builder.addNoun(token.raw);
      break;
    case 'escape':
      builder.addMarkup(token.raw, (token as Tokens.Escape).text);
      break;
    case 'br':
      builder.addMarkup(token.raw, '\n');
      break;
    case 'image':
      builder.addMarkup(token.raw);
      if (/\p{L}/u.test((token as Tokens.Image).text)) pictures.push((token as Tokens.Image).text);
      break;
    case 'link':
      if ((token as Tokens.Link).text === (token as Tokens.Link).href) builder.addNoun(token.raw);
      else addContainer(token, builder, pictures);
      break;
    case 'strong':
    case 'em':
    case 'del':
      addContainer(token, builder, pictures);
      break;
    default:
      builder.addMarkup(token.raw);
  }
}

/** Adds the text inside a link or an emphasis, with its brackets and targets as markup. */
function addContainer(token: Token, builder: PartsBuilder, pictures: string[]): void {
  const tokens = 'tokens' in token ? (token.tokens ?? []) : [];
  const inside = tokens.map(({ raw }) => raw).join('');
  const begin = token.raw.indexOf(inside);
  builder.addMarkup(token.raw.slice(0, begin));
  for (const child of tokens) addSpan(child, builder, pictures);
  builder.addMarkup(token.raw.slice(begin + inside.length));
}
