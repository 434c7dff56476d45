import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../contract/languages.ts';
import { certificateMessages } from './certificate-messages.ts';
import { formatter } from './formats.ts';

/** It has Latin, Greek, Cyrillic and more. What it lacks is drawn as an empty box. */
const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const PLAIN = font('DejaVuSans');
/** Where the text begins, so that it stands in the middle. */
const TOP = 130;

export interface PrintedCertificate {
  /** In groups. */
  shownNumber: string;
  issuedAt: string;
  holder: string;
  courseName: string;
  /** Calendar date. */
  finishDate: string;
  companyName: string;
  language: Language;
  /** Where the certificate can be checked. */
  address: string;
}

/** The last one that was printed: to print one takes a core for a twentieth of a second, and it may be asked for again. */
let last: { key: string; pdf: Buffer } | undefined;

/** The certificate as a PDF of one page, which programs that read aloud understand. */
export async function certificatePdf(certificate: PrintedCertificate): Promise<Buffer> {
  const key = JSON.stringify(certificate);
  if (last?.key !== key) last = { key, pdf: await print(certificate) };
  return last.pdf;
}

async function print(certificate: PrintedCertificate): Promise<Buffer> {
  // Few processes ever make one.
  const { default: PDFDocument } = await import('pdfkit');
  const { language, holder, companyName, courseName, finishDate, shownNumber, address, issuedAt } = certificate;
  const messages = certificateMessages[language];
  const document = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin: 72, pdfVersion: '1.7', font: PLAIN },
    ...{ lang: language, tagged: true, displayTitle: true },
    info: { Title: `${messages.title}: ${courseName}`, CreationDate: new Date(issuedAt) },
  });
  const lines: [string, string, number, number][] = [
    ['H1', messages.title, 34, 30],
    ['P', messages.holder, 14, 8],
    ['P', holder, sizeFor(holder), 8],
    ['P', messages.passed, 14, 8],
    ['P', courseName, sizeFor(courseName), 8],
    ['P', messages.at(companyName, formatter(language).day(finishDate)), 14, 40],
    ['P', `${messages.number}: ${shownNumber}`, 11, 4],
    ['P', messages.check(address), 9, 0],
  ];
  document.y = TOP;
  const whole = document.struct('Document');
  document.addStructure(whole);
  for (const [type, text, size, gap] of lines) {
    const draw = () => void document.fontSize(size).text(text, { align: 'center', paragraphGap: gap });
    whole.add(document.struct(type, {}, draw));
  }
  whole.end();
  document.end();
  return buffer(document);
}

function sizeFor(text: string): number {
  return text.length <= 40 ? 24 : text.length <= 120 ? 16 : 10;
}
