import escapeHtml from 'escape-html';
import type { SearchEntry, SearchGroup } from '../assets/rank.js';

/** Maximum number of results of a group on the page. */
const MAX_RESULTS = 50;

/** Renders the results of a search, which needs no script. */
export function searchResults(query: string, groups: readonly SearchGroup[]): string {
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return `<h1>Search</h1>
<p>${formatCount(query, count)}</p>
${groups.map(renderGroup).join('')}`;
}

function formatCount(query: string, count: number): string {
  if (query === '') return 'Enter one or more words of a guide, or the name of an operation, schema, error or event.';
  const found = count === 0 ? 'No results' : count === 1 ? '1 result' : `${count} results`;
  return `${found} for “${escapeHtml(query)}”.`;
}

function renderGroup({ group, entries }: SearchGroup): string {
  const id = `results-for-${group.toLowerCase()}`;
  const left = entries.length - MAX_RESULTS;
  return `<h2 id="${id}">${group}</h2>
<ul class="found" aria-labelledby="${id}">
${entries.slice(0, MAX_RESULTS).map(renderEntry).join('\n')}
</ul>
${left > 0 ? `<p>${left} more; add a word to the search.</p>\n` : ''}`;
}

function renderEntry({ path, title, name, text }: SearchEntry): string {
  const code = name === undefined || name === title ? '' : ` <code>${escapeHtml(name)}</code>`;
  return `<li><a href="${escapeHtml(path)}">${escapeHtml(title)}</a>${code}<p>${escapeHtml(text)}</p></li>`;
}
