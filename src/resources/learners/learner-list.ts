// Lists of learners. One filter selects the candidates through an index, and the other filters are then applied to the
// candidates. `streamLearners` picks the filter that usually has the fewest candidates.
//
// Words (`q`). A trigger splits names and e-mail addresses into words without case, accents and punctuation, and stores
// one row per word (learner_search_words). For each word of `q`, the learner must have a word that starts with it. If
// only few stored words of the company start with one of the words of `q`, the list reads the learners of those stored
// words. If many stored words start with each of two words of `q`, the list reads only the word index, and keeps the
// learners found for both: with 2,500 and 27,500 learners and none in common, a page takes 55 ms instead of 130 ms
// (2026-11-30, two busy cores). If many stored words start with one word of `q`, but few of these differ, such as
// `anna`, `anne` and `annika`, the list merges the learners of each until its page is full; an index has them in order.
// Otherwise, the list reads the learners by id until its page is full. In a company with a million learners, a page of
// 100 takes 7 ms for a rare word and 20 to 75 ms for frequent words (2026-11-28, two cores). If several words are
// frequent but few learners have all of them, the list reads all learners.
//
// Changes (`updatedSince`). The changed learners are the candidates. Candidates that do not pass the filters are listed
// as removed.
import type { Schemas } from '../../contract/contract.ts';
import { fullName } from '../../db/expressions.ts';
import { BY_ID } from '../../db/keyset.ts';
import type { Rows } from '../../db/rows.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters, query, type Statement } from '../../db/statement.ts';
import {
  hasProfile,
  matchesProfile,
  NO_PROFILE,
  type ProfileFilter,
  selectProfileIds,
} from './shared/learner-profile.ts';
import {
  findSearchWords,
  FREQUENT,
  type MergedWords,
  selectLearnersOfPair,
  selectLearnersOfWords,
  toMergedWords,
  type WordPair,
} from './search-words.ts';
import { IS_OPEN } from './shared/due-dates.ts';
import { isMember } from './shared/reported-learners.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { type ChangesQuery, CHANGE_SAMPLES, changedIds } from '../events/log/changes.ts';
import type { RiskScoreLevel } from '../risk/risk-rules.ts';

/** Fields of a learner `l`, except the id, both in lists and in responses with a single learner. */
export const LIST_FIELDS = sql`
  l.email, l.external_learner_id as "externalLearnerId", ${fullName(sql`l`)} as name, l.inactive,
  l.updated_at as "updatedAt", l.locale, l.department, l.job_title as "jobTitle", l.country, l.location,
  l.time_zone as "timeZone", l.manager_id as "managerId", l.absent_until::text as "absentUntil",
  l.mail_status as "mailStatus", l.mail_status_reason as "mailStatusReason", l.mail_status_since as "mailStatusSince"`;

// NOTE: looks up the groups of each learner by index. One pass over all memberships would read them twice as fast, but
// with wrong statistics Postgres would run that pass once per learner.
const listItem = (p: Parameters<object>, id = sql`l.id`): Sql => sql`
  ${id} as id, ${LIST_FIELDS}, l.risk_level as "riskScoreLevel",
  array(select gl.group_id from group_learners gl
         where gl.company_id = ${p.companyId} and gl.learner_id = l.id order by gl.group_id) as "groupIds"`;

type MailStatusFilter = 'deliverable' | 'bouncing' | 'undeliverable';

/** Filters of a list; null for a filter that the caller did not set. */
interface LearnerFilters extends ProfileFilter {
  riskScoreLevel: RiskScoreLevel | null;
  email: string | null;
  externalLearnerId: string | null;
  groupId: string | null;
  ids: readonly string[] | null;
  overdue: boolean | null;
  inactive: boolean | null;
  mailStatus: MailStatusFilter | null;
  q: string | null;
}

export type LearnerFilterInput = { readonly [Name in keyof LearnerFilters]?: LearnerFilters[Name] | undefined };

/** Condition that an assignment `a` is overdue. */
const IS_OVERDUE = sql`${IS_OPEN} and a.due_at <= now()`;

/** Condition that a learner `l` passes all filters. */
const passes = (p: Parameters<LearnerFilters>): Sql => sql`
  (${p.riskScoreLevel}::text is null or l.risk_level = ${p.riskScoreLevel})
  and (${p.email}::text is null or l.email_key = lower(${p.email}))
  and (${p.externalLearnerId}::text is null or l.external_learner_id = ${p.externalLearnerId})
  and (${p.inactive}::boolean is null or l.inactive = ${p.inactive})
  and (${p.mailStatus}::text is null or l.mail_status = ${p.mailStatus})
  and (${p.ids}::uuid[] is null or l.id = any(${p.ids}))
  and (${p.overdue}::boolean is null or ${p.overdue} = ((
    select a.learner_id from campaign_assignments a
     where a.company_id = ${p.companyId} and a.learner_id = l.id and ${IS_OVERDUE} limit 1) is not null))
  and ${isMember(p)}
  and ${matchesProfile(p)}
  and (${p.q}::text is null or (
    select bool_and(exists (select from unnest(l.search_words) as own (word) where starts_with(own.word, sought.word)))
      from unnest((select split_query(${p.q}))) as sought (word)))`;

