import {
  BACKGROUND,
  CHANGES,
  ERROR_CODES,
  EVENT_TYPES,
  GUIDES,
  OPERATIONS,
  REFERENCE,
  SCHEMAS,
} from '../../src/docs/pages.ts';

/** Pages that every list of pages names. */
export const pages = [...GUIDES, ...BACKGROUND, REFERENCE, OPERATIONS, ERROR_CODES, EVENT_TYPES, SCHEMAS, CHANGES].map(
  (page) => page.path,
);

export interface Page {
  path: string;
  text: string;
  headers: Headers;
  /** Targets of the page's links. */
  links: string[];
  /** URLs of the files that a browser loads with the page. */
  loads: string[];
}

export async function read(path: string, init?: RequestInit) {
  const answer = await fetch(`${testService.url}${path}`, init);
  const { status, headers } = answer;
  return { status, headers, type: headers.get('content-type'), text: await answer.text() };
}

/** Reads every page, following links from the first. */
export async function readAll(): Promise<Page[]> {
  const found = new Map<string, Page>();
  const left = ['/docs'];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue;
    const { text, headers, type, status } = await read(path);
    if (status !== 200 || !type?.startsWith('text/html')) continue;
    const links = attributes(text, /<a [^>]*?href="([^"]*)"/g);
    const loads = [...attributes(text, /<link [^>]*?href="([^"]*)"/g), ...attributes(text, /src="([^"]*)"/g)];
    found.set(path, { path, text, headers, links, loads });
    left.push(...links.map((link) => link.split('#')[0]!).filter((link) => link.startsWith('/docs')));
  }
  return [...found.values()];
}

function attributes(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map((match) => match[1]!.replaceAll('&amp;', '&'));
}
