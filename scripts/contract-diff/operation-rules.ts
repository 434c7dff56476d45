import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, list, object, text, at, child, resolved, stepsOf } from './contract-document.ts';
import { breaking, compatible, type Located, type Verdict } from './findings.ts';
import type { NormalForm, NormalOperation } from './normal-document.ts';

/** Operations that came or went, and what the engine does not see of those that stayed. */
export function operationFindings(base: NormalForm, head: NormalForm): Located[] {
  const removed = [...base.operations].filter(([key]) => !head.operations.has(key));
  const added = [...head.operations].filter(([key]) => !base.operations.has(key));
  const both = [...base.operations].filter(([key]) => head.operations.has(key));
  return [
    ...removed.map(([, operation]) => atBase(operation.pointer, removal(operation, head))),
    ...added.map(([, operation]) => atHead(operation.pointer, addition(operation))),
    ...both.flatMap(([key, before]) => {
      const after = head.operations.get(key)!;
      if (before.isWebhook) return webhookAnswerRule(before, after);
      return [
        ...bodyRule(before, after),
        ...pathNameRule(before, after),
        ...successRule(before, after),
        ...tagRule(before, after),
        ...accountKindRule(before, after),
        ...moduleRule('The operation', before, after),
        ...parameterModuleRule(base, head, key),
      ];
    }),
  ];
}

export function atBase(pointer: string, verdict: Verdict, direction: Located['direction'] = null): Located {
  return { verdict, document: 'base', pointer, direction };
}

export function atHead(pointer: string, verdict: Verdict, direction: Located['direction'] = null): Located {
  return { verdict, document: 'head', pointer, direction };
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

function bodyRule(before: NormalOperation, after: NormalOperation): Located[] {
  if (before.normal.requestBody !== undefined || object(after.normal.requestBody).required !== true) return [];
  const what = 'A required request body was added.';
  const verdict = breaking(
    'request-body-became-required',
    what,
    'calls without a body are refused',
    'every caller of the operation',
  );
  return [atHead(child(after.pointer, 'requestBody'), verdict)];
}

/** Clients know a success by its status, and generated methods answer what that status carries. */
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

/** The first tag is the class of a generated SDK that has the method; some generators put it into the class of each tag. */
function tagRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before, after].map(({ source }) => list(source.tags));
  const isKept = old![0] === now![0] && old!.every((tag) => now!.includes(tag));
  if (isKept) return [];
  const what = `The tags changed from ${said(old)} to ${said(now)}.`;
  const why = 'the method is in a class of another name';
  return [extension(after, 'tags', breaking('tag-changed', what, why, 'SDK users who call the operation'))];
}

/** Receivers send the status, so that one fewer hurts. */
function webhookAnswerRule(before: NormalOperation, after: NormalOperation): Located[] {
  const now = object(after.source.responses);
  return Object.keys(object(before.source.responses)).flatMap((status) => {
    if (status in now) return [];
    const what = `Receivers may no longer answer ${status}.`;
    const verdict = breaking('webhook-answer-removed', what, 'it counts as a failure', 'receivers who answer it');
    return [atBase(child(before.pointer, 'responses', status), verdict)];
  });
}

/** On the wire a path parameter has a place; its name is an argument of the generated method. */
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

/** A parameter that is new may need what it wants: nobody sends it yet. */
function parameterModuleRule(base: NormalForm, head: NormalForm, key: string): Located[] {
  const [before, after] = [base, head].map((form) => parametersByName(form, form.operations.get(key)!));
  return [...after!].flatMap(([name, parameter]) => {
    const old = before!.get(name);
    return old ? moduleRule(`Parameter \`${name}\``, old, parameter) : [];
  });
}

function parametersByName({ source }: NormalForm, operation: NormalOperation): Map<string, Gated> {
  const item = child('#', ...stepsOf(operation.pointer).slice(0, -1));
  const levels = [item, operation.pointer].map((pointer) => child(pointer, 'parameters'));
  return new Map(
    levels.flatMap((level) =>
      list(at(source, level)).map((value, index) => {
        const [parameter, pointer] = resolved(source, value, child(level, index));
        return [`${text(parameter.in)} ${text(parameter.name)}`, { source: parameter, pointer }] as const;
      }),
    ),
  );
}

function extension(holder: Gated, name: string, verdict: Verdict): Located {
  return atHead(name in holder.source ? child(holder.pointer, name) : holder.pointer, verdict);
}

function said(value: Json | JsonObject | undefined): string {
  return value === undefined ? 'all' : [value].flat().map(String).join(', ') || 'none';
}
