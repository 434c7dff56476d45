import type { Schemas } from '../../../contract/contract.ts';
import { asText, type Sql, sql } from '../../../db/sql.ts';
import { type Parameters, query } from '../../../db/statement.ts';

// Order of the records `e` of a signature: records that count come first, and records from other systems come before
// the service's own.
const RECORD_ORDER = sql`e.voided_at is not null, e.is_own, e.event_id`;

// See policy-signing.ts for the code that writes `signatures`. A statement that signs must set `signed`,
// `signed_version_id`, `signed_offline` and `signed_from` together. Otherwise, the last two keep the values of the
// previous signature.
const namedSignatures = (p: Parameters<object>): Sql => sql`
  signatures s
  left join signature_names n on n.company_id = ${p.companyId} and n.learner_id = s.learner_id
        and n.policy_id = s.policy_id and n.signed = s.signed and n.version_id = s.version_id
  left join lateral (
    select (array_agg(e.event_id order by ${RECORD_ORDER}))[1] as event_id,
           (array_agg(e.note order by ${RECORD_ORDER}))[1] as note,
           coalesce(bool_and(e.offline) filter (where e.voided_at is null), bool_and(e.offline)) as offline
      from signature_events e
     where e.company_id = ${p.companyId} and e.learner_id = s.learner_id and e.policy_id = s.policy_id
       and e.signed = s.signed and e.version_id = s.version_id
  ) as e on true`;

// If several systems report the same signature, it counts as offline only if all records that count say so.
const SIGNED_OFFLINE = sql`coalesce(e.offline, s.signed_offline)`;

/** Lists the signatures of a policy, oldest first. */
export const listSignatures = query<{ policyId: string; includeVoided: boolean }, Schemas['PolicySignature']>(
  'signatures_of_policy',
  (p) => sql`
    select s.policy_id as "policyId", s.learner_id as "learnerId", n.learner_name as name, n.learner_email as email,
           s.version_id as "versionId", s.major_version as "majorVersion", s.minor_version as "minorVersion",
           s.policy_name as "policyName", encode(s.file_sha256, 'hex') as sha256, s.signed,
           ${SIGNED_OFFLINE} as "signedOffline", s.signed_from as "signedFrom", s.email_changed_at as "emailChangedAt",
           e.event_id as "eventId", e.note, s.voided_at as "voidedAt"
      from ${namedSignatures(p)}
     where s.company_id = ${p.companyId} and s.policy_id = ${p.policyId}
       and (${p.includeVoided} or s.voided_at is null)
     order by s.signed, s.learner_id, s.version_id`,
);

/**
 * Builds the signatures of a policy result `r` as JSON, oldest first. Includes voided signatures only if `voided` is
 * true.
 */
export const resultSignaturesSql = (p: Parameters<object>, voided: Sql = sql`false`): Sql => sql`
  (select coalesce(json_agg(json_build_object(
            'policyId', s.policy_id, 'learnerId', s.learner_id, 'name', n.learner_name,
            'email', n.learner_email, 'versionId', s.version_id, 'majorVersion', s.major_version,
            'minorVersion', s.minor_version, 'policyName', s.policy_name, 'sha256', encode(s.file_sha256, 'hex'),
            'signed', ${asText(sql`s.signed`)}, 'signedOffline', ${SIGNED_OFFLINE}, 'signedFrom', s.signed_from,
            'emailChangedAt', ${asText(sql`s.email_changed_at`)},
            'eventId', e.event_id, 'note', e.note, 'voidedAt', ${asText(sql`s.voided_at`)}
          ) order by s.signed, s.version_id), '[]')
     from ${namedSignatures(p)}
    where s.company_id = ${p.companyId} and s.learner_id = r.learner_id and s.policy_id = r.policy_id
      and (${voided} or s.voided_at is null))`;
