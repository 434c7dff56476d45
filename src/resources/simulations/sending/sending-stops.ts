import { type Sql, sql } from '../../../db/sql.ts';
import type { Parameters } from '../../../db/statement.ts';
import { isDomainProved } from '../settings/domain-repository.ts';

/** Settings of the operator that statements about simulation messages depend on. */
export interface SendingLimits {
  /** Domains that messages can be sent from. */
  senders: readonly string[];
}

/** Builds the reason why a learner `l` of the company `k` never gets the message; null if there is no such reason. */
export const permanentBlockReason = (p: Parameters<object>): Sql => sql`
  case when l.inactive then 'the learner is inactive'
       when l.mail_status = 'undeliverable' then 'the address is undeliverable'
       when k.domain_lock and lower(substring(l.email from '[^@]*$')) <> lower(k.domain)
       then 'the address is outside of the domain of the company'
       when exists (select from simulation_exclusions x
                     where x.company_id = ${p.companyId}
                       and (x.learner_id = l.id
                         or x.group_id in (select group_id from group_learners
                                            where company_id = ${p.companyId} and learner_id = l.id)))
       then 'the learner is excluded' end`;

/**
 * Builds the reason why a simulation `s` cannot send for now; null if there is no such reason. `k` is the company, and
 * `c` its settings.
 */
export const temporaryBlockReason = (p: Parameters<SendingLimits>): Sql => sql`
  case when exists (select from simulation_switch where stopped_at is not null) then 'the operator has stopped all'
       when c.stopped_at is not null then 'the company has stopped all'
       when c.header_secret is null then 'the company has no secret by which its mails are known'
       when not k.smphish then 'the company does not have the module'
       when s.blocked_because is not null then s.blocked_because
       when not (s.plan ->> 'senderDomain') = any(${p.senders}::text[]) then 'the sender is not allowed'
       when right('.' || (s.plan ->> 'senderDomain'), length(k.domain) + 1) = '.' || lower(k.domain)
       then 'the sender is in the domain of the company'
       when not ${isDomainProved(p)} then 'the domain is not proved'
       when not ${isWorkingTime(p)} then 'nobody works at this time' end`;

// Applies the rule of `workingSpans` to late messages: none is sent at night, on a free day or on an excluded day.
function isWorkingTime(p: Parameters<object>): Sql {
  const time = sql`(now() at time zone (s.plan ->> 'timeZone'))`;
  return sql`(
    (s.plan #> '{workingHours,days}') @> to_jsonb(extract(isodow from ${time})::integer)
    and ${time}::time >= (s.plan #>> '{workingHours,from}')::time
    and ${time}::time < (s.plan #>> '{workingHours,to}')::time
    and not exists (select from simulation_exclusions x
                     where x.company_id = ${p.companyId} and ${time}::date between x.from_date and x.to_date))`;
}
