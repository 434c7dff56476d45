import type { Input, Schemas } from '../../../../contract/contract.ts';
import { toVersion } from '../../form-version.ts';

type Learner = Schemas['Learner'];
export type UpdateBody = Input<'updateLearner'>['body'];

/** Fields that an empty string clears. */
const CLEARABLE = [
  ...(['externalLearnerId', 'department', 'jobTitle', 'location', 'country', 'timeZone', 'absentUntil'] as const),
] as const;

/** Single-value fields of the form, in the order of the form. */
export const TEXTS = [
  ...(['firstName', 'lastName', 'email', 'department', 'jobTitle', 'manager', 'externalLearnerId'] as const),
  ...(['location', 'country', 'locale', 'timeZone', 'absentUntil'] as const),
] as const;

/** A form as it was filled in. */
export interface EditForm {
  typed: Readonly<Record<string, string>>;
  groupIds: readonly string[];
}

/**
 * Fills the form with the stored values. @param managerEmail the address of the learner's own manager; empty without
 * one
 */
export function toEditForm(learner: Learner, managerEmail: string): EditForm {
  const texts = TEXTS.filter((name) => name !== 'manager').map((name) => [name, learner[name] ?? ''] as const);
  const excludedFromAutoEnrol = learner.excludedFromAutoEnrol ? 'yes' : '';
  return {
    typed: { ...Object.fromEntries(texts), manager: managerEmail, excludedFromAutoEnrol, version: toVersion(learner) },
    groupIds: learner.groups.map(({ id }) => id),
  };
}

/** Reads the form that a browser sent. */
export function readEditForm(form: URLSearchParams): EditForm {
  const names = [...TEXTS, 'excludedFromAutoEnrol', 'version'];
  return {
    typed: Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').trim()])),
    groupIds: form.getAll('groups'),
  };
}

/** Converts a form to the body of the operation. @param managerId the learner's own manager; null without one */
export function toUpdateBody({ typed, groupIds }: EditForm, managerId: string | null): UpdateBody {
  const { firstName = '', lastName = '', email = '', locale = '', excludedFromAutoEnrol } = typed;
  const cleared = CLEARABLE.map((name) => [name, typed[name] || null] as const);
  return {
    ...{ firstName, lastName, email, managerId, groupIds: [...new Set(groupIds)] },
    ...(locale !== '' && { locale }),
    ...Object.fromEntries(cleared),
    excludedFromAutoEnrol: excludedFromAutoEnrol === 'yes',
  };
}
