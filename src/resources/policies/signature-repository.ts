import { change, statement } from '../../db/knex-statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueLearnerMessages } from '../../mail/outbox.ts';
import { inOrder } from '../learners/learner-repository.ts';
import type { DueSignatures, SignatureSettings } from './signature-rules.ts';

const TODAY = "(now() at time zone 'utc')::date";

// Settings that hold as before keep their day: equal ones, and those in the place of which the default holds.
const setOfPolicy = change<SignatureSettings & { policyId: string }, object>('signature_set', (sql, param) =>
  sql('policies')
    .where({ company_id: param('companyId'), id: param('policyId') })
    .update({
      signature_type: param('type'),
      signature_start_date: param('startDate'),
      signature_interval_length: param('intervalLength'),
      signature_interval_unit: param('intervalUnit'),
      signature_use_default: param('useDefault'),
      signature_set_on: sql.raw(
        `case when (signature_type, signature_start_date, signature_interval_length, signature_interval_unit,
                    signature_use_default) is not distinct from (?::text, ?::date, ?::integer, ?::text, ?::boolean)
                or (signature_use_default and ?::boolean and exists (
                  select from signature_defaults d where d.company_id = policies.company_id and d.type is not null))
              then signature_set_on else ${TODAY} end`,
        [
          param('type'),
          param('startDate'),
          param('intervalLength'),
          param('intervalUnit'),
          param('useDefault'),
          param('useDefault'),
        ],
      ),
      updated_at: sql.raw('now()'),
    }),
);

const setDefault = change<SignatureSettings & { policyId: string }, object>('signature_set_default', (sql, param) =>
  sql('signature_defaults as d')
    .insert({
      company_id: param('companyId'),
      policy_id: param('policyId'),
      type: param('type'),
      start_date: param('startDate'),
      interval_length: param('intervalLength'),
      interval_unit: param('intervalUnit'),
      set_on: sql.raw(TODAY),
    })
    .onConflict('company_id')
    .merge({
      policy_id: sql.raw('excluded.policy_id'),
      type: sql.raw('excluded.type'),
      start_date: sql.raw('excluded.start_date'),
      interval_length: sql.raw('excluded.interval_length'),
      interval_unit: sql.raw('excluded.interval_unit'),
      set_on: sql.raw(
        `case when (d.type, d.start_date, d.interval_length, d.interval_unit) is not distinct from
                   (excluded.type, excluded.start_date, excluded.interval_length, excluded.interval_unit)
              then d.set_on else excluded.set_on end`,
      ),
    }),
);

// The row stays for its day: on that day other settings came to hold for those who followed the default.
const withdrawDefault = change<{ policyId: string }, object>('signature_withdraw_default', (sql, param) =>
  sql('signature_defaults')
    .where({ company_id: param('companyId'), policy_id: param('policyId') })
    .update({
      policy_id: null,
      type: null,
      start_date: null,
      interval_length: null,
      interval_unit: null,
      set_on: sql.raw(TODAY),
    }),
);

const lockDefault = change<{ policyId: string }, object>('signature_lock_default', (sql, param) =>
  sql('signature_defaults')
    .select('policy_id')
    .where({ company_id: param('companyId'), policy_id: param('policyId') })
    .forNoKeyUpdate(),
);

/** Whether the company's default is that of the policy; if so it stays as it is until the transaction ends. */
export async function lockDefaultOf(tenant: TenantWriter, policyId: string): Promise<boolean> {
  return (await tenant.run(lockDefault, { policyId })).length > 0;
}

/**
 * Sets how often a policy is signed again. With `setDefault` that is the company's default too; without, a default that
 * is the policy's is withdrawn.
 */
export async function setSignatureSettings(
  tenant: TenantWriter,
  policyId: string,
  settings: SignatureSettings,
): Promise<void> {
  await tenant.run(setOfPolicy, { policyId, ...settings });
  await tenant.run(settings.setDefault ? setDefault : withdrawDefault, { policyId, ...settings });
}

export interface ScheduledPolicyRow {
  id: string;
  /** The day of its first publication. */
  publishedOn: string;
  /** The day on which the settings came to hold for it. */
  madeOn: string;
  type: SignatureSettings['type'];
  startDate: string | null;
  intervalLength: number | null;
  intervalUnit: 'months' | 'years' | null;
}

