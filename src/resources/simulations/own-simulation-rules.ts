import type { Caller } from '../../auth/caller.ts';
import type { SimulationsConfig } from '../../config/simulation-settings.ts';
import type { Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { type DayRange, isTimeZone, type Plan, type Span, workingSpans } from './sending/plan-rules.ts';

type CreateInput = Schemas['CreateSimulationInput'];

/** What a simulation that the service runs itself is made of. */
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

/** Whether the body is about a simulation that runs elsewhere. @throws invalid_request for fields that do not go with it */
export function isIntake(body: CreateInput): body is IntakeInput {
  if (body.externalId === undefined) return false;
  if (body.deliveryMethod === undefined) throw invalidField('body/deliveryMethod', 'must be given with externalId');
  const foreign = OF_DRAFTS.find((field) => body[field] !== undefined);
  if (foreign) throw invalidField(`body/${foreign}`, 'must not be given with externalId');
  return true;
}

/** The draft of a body without an `externalId`. @throws invalid_request for what it lacks, or must not have */
export function toDraft(body: CreateInput): Draft {
  if (OF_DRAFTS.every((field) => body[field] === undefined)) {
    throw invalidField('body/externalId', 'must be given, or templateIds for a simulation that the service runs');
  }
  for (const field of ['deliveryMethod', 'status'] as const) {
    if (body[field] !== undefined) throw invalidField(`body/${field}`, 'must not be given without externalId');
  }
  const missing = REQUIRED.filter((field) => body[field] === undefined || body[field] === null);
  if (missing.length > 0) {
    const details = missing.map((field) => ({ field: `body/${field}`, message: 'must be given without externalId' }));
    throw new ApiError('invalid_request', `A draft needs ${missing.join(', ')}.`, { details });
  }
  return { trainingCourseId: null, ...body } as Draft;
}

/** A draft as it was asked for. */
export function storedDraft({ name, startDate, endDate, plan }: Schemas['SimulationOverview']): Draft {
  const { templateIds, recipients, workingHours, timeZone, senderDomain, trainingCourseId } = plan!;
  const { everyone, learnerIds, groupIds } = recipients;
  const named = { ...(learnerIds.length > 0 && { learnerIds }), ...(groupIds.length > 0 && { groupIds }) };
  const fields = { templateIds, workingHours, timeZone, senderDomain, trainingCourseId };
  return { name, startDate: startDate!, endDate: endDate!, ...fields, recipients: everyone ? { everyone } : named };
}

/** What a draft is held against. */
export interface DraftFacts {
  now: Date;
  /** The domains that the operator lets simulations come from. */
  senders: readonly string[];
  excludedDays: readonly DayRange[];
}

const MAX_DAYS = 90;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * The working time in which a draft's messages can be sent, from now on.
 * @param place where the fields stand that a refusal names
 * @throws invalid_request
 */
export function sendingTime(draft: Draft, { now, senders, excludedDays }: DraftFacts, place: string): Span[] {
  refuseRecipients(draft.recipients, place);
  if (!senders.includes(draft.senderDomain.toLowerCase())) {
    throw invalidField(
      `${place}/senderDomain`,
      `must be a domain that the operator has for it: ${senders.join(', ') || 'there is none'}`,
    );
  }
  const { from, to } = draft.workingHours;
  if (from >= to) throw invalidField(`${place}/workingHours/to`, 'must be later than from');
  if (!isTimeZone(draft.timeZone)) throw noTimeZone(place);
  const window = { start: Date.parse(draft.startDate), end: Date.parse(draft.endDate) };
  if (window.end <= window.start) throw invalidField(`${place}/endDate`, 'must be later than startDate');
  if (window.end <= now.getTime()) throw invalidField(`${place}/endDate`, 'must lie in the future');
  if (window.end - window.start > MAX_DAYS * DAY_MS) {
    throw invalidField(`${place}/endDate`, `must be within ${MAX_DAYS} days after startDate`);
  }
  const ahead = { ...window, start: Math.max(window.start, now.getTime()) };
  const spans = workingSpans(draft, ahead, excludedDays);
  if (spans.reduce((sum, { start, end }) => sum + end - start, 0) < MINUTE_MS) {
    throw invalidField(`${place}/workingHours`, 'must leave a minute between startDate and endDate to send in');
  }
  return spans;
}

/** The refusal of a time zone that is none, or of which the database does not know. */
export function noTimeZone(place: string): ApiError {
  return invalidField(
    `${place}/timeZone`,
    'must be an area and a place of the IANA database such as Europe/Berlin, or UTC',
  );
}

function refuseRecipients({ everyone, learnerIds, groupIds }: Draft['recipients'], place: string): void {
  const [named] = Object.entries({ learnerIds, groupIds }).filter(([, ids]) => ids !== undefined);
  if (everyone && named) throw invalidField(`${place}/recipients/${named[0]}`, 'must not be given with everyone');
  if (!everyone && !named) throw invalidField(`${place}/recipients`, 'must be everyone, or name learners or groups');
}

/** The draft as it is stored, but for the columns of its own. */
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
/** More of them need a second admin. */
const MAX_UNAPPROVED = 500;

/** @throws invalid_request when nobody or too many would be sent a message */
export function requireSendable(recipientCount: number): void {
  if (recipientCount === 0) {
    throw invalidField('simulation/recipients', 'must hold an active learner of the proved domain who is not excluded');
  }
  if (recipientCount > MAX_RECIPIENTS) throw invalidField('simulation/recipients', 'must be 100,000 at most');
}

/** The domains, of which there must be one. @throws domain_not_proved */
export function requireProved(domains: string[]): string[] {
  if (domains.length > 0) return domains;
  throw new ApiError('domain_not_proved', 'No domain that the company is locked to is proved by its DNS record.');
}

/** Nobody is deceived in the name of their own company. @throws invalid_request for a sender in a domain of the recipients */
export function requireForeignSender(senderDomain: string, domains: readonly string[]): void {
  const own = domains.find((domain) => `.${senderDomain}`.endsWith(`.${domain}`));
  if (own) throw invalidField('simulation/senderDomain', `must not be in ${own}, the domain of the company`);
}

/** @param recipientCount with those of other simulations that need none, so that a large one is not sent in parts */
export function needsApproval(recipientCount: number): boolean {
  return recipientCount > MAX_UNAPPROVED;
}

/** Who has agreed to a simulation by scheduling it: an admin in the console. A key is nobody who could. */
export function approvalBy({ actor }: Pick<Caller, 'actor'>): string[] {
  return actor?.type === 'admin' ? [actor.id] : [];
}

/** Who schedules a simulation: an admin in the console, else a key, also for those that it has let in. */
export function getSchedulerId({ actor, keyId }: Pick<Caller, 'actor' | 'keyId'>): string {
  return actor?.type === 'admin' ? actor.id : keyId;
}

/** @throws simulations_off where the operator has no domain for them */
export function requireSwitchedOn(config: SimulationsConfig | undefined): SimulationsConfig {
  if (config) return config;
  throw new ApiError('simulations_off', 'The operator of the service has not switched simulations on.');
}

/** @throws forbidden for a simulation that another system runs */
export function requireOwn(isOwn: boolean): void {
  if (!isOwn) throw new ApiError('forbidden', 'Another system runs the simulation.');
}

/** @throws simulation_not_draft */
export function requireDraft({ status }: { status: string }): void {
  if (status === 'draft') return;
  throw new ApiError('simulation_not_draft', `The simulation is ${status}: cancel it, and make another.`);
}

/** Whether there is something to cancel. @throws simulation_ended for one that is completed */
export function isToCancel({ status }: { status: string }): boolean {
  if (status === 'completed') throw new ApiError('simulation_ended', 'The simulation is completed.');
  return status !== 'cancelled';
}
