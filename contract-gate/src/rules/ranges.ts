import { type Json, own, object } from '../document.ts';
import type { Direction } from '../findings.ts';

type Member = [name: string, base?: Json, head?: Json];

/** Pairs content types. A request type matches a range that contains it; a response range matches the types in it. */
export function pairedTypes(base: Json | undefined, head: Json | undefined, direction: Direction): Member[] {
  return paired(base, head, {
    widerOf: (type, others) => (direction === 'request' ? others.find((range) => holdsType(range, type)) : undefined),
    narrowerOf: (range, others) => (direction === 'response' ? others.filter((type) => holdsType(range, type)) : []),
  });
}

/** Pairs statuses. A failure status that is no longer declared belongs to its range or to `default`. */
export function pairedStatuses(base: Json | undefined, head: Json | undefined): Member[] {
  return paired(base, head, {
    widerOf: (status, others) =>
      others.find((range) => holdsStatus(range, status)) ??
      (status.startsWith('2') ? undefined : others.find((other) => other === 'default')),
    narrowerOf: (range, others) => others.filter((status) => holdsStatus(range, status)),
  });
}

interface Ranges {
  widerOf: (name: string, others: string[]) => string | undefined;
  narrowerOf: (name: string, others: string[]) => string[];
}

function paired(base: Json | undefined, head: Json | undefined, { widerOf, narrowerOf }: Ranges): Member[] {
  const [old, now] = [object(base), object(head)];
  // The narrowest range comes first.
  const others = Object.keys(now).toSorted((one, other) => other.length - one.length);
  const kept = Object.keys(old).flatMap((name): Member[] => {
    if (Object.hasOwn(now, name)) return [[name, old[name]!, now[name]!]];
    const wider = widerOf(name, others);
    if (wider !== undefined) return [[name, old[name]!, now[wider]!]];
    const narrower = narrowerOf(name, others).map((other): Member => [other, old[name]!, now[other]!]);
    return narrower.length > 0 ? narrower : [[name, old[name]!, undefined]];
  });
  const names = new Set(kept.map(([name]) => name));
  const added = Object.keys(now).filter((name) => own(old, name) === undefined && !names.has(name));
  return [...kept, ...added.map((name): Member => [name, undefined, now[name]!])];
}

function holdsType(range: string, type: string): boolean {
  if (range === type || !range.endsWith('/*')) return false;
  return range === '*/*' || type.startsWith(range.slice(0, -1));
}

function holdsStatus(range: string, status: string): boolean {
  return range !== status && range.endsWith('XX') && range[0] === status[0];
}
