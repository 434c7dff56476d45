import { DirectoryError } from './directory-error.ts';
import type { DirectoryGroup } from './directory-group-repository.ts';
import { buildVersion } from './directory-user-rules.ts';

/** Maximum number of members per page, because memory holds a page of groups with all their members. */
const MAX_MEMBERS = 10_000;

type CountMembers = (params: { groupIds: string[]; max: number }) => Promise<{ groupId: string; count: number }[]>;

/** Returns as many of the first groups as have at most 10,000 members in total, but at least one group. */
export async function pageThatFits(groups: readonly DirectoryGroup[], count: CountMembers): Promise<DirectoryGroup[]> {
  const rows = await count({ groupIds: groups.map(({ id }) => id), max: MAX_MEMBERS + 1 });
  const counts = new Map(rows.map((row) => [row.groupId, row.count]));
  let members = 0;
  return groups.filter(({ id }, index) => {
    members += counts.get(id) ?? 0;
    return index === 0 || members <= MAX_MEMBERS;
  });
}

/** @throws {DirectoryError} `invalidValue` for a group without a name */
export function requireDisplayName(displayName: string | null | undefined): string {
  if (displayName) return displayName;
  throw new DirectoryError('invalidValue', '`displayName` is required.');
}

/** Returns the version of a group, which changes with any data that directories see. */
export function getGroupVersion({ id, displayName, externalId, updatedAt, memberState }: DirectoryGroup): string {
  return buildVersion({ id, displayName, externalId, updatedAt, memberState });
}
