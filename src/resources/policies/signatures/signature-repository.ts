import { SIGNED_IN_FORCE } from '../../../db/expressions.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, type Parameters, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { learnerMessages } from '../../../mail/outbox/outbox.ts';
import { isOnLeave, learnerZone } from '../../../mail/messages/working-hours.ts';
import { inOrder } from '../../learners/shared/learner-locks.ts';
import { SIGNATURE_TYPE_IN_FORCE } from '../../learners/shared/newcomers.ts';
import { IS_LIVE } from '../policy-content.ts';
import type { DueSignatures, SignatureSettings } from './signature-rules.ts';

const TODAY = sql`(now() at time zone 'utc')::date`;

type SettingsOfPolicy = SignatureSettings & { policyId: string };

// Keeps `signature_set_on` if the settings in force do not change: either the new settings are the same, or the default
// applies both before and after the update.
const setOfPolicy = mutation<SettingsOfPolicy>(
  'signature_set',
  (p) => sql`
    update policies
       set signature_type = ${p.type},
           signature_start_date = ${p.startDate},
           signature_interval_length = ${p.intervalLength},
           signature_interval_unit = ${p.intervalUnit},
           signature_use_default = ${p.useDefault},
           signature_set_on = case
             when (signature_type, signature_start_date, signature_interval_length, signature_interval_unit,
                   signature_use_default)
                  is not distinct from (${p.type}::text, ${p.startDate}::date, ${p.intervalLength}::integer,
                                        ${p.intervalUnit}::text, ${p.useDefault}::boolean)
               or (signature_use_default and ${p.useDefault}::boolean and exists (
                     select from signature_defaults d where d.company_id = ${p.companyId} and d.type is not null))
             then signature_set_on else today.date end,
           updated_at = now()
      from (select ${TODAY} as date) as today
     where company_id = ${p.companyId} and id = ${p.policyId}`,
  { type: 'fixed', intervalUnit: 'months' },
);

const setDefault = mutation<SettingsOfPolicy>(
  'signature_set_default',
  (p) => sql`
    insert into signature_defaults as d
           (company_id, policy_id, type, start_date, interval_length, interval_unit, set_on)
    values (${p.companyId}, ${p.policyId}, ${p.type}, ${p.startDate}, ${p.intervalLength}, ${p.intervalUnit}, ${TODAY})
    on conflict (company_id) do update
       set policy_id = excluded.policy_id, type = excluded.type, start_date = excluded.start_date,
           interval_length = excluded.interval_length, interval_unit = excluded.interval_unit,
           set_on = case
             when (d.type, d.start_date, d.interval_length, d.interval_unit) is not distinct from
                  (excluded.type, excluded.start_date, excluded.interval_length, excluded.interval_unit)
             then d.set_on else excluded.set_on end`,
  { type: 'fixed', intervalUnit: 'months' },
);

// Keeps the row for its `set_on`: on that day, other settings came into force for the policies that followed the
// default.
const withdrawDefault = mutation<{ policyId: string }>(
  'signature_withdraw_default',
  (p) => sql`
    update signature_defaults
       set policy_id = null, type = null, start_date = null, interval_length = null, interval_unit = null,
           set_on = ${TODAY}
     where company_id = ${p.companyId} and policy_id = ${p.policyId}`,
);

/** Returns a row if the company's default comes from this policy, and locks it until the transaction ends. */
export const lockDefault = mutation<{ policyId: string }>('signature_lock_default', (p, knex) =>
  knex('signature_defaults')
    .select('policy_id')
    .where({ company_id: p.companyId, policy_id: p.policyId })
    .forNoKeyUpdate(),
);

/**
 * Sets how often learners must sign a policy again. With `setDefault`, the settings become the company's default.
 * Without `setDefault`, a default that came from this policy is withdrawn.
 */
export async function setSignatureSettings(
  tenant: TenantWriter,
  policyId: string,
  settings: SignatureSettings,
): Promise<void> {
  await tenant.mutate(setOfPolicy, { policyId, ...settings });
  await tenant.mutate(settings.setDefault ? setDefault : withdrawDefault, { policyId, ...settings });
}

interface ScheduledPolicy extends Omit<SignatureSettings, 'useDefault' | 'setDefault'> {
  id: string;
  /**
   * Day of the policy's first publication in the service. A version that another system published counts from the day
   * on which it was recorded.
   */
  publishedOn: string;
  /** Day on which the settings came into force for the policy. */
  madeOn: string;
}

