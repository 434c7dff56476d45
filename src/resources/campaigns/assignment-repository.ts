import type { Schemas } from '../../contract/contract.ts';
import { requireFound } from '../../contract/errors.ts';
import { fullName, LAST_DAY } from '../../db/expressions.ts';
import type { Rows } from '../../db/rows.ts';
import { asText, type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters, pointQuery } from '../../db/statement.ts';
import type { TenantReader } from '../../db/tenant.ts';
import { BY_ID } from '../../db/keyset.ts';
import { IS_OPEN, WAIVED } from '../learners/shared/due-dates.ts';
import { hasProfile, matchesProfile } from '../learners/shared/learner-profile.ts';
import {
  isMember,
  isReported,
  type LearnersFilter,
  type LearnersQuery,
  readLearnersFilter,
  sampleLearners,
  selectMemberIds,
} from '../learners/shared/reported-learners.ts';
import { CONDITION } from './campaign-repository.ts';

type Assignment = Schemas['Assignment'];

const STATUS = sql`
  case when a.waived_at is not null then 'waived' when a.completed_at is not null then 'completed'
       when a.ended_at is not null then 'ended' else 'open' end`;

const ASSIGNMENT = sql`
  a.id, a.campaign_id as "campaignId",
  jsonb_build_object('id', l.id, 'name', ${fullName(sql`l`)}, 'email', l.email) as learner,
  jsonb_build_object('type', case when i.course_id is null then 'policy' else 'course' end, 'id', a.item_id) as item,
  a.round, a.condition, ${STATUS} as status, a.assigned_at as "assignedAt", ${LAST_DAY}::text as "dueOn",
  a.due_at as "dueAt", ${IS_OPEN} and a.due_at <= now() as overdue, a.extended_until::text as "extendedUntil",
  a.completed_at as "completedAt",
  ${WAIVED} as waived,
  a.ended_at as "endedAt", a.ended_because as "endedBecause"`;

const FROM = (p: Parameters<object>): Sql => sql`
  campaign_assignments a
  join campaign_items i on i.company_id = ${p.companyId} and i.campaign_id = a.campaign_id and i.item_id = a.item_id
  join learners l on l.company_id = ${p.companyId} and l.id = a.learner_id`;

interface Filter extends LearnersFilter {
  campaignId: string | null;
  courseId: string | null;
  policyId: string | null;
  status: string | null;
}

const SAMPLES = { status: null, campaignId: null, courseId: null, policyId: null, includeInactive: true };

/** Condition that an assignment `a` of a learner `l` passes all filters. */
const passes = (p: Parameters<Filter>): Sql => sql`
  (${p.campaignId}::uuid is null or a.campaign_id = ${p.campaignId})
  and (${p.courseId}::uuid is null or i.course_id = ${p.courseId})
  and (${p.policyId}::uuid is null or i.policy_id = ${p.policyId})
  and (${p.status}::text is null or ${STATUS} = ${p.status}
       or (${p.status} = 'overdue' and ${IS_OPEN} and a.due_at <= now()))
  and ${isReported(p)} and ${isMember(p)} and ${matchesProfile(p)}`;

const selectAssignments = (p: Parameters<Filter>, condition: Sql): Sql => sql`
  select ${ASSIGNMENT} from ${FROM(p)} where a.company_id = ${p.companyId} and ${condition} and ${passes(p)}`;

const all = pagedQuery<Filter, Assignment>('assignments', BY_ID, (p) => selectAssignments(p, sql`true`), {
  ...sampleLearners('all'),
  ...SAMPLES,
});

const ofCampaign = pagedQuery<Filter, Assignment>(
  'assignments_of_campaign',
  BY_ID,
  (p) => selectAssignments(p, sql`a.campaign_id = ${p.campaignId}`),
  { ...sampleLearners('all'), status: null, courseId: null, policyId: null, includeInactive: true },
);

