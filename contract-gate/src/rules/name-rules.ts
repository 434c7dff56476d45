import { isDeepStrictEqual } from 'node:util';
import { object, child } from '../document.ts';
import { atBase, breakingSdks, type Located } from '../findings.ts';
import type { NormalForm } from '../normal/normal-document.ts';
import { buildUsage } from '../usage.ts';

/** Finds removed and renamed schemas. They are types in generated SDKs, so code that names them no longer compiles. */
export function nameFindings(base: NormalForm, head: NormalForm): Located[] {
  const [before, after] = [base, head].map(({ document }) => object(object(document.components).schemas));
  const uses = buildUsage(base.source);
  const gone = new Set([...base.operations].filter(([key]) => !head.operations.has(key)).map(([, { label }]) => label));
  return Object.keys(object(object(base.source.components).schemas)).flatMap((name) => {
    if (Object.hasOwn(after!, name)) return [];
    const pointer = child('#/components/schemas', name);
    if (uses(pointer).every(({ operation }) => gone.has(operation))) return [];
    const twin = Object.keys(after!).find(
      (other) => !Object.hasOwn(before!, other) && isDeepStrictEqual(after![other], before![name]),
    );
    const what =
      twin === undefined ? `Schema \`${name}\` was removed.` : `Schema \`${name}\` was renamed to \`${twin}\`.`;
    const rule = twin === undefined ? 'schema-removed' : 'schema-renamed';
    return [
      atBase(
        pointer,
        breakingSdks(rule, what, 'the generated type of that name is gone', 'SDK users who name the type'),
      ),
    ];
  });
}
