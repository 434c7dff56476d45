/** Minimum contrast between text and its background (WCAG 2.2, success criterion 1.4.3). */
const MIN_CONTRAST = 4.5;
export const MAX_LOGO_BYTES = 64 * 1024;
const MAX_LOGO_PIXELS = 1000;

export interface LogoFacts {
  mediaType: 'image/png' | 'image/jpeg' | 'image/webp';
  width: number;
  height: number;
}

/** Returns the contrast between white and a colour such as `#1d4ed8`. */
export function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

export function hasEnoughContrast(color: string): boolean {
  return contrastWithWhite(color) >= MIN_CONTRAST;
}

/** Reads the type and size of a picture. Returns undefined if it is not a PNG, JPEG or WebP, or is too large. */
export function readLogo(bytes: Buffer): LogoFacts | undefined {
  if (bytes.length > MAX_LOGO_BYTES) return undefined;
  const facts = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  const isInBounds = (size: number) => size >= 1 && size <= MAX_LOGO_PIXELS;
  return facts && isInBounds(facts.width) && isInBounds(facts.height) ? facts : undefined;
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');

function readPng(bytes: Buffer): LogoFacts | undefined {
  // Mail programs differ in how they show an animation, so animated pictures are rejected.
  if (bytes.length < 33 || !bytes.subarray(0, PNG.length).equals(PNG) || bytes.includes('acTL')) return undefined;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readJpeg(bytes: Buffer): LogoFacts | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 <= bytes.length;) {
    const marker = bytes.readUInt16BE(at);
    if (marker < 0xff01) return undefined;
    // Frame markers are C0 to CF, except the table markers C4, C8 and CC.
    if (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker))
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function readWebp(bytes: Buffer): LogoFacts | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  const kind = bytes.toString('latin1', 8, 16);
  const size = (width: number, height: number): LogoFacts => ({ mediaType: 'image/webp', width, height });
  if (kind === 'WEBPVP8 ') return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff);
  if (kind === 'WEBPVP8L') {
    const bits = bytes.readUInt32LE(21);
    return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  // The second bit of the flags marks an animation.
  if (kind !== 'WEBPVP8X' || (bytes[20]! & 2) !== 0) return undefined;
  return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1);
}
