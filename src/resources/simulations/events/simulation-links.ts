import { hash } from 'node:crypto';
import type pg from 'pg';
import { NIL } from 'uuid';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import { createTenantReader } from '../../../db/tenant-session.ts';
import { type Caller, callerByLink, type Origin } from '../../../auth/caller.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';

/** The recipient of the message that a link stood in, and what their page says. */
interface Row {
  simulationId: string;
  learnerId: string;
  recipientId: string;
  companyName: string;
  locale: string | null;
  /** Null when the template is gone. */
  cues: string[] | null;
  lesson: string | null;
  /** Whether what the recipient does is still recorded. */
  isCounted: boolean;
}

const recipient = pointQuery<{ tokenHash: Buffer }, Row>(
  'simulation_link',
  (p) => sql`
    select r.simulation_id as "simulationId", r.learner_id as "learnerId", r.id as "recipientId", c.name as "companyName",
           coalesce(r.locale, l.locale) as locale, w.words -> 'cues' as cues, w.words ->> 'lesson' as lesson,
           s.status <> 'cancelled' and (s.end_date is null or s.end_date > now() - interval '30 days') as "isCounted"
      from simulation_recipients r
      join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
      join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
      join companies c on c.id = ${p.companyId}
      left join lateral (
        select coalesce(t.content -> r.locale, t.content -> t.locales[1]) as words from simulation_templates t
         where t.owner_id in (managed_catalogue(), ${p.companyId}) and t.id = r.template_id) as w on true
     where r.company_id = ${p.companyId} and r.token_hash = ${p.tokenHash}`,
);

export interface SimulationLink extends Row {
  /** The recipient, whose deeds are recorded. */
  caller: Caller;
  /** What the page of the link sends back. It follows from the secret, which the page does not show. */
  nonce: string;
}

/** Finds whose message a link stood in. Nobody is signed in by it. */
export class SimulationLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Undefined for a secret that is malformed or unknown. */
  async find(token: string, from: Origin): Promise<SimulationLink | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => reader.queryOne(recipient, { tokenHash }));
    const nonce = hash('sha256', `simulation page ${token}`, 'base64url');
    return row && { ...row, nonce, caller: callerByLink(companyId, { type: 'learner', id: row.learnerId }, from) };
  }
}
