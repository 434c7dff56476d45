import type { PdfString } from './object-reader.ts';

/** Decodes a string of a PDF, in any of its spellings. */
export function decodePdfString({ raw }: PdfString): string {
  const text = raw.toString('latin1', 1, raw.length - 1);
  const bytes = Buffer.from(
    raw[0] === LESS ? text.replace(/[^\da-f]/gi, '') : unescaped(text),
    raw[0] === LESS ? 'hex' : 'latin1',
  );
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3);
  return bytes.toString('latin1');
}

function unescaped(text: string): string {
  return text.replace(/\\(\r\n|[0-7]{1,3}|[^])/g, (_escape, sign: string) => {
    if (/^[0-7]/.test(sign)) return String.fromCharCode(parseInt(sign, 8) & 0xff);
    if (/^[\r\n]/.test(sign)) return '';
    return CONTROLS[sign] ?? sign;
  });
}

const LESS = 0x3c;
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
