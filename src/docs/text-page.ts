import { readFileSync } from 'node:fs';
import { once } from '../http/once.ts';
import { linkFrom, renderMarkdown, type Resolve, resolveLinks } from './markdown.ts';
import { BACKGROUND, GUIDES } from './pages.ts';

/** A page of text, before it is laid out. */
export interface TextPage {
  path: string;
  title: string;
  description: string;
  markdown: string;
  html: string;
}

/** A file of the repository, with this server in its examples, and the demo's key where it shows one. */
export function writtenPage(
  path: string,
  file: string,
  { publicUrl, demoKey }: { publicUrl: string; demoKey: string | undefined },
): TextPage {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const filled = source
    .replaceAll('https://awareness.example.org', publicUrl)
    .replaceAll('KEY=sk_…', `KEY=${demoKey ?? 'sk_…'}`);
  return createTextPage(path, filled, linkFrom(file, findPagePath));
}

/** What is made of the contract: its links are addresses already. */
export function generatedPage(path: string, source: string): TextPage {
  return createTextPage(path, source, (href) => href);
}

/** A page is rendered when its HTML, or what is taken from it, is asked for: the file of all pages needs neither. */
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
  };
}

function findPagePath(file: string): string | undefined {
  return [...GUIDES, ...BACKGROUND].find((page) => page.file === file)?.path;
}
