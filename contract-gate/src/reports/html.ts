import { at } from '../document.ts';
import type { Finding } from '../findings.ts';
import { escapeMarkup } from './markup.ts';
import { type Report, type SurfaceReport, formatTitle, verdicts } from './report.ts';

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 75rem; margin: 0 auto; padding: 1rem }
table { border-collapse: collapse; width: 100% }
th, td { border: 1px solid #8886; padding: .4rem .6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
pre { margin: 0; white-space: pre-wrap }
.removed { background: #d73a4933 } .added { background: #28a74533 }
.bad { color: #d73a49; font-weight: bold }
@media (max-width: 40rem) { thead { display: none } td { display: block } }`;

/** Formats one page for a side-by-side review. It has no scripts and loads nothing. */
export function html({ surfaces, notes }: Report): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Contract changes</title><style>${STYLE}</style></head><body>`,
    '<h1>Contract changes</h1>',
    ...surfaces.map(section),
    ...notes.map((note) => `<p>${escapeMarkup(note)}</p>`),
    '</body></html>',
  ].join('\n');
}

function section(report: SurfaceReport): string {
  const { changes } = report;
  const items = verdicts(report).map(
    ({ isGood, line }) => `<li${isGood ? '' : ' class="bad"'}>${escapeMarkup(line)}</li>`,
  );
  return [
    `<section><h2>${escapeMarkup(formatTitle(report, '→'))}</h2><ul>${items.join('')}</ul>`,
    ...list(report, 'Breaking', changes.breaking),
    ...list(report, 'Compatible', changes.compatible),
    `<p>Only descriptions or examples: ${changes.words}.</p></section>`,
  ].join('\n');
}

function list(report: SurfaceReport, title: string, findings: Finding[]): string[] {
  if (findings.length === 0) return [`<h3>${title}: none</h3>`];
  const rows = findings.map((finding) => row(report, finding));
  const head = '<thead><tr><th scope="col">What</th><th scope="col">Before</th><th scope="col">After</th></tr></thead>';
  return [`<h3>${title}: ${findings.length}</h3><table>${head}<tbody>`, ...rows, '</tbody></table>'];
}

function row({ accepted, documents }: SurfaceReport, finding: Finding): string {
  const { operations, what, why, whom, pointer, rule } = finding;
  const entry = accepted.get(finding);
  const words = [
    `<strong>${escapeMarkup(what)}</strong>`,
    escapeMarkup(operations.join(', ') || 'the whole API'),
    ...(why ? [escapeMarkup(`${why}: ${whom}`)] : []),
    `<code>${escapeMarkup(pointer)}</code> (${escapeMarkup(rule)})`,
    ...(entry ? [`Accepted on ${escapeMarkup(entry.date)}: ${escapeMarkup(entry.reason)}`] : []),
  ];
  return `<tr><td>${words.join('<br>')}</td>${cell('removed', at(documents.base, pointer))}${cell('added', at(documents.head, pointer))}</tr>`;
}

const MAX_SHOWN = 2000;

/** Formats a part of the document on one side; empty if that side does not have it. */
function cell(kind: string, value: unknown): string {
  if (value === undefined) return '<td></td>';
  const text = JSON.stringify(value, null, 2);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text;
  return `<td class="${kind}"><pre>${escapeMarkup(shown)}</pre></td>`;
}
