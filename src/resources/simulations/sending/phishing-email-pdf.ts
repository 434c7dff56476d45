import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { PhishingEmailAttachment } from '../templates/simulation-template-content.ts';

const FONT = fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));

/** A harmless document: a title, a text and a link, and nothing that runs. It is the same whenever it is made. */
export function phishingEmailPdf(
  { title, text }: PhishingEmailAttachment,
  link: string,
  createdAt: Date,
): Promise<Buffer> {
  const document = new PDFDocument({
    ...{ size: 'A4', margin: 72, pdfVersion: '1.7', font: FONT },
    info: { Title: title, CreationDate: createdAt },
  });
  document.fontSize(20).text(title).moveDown();
  // The address becomes a link where it stands.
  for (const [index, part] of text.split(link).entries()) {
    document.fontSize(11).fillColor('black');
    if (index > 0) document.fillColor('blue').text(link, { link, underline: true }).fillColor('black');
    document.text(part.trim(), { link: null, underline: false });
  }
  if (!text.includes(link)) document.moveDown().fillColor('blue').text(link, { link, underline: true });
  document.end();
  return buffer(document);
}
