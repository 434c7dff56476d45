/** Content type of files that browsers must save instead of showing. */
export const DOWNLOAD_TYPE = 'application/octet-stream';

/** Content types of the files that browsers show or play, by file extension. All other files are downloads. */
const TYPES: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css; charset=utf-8',
  cur: 'image/x-icon',
  csv: 'text/csv; charset=utf-8',
  dtd: 'application/xml-dtd',
  eot: 'application/vnd.ms-fontobject',
  gif: 'image/gif',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  // These types have no charset, because older pages declare their own.
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  m3u8: 'application/vnd.apple.mpegurl',
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
  ts: 'video/mp2t',
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

/** File extensions of programs. Courses do not need programs, and the service must not serve them. */
const PROGRAMS = new Set(
  (
    'apk app appx bat cmd com cpl deb dll dmg exe gadget hta inf jar jnlp lnk msi msp msix pif pkg ps1 psm1 reg ' +
    'rpm scf scr sh so sys url vb vbe vbs wsf wsh xpi'
  ).split(' '),
);

function getExtension(path: string): string {
  return /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Returns the content type of a file, by its extension. */
export function getContentType(path: string): string {
  const extension = getExtension(path);
  return (Object.hasOwn(TYPES, extension) && TYPES[extension]) || DOWNLOAD_TYPE;
}

/** Reports whether a file is a program. Packages are stored without programs. */
export function isProgram(path: string): boolean {
  return PROGRAMS.has(getExtension(path));
}

export function isFlash(path: string): boolean {
  return ['swf', 'flv', 'fla'].includes(getExtension(path));
}

/** Reports whether a file is a page that a browser can open. */
export function isPage(path: string): boolean {
  return PAGES.includes(getContentType(path));
}
