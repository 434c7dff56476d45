import type { AcceptedBreak } from '../accepted-breaks.ts';
import type { Comparison } from '../compare.ts';
import { scimBundle } from '../read-document.ts';
import type { Finding } from '../findings.ts';
import type { Unreleased } from '../unreleased.ts';
import type { VersionCheck } from '../version.ts';

export interface Report {
  base: string;
  head: string;
  changes: Comparison;
  /** Null without a main branch, and when a base was given. */
  unreleased: Unreleased | null;
  accepted: Map<Finding, AcceptedBreak>;
  /** Entries of the file of accepted breaks that do not hold. */
  refusedEntries: string[];
  version: VersionCheck;
}

export const formats = { text, markdown, json };
export type Format = keyof typeof formats;

/** 1 for a break that is not accepted or an entry that does not hold, 3 when only version or changelog is wrong, else 0. */
export function exitCodeOf(report: Report): 0 | 1 | 3 {
  if (openBreaks(report).length > 0 || report.refusedEntries.length > 0) return 1;
  return report.version.refused.length > 0 ? 3 : 0;
}

function text(report: Report): string {
  const { changes, accepted, base, head, version } = report;
  return [
    `Contract ${version.before}, ${base} -> ${version.after}, ${head}`,
    heading('Breaking', changes.breaking.length),
    ...changes.breaking.flatMap((finding) => [
      '',
      ...breakLines(finding, accepted.get(finding)).map((line) => `  ${line}`),
    ]),
    heading('Compatible', changes.compatible.length),
    ...together(changes.compatible).flatMap((one) => [`  ${where(one)}: ${shortened(one.what)}`, `    ${one.pointer}`]),
    ...unreleasedLines(report),
    heading('Words only', changes.words),
    '',
    ...verdicts(report).map(({ isGood, line }) => `${isGood ? 'ok' : 'REFUSED'}  ${line}`),
    ...suggestion(report),
  ].join('\n');
}

/** Told, but never refused: what was not released has no callers. */
function unreleasedLines({ unreleased }: Report): string[] {
  if (!unreleased || unreleased.breaks.length === 0) return [];
  return [
    heading(`Changed since ${unreleased.since}, and never released`, unreleased.breaks.length),
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

function markdown(report: Report): string {
  const { changes, accepted, base, head, version } = report;
  const row = (...cells: string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  const breaks = changes.breaking.map((one) => {
    const state = accepted.has(one) ? `accepted: ${accepted.get(one)!.reason.trim()}` : '**open**';
    return row(
      listed(one.operations),
      shortened(one.what),
      one.why,
      one.whom,
      `\`${one.pointer}\` (${one.rule})`,
      state,
    );
  });
  const rows = (findings: Finding[]) =>
    together(findings).map((one) => row(listed(one.operations), shortened(one.what), `\`${one.pointer}\``));
  const columns = ['Operation', 'What', 'Where'];
  const { since, breaks: pending } = report.unreleased ?? { since: '', breaks: [] };
  return [
    `## Contract ${version.before}, ${base} → ${version.after}, ${head}`,
    '',
    ...verdicts(report).map(({ isGood, line }) => `- ${isGood ? '✅' : '❌'} ${line}`),
    ...table(
      `Breaking: ${changes.breaking.length}`,
      ['Operation', 'What', 'Why', 'For whom', 'Where', 'State'],
      breaks,
    ),
    ...table(`Compatible: ${changes.compatible.length}`, columns, rows(changes.compatible)),
    ...(pending.length > 0
      ? table(`Changed since ${since}, and never released: ${pending.length}`, columns, rows(pending))
      : []),
    '',
    `Words only: ${changes.words}.`,
  ].join('\n');
}

function json(report: Report): string {
  const { changes, unreleased, accepted, base, head, version, refusedEntries } = report;
  const breaking = changes.breaking.map((finding) => ({ ...finding, accepted: accepted.get(finding) ?? null }));
  const refused = [...refusedEntries, ...version.refused];
  const { before, after, needed } = version;
  const outcome = { exitCode: exitCodeOf(report), openBreaks: openBreaks(report).length, refused };
  const told = { base, head, versions: { before, after, needed }, outcome, ...changes, breaking, unreleased };
  return JSON.stringify(told, null, 2);
}

function verdicts(report: Report): { isGood: boolean; line: string }[] {
  const [open, all] = [openBreaks(report).length, report.changes.breaking.length];
  const accepted = all > open ? ` (${all - open} accepted)` : '';
  const breaks =
    open > 0 ? `${counted(open, 'breaking change')} not accepted${accepted}.` : `Nothing breaks${accepted}.`;
  const { after, needed, refused } = report.version;
  return [
    { isGood: open === 0, line: breaks },
    ...report.refusedEntries.map((line) => ({ isGood: false, line })),
    ...refused.map((line) => ({ isGood: false, line })),
    ...(refused.length === 0
      ? [{ isGood: true, line: `info.version ${after} will do (${needed} is asked for).` }]
      : []),
  ];
}

/** The first open break as an entry, ready to be filled in. */
function suggestion(report: Report): string[] {
  const [finding] = openBreaks(report);
  if (!finding) return [];
  const { since, sunset } = finding.deprecation ?? {};
  return [
    '',
    'If a break is meant, say so in api/accepted-breaks.yaml:',
    `  - rule: ${finding.rule}`,
    `    pointer: '${finding.pointer}'`,
    `    what: ${JSON.stringify(finding.what)}`,
    '    reason: …',
    `    date: ${new Date().toISOString().slice(0, 10)}`,
    ...(report.head === scimBundle ? ['    contract: scim'] : []),
    sunset
      ? `    deprecation: { since: ${since}, sunset: ${sunset} }`
      : '    noDeprecation: why callers were not warned',
  ];
}

function openBreaks({ changes, accepted }: Report): Finding[] {
  return changes.breaking.filter((finding) => !accepted.has(finding));
}

/** One line for the same change in many places, such as a header that every response got. */
function together(findings: Finding[]): Finding[] {
  return groupedBy(findings, ({ what }) => what).map((alike) => {
    const [first, ...others] = alike as [Finding, ...Finding[]];
    const pointer =
      others.length === 0 ? first.pointer : `${first.pointer} and ${counted(others.length, 'other place')}`;
    return { ...first, pointer, operations: [...new Set(alike.flatMap(({ operations }) => operations))] };
  });
}

function heading(title: string, count: number): string {
  return `\n${title}: ${count === 0 ? 'none' : count}`;
}

function table(title: string, head: string[], rows: string[]): string[] {
  if (rows.length === 0) return ['', `${title}.`];
  return ['', `### ${title}`, '', `| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows];
}

function where({ operations }: Finding): string {
  const [first, ...others] = operations;
  if (first === undefined) return 'the whole API';
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'other operation')}`;
}

function listed(operations: string[]): string {
  const shown = operations.slice(0, 4).join(', ');
  return operations.length > 4 ? `${shown} and ${operations.length - 4} more` : shown || 'the whole API';
}

function shortened(what: string): string {
  return what.length > 200 ? `${what.slice(0, 199)}…` : what;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `Map.groupBy`, which Node 20 lacks. */
function groupedBy<T>(all: T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups.values()];
}
