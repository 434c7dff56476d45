import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const COLOR = '#0f766e';
const RGB = [0x0f, 0x76, 0x6e];
const [WIDTH, HEIGHT] = [144, 48];

/** Builds the settings of a company with a colour, and a logo of three bars in this colour. */
export function brandingRow(companyId: string): object {
  const logo = drawBars();
  return {
    ...{ company_id: companyId, brand_color: COLOR, brand_logo: logo },
    brand_logo_facts: { mediaType: 'image/png', width: WIDTH, height: HEIGHT },
    brand_version: hash('sha256', Buffer.concat([Buffer.from(`${COLOR} `), logo])).slice(0, 12),
  };
}

function drawBars(): Buffer {
  const rows = Array.from({ length: HEIGHT }, (_row, y) => {
    const row = Array.from({ length: WIDTH }, (_pixel, x) => (isBar(x, y) ? RGB : [0xff, 0xff, 0xff])).flat();
    return Buffer.from([0, ...row]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat(rows));
  const magic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([magic, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

/** Reports whether a pixel is in one of three bars, each higher than the last. */
function isBar(x: number, y: number): boolean {
  const bar = Math.floor(x / 48);
  return x % 48 >= 8 && x % 48 < 40 && y >= HEIGHT - 8 - 12 * (bar + 1) && y < HEIGHT - 4;
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type), data]);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
