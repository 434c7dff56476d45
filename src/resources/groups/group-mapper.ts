import type { components } from '../../../generated/api-types.ts';
import type { Answer } from '../../contract.ts';
import type { Rows } from '../../db/rows.ts';
import type { GroupListRow, GroupRow } from './group-repository.ts';

type Schemas = components['schemas'];

export function toGroupListItem(row: GroupListRow): Schemas['GroupListItem'] {
  return { id: row.id, name: row.name, learnerCount: row.learner_count, managers: row.managers };
}

/** @param learnerIds the ids of its members, which may be many and are read as they are sent */
export function toGroup(row: GroupRow, learnerIds: Rows<string>): Answer<'getGroup'> {
  return { ...toGroupListItem(row), learnerIds, createdAt: row.created_at, updatedAt: row.updated_at };
}
