import { child, type Json, type JsonObject, list, object, text } from '../document.ts';
import { atBase, atHead, breaking, compatible, difference, type Located, missingFrom, said } from '../findings.ts';
import type { NormalForm } from '../normal/normal-document.ts';
import { pairMembers } from './pairs.ts';

const whom = 'callers and SDK users who use that address';

interface Server {
  url: string;
  variables: JsonObject;
  pointer: string;
}

/** Compares the servers. Without servers, calls go to the server that serves the document. */
export function serverRule(base: NormalForm, head: NormalForm): Located[] {
  const [before, after] = [listServers(base.source), listServers(head.source)];
  const implied = after.length === 0 ? ['/'] : [];
  const gone = before.flatMap(({ url, pointer, variables }) => {
    const now = after.find((server) => server.url === url);
    if (now) return variableRules(url, { pointer, variables }, now);
    if (implied.includes(url)) return [];
    const verdict = breaking('server-removed', `Server \`${url}\` was removed.`, 'calls to that address fail', whom);
    return [atBase(child(pointer, 'url'), verdict)];
  });
  const added = after.flatMap(({ url, pointer }) =>
    before.some((server) => server.url === url)
      ? []
      : [atHead(child(pointer, 'url'), compatible('added', `Server \`${url}\` was added.`))],
  );
  return [...gone, ...added];
}

function listServers(source: JsonObject): Server[] {
  return list(source.servers).map((server, index) => {
    const { url, variables } = object(server);
    return { url: text(url), variables: object(variables), pointer: child('#/servers', index) };
  });
}

type Variables = Omit<Server, 'url'>;

/** Compares the variables of a server's address: their values and defaults. */
function variableRules(url: string, before: Variables, after: Variables): Located[] {
  return pairMembers(before.variables, after.variables).flatMap(([name, was, is]): Located[] => {
    const subject = `Variable \`${name}\` of server \`${url}\``;
    const pointers = [before, after].map(({ pointer }) => child(pointer, 'variables', name));
    const broken = (what: string) => breaking('server-variable-changed', what, 'calls to that address fail', whom);
    if (is === undefined) return [atBase(pointers[0]!, broken(`${subject} was removed.`))];
    if (was === undefined) return [atHead(pointers[1]!, compatible('added', `${subject} was added.`))];
    const [old, now] = [object(was), object(is)];
    const moved = difference('default', old.default, now.default);
    return [
      ...(old.default === now.default
        ? []
        : [atHead(child(pointers[1]!, 'default'), broken(`Of ${subject.toLowerCase()}, ${moved}`))]),
      ...valueChanges(subject, old.enum, now.enum).map(({ isBroken, what }) =>
        atHead(child(pointers[1]!, 'enum'), isBroken ? broken(what) : compatible('added', what)),
      ),
    ];
  });
}

/** Compares the lists of values. Without a list, a variable accepts any value. */
function valueChanges(subject: string, old: Json | undefined, now: Json | undefined) {
  if (old === undefined && now !== undefined)
    return [{ isBroken: true, what: `${subject} must now be one of ${said(list(now))}.` }];
  const lost = now === undefined ? undefined : missingFrom(now, old);
  const gained = old === undefined ? undefined : missingFrom(old, now);
  return [
    ...(lost ? [{ isBroken: true, what: `${subject} lost ${said(lost)}.` }] : []),
    ...(gained ? [{ isBroken: false, what: `${subject} gained ${said(gained)}.` }] : []),
  ];
}
