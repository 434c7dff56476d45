import { isDeepStrictEqual } from 'node:util';
import { child, type Json, type JsonObject, list, object, text } from '../document.ts';
import { atBase, atHead, breaking, compatible, difference, type Located } from '../findings.ts';
import type { NormalForm, NormalOperation } from '../normal/normal-document.ts';
import { flowRules } from './flow-rules.ts';
import { pairMembers } from './pairs.ts';
import { serverRule } from './server-rules.ts';

const whom = 'callers who use the old credentials';
/** Keywords of a scheme that are only texts for people. */
const words = ['description', 'bearerFormat'];

/** Compares the servers and the authentication of calls. */
export function securityFindings(base: NormalForm, head: NormalForm): Located[] {
  const renamed = renamedSchemes(base, head);
  const [old, now]: [Side, Side] = [
    { form: base, renamed: new Map() },
    { form: head, renamed },
  ];
  const kept = [...base.operations].flatMap(([key, before]) => {
    const after = head.operations.get(key);
    return after && !before.isWebhook ? requirementRule({ ...old, ...before }, { ...now, ...after }) : [];
  });
  return [...serverRule(base, head), ...renameRule(renamed), ...schemeRule(old, now), ...kept];
}

/** Returns schemes that were only renamed, with their name in the base. No client sends the name of a scheme. */
function renamedSchemes(base: NormalForm, head: NormalForm): Map<string, string> {
  const [before, after] = [listSchemes(base), listSchemes(head)];
  const gone = Object.keys(before).filter((name) => !(name in after));
  const added = Object.keys(after).filter((name) => !(name in before));
  const renamed = new Map<string, string>();
  for (const name of added) {
    const twin = gone.find((other) => isDeepStrictEqual(selectMeaning(before[other]), selectMeaning(after[name])));
    if (twin === undefined) continue;
    gone.splice(gone.indexOf(twin), 1);
    renamed.set(name, twin);
  }
  return renamed;
}

function selectMeaning(scheme: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object(scheme)).filter(([keyword]) => !words.includes(keyword)));
}

function renameRule(renamed: Map<string, string>): Located[] {
  return [...renamed].map(([name, before]) => {
    const what = `Security scheme \`${before}\` was renamed to \`${name}\`.`;
    return atHead(child('#/components/securitySchemes', name), compatible('changed', what));
  });
}

/** Compares how credentials are sent. `requirementRule` reports removed schemes. */
function schemeRule(base: Side, head: Side): Located[] {
  return pairMembers(usedSchemes(base), usedSchemes(head)).flatMap(([name, before, after]) => {
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
  const verdict = breaking('security-scheme-changed', what, 'credentials are sent differently', whom);
  return keyword in now ? atHead(child(pointer, keyword), verdict) : atBase(child(pointer, keyword), verdict);
}

/** Returns the keywords that define where a credential is sent, in normal form. */
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

function usedSchemes(side: Side): JsonObject {
  const operations = [...side.form.operations.values()].filter(({ isWebhook }) => !isWebhook);
  const used = new Set(operations.flatMap((one) => listRequirements({ ...side, ...one }).flatMap(Object.keys)));
  const schemes = Object.entries(listSchemes(side.form));
  return Object.fromEntries(
    schemes.map(([name, scheme]) => [nameAtBase(side, name), scheme] as const).filter(([name]) => used.has(name)),
  );
}

function listSchemes(form: NormalForm): JsonObject {
  return object(object(form.source.components).securitySchemes);
}

/** A document, and its schemes that have another name in the base. */
interface Side {
  form: NormalForm;
  renamed: Map<string, string>;
}

type Secured = NormalOperation & Side;

function nameAtBase({ renamed }: Side, name: string): string {
  return renamed.get(name) ?? name;
}

/** Compares requirements. A caller needs to meet only one of them. */
function requirementRule(before: Secured, after: Secured): Located[] {
  const [old, now] = [listRequirements(before), listRequirements(after)];
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
    const why = 'their credentials no longer work';
    return [atBase(place, breaking('security-requirement-changed', what, why, whom))];
  });
  const added = now.flatMap((requirement, index) => {
    if (old.some((one) => letsIn(one, requirement))) return [];
    return [atHead(placeOf(after, index), compatible('added', `${said(requirement)} now authenticates callers.`))];
  });
  return [...gone, ...added];
}

/**
 * Returns the requirements with the scheme names of the base. If there are none, returns the empty requirement, which
 * everybody meets.
 */
function listRequirements(secured: Secured): JsonObject[] {
  const { form, source } = secured;
  const requirements = list(source.security ?? form.source.security).map((requirement) =>
    Object.fromEntries(
      Object.entries(object(requirement)).map(([name, scopes]) => [nameAtBase(secured, name), scopes]),
    ),
  );
  return requirements.length > 0 ? requirements : [{}];
}

/** Reports whether a caller who meets the other requirement also meets this one. */
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
