import escapeHtml from 'escape-html';
import type { Heading } from './markdown.ts';
import { CHANGES_FEED, NAVIGATION, OPERATIONS, OVERVIEW, REFERENCE, SEARCH, SEARCH_INDEX } from './pages.ts';

export interface LayoutOptions {
  path: string;
  title: string;
  description: string;
  /** The content as HTML. */
  content: string;
  /** Sections of the page, for the list of links to them. */
  headings?: readonly Heading[];
  /** Whether the page has a version in Markdown; true by default. */
  hasMarkdown?: boolean;
  /** Search query whose results the page shows. */
  query?: string;
  /** Paths of the assets that every page loads. `rank` is loaded by the first search. */
  assets: { style: string; icon: string; script: string; rank: string };
  service: { name: string; version: string };
}

/** Renders a page of text between the service's name and the list of all pages. */
export function textPage(options: LayoutOptions): string {
  const { path, content, headings = [], hasMarkdown = true, service } = options;
  const about = `${escapeHtml(service.name)}, contract ${service.version}.`;
  return shell(
    options,
    '',
    `<div class="frame">
<main id="content" tabindex="-1">
<article>
${content.replace('</h1>\n', `</h1>\n${sectionList(headings)}`)}</article>
<footer><p>${hasMarkdown ? `<a href="${path}.md">This page as Markdown</a>. ` : ''}${about}</p></footer>
</main>
${navigation(path)}
</div>`,
  );
}

/** Renders the page for a URL that the documentation does not have. */
export function missingPage(frame: Pick<LayoutOptions, 'assets' | 'service'>): string {
  return textPage({
    ...frame,
    path: '',
    title: 'Page not found',
    description: 'The documentation has no page at this address.',
    hasMarkdown: false,
    content: `<h1>Page not found</h1>
<p>The documentation has no page at this address. Search for a word of the page, or choose it from the list of
<a href="#pages">all pages</a>.</p>
`,
  });
}

/** Renders the interactive reference, whose forms are sent by its script. */
export function referencePage(
  options: Omit<LayoutOptions, 'content'> & {
    assets: { referenceStyle: string; referenceScript: string };
    /** The operations as HTML. */
    operations: string;
    responseHeaders: string[];
    demoKey: string | undefined;
  },
): string {
  const { assets, operations, responseHeaders, demoKey } = options;
  const key = demoKey === undefined ? '' : ` data-key="${escapeHtml(demoKey)}"`;
  return shell(
    options,
    `<link rel="stylesheet" href="${assets.referenceStyle}">
<script defer src="${assets.referenceScript}"></script>
`,
    `<main id="content" class="wide" tabindex="-1">
<h1>${escapeHtml(options.title)}</h1>
<p>Call each operation from this page. Requests go to this server and change your company's data. The page does not store the
key. <a href="${OPERATIONS.path}">The same operations as plain pages</a>.</p>
<noscript><p>To send requests, enable JavaScript.</p></noscript>
<div class="field">
<label for="key">API key</label>
<input id="key" class="secret" autocomplete="off" autocapitalize="none" spellcheck="false">
</div>
<div class="field">
<label for="filter">Filter operations</label>
<input id="filter" type="search" autocomplete="off" spellcheck="false">
<p id="matches" role="status"></p>
</div>
<div id="reference" data-headers="${responseHeaders.join(' ')}"${key}>
${operations}</div>
</main>`,
  );
}

/** Minimum number of sections for which a page lists them. */
const MIN_SECTIONS = 3;

/** Renders the list of the page's sections. */
function sectionList(headings: readonly Heading[]): string {
  if (headings.length < MIN_SECTIONS) return '';
  const links = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<nav class="sections" aria-labelledby="on-this-page">
<p id="on-this-page">On this page</p>
<ul>
${links.join('\n')}
</ul>
</nav>
`;
}

function shell(
  { path, title, description, assets, service, query = '', hasMarkdown = true }: Omit<LayoutOptions, 'content'>,
  head: string,
  body: string,
) {
  const name = escapeHtml(service.name);
  const pages = path === REFERENCE.path ? OVERVIEW.path : '#pages';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escapeHtml(description)}">
<title>${escapeHtml(title)} · ${name}</title>
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
${hasMarkdown ? `<link rel="alternate" type="text/markdown" href="${path}.md">\n` : ''}<link rel="alternate" type="application/atom+xml" title="${CHANGES_FEED.name}" href="${CHANGES_FEED.path}">
<link rel="stylesheet" href="${assets.style}">
<script defer src="${assets.script}"></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="${OVERVIEW.path}">${name}</a>
<form class="search" role="search" action="${SEARCH.path}" data-rank="${assets.rank}" data-index="${SEARCH_INDEX}">
<label for="search">Search the documentation</label>
<input id="search" type="search" name="q" value="${escapeHtml(query)}" placeholder="Search ( / )" maxlength="100" autocomplete="off" spellcheck="false">
<button>Search</button>
<div id="results" hidden></div>
</form>
<nav aria-label="Documentation">
<a href="${pages}">All pages</a>
<a href="${REFERENCE.path}"${path === REFERENCE.path ? ' aria-current="page"' : ''}>Reference</a>
</nav>
</header>
${body}
</body>
</html>
`;
}

/** Renders the navigation, which follows the content, so that keyboard and phone users reach the text first. */
function navigation(current: string): string {
  const groups = NAVIGATION.map(({ title, entries }) => {
    const links = entries.map(
      ({ path, name }) => `<li><a href="${path}"${renderAriaCurrent(path, current)}>${escapeHtml(name)}</a></li>`,
    );
    return `<p>${title}</p>\n<ul>\n${links.join('\n')}\n</ul>`;
  });
  return `<nav id="pages" aria-label="All pages" tabindex="-1">\n${groups.join('\n')}\n</nav>`;
}

/** Renders the attribute that marks the current page, or the list that the current operation belongs to. */
function renderAriaCurrent(path: string, current: string): string {
  if (path === current) return ' aria-current="page"';
  return current.startsWith(`${path}/`) && path !== OVERVIEW.path ? ' aria-current="true"' : '';
}
