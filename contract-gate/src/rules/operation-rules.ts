import { type Json, child, list, object, splitPointer } from '../document.ts';
import {
  atBase,
  atHead,
  breaking,
  breakingSdks,
  compatible,
  difference,
  type Located,
  type Verdict,
} from '../findings.ts';
import { type NormalForm, type NormalOperation, operationsOnBothSides } from '../normal/normal-document.ts';

/** Finds added and removed operations and webhooks, and changes to the others, except in their messages. */
export function operationFindings(base: NormalForm, head: NormalForm): Located[] {
  const removed = [...base.operations].filter(([key]) => !head.operations.has(key));
  const added = [...head.operations].filter(([key]) => !base.operations.has(key));
  return [
    ...removed.map(([, operation]) => atBase(operation.pointer, removal(operation, head))),
    ...added.map(([, operation]) => atHead(operation.pointer, addition(operation))),
    ...operationsOnBothSides(base, head).flatMap(({ before, after }) => {
      const named = operationIdRule(before, after);
      if (before.isWebhook) return [...named, ...webhookAnswerRule(before, after)];
      return [...named, ...pathNameRule(before, after), ...successRule(before, after), ...tagRule(before, after)];
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
    'the old address returns 404 or 405',
    'callers and SDK users of the operation',
  );
}

/** Compares operationIds, which name the generated methods. */
function operationIdRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before.source.operationId, after.source.operationId];
  if (old === undefined || old === now) return [];
  const why = 'the generated method has another name';
  const what = difference('operationId', old, now);
  return [
    extension(
      after,
      'operationId',
      breakingSdks('operation-id-changed', what, why, 'SDK users who call the operation'),
    ),
  ];
}

/** Finds new success statuses. Clients branch on the status, and a generated method returns the type of one status. */
function successRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [known, now] = [before, after].map(({ source }) =>
    Object.keys(object(source.responses)).filter((status) => status.startsWith('2')),
  );
  if (known!.length === 0 || known!.some((status) => status.toUpperCase() === '2XX')) return [];
  return now!
    .filter((status) => !known!.includes(status))
    .map((status) => {
      const what = `Success may now also be ${status}.`;
      const why = 'they can receive an unknown success status, and generated methods return another type';
      const verdict = breaking('success-status-added', what, why, 'clients that branch on the status, and SDK users');
      return atHead(child(after.pointer, 'responses', status), verdict);
    });
}

/** Compares tags. Generators put a method into the class of its first tag, and some into the class of each tag. */
function tagRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before, after].map(({ source }) => list(source.tags));
  const isKept = old![0] === now![0] && old!.every((tag) => now!.includes(tag));
  if (isKept) return [];
  const what = `The tags changed from ${said(old!)} to ${said(now!)}.`;
  const why = 'the method moves to another class';
  return [extension(after, 'tags', breakingSdks('tag-changed', what, why, 'SDK users who call the operation'))];
}

/** Finds removed statuses of a webhook. Receivers send the status, so a removal is a break. */
function webhookAnswerRule(before: NormalOperation, after: NormalOperation): Located[] {
  const now = object(after.source.responses);
  return Object.keys(object(before.source.responses)).flatMap((status) => {
    if (status in now) return [];
    const what = `Receivers may no longer answer ${status}.`;
    const verdict = breaking('webhook-answer-removed', what, 'it counts as a failure', 'receivers that send it');
    return [atBase(child(before.pointer, 'responses', status), verdict)];
  });
}

/**
 * Finds renamed path parameters. Only their position matters in requests, but generated methods have arguments by name.
 */
function pathNameRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before, after].map(({ path }) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!));
  return old!.flatMap((name, index) => {
    if (name === now![index]) return [];
    const what = `Path parameter \`${name}\` was renamed to \`${now![index]}\`.`;
    const why = 'the argument of the generated method has another name';
    const pointer = child('#', ...splitPointer(after.pointer).slice(0, 2));
    return [atHead(pointer, breakingSdks('path-parameter-renamed', what, why, 'SDK users who call the operation'))];
  });
}

function extension(holder: NormalOperation, name: string, verdict: Verdict): Located {
  return atHead(name in holder.source ? child(holder.pointer, name) : holder.pointer, verdict);
}

function said(tags: Json[]): string {
  return tags.map(String).join(', ') || 'none';
}
