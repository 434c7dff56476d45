import { isDeepStrictEqual } from 'node:util';
import { child, type Json, type JsonObject, list, object, text } from '../document.ts';
import { atBase, atHead, breaking, breakingSdks, compatible, difference, type Located } from '../findings.ts';
import type { NormalForm, NormalOperation } from '../normal/normal-document.ts';
import { flowRules } from './flow-rules.ts';
import { membersOf } from './pairs.ts';
import { serverRule } from './server-rules.ts';

const whom = 'callers who authenticate as before';

/** Where calls go, and what authenticates them. */
export function securityFindings(base: NormalForm, head: NormalForm): Located[] {
  const renamed = renamedSchemes(base, head);
  const kept = [...base.operations].flatMap(([key, before]) => {
    const after = head.operations.get(key);
    if (!after || before.isWebhook) return [];
    return requirementRule({ form: base, ...before }, { form: head, ...after }, renamed);
  });
  return [...serverRule(base, head), ...schemeRule(base, head), ...[...renamed.values()].map(renameRule), ...kept];
}

interface Renamed {
  from: string;
  to: string;
}

/** Schemes of the head that only have another name than in the base, by their new name. */
function renamedSchemes(base: NormalForm, head: NormalForm): Map<string, Renamed> {
  const [old, now] = [usedSchemes(base), usedSchemes(head)];
  const gone = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(old, name));
  const pairs = gone.flatMap((from) => {
    const to = added.find((name) => isSameScheme(old[from]!, now[name]!));
    return to === undefined ? [] : [[to, { from, to }] as const];
  });
  return new Map(pairs);
}

function isSameScheme(one: Json, other: Json): boolean {
  const credentials = [one, other].map((scheme) => [normalScheme(scheme), object(scheme).flows]);
  return isDeepStrictEqual(credentials[0], credentials[1]);
}

/** Only generated SDKs have the name of a scheme. */
function renameRule({ from, to }: Renamed): Located {
  const what = `Security scheme \`${from}\` was renamed to \`${to}\`.`;
  const why = 'the option of the generated client has another name';
  const verdict = breakingSdks('security-scheme-renamed', what, why, 'SDK users who authenticate');
  return atHead(child('#/components/securitySchemes', to), verdict);
}

/** How credentials are sent. A scheme that is gone is told by the requirements that name it. */
function schemeRule(base: NormalForm, head: NormalForm): Located[] {
  return membersOf(usedSchemes(base), usedSchemes(head)).flatMap(([name, before, after]) => {
    if (before === undefined || after === undefined) return [];
    const [old, now] = [normalScheme(before), normalScheme(after)];
    const pointer = child('#/components/securitySchemes', name);
    if (old.type !== now.type) return [changedScheme(pointer, name, 'type', old, now)];
    const changed = Object.keys({ ...old, ...now }).filter((keyword) => !isDeepStrictEqual(old[keyword], now[keyword]));
    return [
      ...changed.map((keyword) => changedScheme(pointer, name, keyword, old, now)),
      ...flowRules(name, child(pointer, 'flows'), object(before).flows, object(after).flows),
    ];
  });
}

function changedScheme(pointer: string, name: string, keyword: string, old: JsonObject, now: JsonObject): Located {
  const what = `Of security scheme \`${name}\`, ${difference(keyword, old[keyword], now[keyword])}`;
  const verdict = breaking('security-scheme-changed', what, 'credentials are sent another way', whom);
  return keyword in now ? atHead(child(pointer, keyword), verdict) : atBase(child(pointer, keyword), verdict);
}

/** What says where a credential stands, in one of its spellings. */
function normalScheme(scheme: Json): JsonObject {
  const { type, name, in: place, scheme: kind, openIdConnectUrl } = object(scheme);
  const made = {
    type,
    name: place === 'header' ? text(name).toLowerCase() : name,
    in: place,
    scheme: typeof kind === 'string' ? kind.toLowerCase() : kind,
    openIdConnectUrl,
  };
  return Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)) as JsonObject;
}

function usedSchemes(form: NormalForm): JsonObject {
  const operations = [...form.operations.values()].filter(({ isWebhook }) => !isWebhook);
  const used = new Set(operations.flatMap((one) => requirementsOf({ form, ...one }).flatMap(Object.keys)));
  const schemes = Object.entries(object(object(form.source.components).securitySchemes));
  return Object.fromEntries(schemes.filter(([name]) => used.has(name)));
}

type Secured = NormalOperation & { form: NormalForm };

/** One requirement that is met lets a caller in. */
function requirementRule(before: Secured, after: Secured, renamed: Map<string, Renamed>): Located[] {
  const old = requirementsOf(before);
  const now = requirementsOf(after).map((requirement) => {
    const named = Object.entries(requirement).map(([name, scopes]) => [renamed.get(name)?.from ?? name, scopes]);
    return Object.fromEntries(named) as JsonObject;
  });
  const isInherited = [before, after].map(({ source }) => source.security === undefined);
  const placeOf = ({ pointer }: Secured, index: number, ...steps: string[]) => {
    if (isInherited[0] !== isInherited[1]) return pointer;
    return child(isInherited[0] ? '#' : pointer, 'security', index, ...steps);
  };
  const gone = old.flatMap((requirement, index) => {
    if (now.some((one) => letsIn(one, requirement))) return [];
    const scheme = Object.keys(requirement).find((name) =>
      now.some((one) => name in one && !letsIn({ [name]: one[name]! }, requirement)),
    );
    const place = placeOf(before, index, ...(scheme === undefined ? [] : [scheme]));
    const what = `${said(requirement)} no longer authenticates callers.`;
    const why = 'what authenticated them no longer does';
    return [atBase(place, breaking('security-requirement-changed', what, why, whom))];
  });
  const added = now.flatMap((requirement, index) => {
    if (old.some((one) => letsIn(one, requirement))) return [];
    return [atHead(placeOf(after, index), compatible('added', `${said(requirement)} now authenticates callers.`))];
  });
  return [...gone, ...added];
}

/** Where none is asked for, the empty requirement lets everybody in. */
function requirementsOf({ form, source }: Secured): JsonObject[] {
  const requirements = list(source.security ?? form.source.security).map(object);
  return requirements.length > 0 ? requirements : [{}];
}

/** Whether a caller who meets the other requirement meets this one too. */
function letsIn(requirement: JsonObject, other: JsonObject): boolean {
  return Object.entries(requirement).every(
    ([scheme, scopes]) => scheme in other && list(scopes).every((scope) => list(other[scheme]).includes(scope)),
  );
}

function said(requirement: JsonObject): string {
  const schemes = Object.entries(requirement).map(([scheme, scopes]) =>
    list(scopes).length > 0 ? `\`${scheme}\` (${list(scopes).map(text).join(', ')})` : `\`${scheme}\``,
  );
  return schemes.join(' with ') || 'No credential';
}