/**
 * The settings in force for a policy `p`. The company's default `d` is joined if the policy follows it. While there is
 * no default, the policy's own settings apply.
 */
export const SETTINGS_IN_FORCE = {
  type: SIGNATURE_TYPE_IN_FORCE,
  startDate: sql`case when d.type is null then p.signature_start_date else d.start_date end`,
  intervalLength: sql`case when d.type is null then p.signature_interval_length else d.interval_length end`,
  intervalUnit: sql`case when d.type is null then p.signature_interval_unit else d.interval_unit end`,
};

/**
 * Locks the live policies that have signature settings, and returns each with the settings in force. Returns no
 * policies if the company lacks the module.
 */
export const lockScheduledPolicies = mutation<object, ScheduledPolicy>(
  'signature_scheduled',
  (p) => sql`
    select p.id, (select min(coalesce(v.recorded_at, v.published_at) at time zone 'utc')::date from policy_versions v
                   where v.company_id = ${p.companyId} and v.policy_id = p.id) as "publishedOn",
           greatest(p.signature_set_on, d.set_on) as "madeOn",
           ${SETTINGS_IN_FORCE.type} as type, ${SETTINGS_IN_FORCE.startDate} as "startDate",
           ${SETTINGS_IN_FORCE.intervalLength} as "intervalLength", ${SETTINGS_IN_FORCE.intervalUnit} as "intervalUnit"
      from policies p left join signature_defaults d on d.company_id = ${p.companyId} and p.signature_use_default
     where p.company_id = ${p.companyId} and ${IS_LIVE} and p.signature_type is not null
       and exists (select from companies k where k.id = ${p.companyId} and k.smpolicy)
     order by p.id for no key update of p`,
);

interface DuePolicy {
  policyId: string;
  due: DueSignatures;
}

interface DueParams {
  policyIds: string[];
  asks: string[];
  dueDays: string[];
}

const dueSql = (p: Parameters<DueParams>) =>
  sql`unnest(${p.policyIds}::uuid[], ${p.asks}::text[], ${p.dueDays}::date[]) as due (policy_id, ask, day)`;

const IS_DUE = sql`
  r.assigned_at is not null and case
    when due.ask = 'everyone' then (r.asked_at at time zone 'utc')::date < due.day
    when due.ask = 'unsigned' then r.signed is null and (r.asked_at at time zone 'utc')::date < due.day
    else ${SIGNED_IN_FORCE} and (r.signed at time zone 'utc')::date <= due.day
  end`;

const learnersDue = query<DueParams, { learnerId: string }>(
  'signature_learners_due',
  (p) => sql`
    select distinct r.learner_id as "learnerId" from ${dueSql(p)}, policy_results r
     where r.company_id = ${p.companyId} and r.policy_id = due.policy_id and ${IS_DUE}
     order by r.learner_id`,
  { asks: ['everyone', 'unsigned'] },
);

// Asks for all policies of a day in one statement, so that each learner gets a single message about all of them.
// Learners on leave are asked in the first night after the leave.
const askDue = mutation<DueParams & { learnerIds: string[] }>(
  'signature_ask_due',
  (p) => sql`
    with asked as (
      update policy_results r
         set asked_at = statement_timestamp(), reminded_at = null, sent_version_id = p.live_version_id
        from ${dueSql(p)}, policies p, learners l
       where r.company_id = ${p.companyId} and r.policy_id = due.policy_id and r.learner_id = any(${p.learnerIds}::uuid[])
         and p.company_id = r.company_id and p.id = r.policy_id
         and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive
         and not ${isOnLeave(sql`now()`, learnerZone(p))} and ${IS_DUE}
      returning r.learner_id, r.policy_id
    ), ${learnerMessages(p, { kind: 'policy_request', recipients: sql`asked`, subject: sql`policy_id`, isNewCause: true })}`,
  { asks: ['everyone', 'unsigned'] },
);

/** Asks the learners whose signatures are due, with one message each. A second run on the same day asks nobody. */
export async function askForDueSignatures(tenant: TenantWriter, policies: readonly DuePolicy[]): Promise<void> {
  if (policies.length === 0) return;
  const params = {
    policyIds: policies.map(({ policyId }) => policyId),
    asks: policies.map(({ due }) => due.ask),
    dueDays: policies.map(({ due }) => (due.ask === 'signed' ? due.signedUntil : due.askedBefore)),
  };
  const learnerIds = (await tenant.queryAll(learnersDue, params)).map((row) => row.learnerId);
  await inOrder(tenant, learnerIds, (part) => tenant.mutate(askDue, { ...params, learnerIds: part }));
}
