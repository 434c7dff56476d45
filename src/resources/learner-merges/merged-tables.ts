/**
 * Tables whose rows a merge keeps, so that it can be undone. The listed key columns, besides `company_id` and
 * `learner_id`, identify the rows when they move back.
 */
export const RECORDED_TABLES = {
  attempt_versions: ['course_id', 'attempt_id', 'superseded_at', 'recorded_at'],
  campaign_assignments: ['campaign_id', 'item_id', 'round'],
  certificates: ['attempt_id'],
  corrections: ['id'],
  course_progress: ['course_id'],
  course_result_events: ['event_id'],
  directory_learners: [],
  enrollment_attempts: ['course_id', 'attempt_id'],
  enrollments: ['course_id'],
  group_learners: ['group_id'],
  group_managers: ['group_id'],
  learner_risks: ['date'],
  learner_versions: ['superseded_at'],
  membership_periods: ['id'],
  membership_versions: ['group_id', 'superseded_at'],
  messages: ['id'],
  package_progress: ['course_id'],
  policy_result_versions: ['policy_id', 'superseded_at'],
  policy_results: ['policy_id'],
  provider_identities: ['provider_id', 'kind', 'subject'],
  signature_events: ['event_id'],
  signature_names: ['policy_id', 'signed', 'version_id'],
  signatures: ['policy_id', 'signed', 'version_id'],
  simulation_events: ['event_id'],
  simulation_exclusions: ['id'],
  simulation_recipient_addresses: ['simulation_id', 'email_key'],
  simulation_recipient_versions: ['simulation_id', 'superseded_at'],
  simulation_recipients: ['simulation_id'],
} as const satisfies Record<string, readonly string[]>;

export type RecordedTable = keyof typeof RECORDED_TABLES;

/** Tables of learners whose rows are simply deleted with the duplicate, each with the reason. */
export const UNRECORDED_TABLES = {
  campaign_changes: 'The worker deletes them within seconds.',
  campaign_mail_days: 'The last message to the learner who stays decides about the next one.',
  known_devices: 'The duplicate signs in no longer.',
  learner_import_rows: 'An import shows what it did to the duplicate only while the duplicate exists.',
  learner_search_words: 'A trigger derives them from the learner.',
  mail_bounces: 'They are about the address of the duplicate.',
  person_sessions: 'The duplicate signs in no longer.',
  sign_in_links: 'The duplicate signs in no longer.',
  learner_merges: 'Earlier merges into the duplicate follow it (learner-merge-repository.ts).',
} as const;

/** Tables whose rows move one by one, unless the learner who stays has a row with the same key. */
export const MOVED_TABLES = [
  ...['attempt_versions', 'campaign_assignments', 'certificates', 'corrections', 'course_result_events'],
  'enrollment_attempts',
  ...[
    'membership_periods',
    'membership_versions',
    'policy_result_versions',
    'signature_events',
    'signature_names',
    'signatures',
    'simulation_exclusions',
  ],
] as readonly string[] as readonly MovedTable[];

export type MovedTable =
  | ('attempt_versions' | 'campaign_assignments' | 'certificates' | 'corrections' | 'course_result_events')
  | 'enrollment_attempts'
  | (
      | 'membership_periods'
      | 'membership_versions'
      | 'policy_result_versions'
      | 'signature_events'
      | 'signature_names'
      | 'signatures'
      | 'simulation_exclusions'
    );

/** Tables whose rows move together with the row that they refer to, in one statement. */
export const MOVED_TOGETHER = {
  enrollments: ['course_progress', 'package_progress'],
  simulation_recipients: ['simulation_events', 'simulation_recipient_addresses', 'simulation_recipient_versions'],
} as const satisfies Partial<Record<RecordedTable, readonly RecordedTable[]>>;

export type LeadingTable = keyof typeof MOVED_TOGETHER;

/** Tables for which a merge also keeps the rows of the learner who stays. */
export const RECORDED_OF_BOTH = [
  'campaign_assignments',
  ...(['enrollment_attempts', 'enrollments', 'group_learners', 'group_managers', 'membership_versions'] as const),
  ...(['policy_result_versions', 'policy_results', 'signature_names', 'signatures'] as const),
] as const satisfies readonly RecordedTable[];
