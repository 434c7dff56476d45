import { toProfile } from './profile-state.ts';
import { companies, type CompanyName, groupId } from '../../support/world.ts';
import { policyId } from '../../support/world-policies.ts';
import { insertLearners } from '../tenant-state.ts';

/**
 * Gives a company learners, 23 more policies, of which every fifth is a draft, and results in every state: requested,
 * reminded, opened, signed, requested again after the signature, and no longer assigned. Most pairs have no result.
 * A third of the learners are members of the company's first group.
 */
export async function insertManyPolicyResults(company: CompanyName, learners: number): Promise<void> {
  await insertLearners(company, learners);
  const id = companies[company];
  await testService.query(
    `insert into policies (company_id, id, name, is_public, major_version, minor_version, file_id, live_version_id,
                           published_at)
     select p.company_id, ('0192c100-0000-7000-80' || right(p.company_id::text, 2) || '-' || lpad(to_hex(n), 12, '0'))::uuid,
            'Many ' || n, n % 2 = 0, 1, 0, p.file_id, null, null
       from policies p, generate_series(1, 23) as n where p.company_id = $1 and p.id = $2 order by random()`,
    [id, policyId(company, 1)],
  );
  await testService.query(
    `insert into policy_versions (company_id, id, policy_id, major_version, minor_version, name, file_id,
                                  published_at)
     select company_id, ('0192c2' || substr(id::text, 7))::uuid, id, 1, 0, name, file_id, '2025-12-01Z' from policies
      where company_id = $1 and name like 'Many %' and right(name, 1) not in ('0', '5')`,
    [id],
  );
  await testService.query(
    `update policies p set live_version_id = v.id, published_at = v.published_at
       from policy_versions v where p.company_id = $1 and v.company_id = $1 and v.policy_id = p.id
        and p.live_version_id is null`,
    [id],
  );
  await testService.query(
    `insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at, reminded_at,
                                 sent_version_id, visited_at, visited_version_id, signed, signed_version_id,
                                 signed_offline)
     select $1::uuid, new_id(), p.id, l.id, case when not is_former then asked end, case when not is_former then asked end,
            case when n % 3 = 0 then asked + interval '1 day' end, v.id,
            case when n % 7 < 4 then asked + interval '2 days' end, case when n % 7 < 4 then v.id end,
            case when is_signed then asked + (n % 41 - 20) * interval '1 hour' end, case when is_signed then v.id end,
            is_signed and n % 13 = 0
       from learners l
       join policies p on p.company_id = l.company_id
       join policy_versions v on v.company_id = l.company_id and v.policy_id = p.id and v.id = p.live_version_id
      cross join lateral (select abs(hashtext(l.id::text || p.id) % 1000000) as n) as hash
      cross join lateral (
        select timestamptz '2026-04-01Z' + n % 90 * interval '1 day' as asked, n % 2 = 0 or n % 17 = 0 as is_signed,
               n % 17 = 0 as is_former) as facts
      where l.company_id = $1 and n % 5 < 2 order by random()
     on conflict do nothing`,
    [id],
  );
  await testService.query(
    `insert into group_learners (company_id, group_id, learner_id)
     select company_id, $2, id from learners where company_id = $1 and abs(hashtext(id::text)) % 3 = 0
     on conflict do nothing`,
    [id, groupId(company, 1)],
  );
}

export interface PolicyFilters {
  learnerId?: string;
  groupId?: string;
  policyId?: string;
  outcome?: string;
  includeInactive?: string;
}

const isoTime = (value: unknown): string | null => (value as Date | null)?.toISOString() ?? null;
const byId = (a: { id: unknown }, b: { id: unknown }): number => (String(a.id) < String(b.id) ? -1 : 1);

/** Builds the rows of the report from the tables. Joins and filters in TypeScript, unlike the report. */
export async function policyReport(company: CompanyName, filters: PolicyFilters): Promise<any[]> {
  const values = [companies[company]];
  const learners = await testService.query('select * from learners where company_id = $1', values);
  const policies = await testService.query('select * from policies where company_id = $1', values);
  const members = await testService.query('select * from group_learners where company_id = $1', values);
  const results = await testService.query('select * from policy_results where company_id = $1', values);
  const memberIds = new Set(members.filter((row) => row.group_id === filters.groupId).map((row) => row.learner_id));
  const resultOf = new Map(results.map((row) => [`${String(row.learner_id)} ${String(row.policy_id)}`, row]));
  return learners
    .filter((learner) => filters.learnerId === undefined || learner.id === filters.learnerId)
    .filter((learner) => filters.groupId === undefined || memberIds.has(learner.id))
    .filter((learner) => !learner.inactive || filters.includeInactive === 'true' || filters.learnerId !== undefined)
    .toSorted(byId as never)
    .flatMap((learner) =>
      policies
        .filter((policy) => policy.live_version_id !== null)
        .filter((policy) => filters.policyId === undefined || policy.id === filters.policyId)
        .toSorted(byId as never)
        .map((policy) => toRow(learner, policy, resultOf.get(`${String(learner.id)} ${String(policy.id)}`) ?? {})),
    )
    .filter(({ outcome }) => filters.outcome === undefined || outcome === filters.outcome);
}

type Stored = Record<string, unknown>;

function toRow(learner: Stored, policy: Stored, result: Stored) {
  const [askedAt, signed] = [isoTime(result.asked_at), isoTime(result.signed)];
  const open = signed !== null && askedAt !== null && signed >= askedAt ? 'signed' : 'unsigned';
  return {
    learnerId: learner.id,
    policyId: policy.id,
    outcome: askedAt === null ? 'not_assigned' : open,
    askedAt,
    remindedAt: isoTime(result.reminded_at),
    mailFailedAt: null,
    visit: isoTime(result.visited_at),
    signed,
    signedOffline: result.signed_offline ?? false,
    sentVersionId: result.sent_version_id ?? null,
    visitedVersionId: result.visited_version_id ?? null,
    signedVersionId: result.signed_version_id ?? null,
    policy: { id: policy.id, name: policy.name, liveVersionId: policy.live_version_id },
    learner: {
      id: learner.id,
      name: `${String(learner.first_name)} ${String(learner.last_name)}`,
      email: learner.email,
      externalLearnerId: learner.external_learner_id,
      inactive: learner.inactive,
      ...toProfile(learner),
    },
  };
}
