import { isDeepStrictEqual } from 'node:util';
import { type Json, list } from './document.ts';

export type Direction = 'request' | 'response';

/** What `x-deprecation` announces; empty strings for what it lacks. */
export interface Deprecation {
  since: string;
  sunset: string;
  use: string;
}

/** One change of the contract, as its reader needs it. */
export interface Finding {
  level: 'breaking' | 'compatible';
  rule: string;
  /** The operations that it touches, as `GET /learners (listLearners)`. */
  operations: string[];
  /** Where it stands in the bundled document: in the base when it is gone from the head. */
  pointer: string;
  document: 'base' | 'head';
  what: string;
  /** Of breaking changes: what goes wrong, and for whom. */
  why: string;
  whom: string;
  /** `sdk` for a change of a name that only generated SDKs have; calls and bodies stay the same. */
  policy: 'sdk' | null;
  /** The deprecation that the base announced for what changed. */
  deprecation: Deprecation | null;
}

/** What a rule says of a change. Its place and the operations are added later. */
export type Verdict = Pick<Finding, 'level' | 'rule' | 'what' | 'why' | 'whom' | 'policy'>;

export function breaking(rule: string, what: string, why: string, whom: string): Verdict {
  return { level: 'breaking', rule, what, why, whom, policy: null };
}

/** A break of generated SDKs only, which the option `sdkPolicy` turns off. */
export function breakingSdks(rule: string, what: string, why: string, whom: string): Verdict {
  return { ...breaking(rule, what, why, whom), policy: 'sdk' };
}

export function compatible(rule: string, what: string): Verdict {
  return { level: 'compatible', rule, what, why: '', whom: '', policy: null };
}

/** A keyword that differs between base and head, and that no rule judges. */
export interface NotJudged {
  /** Where the keyword stands: in the base when the head lacks it. */
  pointer: string;
  document: 'base' | 'head';
  keyword: string;
  /** The operations that it touches, as in a finding. */
  operations: string[];
}

/** A keyword that no rule judges, before its operations are known. */
export type LocatedKeyword = Omit<NotJudged, 'operations'> & { direction: Direction | null };

/** The sentence for a changed value: `maximum` changed from 100 to 50. */
export function difference(name: string, old: Json | undefined, now: Json | undefined): string {
  const [before, after] = [old, now].map((value) => shown(value));
  if (old === undefined) return `\`${name}\` was added${after && `: ${after}`}.`;
  if (now === undefined) return `\`${name}\` was removed${before && `: it was ${before}`}.`;
  return `\`${name}\` changed${before && after && ` from ${before} to ${after}`}.`;
}

const MAX_SHOWN = 100;

/** A value as JSON; empty for one that is too long to read in a sentence. */
function shown(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? '';
  return typeof value === 'string' || text.length <= MAX_SHOWN ? text : '';
}

/** The values of a list that another lacks; undefined where it lacks none. */
export function missingFrom(other: Json | undefined, values: Json | undefined): Json[] | undefined {
  const missing = list(values).filter((value) => !list(other).some((one) => isDeepStrictEqual(one, value)));
  return missing.length > 0 ? missing : undefined;
}

export function said(values: Json[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/** A verdict at a place of base or head. Operations that use the place only in the other direction are not concerned. */
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

/** One finding for each change, also of what operations share. A break hides compatible changes at the same place. */
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
  return left.toSorted((one, other) => orderOf(one).localeCompare(orderOf(other), 'en'));
}

/** One entry for each keyword, also of what operations share. */
export function distinctKeywords(found: NotJudged[]): NotJudged[] {
  const byPlace = new Map<string, NotJudged>();
  for (const one of found) {
    const key = `${one.document} ${one.pointer}`;
    const operations = [...(byPlace.get(key)?.operations ?? []), ...one.operations];
    byPlace.set(key, { ...one, operations: [...new Set(operations)] });
  }
  return [...byPlace.values()].toSorted((one, other) => one.pointer.localeCompare(other.pointer, 'en'));
}

function orderOf({ level, operations, pointer, rule }: Finding): string {
  return [level, operations[0]?.split(' ')[1] ?? '~', operations[0] ?? '', pointer, rule].join('\n');
}
