import { fullFormats } from 'ajv-formats/dist/formats.js';
import freeProviders from 'email-providers/all.json' with { type: 'json' };
import type { Schemas } from '../../contract.ts';
import { CONSTRAINT_REFUSALS } from '../../db/database-errors.ts';
import type { Refusal } from '../../errors.ts';
import { domainOf, type EmailPolicy, refuseForeignDomain, refuseNames } from '../people/person-rules.ts';

export type NewLearner = Schemas['CreateLearnerInput'];

/** What is known before learners are created. */
export interface CreationFacts {
  emailPolicy: EmailPolicy;
  /** How many more learners may be active. Null means no limit. */
  freeSeats: number | null;
  /** In lower case. */
  takenEmails: ReadonlySet<string>;
  takenExternalLearnerIds: ReadonlySet<string>;
  knownGroupIds: ReadonlySet<string>;
}

// The request validator uses this format for single creations. Bulk creation checks each address itself.
const emailFormat = fullFormats.email as RegExp;
const freeDomains = new Set<string>(freeProviders);

/** Why a learner may not have the address, or undefined when it is fine. */
export function refuseEmail(email: string, policy: EmailPolicy): Refusal | undefined {
  const fields = ['email'];
  if (!emailFormat.test(email)) return { fields, code: 'invalid_request', message: 'The e-mail address is not valid.' };
  const foreign = refuseForeignDomain(email, policy);
  if (foreign) return foreign;
  if (freeDomains.has(domainOf(email))) {
    const message = 'Addresses of free e-mail providers are not accepted.';
    return { fields, code: 'email_provider_not_allowed', message };
  }
  return undefined;
}

export interface RefusedLearner extends Refusal {
  index: number;
}

/** Splits learners into those to create, in order, and those to refuse, each with the first reason found. */
export function judgeNewLearners(
  learners: readonly NewLearner[],
  facts: CreationFacts,
): { accepted: NewLearner[]; refused: RefusedLearner[] } {
  const emails = new Set(facts.takenEmails);
  const externalIds = new Set(facts.takenExternalLearnerIds);
  const accepted: NewLearner[] = [];
  const refused: RefusedLearner[] = [];
  for (const [index, learner] of learners.entries()) {
    const refusal =
      refuseNames(learner) ??
      refuseEmail(learner.email, facts.emailPolicy) ??
      refuseTaken(learner, emails, externalIds) ??
      refuseGroups(learner, facts.knownGroupIds) ??
      refuseSeat(accepted.length, facts.freeSeats);
    if (refusal) {
      refused.push({ index, ...refusal });
      continue;
    }
    accepted.push(learner);
    emails.add(learner.email.toLowerCase());
    if (learner.externalLearnerId !== undefined) externalIds.add(learner.externalLearnerId);
  }
  return { accepted, refused };
}

function refuseTaken(
  { email, externalLearnerId }: NewLearner,
  emails: ReadonlySet<string>,
  externalIds: ReadonlySet<string>,
): Refusal | undefined {
  if (emails.has(email.toLowerCase())) return CONSTRAINT_REFUSALS.learners_email;
  const isIdTaken = externalLearnerId !== undefined && externalIds.has(externalLearnerId);
  return isIdTaken ? CONSTRAINT_REFUSALS.learners_external_learner_id : undefined;
}

function refuseGroups({ groupIds = [] }: NewLearner, known: ReadonlySet<string>): Refusal | undefined {
  const unknown = [...groupIds.keys()].filter((position) => !known.has(groupIds[position]!));
  if (unknown.length === 0) return undefined;
  const fields = unknown.map((position) => `groupIds/${position}`);
  return { fields, code: 'not_found', message: `There is no such group: ${fields.slice(0, 3).join(', ')}.` };
}

function refuseSeat(taken: number, freeSeats: number | null): Refusal | undefined {
  return freeSeats === null || taken < freeSeats ? undefined : CONSTRAINT_REFUSALS.learner_limit;
}
