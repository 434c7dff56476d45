import { isDeepStrictEqual } from 'node:util';
import { type Json, list } from './document.ts';

export type Direction = 'request' | 'response';

/** The contents of `x-deprecation`; missing fields are empty strings. */
export interface Deprecation {
  since: string;
  sunset: string;
  use: string;
}

/** A change to the contract, as reported to its reader. */
export interface Finding {
  level: 'breaking' | 'compatible';
  rule: string;
  /** The affected operations, such as `GET /learners (listLearners)`. */
  operations: string[];
  /** The place in the bundled document; in the base if the head does not have it. */
  pointer: string;
  document: 'base' | 'head';
  what: string;
  /** The consequence of a break; empty for compatible changes. */
  why: string;
  /** The callers that the break affects; empty for compatible changes. */
  whom: string;
  /** `sdk` for a change to a name that only generated SDKs have; calls and bodies do not change. */
  policy: 'sdk' | null;
  /** The deprecation that the base announced for the changed part; null if it announced none. */
  deprecation: Deprecation | null;
}

/** A rule's judgement on a change, without the place and the operations, which are added later. */
export type Verdict = Pick<Finding, 'level' | 'rule' | 'what' | 'why' | 'whom' | 'policy'>;

export function breaking(rule: string, what: string, why: string, whom: string): Verdict {
  return { level: 'breaking', rule, what, why, whom, policy: null };
}

/** Builds a break that affects only generated SDKs. If the option `sdkPolicy` is false, such breaks are left out. */
export function breakingSdks(rule: string, what: string, why: string, whom: string): Verdict {
  return { ...breaking(rule, what, why, whom), policy: 'sdk' };
}

export function compatible(rule: string, what: string): Verdict {
  return { level: 'compatible', rule, what, why: '', whom: '', policy: null };
}

/** A keyword that differs between base and head, but that no rule judges. */
export interface NotJudged {
  /** The place of the keyword; in the base if the head does not have it. */
  pointer: string;
  document: 'base' | 'head';
  keyword: string;
  /** The affected operations, as in a finding. */
  operations: string[];
}

/** A keyword that no rule judges, before its operations are known. */
export type LocatedKeyword = Omit<NotJudged, 'operations'> & { direction: Direction | null };

/** Describes a changed value, such as "`maximum` changed from 100 to 50." */
export function difference(name: string, old: Json | undefined, now: Json | undefined): string {
  const [before, after] = [old, now].map((value) => shown(value));
  if (old === undefined) return `\`${name}\` was added${after && `: ${after}`}.`;
  if (now === undefined) return `\`${name}\` was removed${before && `: it was ${before}`}.`;
  return `\`${name}\` changed${before && after && ` from ${before} to ${after}`}.`;
}

const MAX_SHOWN = 100;

/** Formats a value as JSON; returns '' if the JSON is too long for a sentence. */
function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? '';
  return typeof value === 'string' || text.length <= MAX_SHOWN ? text : '';
}

/** Returns the values that the other list lacks; undefined if it lacks none. */
export function missingFrom(other: Json | undefined, values: Json | undefined): Json[] | undefined {
  const missing = list(values).filter((value) => !list(other).some((one) => isDeepStrictEqual(one, value)));
  return missing.length > 0 ? missing : undefined;
}

export function said(values: Json[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/**
 * A verdict at a place in the base or the head. Operations that use the place only in the other direction are
 * unaffected.
 */
export interface Located {
  verdict: Verdict;
  document: 'base' | 'head';
  pointer: string;
  direction: Direction | null;
}

export function atBase(pointer: string, verdict: Verdict, direction: Located['direction'] = null): Located {
  return { verdict, document: 'base', pointer, direction };
}

export function atHead(pointer: string, verdict: Verdict, direction: Located['direction'] = null): Located {
  return { verdict, document: 'head', pointer, direction };
}

/** Merges findings that report the same change to a shared part. A break hides compatible changes at the same place. */
export function distinct(findings: Finding[]): Finding[] {
  const byChange = new Map<string, Finding>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.level, finding.rule, finding.document, finding.pointer, finding.what]);
    const known = byChange.get(key);
    if (known) {
      known.operations = [...new Set([...known.operations, ...finding.operations])];
      if (!known.why.includes(finding.why)) known.why += `; ${finding.why}`;
      if (!known.whom.includes(finding.whom)) known.whom += `; ${finding.whom}`;
    } else byChange.set(key, { ...finding });
  }
  const broken = new Set(
    [...byChange.values()].filter(({ level }) => level === 'breaking').map(({ pointer }) => pointer),
  );
  const left = [...byChange.values()].filter(({ level, pointer }) => level === 'breaking' || !broken.has(pointer));
  return left.toSorted((one, other) => getSortKey(one).localeCompare(getSortKey(other), 'en'));
}

/** Merges entries that report the same keyword of a shared part. */
export function distinctKeywords(found: NotJudged[]): NotJudged[] {
  const byPlace = new Map<string, NotJudged>();
  for (const one of found) {
    const key = `${one.document} ${one.pointer}`;
    const operations = [...(byPlace.get(key)?.operations ?? []), ...one.operations];
    byPlace.set(key, { ...one, operations: [...new Set(operations)] });
  }
  return [...byPlace.values()].toSorted((one, other) => one.pointer.localeCompare(other.pointer, 'en'));
}

function getSortKey({ level, operations, pointer, rule }: Finding): string {
  return [level, operations[0]?.split(' ')[1] ?? '~', operations[0] ?? '', pointer, rule].join('\n');
}
