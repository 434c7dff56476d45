import { hash } from 'node:crypto';
import type pg from 'pg';
import { NIL } from 'uuid';
import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { pointQuery } from '../../../db/statement.ts';
import { createTenantReader } from '../../../db/tenant-session.ts';
import { type Caller, callerByLink, type Origin } from '../../../auth/caller.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { type MarkedEmail, markEmail } from '../templates/marked-email.ts';
import type { PhishingEmailTexts } from '../templates/simulation-template-content.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';

/** Recipient of the message that contains a link, and the content of the landing page. */
interface Row {
  simulationId: string;
  learnerId: string;
  recipientId: string;
  companyName: string;
  /** The company's colour and logo; null if the company has set neither. */
  brand: { version: string; hasColor: boolean; logo: { width: number; height: number } | null } | null;
  /** How people in the company report a suspicious message; null if the company has not set this. */
  reporting: Schemas['ReportingChannels'] | null;
  firstName: string;
  lastName: string;
  email: string;
  locale: string | null;
  /** Time at which the message was sent; null if that has not been recorded yet. */
  sentAt: string | null;
  /** Domain of the sender. */
  sender: string | null;
  /** Texts of the template; null if the template was deleted. */
  texts: PhishingEmailTexts | null;
  /** Whether interactions of the recipient are still recorded. */
  isCounted: boolean;
  /** Id of the course for those who followed the link; null if the simulation has none. */
  courseId: string | null;
  /** Whether the recipient was enrolled in the course because of this message. */
  isCourseAssigned: boolean;
  isInactive: boolean;
  /** Modules that the company has enabled. */
  modules: string[];
}

const recipient = pointQuery<{ tokenHash: Buffer }, Row>(
  'simulation_link',
  (p) => sql`
    select r.simulation_id as "simulationId", r.learner_id as "learnerId", r.id as "recipientId", 
           coalesce(b.brand_name, c.name) as "companyName",
           case when b.brand_version is not null
                then json_build_object('version', b.brand_version, 'hasColor', b.brand_color is not null,
                                       'logo', b.brand_logo_facts) end as brand,
           b.reporting, l.first_name as "firstName", l.last_name as "lastName", l.email, coalesce(r.locale, l.locale) as locale,
           r.sent_at as "sentAt", s.plan ->> 'senderDomain' as sender, w.words as texts,
           s.status <> 'cancelled' and (s.end_date is null or s.end_date > now() - interval '30 days') as "isCounted",
           s.training_course_id as "courseId", r.training_assigned_at is not null as "isCourseAssigned",
           l.inactive as "isInactive", enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled) as modules
      from simulation_recipients r
      join simulations s on s.company_id = ${p.companyId} and s.id = r.simulation_id
      join learners l on l.company_id = ${p.companyId} and l.id = r.learner_id
      join companies c on c.id = ${p.companyId}
      left join company_settings b on b.company_id = ${p.companyId}
      left join lateral (
        select coalesce(t.content -> r.locale, t.content -> t.locales[1]) as words from simulation_templates t
         where t.owner_id in (managed_catalogue(), ${p.companyId}) and t.id = r.template_id) as w on true
     where r.company_id = ${p.companyId} and r.token_hash = ${p.tokenHash}`,
);

export interface SimulationLink extends Omit<Row, 'texts'> {
  /**
   * Renders the message as the recipient saw it; null if the template was deleted. A function, because most requests do
   * not need the message.
   */
  renderMessage: () => MarkedEmail | null;
  /** Text of the lesson; null if the template was deleted. */
  lesson: string | null;
  /** The recipient as the caller on whose behalf interactions are recorded. */
  caller: Caller;
  /** Value that the page sends back. It is derived from the secret in the link, which the page does not show. */
  nonce: string;
}

/** Finds the recipient of a link. A link does not sign anybody in. */
export class SimulationLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Finds the recipient by the secret in a link; undefined if the secret is malformed or unknown. */
  async find(token: string, from: Origin): Promise<SimulationLink | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    const reader = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => reader.queryOne(recipient, { tokenHash }));
    if (!row) return undefined;
    const { texts, ...facts } = row;
    const renderMessage = () => texts && markEmail(texts, facts, facts.sender ?? '');
    const nonce = hash('sha256', `simulation page ${token}`, 'base64url');
    const caller = callerByLink(companyId, { type: 'learner', id: row.learnerId }, from);
    return { ...facts, renderMessage, lesson: texts?.lesson ?? null, nonce, caller };
  }
}
