import type { AcceptedBreak } from '../accepted-breaks.ts';
import type { Comparison } from '../compare.ts';
import type { JsonObject } from '../document.ts';
import type { Finding, NotJudged } from '../findings.ts';
import type { Unreleased } from '../unreleased.ts';
import type { VersionCheck } from '../version.ts';

/** The changes of one surface. */
export interface SurfaceReport {
  /** The name of the surface; null if two files were compared. */
  surface: string | null;
  base: string;
  head: string;
  documents: { base: JsonObject; head: JsonObject };
  changes: Comparison;
  /** The breaks of unreleased parts; null without a main branch, or if a base was given. */
  unreleased: Unreleased | null;
  accepted: Map<Finding, AcceptedBreak>;
  /** Problems of invalid entries in the file of accepted breaks. */
  refusedEntries: string[];
  /** The check of the version; null for a surface without its own version. */
  version: VersionCheck | null;
  /** The `contract` of entries of accepted breaks; null for the first surface. */
  contract: string | null;
}

export interface Report {
  surfaces: SurfaceReport[];
  /** Further observations in the history. */
  notes: string[];
}

/**
 * Returns the exit code: 1 for an open break or an invalid entry, 3 if only the version or the changelog is wrong, 5 if
 * something was not judged.
 */
export function getExitCode({ surfaces }: Report): 0 | 1 | 3 | 5 {
  if (surfaces.some((one) => openBreaks(one).length > 0 || one.refusedEntries.length > 0)) return 1;
  if (surfaces.some(({ version }) => version !== null && version.refused.length > 0)) return 3;
  return surfaces.some(({ changes }) => changes.notJudged.length > 0) ? 5 : 0;
}

export function openBreaks({ changes, accepted }: SurfaceReport): Finding[] {
  return changes.breaking.filter((finding) => !accepted.has(finding));
}

export function formatTitle({ surface, base, head, version }: SurfaceReport, arrow: string): string {
  const [before, after] = version ? [`${version.before}, `, `${version.after}, `] : ['', ''];
  return `${surface === null ? '' : `${surface}: `}${before}${base} ${arrow} ${after}${head}`;
}

export function verdicts(report: SurfaceReport): { isGood: boolean; line: string }[] {
  const [open, all] = [openBreaks(report).length, report.changes.breaking.length];
  const accepted = all > open ? ` (${all - open} accepted)` : '';
  const breaks =
    open > 0 ? `${counted(open, 'breaking change')} not accepted${accepted}.` : `Nothing breaks${accepted}.`;
  const { after, needed, refused } = report.version ?? { after: '', needed: '', refused: [] };
  return [
    { isGood: open === 0, line: breaks },
    ...report.changes.notJudged.map((one) => ({ isGood: false, line: notJudged(one) })),
    ...[...report.refusedEntries, ...refused].map((line) => ({ isGood: false, line })),
    ...(report.version && refused.length === 0
      ? [{ isGood: true, line: `info.version ${after} is sufficient (needs ${needed}).` }]
      : []),
  ];
}

function notJudged({ keyword, pointer, document }: NotJudged): string {
  return `\`${keyword}\` changed, but no rule judges it: ${pointer} of the ${document}.`;
}

/** Merges findings of the same change in many places, such as a header added to every response. */
export function together(findings: Finding[]): Finding[] {
  return groupedBy(findings, ({ what }) => what).map((alike) => {
    const [first, ...others] = alike as [Finding, ...Finding[]];
    const pointer =
      others.length === 0 ? first.pointer : `${first.pointer} and ${counted(others.length, 'other place')}`;
    return { ...first, pointer, operations: [...new Set(alike.flatMap(({ operations }) => operations))] };
  });
}

/** Groups items as `Map.groupBy` does, which Node 20 lacks. */
function groupedBy<T>(all: T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return [...groups.values()];
}

export function where({ operations }: Finding): string {
  const [first, ...others] = operations;
  if (first === undefined) return 'the whole API';
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'other operation')}`;
}

export function listed(operations: string[]): string {
  const shown = operations.slice(0, 4).join(', ');
  return operations.length > 4 ? `${shown} and ${operations.length - 4} more` : shown || 'the whole API';
}

export function shortened(what: string): string {
  return what.length > 200 ? `${what.slice(0, 199)}…` : what;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
