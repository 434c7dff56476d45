import { readFileSync } from 'node:fs';
import { once } from '../http/once.ts';
import { type Heading, linkFrom, renderMarkdown, type Resolve, resolveLinks } from './markdown.ts';
import { BACKGROUND, GUIDES } from './pages.ts';

/** A page of text, before its layout. */
export interface TextPage {
  path: string;
  title: string;
  description: string;
  markdown: string;
  html: string;
  headings: Heading[];
}

/** Creates a page from a file of the repository. Inserts this server's URL, and the demo's key, into its examples. */
export function writtenPage(
  path: string,
  file: string,
  { publicUrl, demoKey }: { publicUrl: string; demoKey: string | undefined },
): TextPage {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const filled = source
    // Removes the markers of generated tables.
    .replaceAll(/^<!-- .* -->\n\n/gm, '')
    .replaceAll('https://awareness.example.org', publicUrl)
    .replaceAll('KEY=sk_…', `KEY=${demoKey ?? 'sk_…'}`);
  return createTextPage(path, filled, linkFrom(file, findPagePath));
}

/** Creates a page from generated Markdown, whose links are already URLs. */
export function generatedPage(path: string, source: string): TextPage {
  return createTextPage(path, source, (href) => href);
}

/**
 * Creates a page that renders its HTML, title and description on first use. The file with all pages needs only the
 * Markdown.
 */
function createTextPage(path: string, source: string, resolve: Resolve): TextPage {
  const rendered = once(() => renderMarkdown(source, resolve));
  return {
    path,
    markdown: resolveLinks(source, resolve),
    get title() {
      return rendered().title;
    },
    get description() {
      return rendered().description;
    },
    get html() {
      return rendered().html;
    },
    get headings() {
      return rendered().headings;
    },
  };
}

/** Finds the path of the page that is written in a file; undefined if the file is not a page. */
export function findPagePath(file: string): string | undefined {
  return [...GUIDES, ...BACKGROUND].find((page) => page.file === file)?.path;
}
