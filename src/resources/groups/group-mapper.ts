import type { components } from '../../../generated/api-types.ts';
import type { GroupListRow, GroupRow } from './group-repository.ts';

type Schemas = components['schemas'];

export function toGroupListItem(row: GroupListRow): Schemas['GroupListItem'] {
  return { id: row.id, name: row.name, learnerCount: row.learner_count, managers: row.managers };
}

export function toGroup(row: GroupRow): Schemas['Group'] {
  return { ...toGroupListItem(row), learnerIds: row.learner_ids, createdAt: row.created_at, updatedAt: row.updated_at };
}