/**
 * A column of the settings that hold for a policy `p`: those of the default `d`, which is joined where it follows one, or
 * its own as long as there is no default.
 */
export const inForce = (column: 'type' | 'start_date' | 'interval_length' | 'interval_unit', as: string): string =>
  `case when d.type is null then p.signature_${column} else d.${column} end as "${as}"`;

const scheduled = change<object, ScheduledPolicyRow>('signature_scheduled', (sql, param) =>
  sql.raw(
    `select p.id, (select min(v.published_at at time zone 'utc')::date from policy_versions v
                     where v.company_id = p.company_id and v.policy_id = p.id) as "publishedOn",
            greatest(p.signature_set_on, d.set_on) as "madeOn", ${inForce('type', 'type')},
            ${inForce('start_date', 'startDate')}, ${inForce('interval_length', 'intervalLength')},
            ${inForce('interval_unit', 'intervalUnit')}
       from policies p left join signature_defaults d on d.company_id = p.company_id and p.signature_use_default
      where p.company_id = ? and p.live_version_id is not null and p.signature_type is not null
        and exists (select from companies k where k.id = p.company_id and k.smpolicy)
      order by p.id for no key update of p`,
    [param('companyId')],
  ),
);

/** The live policies that are signed again, with the settings that hold for them; none for a company without the module. */
export function lockScheduledPolicies(tenant: TenantWriter): Promise<ScheduledPolicyRow[]> {
  return tenant.run(scheduled, {});
}

export interface DuePolicy {
  policyId: string;
  due: DueSignatures;
}

type DueParams = { policyIds: string[]; asks: string[]; dueDays: string[] };

const IS_DUE = `
  r.assigned_at is not null and case due.ask
    when 'everyone' then (r.asked_at at time zone 'utc')::date < due.day
    when 'unsigned' then r.signed is null and (r.asked_at at time zone 'utc')::date < due.day
    else r.signed >= r.asked_at and (r.signed at time zone 'utc')::date <= due.day
  end`;
const DUE = 'unnest(?::uuid[], ?::text[], ?::date[]) as due (policy_id, ask, day)';

const learnersDue = statement<DueParams, { learner_id: string }>('signature_learners_due', (sql, param) =>
  sql.raw(
    `select distinct r.learner_id from ${DUE}, policy_results r
      where r.company_id = ? and r.policy_id = due.policy_id and ${IS_DUE} order by r.learner_id`,
    [param('policyIds'), param('asks'), param('dueDays'), param('companyId')],
  ),
);

// All policies of a day at once, so that a learner gets one message that names them all.
const askDue = change<DueParams & { learnerIds: string[] }, { queued: number }>('signature_ask_due', (sql, param) =>
  sql.raw(
    `with asked as (
       update policy_results r
          set asked_at = clock_timestamp(), reminded_at = null, sent_version_id = p.live_version_id
         from ${DUE}, policies p, learners l
        where r.company_id = ? and r.policy_id = due.policy_id and r.learner_id = any(?::uuid[])
          and p.company_id = r.company_id and p.id = r.policy_id
          and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive and ${IS_DUE}
       returning r.learner_id, r.policy_id
     ), ${queueLearnerMessages('policy_request', 'asked', 'policy_id', { isNewCause: true })}`,
    [param('policyIds'), param('asks'), param('dueDays'), param('companyId'), param('learnerIds')],
  ),
);

/** Asks the learners whose signatures are due, one message each. Asking again on the same day asks nobody. */
export async function askForDueSignatures(tenant: TenantWriter, policies: readonly DuePolicy[]): Promise<void> {
  if (policies.length === 0) return;
  const due = {
    policyIds: policies.map(({ policyId }) => policyId),
    asks: policies.map(({ due: { ask } }) => ask),
    dueDays: policies.map(({ due: found }) => (found.ask === 'signed' ? found.signedUntil : found.askedBefore)),
  };
  const learnerIds = (await tenant.all(learnersDue, due)).map((row) => row.learner_id);
  await inOrder(tenant, learnerIds, (part) => tenant.run(askDue, { ...due, learnerIds: part }));
}
