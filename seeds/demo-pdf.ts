import { PDFDocument, type PDFFont, type PDFPage, StandardFonts, rgb } from '@cantoo/pdf-lib';
import { DEMO_TEXTS, type DemoText, type TextName } from './demo-texts.ts';

/** The contents of a PDF. The same contents give the same bytes each time. */
export interface Print {
  /** Sections, each of which starts on a new page. */
  texts: TextName[];
  /** The author, for the footer and the metadata. */
  issuer: string;
  version: string;
  date: string;
  /** Additional paragraph at the end of the first section. */
  news?: string | undefined;
}

const [WIDTH, HEIGHT, MARGIN] = [595, 842, 70];
const INK = rgb(0.13, 0.15, 0.19);
const GREY = rgb(0.42, 0.45, 0.5);

export async function createPdf(print: Print): Promise<{ content: Buffer; pageCount: number }> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  const texts: DemoText[] = print.texts.map((name) => DEMO_TEXTS[name]);
  const date = new Date(print.date);
  pdf.setTitle(texts[0]!.title);
  pdf.setAuthor(print.issuer);
  pdf.setLanguage(texts[0]!.language);
  pdf.setCreationDate(date);
  pdf.setModificationDate(date);
  const regular = await pdf.embedFont(StandardFonts.Helvetica);
  const bold = await pdf.embedFont(StandardFonts.HelveticaBold);
  for (const [index, { title, paragraphs }] of texts.entries()) {
    const news = index === 0 && print.news !== undefined ? [print.news] : [];
    drawText(pdf, { title, paragraphs: [...paragraphs, ...news] }, { regular, bold });
  }
  const pages = pdf.getPages();
  for (const [index, page] of pages.entries()) {
    page.setFont(regular);
    const footer = `${print.issuer}  ·  Version ${print.version}  ·  ${print.date.slice(0, 10)}`;
    page.drawText(footer, { x: MARGIN, y: 42, size: 8, color: GREY });
    const number = `${index + 1} / ${pages.length}`;
    page.drawText(number, { x: WIDTH - MARGIN - 20, y: 42, size: 8, color: GREY });
  }
  return { content: Buffer.from(await pdf.save()), pageCount: pages.length };
}

/** Draws text on as many pages as it needs. */
function drawText(
  pdf: PDFDocument,
  { title, paragraphs }: { title: string; paragraphs: string[] },
  { regular, bold }: { regular: PDFFont; bold: PDFFont },
): void {
  let page: PDFPage = pdf.addPage([WIDTH, HEIGHT]);
  let y = HEIGHT - MARGIN - 20;
  page.setFont(bold);
  page.drawText(title, { x: MARGIN, y, size: 20, color: INK });
  page.setFont(regular);
  y -= 40;
  for (const paragraph of paragraphs) {
    for (const line of wrapLines(paragraph, regular, 11)) {
      if (y < MARGIN + 20) {
        page = pdf.addPage([WIDTH, HEIGHT]);
        page.setFont(regular);
        y = HEIGHT - MARGIN - 20;
      }
      page.drawText(line, { x: MARGIN, y, size: 11, color: INK });
      y -= 16;
    }
    y -= 9;
  }
}

function wrapLines(paragraph: string, font: PDFFont, size: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && font.widthOfTextAtSize(longer, size) <= WIDTH - 2 * MARGIN)
      lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
