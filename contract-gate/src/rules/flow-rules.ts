import { child, type Json, object, own } from '../document.ts';
import { atBase, atHead, breaking, compatible, difference, type Located, said } from '../findings.ts';
import { judgedKeywords } from '../keywords.ts';
import { pairMembers } from './pairs.ts';

const whom = 'callers who use the flow';

/** Compares how OAuth callers get a token: the flows, the URLs and the scopes. */
export function flowRules(
  scheme: string,
  pointer: string,
  before: Json | undefined,
  after: Json | undefined,
): Located[] {
  return pairMembers(before, after).flatMap(([flow, was, is]) => {
    if (!judgedKeywords.OAuth2Flows.has(flow)) return [];
    const where = child(pointer, flow);
    const subject = `Flow \`${flow}\` of security scheme \`${scheme}\``;
    const removed = breaking(
      'oauth-flow-removed',
      `${subject} was removed.`,
      'this flow no longer issues tokens',
      whom,
    );
    if (is === undefined) return [atBase(where, removed)];
    if (was === undefined) return [atHead(where, compatible('added', `${subject} was added.`))];
    return [...urlRules(where, subject, was, is), ...scopeRules(where, subject, was, is)];
  });
}

/** Compares the URLs of a flow. Without a `refreshUrl`, a refresh uses the `tokenUrl`. */
function urlRules(pointer: string, subject: string, was: Json, is: Json): Located[] {
  const [old, now] = [object(was), object(is)];
  const urls = [
    ['authorizationUrl', old.authorizationUrl, now.authorizationUrl],
    ['tokenUrl', old.tokenUrl, now.tokenUrl],
    ...(old.refreshUrl === undefined && now.refreshUrl === undefined
      ? []
      : [['refreshUrl', old.refreshUrl ?? old.tokenUrl, now.refreshUrl ?? now.tokenUrl] as const]),
  ] as const;
  return urls.flatMap(([keyword, before, after]) => {
    if (before === after) return [];
    const what = `Of ${lowered(subject)}, ${difference(keyword, before, after)}`;
    const verdict = breaking('oauth-url-changed', what, 'the old address issues no tokens', whom);
    return [
      own(is, keyword) === undefined
        ? atBase(child(pointer, keyword), verdict)
        : atHead(child(pointer, keyword), verdict),
    ];
  });
}

function scopeRules(pointer: string, subject: string, was: Json, is: Json): Located[] {
  const [old, now] = [was, is].map((flow) => Object.keys(object(object(flow).scopes)));
  const [lost, gained] = [old!.filter((scope) => !now!.includes(scope)), now!.filter((scope) => !old!.includes(scope))];
  return [
    ...lost.map((scope) => {
      const what = `${subject} no longer has the scope \`${scope}\`.`;
      const verdict = breaking(
        'oauth-scope-removed',
        what,
        'tokens no longer include it',
        'callers who request the scope',
      );
      return atBase(child(pointer, 'scopes', scope), verdict);
    }),
    ...(gained.length > 0
      ? [atHead(child(pointer, 'scopes'), compatible('added', `${subject} gained the scopes ${said(gained)}.`))]
      : []),
  ];
}

function lowered(subject: string): string {
  return subject.charAt(0).toLowerCase() + subject.slice(1);
}
