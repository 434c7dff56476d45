import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Language } from '../../../contract/languages.ts';
import { certificateMessages } from './certificate-messages.ts';
import { formatter } from '../formats.ts';

/** DejaVu covers Latin, Greek, Cyrillic and more. Characters that the font lacks are drawn as empty boxes. */
const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`));
const PLAIN = font('DejaVuSans');
/** Top of the text in points; centres the text vertically. */
const TOP = 130;

export interface PrintedCertificate {
  /** Certificate number in groups. */
  shownNumber: string;
  issuedAt: string;
  holder: string;
  courseName: string;
  /** Calendar date. */
  finishDate: string;
  /** Last day on which the certificate is valid; null if it does not expire. */
  validUntil: string | null;
  companyName: string;
  language: Language;
  /** URL of the page that confirms the certificate. */
  address: string;
}

/**
 * The last rendered certificate. It is cached because rendering takes one core about 50 ms, and downloads are often
 * repeated.
 */
let last: { key: string; pdf: Buffer } | undefined;

/** Renders the certificate as a tagged PDF of one page, which screen readers understand. */
export async function certificatePdf(certificate: PrintedCertificate): Promise<Buffer> {
  const key = JSON.stringify(certificate);
  if (last?.key !== key) last = { key, pdf: await print(certificate) };
  return last.pdf;
}

/** Structure type, text, font size and gap below; the last two in points. */
type Line = [type: string, text: string, size: number, gap: number];

async function print(certificate: PrintedCertificate): Promise<Buffer> {
  // Loaded lazily, because few processes ever render a certificate.
  const { default: PDFDocument } = await import('pdfkit');
  const { language, holder, companyName, courseName, finishDate, validUntil, shownNumber, address, issuedAt } =
    certificate;
  const messages = certificateMessages[language];
  const document = new PDFDocument({
    ...{ size: 'A4', layout: 'landscape', margin: 72, pdfVersion: '1.7', font: PLAIN },
    ...{ lang: language, tagged: true, displayTitle: true },
    info: { Title: `${messages.title}: ${courseName}`, CreationDate: new Date(issuedAt) },
  });
  const { day } = formatter(language);
  const lines: Line[] = [
    ['H1', messages.title, 34, 30],
    ['P', messages.holder, 14, 8],
    ['P', holder, sizeFor(holder), 8],
    ['P', messages.passed, 14, 8],
    ['P', courseName, sizeFor(courseName), 8],
    ['P', messages.at(companyName, day(finishDate)), 14, validUntil === null ? 40 : 8],
    ...(validUntil === null ? [] : [['P', messages.validUntil(day(validUntil)), 14, 40] satisfies Line]),
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
