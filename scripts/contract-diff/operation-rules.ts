import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, at, child, list, object, resolve, stepsOf, text } from './contract-document.ts';
import { atBase, atHead, breaking, compatible, difference, type Located, type Verdict } from './findings.ts';
import type { NormalForm, NormalOperation } from './normal-document.ts';
import { membersOf } from './pairs.ts';

/** Operations and webhooks that were added or removed, and what changed in the others, except for their messages. */
export function operationFindings(base: NormalForm, head: NormalForm): Located[] {
  const removed = [...base.operations].filter(([key]) => !head.operations.has(key));
  const added = [...head.operations].filter(([key]) => !base.operations.has(key));
  const both = [...base.operations].filter(([key]) => head.operations.has(key));
  return [
    ...removed.map(([, operation]) => atBase(operation.pointer, removal(operation, head))),
    ...added.map(([, operation]) => atHead(operation.pointer, addition(operation))),
    ...both.flatMap(([key, before]) => {
      const after = head.operations.get(key)!;
      const named = operationIdRule(before, after);
      if (before.isWebhook) return [...named, ...webhookAnswerRule(before, after)];
      return [
        ...named,
        ...pathNameRule(before, after),
        ...successRule(before, after),
        ...tagRule(before, after),
        ...accountKindRule(before, after),
        ...scopeRule(before, after),
        ...moduleRule('The operation', before, after),
        ...parameterModuleRule(base, head, key),
      ];
    }),
  ];
}

function addition({ isWebhook }: NormalOperation): Verdict {
  if (isWebhook) return compatible('webhook-added', 'The webhook was added.');
  return compatible('operation-added', 'The operation was added.');
}

function removal(operation: NormalOperation, head: NormalForm): Verdict {
  if (operation.isWebhook)
    return breaking('webhook-removed', 'The webhook was removed.', 'it is no longer sent', 'receivers of the webhook');
  const { operationId } = operation.source;
  const moved = [...head.operations.values()].find(
    ({ source }) => operationId !== undefined && source.operationId === operationId,
  );
  const what = moved
    ? `The operation moved to ${moved.method.toUpperCase()} ${moved.path}.`
    : 'The operation was removed.';
  return breaking(
    'operation-removed',
    what,
    'the old address answers 404 or 405',
    'callers and SDK users of the operation',
  );
}

/** The name of the generated method. */
function operationIdRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before.source.operationId, after.source.operationId];
  if (old === undefined || old === now) return [];
  const why = 'the generated method has another name';
  const what = difference('operationId', old, now);
  return [
    extension(after, 'operationId', breaking('operation-id-changed', what, why, 'SDK users who call the operation')),
  ];
}

/** Clients know a success by its status, and a generated method returns the type of that status. */
function successRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [known, now] = [before, after].map(({ source }) =>
    Object.keys(object(source.responses)).filter((status) => status.startsWith('2')),
  );
  if (known!.length === 0 || known!.some((status) => status.toUpperCase() === '2XX')) return [];
  return now!
    .filter((status) => !known!.includes(status))
    .map((status) => {
      const what = `Success may now also be ${status}.`;
      const why = 'a status that they do not know as a success arrives, and generated methods answer another type';
      const verdict = breaking('success-status-added', what, why, 'clients that branch on the status, and SDK users');
      return atHead(child(after.pointer, 'responses', status), verdict);
    });
}

/** Generators put the method into the class of its first tag, and some into the class of each tag. */
function tagRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before, after].map(({ source }) => list(source.tags));
  const isKept = old![0] === now![0] && old!.every((tag) => now!.includes(tag));
  if (isKept) return [];
  const what = `The tags changed from ${said(old)} to ${said(now)}.`;
  const why = 'the method is in a class of another name';
  return [extension(after, 'tags', breaking('tag-changed', what, why, 'SDK users who call the operation'))];
}