const all = pagedQuery<object, Schemas['LearnerListItem']>(
  'learner_list',
  BY_ID,
  (p) => sql`select ${listItem(p)} from learners l where l.company_id = ${p.companyId}`,
);

type List<P> = Statement<P, Schemas['LearnerListItem']>;

/** Declares a list of the learners that pass the filters and meet a condition for which Postgres has an index. */
function listWhere(
  suffix: string,
  isCandidate: (p: Parameters<LearnerFilters>) => Sql,
  samples: Samples,
): List<LearnerFilters> {
  return pagedQuery<LearnerFilters, Schemas['LearnerListItem']>(
    `learner_list_${suffix}`,
    BY_ID,
    (p) => sql`
      select ${listItem(p)} from learners l where l.company_id = ${p.companyId} and ${isCandidate(p)} and ${passes(p)}`,
    samples,
  );
}

/**
 * Declares a list of those learners that pass the filters and whose ids a query selects, without duplicates. A page
 * reads only its own learners, because Postgres knows that the list is ordered by the ids of the query.
 */
function listAmong<P extends LearnerFilters = LearnerFilters>(
  suffix: string,
  ids: (p: Parameters<P>, continued: (column: Sql) => Sql) => Sql,
  samples: Partial<P>,
): List<P> {
  return pagedQuery<P, Schemas['LearnerListItem']>(
    `learner_list_among_${suffix}`,
    BY_ID,
    (p, continued) => sql`
      select ${listItem(p, sql`candidate.learner_id`)}
        from (${ids(p, continued)}) as candidate
       cross join lateral (
         select * from learners where company_id = ${p.companyId} and id = candidate.learner_id offset 0) as l
       where ${passes(p)}`,
    samples,
  );
}

const NO_FILTERS = {
  ...NO_PROFILE,
  riskScoreLevel: null,
  email: null,
  externalLearnerId: null,
  groupId: null,
  ids: null,
  overdue: null,
  inactive: null,
  mailStatus: null,
  q: null,
} satisfies LearnerFilters;

type Samples = Partial<LearnerFilters>;

/** Sample values for a list whose candidates are selected by one filter; tests choose the value of that filter. */
function samplesWithout(filter: keyof LearnerFilters): Samples {
  return Object.fromEntries(Object.entries(NO_FILTERS).filter(([name]) => name !== filter));
}

const byId = listWhere('by_id', () => sql`true`, NO_FILTERS);
const ofLevel = listWhere('of_level', (p) => sql`l.risk_level = ${p.riskScoreLevel}`, {
  ...NO_FILTERS,
  riskScoreLevel: 'low',
});
const ofState = listWhere('of_state', (p) => sql`l.inactive = ${p.inactive}`, samplesWithout('inactive'));
// The index contains only the statuses that few learners have. The list of learners with other statuses reads them by
// id.
const ofMailStatus = listWhere(
  'of_mail_status',
  (p) => sql`l.mail_status <> 'deliverable' and l.mail_status = ${p.mailStatus}`,
  { ...NO_FILTERS, mailStatus: 'undeliverable' },
);
const ofEmail = listWhere('of_email', (p) => sql`l.email_key = lower(${p.email})`, samplesWithout('email'));
const ofExternalId = listWhere('of_external_id', (p) => sql`l.external_learner_id = ${p.externalLearnerId}`, {
  ...NO_FILTERS,
  externalLearnerId: 'HR-1',
});

const ofIds = listWhere('of_ids', (p) => sql`l.id = any(${p.ids}::uuid[])`, {
  ...samplesWithout('ids'),
  ids: [],
});

const ofGroup = listAmong(
  'members',
  (p, continued) => sql`
    select gl.learner_id from group_learners gl
     where gl.company_id = ${p.companyId} and gl.group_id = ${p.groupId} and ${continued(sql`gl.learner_id`)}`,
  samplesWithout('groupId'),
);

const ofOverdue = listAmong(
  'overdue',
  (p, continued) => sql`
    select distinct a.learner_id from campaign_assignments a
     where a.company_id = ${p.companyId} and ${IS_OVERDUE} and ${continued(sql`a.learner_id`)}`,
  { ...NO_FILTERS, overdue: true },
);

