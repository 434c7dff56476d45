import type { AcceptedBreak } from '../accepted-breaks.ts';
import type { Finding } from '../findings.ts';
import {
  listed,
  openBreaks,
  type Report,
  shortened,
  type SurfaceReport,
  formatTitle,
  together,
  verdicts,
  where,
} from './report.ts';

/** Formats text for a terminal. */
export function text({ surfaces, notes }: Report): string {
  return [...surfaces.map(surfaceText), ...notes.map((note) => `note  ${note}`)].join('\n\n');
}

function surfaceText(report: SurfaceReport): string {
  const { changes, accepted } = report;
  return [
    formatTitle(report, '->'),
    heading('Breaking', changes.breaking.length),
    ...changes.breaking.flatMap((finding) => [
      '',
      ...breakLines(finding, accepted.get(finding)).map((line) => `  ${line}`),
    ]),
    heading('Compatible', changes.compatible.length),
    ...together(changes.compatible).flatMap((one) => [`  ${where(one)}: ${shortened(one.what)}`, `    ${one.pointer}`]),
    ...unreleasedLines(report),
    heading('Only descriptions or examples', changes.words),
    '',
    ...verdicts(report).map(({ isGood, line }) => `${isGood ? 'ok' : 'REJECTED'}  ${line}`),
    ...suggestion(report),
  ].join('\n');
}

/** Lists breaks of unreleased parts. They are reported but never rejected, because these parts have no callers. */
function unreleasedLines({ unreleased }: SurfaceReport): string[] {
  if (!unreleased || unreleased.breaks.length === 0) return [];
  return [
    heading(`Changed since ${unreleased.since}, never released`, unreleased.breaks.length),
    ...unreleased.breaks.flatMap((one) => [`  ${where(one)}: ${shortened(one.what)}`, `    ${one.pointer}`]),
  ];
}

function breakLines(finding: Finding, entry: AcceptedBreak | undefined): string[] {
  const { operations, what, why, whom, pointer, rule, deprecation } = finding;
  return [
    where(finding),
    `  ${shortened(what)}`,
    `  why:   ${why}`,
    `  whom:  ${whom}`,
    `  where: ${pointer} of the ${finding.document} (${rule})`,
    ...(operations.length > 1 ? [`  in:    ${listed(operations)}`] : []),
    ...(deprecation ? [`  deprecated since ${deprecation.since}, sunset ${deprecation.sunset}`] : []),
    ...(entry ? [`  accepted on ${entry.date}: ${entry.reason.trim()}`] : []),
  ];
}

/** Formats the first open break as an entry to fill in. */
function suggestion(report: SurfaceReport): string[] {
  const [finding] = openBreaks(report);
  if (!finding || report.surface === null) return [];
  const { since, sunset } = finding.deprecation ?? {};
  return [
    '',
    'To accept a break, add an entry to the file of accepted breaks:',
    `- rule: ${finding.rule}`,
    `  pointer: ${quoted(finding.pointer)}`,
    `  what: ${quoted(finding.what)}`,
    '  reason: …',
    `  date: ${new Date().toISOString().slice(0, 10)}`,
    ...(report.contract === null ? [] : [`  contract: ${report.contract}`]),
    sunset
      ? `  deprecation: { since: ${since}, sunset: ${sunset} }`
      : '  noDeprecation: the reason why callers had no warning',
  ];
}

/** Quotes a YAML text as formatters do: with single quotes unless the text has more single than double quotes. */
function quoted(words: string): string {
  const count = (quote: string) => words.split(quote).length - 1;
  return count("'") > count('"') ? JSON.stringify(words) : `'${words.replaceAll("'", "''")}'`;
}

function heading(title: string, count: number): string {
  return `\n${title}: ${count === 0 ? 'none' : count}`;
}
