import type { Schemas } from '../../contract/contract.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { pagedQuery, type Parameters } from '../../db/statement.ts';

/** Filters of the sign-in log; null for no filter. */
interface SignInFilter {
  since: string | null;
  until: string | null;
  outcome: string | null;
}

const NEWEST_FIRST = { occurredAt: 'timestamptz desc', id: 'uuid desc' } as const;

const selectEntries = (p: Parameters<Omit<SignInFilter, 'outcome'>>): Sql => sql`
  select id, occurred_at as "occurredAt", kind, person_id as "personId", action,
         case when reason is null then 'succeeded' else 'failed' end as outcome, method, reason, address,
         user_agent as "userAgent"
    from sign_ins
   where company_id = ${p.companyId}
     and occurred_at >= coalesce(${p.since}::timestamptz, '-infinity')
     and occurred_at < coalesce(${p.until}::timestamptz, 'infinity')`;

const hasOutcome = (p: Parameters<SignInFilter>): Sql =>
  sql`(${p.outcome}::text is null or (reason is null) = (${p.outcome}::text = 'succeeded'))`;

/** Lists the company's entries, newest first. */
export const listSignInEntries = pagedQuery<SignInFilter, Schemas['SignInEntry']>(
  'sign_in_entries',
  NEWEST_FIRST,
  (p) => sql`${selectEntries(p)} and ${hasOutcome(p)}`,
  { since: null, until: null },
);

/** Lists the company's failed entries, newest first. They are few, and have their own index. */
export const listFailedEntries = pagedQuery<Omit<SignInFilter, 'outcome'>, Schemas['SignInEntry']>(
  'sign_in_entries_failed',
  NEWEST_FIRST,
  (p) => sql`${selectEntries(p)} and reason is not null`,
  { since: null, until: null },
);

/** Lists a person's entries, newest first. */
export const listOfPerson = pagedQuery<SignInFilter & { kind: string; personId: string }, Schemas['SignInEntry']>(
  'sign_in_entries_of_person',
  NEWEST_FIRST,
  (p) => sql`${selectEntries(p)} and ${hasOutcome(p)} and person_id = ${p.personId} and kind = ${p.kind}`,
  { since: null, until: null, kind: 'learner' },
);
