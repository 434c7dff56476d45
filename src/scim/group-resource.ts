import type { GroupWithMembers } from '../resources/directory/directory-group-handlers.ts';
import { versionOfGroup } from '../resources/directory/directory-group-rules.ts';
import { metaOf, type Resource, withoutNulls } from './resource.ts';
import { GROUP } from './urns.ts';

/** A group in the shape of RFC 7643. @param base the address of SCIM */
export function groupResource({ memberIds, ...group }: GroupWithMembers, base: string): Resource {
  const member = (value: string) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' });
  const { id, displayName, externalId } = group;
  return withoutNulls({
    schemas: [GROUP],
    id,
    externalId,
    displayName,
    members: Array.isArray(memberIds) ? memberIds.map(member) : (memberIds?.map(member) ?? null),
    meta: metaOf('Group', group, { base, version: versionOfGroup(group) }),
  });
}