const ofLearner = pagedQuery<Filter, Assignment>(
  'assignments_of_learner',
  BY_ID,
  (p) => selectAssignments(p, sql`a.learner_id = ${p.learnerId}`),
  { ...sampleLearners('learner'), ...SAMPLES },
);

type RowOfMember = Assignment & { learnerId: string };

/** Selects the assignments of the learners in a group or with a profile. */
const makeOfMembers = (leading: 'group' | 'profile') =>
  pagedQuery<Filter, RowOfMember>(
    `assignments_of_${leading}`,
    { learnerId: 'uuid', id: 'uuid' },
    (p, continued) => sql`
      select member.learner_id as "learnerId", ${ASSIGNMENT}
        from (${selectMemberIds(leading, p, continued)}) as member
       cross join lateral (
         select * from campaign_assignments
          where company_id = ${p.companyId} and learner_id = member.learner_id order by item_id offset 0) as a
       cross join lateral (
         select * from campaign_items
          where company_id = ${p.companyId} and campaign_id = a.campaign_id and item_id = a.item_id offset 0) as i
       cross join lateral (
         select * from learners where company_id = ${p.companyId} and id = member.learner_id offset 0) as l
       where ${passes(p)}`,
    { ...sampleLearners(leading), ...SAMPLES },
  );

const ofGroup = makeOfMembers('group');
const ofProfile = makeOfMembers('profile');

interface AssignmentsInput extends LearnersQuery {
  campaignId?: string | undefined;
  courseId?: string | undefined;
  policyId?: string | undefined;
  assignmentStatus?: string | undefined;
}

/** Lists assignments, oldest first; ordered by learner if filtered by group or profile. */
export function listAssignments(tenant: TenantReader, input: AssignmentsInput): Rows<Assignment> {
  const { campaignId = null, courseId = null, policyId = null, assignmentStatus: status = null } = input;
  const learners = readLearnersFilter({ includeInactive: true, ...input, campaignId: undefined });
  const filter = { ...learners, campaignId, courseId, policyId, status };
  if (filter.learnerId === null) {
    if (filter.groupId !== null) return tenant.stream(ofGroup, filter).map(toAssignment);
    if (hasProfile(filter)) return tenant.stream(ofProfile, filter).map(toAssignment);
  }
  return tenant.stream(filter.learnerId !== null ? ofLearner : campaignId !== null ? ofCampaign : all, filter);
}

const toAssignment = ({ learnerId: _learnerId, ...assignment }: RowOfMember): Assignment => assignment;

const byId = pointQuery<{ assignmentId: string }, Schemas['AssignmentDetail']>(
  'assignment',
  (p) => sql`
    select ${ASSIGNMENT}, jsonb_build_object(
             'campaignName', c.name,
             'conditionMet', (select ${CONDITION} from campaign_conditions f
                               where f.company_id = ${p.companyId} and f.campaign_id = a.campaign_id
                                 and f.position = a.condition and not f.excludes),
             'repeatedBecause', a.repeated_because,
             'dueBecause', case when a.leave_due_on > coalesce(a.extended_until, a.due_on) then 'return'
                                when a.extended_until is null then a.due_because else 'extended' end,
             'messages', coalesce((
               select jsonb_agg(jsonb_build_object('queuedAt', ${asText(sql`m.created_at`)}, 'status', m.status,
                                                   'settledAt', ${asText(sql`m.settled_at`)}) order by m.created_at)
                 from messages m
                where m.company_id = ${p.companyId} and m.learner_id = a.learner_id and m.kind = 'assignments_due'
                  and a.id = any(m.subject_ids)), '[]')) as explanation
      from ${FROM(p)} join campaigns c on c.company_id = ${p.companyId} and c.id = a.campaign_id
     where a.company_id = ${p.companyId} and a.id = ${p.assignmentId}`,
);

/** @throws not_found */
export async function getAssignment(tenant: TenantReader, assignmentId: string): Promise<Schemas['AssignmentDetail']> {
  return requireFound(await tenant.queryOne(byId, { assignmentId }), 'assignment');
}
