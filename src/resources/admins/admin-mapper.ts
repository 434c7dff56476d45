import type { components } from '../../../generated/api-types.ts';
import type { AdminRow } from './admin-repository.ts';

export function toAdmin(row: AdminRow): components['schemas']['Admin'] {
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    locale: row.locale,
    status: row.status,
    invitedAt: row.invited_at,
    createdAt: row.created_at,
  };
}
