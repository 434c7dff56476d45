import type { ValidateFunction } from 'ajv';
import contract from '../../generated/scim.json' with { type: 'json' };
import { createAjv } from '../contract/ajv.ts';
import { visibleText } from '../contract/contract.ts';
import { DirectoryError } from '../resources/directory/directory-error.ts';
import { once } from '../http/once.ts';
import { formatValidationError } from '../contract/validation-messages.ts';

const { UserName, Text } = contract.components.schemas;
const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, Text]));

/** Validator for the strings of users and groups, with the contract's limits. */
const validator = once((): ValidateFunction => {
  return createAjv().compile({
    type: 'object',
    properties: {
      userName: UserName,
      ...text('externalId', 'givenName', 'familyName', 'formatted', 'displayName', 'preferredLanguage'),
      ...text('employeeNumber', 'department', 'jobTitle', 'location'),
    },
  });
});

const VISIBLE = formatValidationError('', `must match pattern "${visibleText}"`);

/** SCIM names of attributes that have a different name in the service. */
const NAMES: Record<string, string> = {
  givenName: 'name.givenName',
  familyName: 'name.familyName',
  formatted: 'name.formatted',
  jobTitle: 'title',
  location: 'addresses.locality',
};

/** @throws {DirectoryError} `invalidValue` that names the attribute */
export function requireValidFields(fields: object): void {
  const validate = validator();
  if (validate(fields)) return;
  const { instancePath, message = 'is invalid' } = validate.errors![0]!;
  const field = instancePath.slice(1);
  const name = NAMES[field] ?? field;
  const fault = message.startsWith('must match pattern') ? VISIBLE : formatValidationError('', message);
  throw new DirectoryError('invalidValue', `\`${name}\` ${fault}.`);
}
