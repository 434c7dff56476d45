/** Messages that notify all active admins. */
const ADMIN_NOTICES = [
  ...(['api_key_expiring', 'api_key_leaked', 'api_key_created', 'webhook_failing', 'webhook_disabled'] as const),
  ...(['admin_added', 'admin_address_changed', 'admin_role_changed', 'passkey_added'] as const),
  ...(['sign_in_settings_changed', 'admin_passkeys_changed', 'emergency_sign_in', 'admin_new_network'] as const),
  ...(['certificate_expiring', 'admin_provisioning_changed', 'last_owner_kept'] as const),
] as const;
export type AdminNoticeKind = (typeof ADMIN_NOTICES)[number];

export function isNotice(kind: string): kind is AdminNoticeKind {
  return ADMIN_NOTICES.some((notice) => notice === kind);
}
