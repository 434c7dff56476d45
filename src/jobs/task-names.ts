/** Names of all queue tasks. */
export const TASKS = [
  'send_message',
  'send_simulation_message',
  'send_sign_in_links',
  'tidy_up',
  'start_day',
  'request_signatures',
  'record_risk',
  'notify_expiring_keys',
  'notify_expiring_certificates',
  'notify_leaked_keys',
  'watch_webhooks',
  'notify_failing_webhooks',
  'purge_removed_users',
  'notify_new_network',
  'queue_board_reports',
  'make_board_reports',
  'send_board_report',
] as const;

export type TaskName = (typeof TASKS)[number];
