import type { DirectoryUser } from '../resources/directory/directory-user-repository.ts';
import { versionOfUser } from '../resources/directory/directory-user-rules.ts';
import { metaOf, type Resource, withoutNulls } from './resource.ts';
import { ENTERPRISE_USER, USER } from './urns.ts';

/** A user in the shape of RFC 7643. @param base the address of SCIM */
export function userResource(user: DirectoryUser, base: string): Resource {
  const { id, externalId, userName, givenName, familyName, email, active, preferredLanguage, employeeNumber } = user;
  const formatted = `${givenName} ${familyName}`.trimEnd();
  const groups = user.groups.map((group) => {
    return { value: group.id, $ref: `${base}/Groups/${group.id}`, display: group.name, type: 'direct' };
  });
  return withoutNulls({
    schemas: employeeNumber === null ? [USER] : [USER, ENTERPRISE_USER],
    id,
    externalId,
    userName,
    name: { formatted, givenName, ...(familyName !== '' && { familyName }) },
    displayName: user.displayName ?? formatted,
    emails: [{ value: email, type: 'work', primary: true }],
    active,
    preferredLanguage,
    groups,
    meta: metaOf('User', user, { base, version: versionOfUser(user) }),
    [ENTERPRISE_USER]: employeeNumber === null ? null : { employeeNumber },
  });
}