const ofProfile = listAmong('profile', selectProfileIds, samplesWithout('department'));

const ofWord = listAmong<LearnerFilters & { word: string | null }>(
  'named',
  (p, continued) => sql`
    select distinct w.learner_id from learner_search_words w
     where w.company_id = ${p.companyId} and w.word >= ${p.word} and w.word < ${p.word} || chr(1114111)
       and ${continued(sql`w.learner_id`)}`,
  { ...NO_FILTERS, q: 'learner1', word: 'learner1' },
);

const ofWords = listAmong<LearnerFilters & MergedWords>('words', selectLearnersOfWords, {
  ...NO_FILTERS,
  q: 'tenant',
  ...toMergedWords(['tenanttest']),
});

const ofPair = listAmong<LearnerFilters & WordPair>('pair', selectLearnersOfPair, {
  ...NO_FILTERS,
  q: 'tenant learner1',
  word: 'learner1',
  otherWord: 'tenant',
});

type ChangedFilters = ChangesQuery & LearnerFilters;

/** Changed learners, each joined with `columns` of the learner if the learner passes the filters. */
const changedLearners = (p: Parameters<ChangedFilters>, columns: Sql): Sql => sql`
  (${changedIds(p, 'person', 'learner')}) as changed
  left join lateral (
    select ${columns} from learners l
     where l.company_id = ${p.companyId} and l.id = changed.id and ${passes(p)} offset 0) as l on true`;

const changed = pagedQuery<ChangedFilters, Schemas['LearnerListItem']>(
  'learner_list_changed',
  BY_ID,
  (p) => sql`select ${listItem(p)} from ${changedLearners(p, sql`l.*`)} where l.id is not null`,
  { ...NO_FILTERS, ...CHANGE_SAMPLES },
);

const removed = query<ChangedFilters, { id: string }>(
  'learner_list_removed',
  (p) => sql`select changed.id from ${changedLearners(p, sql`l.id`)} where l.id is null order by changed.id`,
  { ...NO_FILTERS, ...CHANGE_SAMPLES },
);

/**
 * Streams the changed learners: those that pass the filters, and the ids of those that do not or that were deleted.
 * `managerId` and `overdue` must not be set: a learner does not count as changed when one of these filters starts or
 * stops matching.
 */
export function streamChangedLearners(
  tenant: TenantReader,
  input: LearnerFilterInput,
  changesQuery: ChangesQuery,
): { learners: Rows<Schemas['LearnerListItem']>; removed: Rows<{ id: string }> } {
  const filters = { ...changesQuery, ...toFilters(input) };
  return { learners: tenant.stream(changed, filters), removed: tenant.stream(removed, filters) };
}

/** Streams the learners that pass the filters, using an index for the filter that leaves the fewest. */
export async function streamLearners(
  tenant: TenantReader,
  input: LearnerFilterInput,
): Promise<Rows<Schemas['LearnerListItem']>> {
  if (Object.values(input).every((value) => (value ?? null) === null)) return tenant.stream(all, {});
  const filters = toFilters(input);
  const { ids, email, externalLearnerId, q } = filters;
  if (ids !== null) return tenant.stream(ofIds, filters);
  if (email !== null) return tenant.stream(ofEmail, filters);
  if (externalLearnerId !== null) return tenant.stream(ofExternalId, filters);
  if (q !== null) {
    const { rarest, pair, merged } = await findSearchWords(tenant, q);
    if (pair !== undefined) return tenant.stream(ofPair, { ...filters, ...pair });
    if (merged !== undefined) return tenant.stream(ofWords, { ...filters, ...merged });
    if (rarest.count < FREQUENT) return tenant.stream(ofWord, { ...filters, word: rarest.word });
  }
  return tenant.stream(chooseList(filters), filters);
}

function chooseList(filters: LearnerFilters): List<LearnerFilters> {
  const { groupId, overdue, riskScoreLevel, inactive, mailStatus } = filters;
  if (mailStatus !== null && mailStatus !== 'deliverable') return ofMailStatus;
  if (hasProfile(filters)) return ofProfile;
  if (groupId !== null) return ofGroup;
  if (overdue === true) return ofOverdue;
  if (riskScoreLevel !== null) return ofLevel;
  return inactive === null ? byId : ofState;
}

function toFilters(input: LearnerFilterInput): LearnerFilters {
  const names = Object.keys(NO_FILTERS) as (keyof LearnerFilters)[];
  return Object.fromEntries(names.map((name) => [name, input[name] ?? null])) as unknown as LearnerFilters;
}
