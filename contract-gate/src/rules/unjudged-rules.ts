import { at, child, type Json, type JsonObject, list, object, resolved, text } from '../document.ts';
import type { LocatedKeyword } from '../findings.ts';
import { type ObjectKind, unjudgedKeywords } from '../keywords.ts';
import { type NormalForm, operationsOnBothSides } from '../normal/normal-document.ts';
import { pairMembers } from './pairs.ts';
import { meanTheSame } from '../same-meaning.ts';

/** An object of one side, with its place. */
interface Placed {
  value: Json | undefined;
  pointer: string;
}

/** Finds differing keywords outside messages and schemas that no rule judges. */
export function unjudgedDifferences(base: NormalForm, head: NormalForm): LocatedKeyword[] {
  const compareAt = (kind: ObjectKind, old: Placed, now: Placed) => listDifferences(base, head, kind, old, now);
  const root = (form: NormalForm): Placed => ({ value: form.source, pointer: '#' });
  const operations = operationsOnBothSides(base, head).map(({ before, after }) => [
    { value: before.source, pointer: before.pointer },
    { value: after.source, pointer: after.pointer },
  ]);
  const each = (kind: ObjectKind, find: (source: JsonObject) => Map<string, Placed>) => {
    const [old, now] = [find(base.source), find(head.source)];
    const absent: Placed = { value: undefined, pointer: '#' };
    return [...new Set([...old.keys(), ...now.keys()])].flatMap((key) =>
      compareAt(kind, old.get(key) ?? absent, now.get(key) ?? absent),
    );
  };
  return [
    ...compareAt('Root', root(base), root(head)),
    ...operations.flatMap(([before, after]) => compareAt('Operation', before!, after!)),
    ...each('PathItem', listPathItems),
    ...each('Tag', (source) => listed(source, 'tags', 'name')),
    ...each('Server', (source) => listed(source, 'servers', 'url')),
    ...each('SecurityScheme', (source) => members(source, '#/components/securitySchemes')),
    ...each('OAuth2Flows', listFlows),
  ];
}

/** Finds differences of two objects. Added and removed objects are findings themselves, except for removed paths. */
function listDifferences(
  base: NormalForm,
  head: NormalForm,
  kind: ObjectKind,
  old: Placed,
  now: Placed,
): LocatedKeyword[] {
  if (now.value === undefined && kind !== 'PathItem') return [];
  if (old.value === undefined) return [];
  const documents = { base: base.source, head: head.source };
  const [before, after] = [selectUnjudgedParts(kind, old.value), selectUnjudgedParts(kind, now.value)];
  return pairMembers(before, after).flatMap(([keyword, was, is]): LocatedKeyword[] => {
    if (meanTheSame(documents, was, is)) return [];
    const [document, { pointer }] = is === undefined ? (['base', old] as const) : (['head', now] as const);
    return [{ document, pointer: child(pointer, keyword), keyword, direction: null }];
  });
}

function selectUnjudgedParts(kind: ObjectKind, value: Json | undefined): JsonObject {
  const holder = object(value);
  return Object.fromEntries(unjudgedKeywords(kind, holder).map((keyword) => [keyword, holder[keyword]!]));
}

/** Returns path items by path, without the names of parameters. */
function listPathItems(source: JsonObject): Map<string, Placed> {
  const found = (['paths', 'webhooks'] as const).flatMap((kind) =>
    Object.entries(object(source[kind])).map(([path, item]) => {
      const [value, pointer] = resolved(source, item, child('#', kind, path));
      return [`${kind} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`, { value, pointer }] as const;
    }),
  );
  return new Map(found);
}

function listed(source: JsonObject, kind: string, key: string): Map<string, Placed> {
  const all = list(source[kind]).map(
    (value, index) => [text(object(value)[key]), { value, pointer: child('#', kind, index) }] as const,
  );
  return new Map(all);
}

function members(source: JsonObject, pointer: string): Map<string, Placed> {
  const all = Object.entries(object(at(source, pointer)));
  return new Map(all.map(([name, value]) => [name, { value, pointer: child(pointer, name) }] as const));
}

function listFlows(source: JsonObject): Map<string, Placed> {
  const schemes = [...members(source, '#/components/securitySchemes')];
  return new Map(
    schemes.flatMap(([name, { value, pointer }]) => {
      const { flows } = object(value);
      return flows === undefined ? [] : [[name, { value: flows, pointer: child(pointer, 'flows') }] as const];
    }),
  );
}
