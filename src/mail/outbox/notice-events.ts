import type { NewEvent } from '../../db/write-events.ts';
import type { AdminNoticeKind } from './notice-kinds.ts';

type ToEvent = (subjectId: string) => NewEvent;

const ofAdmin =
  (type: NewEvent['type']): ToEvent =>
  (adminId) => ({ type, data: { adminId } });

const ofSetting =
  (setting: string, hasProvider = false): ToEvent =>
  (id) => ({
    type: 'sign_in_settings.changed',
    data: { setting, identityProviderId: hasProvider ? id : null },
  });

/**
 * Events that accompany notices. Notices about keys, webhook endpoints and passkeys have none here, because triggers
 * write the events of these rows (migrations/*_create_integration_events.ts, *_suspend_passkeys.ts).
 */
const EVENTS: Partial<Record<AdminNoticeKind, ToEvent>> = {
  admin_added: ofAdmin('admin.created'),
  admin_address_changed: ofAdmin('admin.address.changed'),
  admin_role_changed: ofAdmin('admin.role.changed'),
  emergency_sign_in: ofAdmin('admin.emergency_sign_in'),
  last_owner_kept: ofAdmin('admin.last_owner.kept'),
  sign_in_settings_changed: ofSetting('identity_provider', true),
  admin_passkeys_changed: ofSetting('admin_passkeys'),
  admin_provisioning_changed: ofSetting('admin_provisioning'),
};

/** Returns the events that accompany a notice about its subjects. */
export function toNoticeEvents(kind: AdminNoticeKind, subjectIds: readonly string[]): NewEvent[] {
  const toEvent = EVENTS[kind];
  return toEvent ? subjectIds.map(toEvent) : [];
}
