import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';

/** Requires that an exclusion names exactly one of a learner, a group or days. @throws invalid_request */
export function judgeExclusion({ learnerId, groupId, from, to }: Schemas['CreateSimulationExclusionInput']): void {
  if (from === undefined && to !== undefined) throw invalidField('body/from', 'is required if `to` is set');
  if (to === undefined && from !== undefined) throw invalidField('body/to', 'is required if `from` is set');
  const named = Object.entries({ learnerId, groupId, from }).filter(([, value]) => value !== undefined);
  const [first, second] = named.map(([name]) => name);
  if (first === undefined) throw invalidField('body', 'must set `learnerId`, `groupId`, or both `from` and `to`');
  if (second !== undefined) throw invalidField(`body/${second}`, `cannot be combined with \`${first}\``);
  if (from !== undefined && to! < from) throw invalidField('body/to', 'must not be before `from`');
}
