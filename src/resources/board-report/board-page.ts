import type PDFDocument from 'pdfkit';
import { toVisualOrder } from './bidi.ts';

type Document = InstanceType<typeof PDFDocument>;
type Structure = ReturnType<Document['struct']>;

export const LEFT = 54;
export const RIGHT = 541;
export const WIDTH = RIGHT - LEFT;
const BOTTOM = 790;
/** Line height, as a multiple of the font size. */
const LINE = 1.35;

/** Colours; the text colours have a contrast of at least 4.5 on white. */
export const COLORS = {
  text: '#111827',
  quiet: '#4b5563',
  line: '#d1d5db',
  track: '#eef0f3',
  first: '#1d4ed8',
  second: '#b45309',
};

export interface TextStyle {
  size: number;
  isBold?: boolean;
  color?: string;
  width?: number;
  align?: 'left' | 'right';
  maxLines?: number;
}

/** Pages of the report: text and vector graphics, each with its place in the structure that screen readers follow. */
export class BoardPages {
  readonly document: Document;
  readonly #whole: Structure;
  /** Character widths at a font size of one point, by font. */
  readonly #widths = { plain: new Map<string, number>(), bold: new Map<string, number>() };
  /** Position at which the next part is drawn, measured from the top of the page. */
  y = 0;

  constructor(document: Document) {
    this.document = document;
    this.#whole = document.struct('Document');
    document.addStructure(this.#whole);
  }

  addPage(): void {
    this.document.addPage();
    this.y = 54;
  }

  end(): void {
    this.#whole.end();
    this.document.end();
  }

  /** Draws text below the previous part. */
  text(type: 'H1' | 'H2' | 'P', text: string, style: TextStyle, gap: number): void {
    const lines = this.#wrap(text, style);
    const { y } = this;
    this.#whole.add(this.document.struct(type, { actual: text }, () => this.#drawLines(lines, LEFT, y, style)));
    this.y += lines.length * style.size * LINE + gap;
  }

  /** Draws rows of cells. Decorations, such as bars, are drawn with each row and repeat what the cells say. */
  table(rows: readonly TableRow[], height: number): void {
    const table = this.document.struct('Table');
    this.#whole.add(table);
    for (const { cells, isHead = false, decorate, height: rowHeight = height } of rows) {
      const row = this.document.struct('TR');
      table.add(row);
      if (decorate) this.artifact(() => decorate(this.y));
      cells.forEach(({ text, x, ...style }, at) => {
        const type = isHead || at === 0 ? 'TH' : 'TD';
        const lines = this.#wrap(text, style);
        const draw = () => this.#drawLines(lines, x, this.y, style);
        row.add(this.document.struct(type, { actual: text }, draw));
      });
      row.end();
      this.y += rowHeight;
    }
    table.end();
  }

  /** Draws a picture with alternative text for screen readers. */
  figure(alt: string, height: number, draw: (top: number) => void): void {
    this.#whole.add(this.document.struct('Figure', { alt }, () => draw(this.y)));
    this.y += height;
  }

  /** Draws decorations that screen readers skip. */
  artifact(draw: () => void): void {
    this.document.markContent('Artifact');
    draw();
    this.document.endMarkedContent();
  }

  bar(x: number, y: number, width: number, share: number | null, color: string): void {
    this.document.roundedRect(x, y, width, 8, 2).fill(COLORS.track);
    if (share !== null && share > 0) {
      this.document.roundedRect(x, y, Math.max(2, width * Math.min(1, share)), 8, 2).fill(color);
    }
  }

  label(text: string, x: number, y: number, style: TextStyle): void {
    this.#drawLines(this.#wrap(text, { maxLines: 1, ...style }), x, y, style);
  }

  /** Number of rows of the given height that fit in the rest of the page. */
  rowsLeft(height: number): number {
    return Math.floor((BOTTOM - this.y) / height);
  }

  #drawLines(lines: readonly string[], x: number, y: number, style: TextStyle): void {
    const { size, width = WIDTH, align = 'left', color = COLORS.text } = style;
    this.#setFont(style);
    this.document.fillColor(color);
    lines.forEach((line, index) => {
      const top = y + index * size * LINE;
      const shown = toVisualOrder(line);
      // pdfkit puts the space after an Arabic word on the wrong side, so each word is positioned separately.
      const words = shown === line ? [line] : shown.split(' ');
      const gap = this.document.widthOfString(' ');
      let at = align === 'right' ? x + width - this.#measure(shown, style) : x;
      for (const word of words) {
        this.document.text(word, at, top, { lineBreak: false });
        if (words.length > 1) at += this.document.widthOfString(word) + gap;
      }
    });
  }

  #setFont({ size, isBold = false }: TextStyle): void {
    this.document.font(isBold ? 'bold' : 'plain').fontSize(size);
  }

  /** Breaks text into lines. A word that is too long breaks anywhere, and text with too many lines is cut off. */
  #wrap(text: string, style: TextStyle): string[] {
    const { width = WIDTH, maxLines = 4 } = style;
    const measure = (part: string) => this.#measure(part, style);
    const lines: string[] = [];
    let line = '';
    for (const word of text.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (measure(longer) <= width) {
        line = longer;
        continue;
      }
      if (line !== '') lines.push(line);
      const pieces = splitWord(word, width, measure);
      lines.push(...pieces.slice(0, -1));
      line = pieces.at(-1)!;
      if (lines.length > maxLines) break;
    }
    lines.push(line);
    if (lines.length <= maxLines) return lines;
    const cut = splitWord(lines.slice(maxLines - 1).join(' '), width - measure('…'), measure)[0]!;
    return [...lines.slice(0, maxLines - 1), `${cut.trimEnd()}…`];
  }

  /** Measures text by its characters: laying it out to measure it would take a hundred times as long. */
  #measure(text: string, { size, isBold = false }: TextStyle): number {
    const widths = this.#widths[isBold ? 'bold' : 'plain'];
    let sum = 0;
    for (const letter of text) {
      let width = widths.get(letter);
      if (width === undefined) {
        this.#setFont({ size: 1, isBold });
        width = this.document.widthOfString(letter);
        widths.set(letter, width);
      }
      sum += width;
    }
    return sum * size;
  }
}

/** Splits a word into parts that fit. A word that fits is one part. */
function splitWord(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const letter of word) {
    const own = measure(letter);
    if (piece !== '' && taken + own > width) {
      pieces.push(piece);
      [piece, taken] = ['', 0];
    }
    piece += letter;
    taken += own;
  }
  return [...pieces, piece];
}

export interface TableRow {
  cells: readonly ({ text: string; x: number } & TextStyle)[];
  isHead?: boolean;
  /** Height of the row, if it differs from that of the table. */
  height?: number;
  decorate?: ((top: number) => void) | false;
}