/** Receivers send the status, so removing one is a break. */
function webhookAnswerRule(before: NormalOperation, after: NormalOperation): Located[] {
  const now = object(after.source.responses);
  return Object.keys(object(before.source.responses)).flatMap((status) => {
    if (status in now) return [];
    const what = `Receivers may no longer answer ${status}.`;
    const verdict = breaking('webhook-answer-removed', what, 'it counts as a failure', 'receivers who answer it');
    return [atBase(child(before.pointer, 'responses', status), verdict)];
  });
}

/** On the wire only the position of a path parameter counts, but its name is an argument of the generated method. */
function pathNameRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before, after].map(({ path }) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!));
  return old!.flatMap((name, index) => {
    if (name === now![index]) return [];
    const what = `Path parameter \`${name}\` was renamed to \`${now![index]}\`.`;
    const why = 'the argument of the generated method has another name';
    const pointer = child('#', ...stepsOf(after.pointer).slice(0, 2));
    return [atHead(pointer, breaking('path-parameter-renamed', what, why, 'SDK users who call the operation'))];
  });
}

function accountKindRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before.source['x-account-kinds'], after.source['x-account-kinds']];
  if (isDeepStrictEqual(old, now)) return [];
  const lost = now === undefined ? [] : list(old).filter((kind) => !list(now).includes(kind));
  if (now === undefined || (old !== undefined && lost.length === 0))
    return [
      extension(
        after,
        'x-account-kinds',
        compatible('account-kinds-widened', `More account kinds have the operation: ${said(now)}.`),
      ),
    ];
  const what = `The operation is for fewer account kinds: ${said(old)} became ${said(now)}.`;
  const whom = old === undefined ? `callers with keys other than ${said(now)}` : `callers with keys of ${said(lost)}`;
  return [
    extension(after, 'x-account-kinds', breaking('account-kinds-narrowed', what, 'their calls answer 403', whom)),
  ];
}

/** A contract from before there were scopes has no key that is limited to any. */
function scopeRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before.source['x-scope'], after.source['x-scope']];
  if (old === undefined || old === now) return [];
  const what = `The operation needs the scope \`${said(now)}\` instead of \`${said(old)}\`.`;
  const whom = `callers with keys that have \`${said(old)}\` alone`;
  return [extension(after, 'x-scope', breaking('scope-changed', what, 'their calls answer 403', whom))];
}

/** What needs a module, and where it stands. */
type Gated = Pick<NormalOperation, 'source' | 'pointer'>;

function moduleRule(subject: string, before: Gated, after: Gated): Located[] {
  const [old, now] = [before.source['x-module'], after.source['x-module']];
  if (old === now) return [];
  if (now === undefined) {
    const where = child(before.pointer, 'x-module');
    return [atBase(where, compatible('module-no-longer-needed', `Module \`${said(old)}\` is no longer needed.`))];
  }
  const what = `${subject} needs module \`${said(now)}\`${old === undefined ? '' : ` instead of \`${said(old)}\``}.`;
  const verdict = breaking(
    'module-needed',
    what,
    'their calls answer 403',
    'callers whose company does not have the module',
  );
  return [extension(after, 'x-module', verdict)];
}

/** A new parameter may need a module, since nobody sends it yet. */
function parameterModuleRule(base: NormalForm, head: NormalForm, key: string): Located[] {
  const [before, after] = [base, head].map((form) => form.operations.get(key)!.normal.parameters);
  return membersOf(before, after).flatMap(([, old, now]) => {
    if (old === undefined || now === undefined) return [];
    const [was, is] = [gatedParameter(base, old), gatedParameter(head, now)];
    return moduleRule(`Parameter \`${text(is.source.name)}\``, was, is);
  });
}

function gatedParameter(form: NormalForm, parameter: Json): Gated {
  const pointer = form.originOf(resolve(form.document, parameter));
  return { source: object(at(form.source, pointer)), pointer };
}

function extension(holder: Gated, name: string, verdict: Verdict): Located {
  return atHead(name in holder.source ? child(holder.pointer, name) : holder.pointer, verdict);
}

function said(value: Json | JsonObject | undefined): string {
  return value === undefined ? 'all' : [value].flat().map(String).join(', ') || 'none';
}
