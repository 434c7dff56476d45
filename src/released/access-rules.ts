import { isDeepStrictEqual } from 'node:util';
import {
  at,
  atBase,
  atHead,
  breaking,
  child,
  compatible,
  type Json,
  type JsonObject,
  list,
  type Located,
  membersOf,
  type NormalForm,
  type NormalOperation,
  object,
  operationsOnBothSides,
  resolve,
  text,
  type Verdict,
} from '../../contract-gate/src/index.ts';

/** Judges changes of access to operations, which are stated in extensions that the gate does not know. */
export function accessRules(base: NormalForm, head: NormalForm): Located[] {
  return operationsOnBothSides(base, head).flatMap(({ key, before, after }) => [
    ...accountKindRule(before, after),
    ...scopeRule(before, after),
    ...moduleRule('The operation', before, after),
    ...parameterModuleRule(base, head, key),
  ]);
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
        compatible('account-kinds-widened', `More account kinds can call the operation: ${formatValue(now)}.`),
      ),
    ];
  const what = `Fewer account kinds can call the operation: ${formatValue(old)} became ${formatValue(now)}.`;
  const whom =
    old === undefined
      ? `callers with keys other than ${formatValue(now)}`
      : `callers with keys of ${formatValue(lost)}`;
  return [
    extension(after, 'x-account-kinds', breaking('account-kinds-narrowed', what, 'their calls return 403', whom)),
  ];
}

/** Judges a change of scope. In a contract from before scopes existed, no keys are limited by scope. */
function scopeRule(before: NormalOperation, after: NormalOperation): Located[] {
  const [old, now] = [before.source['x-scope'], after.source['x-scope']];
  if (old === undefined || old === now) return [];
  const what = `The operation needs the scope \`${formatValue(now)}\` instead of \`${formatValue(old)}\`.`;
  const whom = `callers with keys that have only \`${formatValue(old)}\``;
  return [extension(after, 'x-scope', breaking('scope-changed', what, 'their calls return 403', whom))];
}

/** A part of the contract that can require a module, with its location. */
type Gated = Pick<NormalOperation, 'source' | 'pointer'>;

function moduleRule(subject: string, before: Gated, after: Gated): Located[] {
  const [old, now] = [before.source['x-module'], after.source['x-module']];
  if (old === now) return [];
  if (now === undefined) {
    const where = child(before.pointer, 'x-module');
    return [
      atBase(where, compatible('module-no-longer-needed', `Module \`${formatValue(old)}\` is no longer needed.`)),
    ];
  }
  const what = `${subject} needs module \`${formatValue(now)}\`${old === undefined ? '' : ` instead of \`${formatValue(old)}\``}.`;
  const verdict = breaking(
    'module-needed',
    what,
    'their calls return 403',
    'callers whose company does not have the module',
  );
  return [extension(after, 'x-module', verdict)];
}

/** Judges modules of existing parameters. A new parameter can require a module, since nobody sends it yet. */
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

function formatValue(value: Json | JsonObject | undefined): string {
  return value === undefined ? 'all' : [value].flat().map(String).join(', ') || 'none';
}
