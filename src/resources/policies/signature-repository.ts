import { statement } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { queueLearnerMessages } from '../../mail/outbox.ts';
import { inOrder } from '../learners/learner-repository.ts';
import type { DueSignatures, SignatureSettings } from './signature-rules.ts';

const setOfPolicy = statement<SignatureSettings & { policyId: string }, object>('signature_set', (sql, param) =>
  sql('policies')
    .where({ company_id: param('companyId'), id: param('policyId') })
    .update({
      signature_type: param('type'),
      signature_start_date: param('startDate'),
      signature_interval_length: param('intervalLength'),
      signature_interval_unit: param('intervalUnit'),
      signature_use_default: param('useDefault'),
      updated_at: sql.raw('now()'),
    }),
);

const setDefault = statement<SignatureSettings & { policyId: string }, object>('signature_set_default', (sql, param) =>
  sql('signature_defaults')
    .insert({
      company_id: param('companyId'),
      policy_id: param('policyId'),
      type: param('type'),
      start_date: param('startDate'),
      interval_length: param('intervalLength'),
      interval_unit: param('intervalUnit'),
    })
    .onConflict('company_id')
    .merge(),
);

const disownDefault = statement<{ policyId: string }, object>('signature_disown_default', (sql, param) =>
  sql('signature_defaults')
    .where({ company_id: param('companyId'), policy_id: param('policyId') })
    .update({ policy_id: null }),
);

/**
 * Sets how often a policy is signed again, and with `setDefault` makes that the company's default. A default that it made
 * before stays, but is not its own any more when its settings change.
 */
export async function setSignatureSettings(
  tenant: TenantWriter,
  policyId: string,
  settings: SignatureSettings,
): Promise<void> {
  await tenant.run(setOfPolicy, { policyId, ...settings });
  await tenant.run(settings.setDefault ? setDefault : disownDefault, { policyId, ...settings });
}

export interface ScheduledPolicyRow {
  id: string;
  published_on: string;
  type: SignatureSettings['type'];
  startDate: string | null;
  intervalLength: number | null;
  intervalUnit: 'months' | 'years' | null;
}

// Who follows the default has its own settings as long as there is no default.
const scheduled = statement<object, ScheduledPolicyRow>('signature_scheduled', (sql, param) =>
  sql.raw(
    `select p.id, (select min(v.published_at at time zone 'utc')::date from policy_versions v
                     where v.company_id = p.company_id and v.policy_id = p.id) as published_on,
            coalesce(d.type, p.signature_type) as type,
            case when d.type is null then p.signature_start_date else d.start_date end as "startDate",
            case when d.type is null then p.signature_interval_length else d.interval_length end as "intervalLength",
            case when d.type is null then p.signature_interval_unit else d.interval_unit end as "intervalUnit"
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
const askDue = statement<DueParams & { learnerIds: string[] }, { queued: number }>('signature_ask_due', (sql, param) =>
  sql.raw(
    `with asked as (
       update policy_results r
          set asked_at = clock_timestamp(), reminded_at = null, sent_version_id = p.live_version_id
         from ${DUE}, policies p, learners l
        where r.company_id = ? and r.policy_id = due.policy_id and r.learner_id = any(?::uuid[])
          and p.company_id = r.company_id and p.id = r.policy_id
          and l.company_id = r.company_id and l.id = r.learner_id and not l.inactive and ${IS_DUE}
       returning r.learner_id, r.policy_id
     ), ${queueLearnerMessages('policy_request', 'asked', 'policy_id')}`,
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
  const learnerIds = (await tenant.run(learnersDue, due)).map((row) => row.learner_id);
  await inOrder(tenant, learnerIds, (part) => tenant.run(askDue, { ...due, learnerIds: part }));
}
