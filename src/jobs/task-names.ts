/** The names of all tasks of the queue. */
export const TASKS = [
  'send_message',
  'send_simulation_message',
  'send_sign_in_links',
  'tidy_up',
  'start_day',
  'request_signatures',
  'record_risk',
  'tell_expiring_keys',
  'tell_leaked_keys',
  'watch_webhooks',
  'tell_failing_webhooks',
  'purge_removed_users',
] as const;

export type TaskName = (typeof TASKS)[number];
