/** Content types of package files, by file extension. */
const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  dtd: 'application/xml-dtd',
  eot: 'application/vnd.ms-fontobject',
  gif: 'image/gif',
  // Without a charset, because older pages declare their own.
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  map: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  otf: 'font/otf',
  pdf: 'application/pdf',
  png: 'image/png',
  srt: 'application/x-subrip',
  svg: 'image/svg+xml',
  ttf: 'font/ttf',
  txt: 'text/plain',
  vtt: 'text/vtt',
  wasm: 'application/wasm',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xhtml: 'application/xhtml+xml',
  xml: 'application/xml',
  xsd: 'application/xml',
  xsl: 'application/xml',
};

const PAGES = ['text/html', 'application/xhtml+xml'];

/** Returns the content type of a file by its extension; undefined if such files are rejected. */
export function getContentType(path: string): string | undefined {
  const end = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase();
  return end !== undefined && Object.hasOwn(TYPES, end) ? TYPES[end] : undefined;
}

/** Reports whether a file is a page that a browser can open. */
export function isPage(path: string): boolean {
  return PAGES.includes(getContentType(path) ?? '');
}
