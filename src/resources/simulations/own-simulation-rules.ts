import type { Caller } from '../../auth/caller.ts';
import type { SimulationsConfig } from '../../config/simulation-settings.ts';
import type { Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { type DayRange, isTimeZone, type Plan, type Span, workingSpans } from './sending/plan-rules.ts';

type CreateInput = Schemas['CreateSimulationInput'];

/** Fields of a simulation that the service runs itself. */
export type Draft = Required<Schemas['UpdateSimulationInput']>;

const OF_DRAFTS = [
  ...(['templateIds', 'recipients', 'workingHours', 'timeZone', 'senderDomain'] as const),
  'trainingCourseId' as const,
];
const REQUIRED = [...OF_DRAFTS.slice(0, -1), 'startDate', 'endDate'] as const;

export interface IntakeInput extends Pick<CreateInput, 'name' | 'startDate' | 'endDate' | 'status'> {
  externalId: string;
  deliveryMethod: NonNullable<CreateInput['deliveryMethod']>;
}

/** Reports whether another system runs the simulation. @throws invalid_request for missing or forbidden fields */
export function isIntake(body: CreateInput): body is IntakeInput {
  if (body.externalId === undefined) return false;
  if (body.deliveryMethod === undefined)
    throw invalidField('body/deliveryMethod', 'is required if `externalId` is set');
  const foreign = OF_DRAFTS.find((field) => body[field] !== undefined);
  if (foreign) throw invalidField(`body/${foreign}`, 'cannot be combined with `externalId`');
  return true;
}

/** Reads a draft from a body without `externalId`. @throws invalid_request for missing or forbidden fields */
export function toDraft(body: CreateInput): Draft {
  if (OF_DRAFTS.every((field) => body[field] === undefined)) {
    throw invalidField('body/externalId', 'is required, or `templateIds` for a simulation that the service runs');
  }
  for (const field of ['deliveryMethod', 'status'] as const) {
    if (body[field] !== undefined) throw invalidField(`body/${field}`, 'requires `externalId`');
  }
  const missing = REQUIRED.filter((field) => body[field] === undefined || body[field] === null);
  if (missing.length > 0) {
    const details = missing.map((field) => ({
      field: `body/${field}`,
      message: 'is required unless `externalId` is set',
    }));
    throw new ApiError('invalid_request', `A draft requires ${missing.join(', ')}.`, { details });
  }
  return { trainingCourseId: null, ...body } as Draft;
}

/** Restores the draft from a stored simulation. */
export function storedDraft({ name, startDate, endDate, plan }: Schemas['SimulationOverview']): Draft {
  const { templateIds, recipients, workingHours, timeZone, senderDomain, trainingCourseId } = plan!;
  const { everyone, learnerIds, groupIds } = recipients;
  const named = { ...(learnerIds.length > 0 && { learnerIds }), ...(groupIds.length > 0 && { groupIds }) };
  const fields = { templateIds, workingHours, timeZone, senderDomain, trainingCourseId };
  return { name, startDate: startDate!, endDate: endDate!, ...fields, recipients: everyone ? { everyone } : named };
}

/** Facts that a draft is checked against. */
export interface DraftFacts {
  now: Date;
  /** Domains that the operator allows as senders. */
  senders: readonly string[];
  excludedDays: readonly DayRange[];
}

/** Maximum number of days between the start and the end of a simulation. */
export const MAX_DAYS = 90;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Returns the remaining working time in which the messages of a draft can be sent.
 * @param place path under which errors are reported
 * @throws invalid_request
 */
export function sendingTime(draft: Draft, { now, senders, excludedDays }: DraftFacts, place: string): Span[] {
  refuseRecipients(draft.recipients, place);
  if (!senders.includes(draft.senderDomain.toLowerCase())) {
    throw invalidField(
      `${place}/senderDomain`,
      `must be a sender domain of the operator (${senders.join(', ') || 'none is set'})`,
    );
  }
  const { from, to } = draft.workingHours;
  if (from >= to) throw invalidField(`${place}/workingHours/to`, 'must be later than `from`');
  if (!isTimeZone(draft.timeZone)) throw noTimeZone(place);
  const window = { start: Date.parse(draft.startDate), end: Date.parse(draft.endDate) };
  if (window.end <= window.start) throw invalidField(`${place}/endDate`, 'must be later than `startDate`');
  if (window.end <= now.getTime()) throw invalidField(`${place}/endDate`, 'must be in the future');
  if (window.end - window.start > MAX_DAYS * DAY_MS) {
    throw invalidField(`${place}/endDate`, `must be at most ${MAX_DAYS} days after \`startDate\``);
  }
  const ahead = { ...window, start: Math.max(window.start, now.getTime()) };
  const spans = workingSpans(draft, ahead, excludedDays);
  if (spans.reduce((sum, { start, end }) => sum + end - start, 0) < MINUTE_MS) {
    throw invalidField(
      `${place}/workingHours`,
      'must leave at least one minute for sending between `startDate` and `endDate`',
    );
  }
  return spans;
}

/** Creates the error for a time zone that is invalid or unknown to the database. */
export function noTimeZone(place: string): ApiError {
  return invalidField(`${place}/timeZone`, 'must be an IANA time zone such as Europe/Berlin, or UTC');
}

function refuseRecipients({ everyone, learnerIds, groupIds }: Draft['recipients'], place: string): void {
  const [named] = Object.entries({ learnerIds, groupIds }).filter(([, ids]) => ids !== undefined);
  if (everyone && named) throw invalidField(`${place}/recipients/${named[0]}`, 'cannot be combined with `everyone`');
  if (!everyone && !named) throw invalidField(`${place}/recipients`, 'must set `everyone`, `learnerIds` or `groupIds`');
}

/** Converts a draft to the stored plan, without the fields that have their own columns. */
export function toPlan(draft: Draft, seed: string): Plan {
  const { templateIds, senderDomain, workingHours, timeZone, recipients } = draft;
  const { everyone, learnerIds, groupIds } = recipients;
  return {
    ...{ templateIds, workingHours, timeZone, seed },
    senderDomain: senderDomain.toLowerCase(),
    recipients: everyone ? { everyone: true } : { ...(learnerIds && { learnerIds }), ...(groupIds && { groupIds }) },
  };
}

const MAX_RECIPIENTS = 100_000;
/** Maximum number of recipients that can be sent messages without the approval of a second admin. */
const MAX_UNAPPROVED = 500;

/** @throws invalid_request if there are no recipients, or if there are too many */
export function requireSendable(recipientCount: number): void {
  if (recipientCount === 0) {
    throw invalidField(
      'simulation/recipients',
      'must include an active learner of the proved domain who is not excluded',
    );
  }
  if (recipientCount > MAX_RECIPIENTS)
    throw invalidField('simulation/recipients', 'must include at most 100,000 learners');
}

/** Requires at least one proved domain. @throws domain_not_proved */
export function requireProved(domains: string[]): string[] {
  if (domains.length > 0) return domains;
  throw new ApiError(
    'domain_not_proved',
    'The domain that the company is locked to is not proved by its DNS record; publish the record first.',
  );
}

/** Prevents messages that pretend to come from the recipients' own company. @throws invalid_request */
export function requireForeignSender(senderDomain: string, domains: readonly string[]): void {
  const own = domains.find((domain) => `.${senderDomain}`.endsWith(`.${domain}`));
  if (own) throw invalidField('simulation/senderDomain', `must not be in ${own}, the company's own domain`);
}

/**
 * Reports whether a simulation needs the approval of two admins.
 * @param recipientCount includes recipients of other simulations without approval, so that nobody can avoid approval by
 *   splitting a large simulation
 */
export function needsApproval(recipientCount: number): boolean {
  return recipientCount > MAX_UNAPPROVED;
}

/**
 * Returns the id of the admin who approves a simulation by scheduling it; empty for an API key, which cannot approve.
 */
export function approvalBy({ actor }: Pick<Caller, 'actor'>): string[] {
  return actor?.type === 'admin' ? [actor.id] : [];
}

/**
 * Returns the id of the scheduler: the admin in the console, otherwise the API key, even if the call comes from a
 * client of the key.
 */
export function getSchedulerId({ actor, keyId }: Pick<Caller, 'actor' | 'keyId'>): string {
  return actor?.type === 'admin' ? actor.id : keyId;
}

/** @throws simulations_off if the operator has configured no sender domain */
export function requireSwitchedOn(config: SimulationsConfig | undefined): SimulationsConfig {
  if (config) return config;
  throw new ApiError('simulations_off', 'Simulations are off; ask the operator of the service to enable them.');
}

/** @throws forbidden for a simulation that another system runs */
export function requireOwn(isOwn: boolean): void {
  if (!isOwn) throw new ApiError('forbidden', 'Another system runs this simulation.');
}

/** @throws simulation_not_draft */
export function requireDraft({ status }: { status: string }): void {
  if (status === 'draft') return;
  throw new ApiError(
    'simulation_not_draft',
    `Only a draft can be changed, but the simulation is ${status}; create another one.`,
  );
}

/**
 * Reports whether the simulation can still be cancelled; false if it already is.
 * @throws simulation_ended if it is completed
 */
export function isToCancel({ status }: { status: string }): boolean {
  if (status === 'completed') throw new ApiError('simulation_ended', 'The simulation is already completed.');
  return status !== 'cancelled';
}
