import escapeHtml from 'escape-html';
import { v5 as uuid } from 'uuid';
import { CHANGES, CHANGES_FEED } from '../pages.ts';
import type { Comparison, Finding } from '../../../contract-gate/src/index.ts';
import type { ContractName } from '../../released/contract-versions.ts';
import { comparisonPath, CONTRACT_TITLES } from './changes-page.ts';
import { counts, groupFindings } from './comparison-page.ts';

export interface FeedEntry {
  release: string;
  /** A date such as `2026-11-23`. */
  date: string;
  contracts: FeedContract[];
}

export interface FeedContract {
  contract: ContractName;
  version: string;
  /** Changes since the previous release; undefined for the first version, `same` if the contract did not change. */
  changes: { since: string; comparison: Comparison } | 'same' | undefined;
}

interface FeedOptions {
  /** Entries, newest first. */
  entries: FeedEntry[];
  publicUrl: string;
  service: string;
}

/** The namespace of entry ids, which are the same in every installation and do not depend on its URL. */
const NAMESPACE = '2c1f4a6e-6f1b-4b0e-9f0e-0d6a3c5b7e21';

/** Renders the releases of the contracts as an Atom feed (RFC 4287). */
export function atomFeed({ entries, publicUrl, service }: FeedOptions): string {
  const address = (path: string) => escapeHtml(`${publicUrl}${path}`);
  const [newest] = entries;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${toUrn('feed')}</id>
<title>${escapeHtml(service)}: ${CHANGES_FEED.name}</title>
<updated>${toTimestamp(newest?.date ?? '1970-01-01')}</updated>
<author><name>${escapeHtml(service)}</name></author>
<link rel="self" type="application/atom+xml" href="${address(CHANGES_FEED.path)}"/>
<link rel="alternate" type="text/html" href="${address(CHANGES.path)}"/>
${entries.map((entry) => renderEntry(entry, address)).join('\n')}
</feed>
`;
}

function renderEntry({ release, date, contracts }: FeedEntry, address: (path: string) => string): string {
  const names = contracts.map(({ contract, version }) => `${CONTRACT_TITLES[contract]} ${version}`);
  const pages = contracts.flatMap((one) => getComparisonPath(one) ?? []);
  const [page = CHANGES.path] = pages;
  return `<entry>
<id>${toUrn(`release ${release}`)}</id>
<title>${escapeHtml([`Release ${release}`, ...names].join(', '))}</title>
<published>${toTimestamp(date)}</published>
<updated>${toTimestamp(date)}</updated>
<link rel="alternate" type="text/html" href="${address(page)}"/>
<summary>${escapeHtml(contracts.map(formatSummary).join(' '))}</summary>
<content type="html">${escapeHtml(contracts.map((one) => renderContent(one, address)).join(''))}</content>
</entry>`;
}

/** Returns the path of the comparison; undefined if there are no changes to compare. */
function getComparisonPath({ contract, version, changes }: FeedContract): string | undefined {
  return typeof changes === 'object' ? comparisonPath(contract, changes.since, version) : undefined;
}

function formatSummary({ contract, version, changes }: FeedContract): string {
  const name = `${CONTRACT_TITLES[contract]} ${version}`;
  if (!changes) return `${name}, the first version.`;
  if (changes === 'same') return `${name}, unchanged.`;
  return `${name}, since ${changes.since}: ${counts(changes.comparison)}.`;
}

/** Maximum number of changes of one kind that an entry names; the linked page names all of them. */
const MAX_NAMED = 25;

/** Renders the changes to a contract as HTML. */
function renderContent(one: FeedContract, address: (path: string) => string): string {
  const { changes } = one;
  const summary = `<p>${escapeHtml(formatSummary(one))}</p>`;
  if (typeof changes !== 'object') return summary;
  const page = address(getComparisonPath(one)!);
  const { breaking, compatible } = changes.comparison;
  return `${summary}${renderFindings('Breaking', breaking)}${renderFindings('Compatible', compatible)}<p><a href="${page}">All changes</a></p>`;
}

function renderFindings(title: string, findings: Finding[]): string {
  if (findings.length === 0) return '';
  const rows = groupFindings(findings);
  const items = rows.slice(0, MAX_NAMED).map(({ operations, what, why, whom }) => {
    const [first = 'The whole API', ...others] = operations;
    const where = others.length === 0 ? first : `${first} and ${others.length} more`;
    return `<li>${escapeHtml(`${where}: ${what}${why === '' ? '' : ` Reason: ${why}. Affected: ${whom}.`}`)}</li>`;
  });
  if (rows.length > MAX_NAMED) items.push(`<li>and ${rows.length - MAX_NAMED} more</li>`);
  return `<h2>${title}</h2><ul>${items.join('')}</ul>`;
}

function toUrn(name: string): string {
  return `urn:uuid:${uuid(name, NAMESPACE)}`;
}

function toTimestamp(date: string): string {
  return `${date}T00:00:00Z`;
}
