import { isDeepStrictEqual } from 'node:util';
import type { Schemas } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';
import { countryCode } from '../../contract/geography.ts';
import {
  DEFAULT_MESSAGES,
  type MessageSettings,
  readMessages,
  type StatedMessages,
} from './messages/message-settings.ts';

type Campaign = Schemas['Campaign'];
type Audience = Schemas['CampaignAudienceInput'];
type Condition = Schemas['CampaignConditionInput'];
export type Recurrence = Schemas['CampaignRecurrence'];

/** A campaign as its caller declares it, completed with the defaults. */
export interface Declaration extends MessageSettings {
  externalId: string | null;
  name: string;
  status: Campaign['status'];
  items: Schemas['CampaignItem'][];
  everyone: boolean;
  include: Condition[];
  exclude: Condition[];
  includeNewcomers: boolean;
  keepOpenAfterLeaving: boolean;
  startAt: string;
  dueDays: number | null;
  dueDate: string | null;
  recurrence: Recurrence | null;
}

/** Fields of a request that declares a campaign. Omitted fields are undefined. */
export interface Statement extends StatedMessages {
  externalId?: string | null | undefined;
  name?: string | undefined;
  items?: Schemas['CampaignItem'][] | undefined;
  audience?: Audience | undefined;
  due?: Schemas['CampaignDueInput'] | undefined;
  status?: Schemas['CampaignStatusInput'] | undefined;
  startAt?: string | undefined;
  includeNewcomers?: boolean | undefined;
  keepOpenAfterLeaving?: boolean | undefined;
  recurrence?: Recurrence | null | undefined;
}

export type NewStatement = Statement &
  Required<Pick<Schemas['CreateCampaignInput'], 'name' | 'items' | 'audience' | 'due'>>;

/**
 * Completes the declaration of a new campaign.
 * @throws invalid_request if fields contradict each other
 */
export function declareCampaign(statement: NewStatement, now: Date): Declaration {
  const { name, externalId = null, recurrence = null } = statement;
  const startAt = toMilliseconds(statement.startAt ?? now.toISOString());
  const { includeNewcomers = true, keepOpenAfterLeaving = false, status = 'draft' } = statement;
  return checked(now, {
    ...{ externalId, name, startAt, includeNewcomers, keepOpenAfterLeaving, recurrence: completed(recurrence) },
    ...{ ...readItems(statement.items), ...readAudience(statement.audience), ...readDue(statement.due) },
    ...readMessages(statement, DEFAULT_MESSAGES),
    status: newStatus(status),
  });
}

function newStatus(wanted: Schemas['CampaignStatusInput']): Campaign['status'] {
  if (wanted !== 'draft' && wanted !== 'active')
    throw invalidField('body/status', 'must be `draft` or `active` for a new campaign');
  return wanted === 'active' ? 'scheduled' : 'draft';
}

/**
 * Applies changes to a campaign.
 * @throws campaign_locked, or invalid_request if fields contradict each other
 */
export function changeCampaign(campaign: Campaign, changes: Statement, now: Date): Declaration {
  const declaration = applyChanges(campaign, changes, now);
  if (campaign.status === 'ended' && !isSame(campaign, declaration)) {
    throw new ApiError('campaign_locked', 'The campaign has ended; create another one.');
  }
  return declaration;
}

function applyChanges(campaign: Campaign, changes: Statement, now: Date): Declaration {
  const current = toDeclaration(campaign);
  const { name = current.name, items, audience, due } = changes;
  const startAt = toMilliseconds(changes.startAt ?? current.startAt);
  const { includeNewcomers = current.includeNewcomers, recurrence = current.recurrence } = changes;
  const { keepOpenAfterLeaving = current.keepOpenAfterLeaving, externalId = current.externalId } = changes;
  if (campaign.startedOn !== null && Date.parse(startAt) !== Date.parse(current.startAt)) throw started('startAt');
  const earliest = campaign.startedOn === null && campaign.status !== 'ended' ? now : new Date(0);
  return checked(earliest, {
    ...{ ...current, externalId, name, startAt, includeNewcomers, keepOpenAfterLeaving },
    recurrence: completed(recurrence),
    ...(items && readItems(items)),
    ...(audience && readAudience(audience)),
    ...(due && readDue(due)),
    ...readMessages(changes, current),
    status: nextStatus(campaign, changes.status),
  });
}

const started = (field: string): ApiError =>
  new ApiError('campaign_locked', `The campaign has started, so \`${field}\` cannot change.`, {
    details: [{ field: `body/${field}`, message: 'cannot change after the start' }],
  });

function nextStatus({ status, startedOn }: Campaign, wanted?: Schemas['CampaignStatusInput']): Campaign['status'] {
  if (wanted === undefined) return status;
  if (wanted === 'active') return startedOn === null ? 'scheduled' : 'running';
  if (wanted === 'draft' && startedOn !== null) throw started('status');
  return wanted;
}

/** Reports whether a campaign already matches the declaration. */
export function isSame(campaign: Campaign, declaration: Declaration): boolean {
  const current = toDeclaration(campaign);
  return isDeepStrictEqual(
    { ...current, startAt: Date.parse(current.startAt) },
    { ...declaration, startAt: Date.parse(declaration.startAt) },
  );
}

/**
 * Returns the items and conditions that a change adds. Items that the campaign already has might have been deleted in
 * the meantime. That must not prevent the campaign from being paused or ended.
 */
export function newParts(
  campaign: Campaign,
  declaration: Declaration,
): Pick<Declaration, 'items' | 'include' | 'exclude'> {
  const current = toDeclaration(campaign);
  const added = <Part>(name: 'items' | 'include' | 'exclude', parts: Part[]) =>
    isDeepStrictEqual(current[name], declaration[name]) ? [] : parts;
  const { items, include, exclude } = declaration;
  return { items: added('items', items), include: added('include', include), exclude: added('exclude', exclude) };
}

/** Returns the declaration of a stored campaign. */
function toDeclaration(campaign: Campaign): Declaration {
  const { externalId, name, status, items, includeNewcomers, keepOpenAfterLeaving, startAt, recurrence } = campaign;
  const { everyone, include, exclude } = campaign.audience;
  return {
    ...{ externalId, name, status, items, includeNewcomers, keepOpenAfterLeaving, startAt, recurrence, everyone },
    ...{ include: include.map(given), exclude: exclude.map(given) },
    ...{ dueDays: campaign.due.days, dueDate: campaign.due.date },
    ...readMessages(campaign, DEFAULT_MESSAGES),
  };
}

function given(condition: Schemas['CampaignCondition']): Condition {
  return Object.fromEntries(Object.entries(condition).filter(([, value]) => value !== null));
}

function readItems(items: Schemas['CampaignItem'][]): Pick<Declaration, 'items'> {
  const ids = items.map(({ id }) => id);
  const repeated = ids.findIndex((id, position) => ids.indexOf(id) !== position);
  if (repeated >= 0) throw invalidField(`body/items/${repeated}/id`, 'must not be the same as in another item');
  return { items };
}

function readAudience({ everyone = false, include = [], exclude = [] }: Audience) {
  if (everyone && include.length > 0) {
    throw invalidField('body/audience/include', 'cannot be combined with `everyone`');
  }
  if (!everyone && include.length === 0) {
    throw invalidField('body/audience/include', 'must have a condition unless `everyone` is true');
  }
  return { everyone, include: include.map(withCountries('include')), exclude: exclude.map(withCountries('exclude')) };
}

/** Returns a function that replaces the countries of a condition by their codes. @throws invalid_request */
function withCountries(list: 'include' | 'exclude') {
  return ({ countries, ...condition }: Condition, place: number): Condition => {
    if (countries === undefined) return condition;
    const codes = countries.map((text, position) => {
      const code = countryCode(text);
      if (code !== undefined) return code;
      throw invalidField(`body/audience/${list}/${place}/countries/${position}`, 'must be an ISO 3166-1 country code');
    });
    return { ...condition, countries: codes };
  };
}

function readDue({ days, date }: Schemas['CampaignDueInput']): Pick<Declaration, 'dueDays' | 'dueDate'> {
  return { dueDays: days ?? null, dueDate: date ?? null };
}

function completed(recurrence: Recurrence | null): Recurrence | null {
  if (recurrence === null) return null;
  const { type, months = null } = recurrence;
  if (type === 'afterCompletion' && months === null) {
    throw invalidField('body/recurrence/months', 'is required with the type `afterCompletion`');
  }
  if (type !== 'afterCompletion' && months !== null) {
    throw invalidField('body/recurrence/months', `cannot be combined with the type \`${type}\``);
  }
  return { type, months };
}

/** Number of days in the shortest month. */
const DAYS_OF_MONTH = 28;
const DAYS_OF_YEAR = 365;
const DAY_MS = 86_400_000;

/** Formats a time with milliseconds, as stored times have. */
const toMilliseconds = (time: string): string => new Date(time).toISOString();

/** Requires that each round is due before the next one begins, and that the campaign is not due before it starts. */
function checked(earliest: Date, declaration: Declaration): Declaration {
  const { recurrence, dueDays, dueDate, startAt } = declaration;
  const start = Math.max(earliest.getTime(), Date.parse(startAt));
  // Time zones differ by up to a day.
  const daysLeft = dueDate === null ? null : (Date.parse(dueDate) - start) / DAY_MS + 2;
  if (daysLeft !== null && daysLeft < 0) throw invalidField('body/due/date', 'must not be before `startAt`');
  const days = dueDays ?? daysLeft!;
  if (days > daysBetweenRounds(recurrence)) {
    throw invalidField(`body/due/${dueDays === null ? 'date' : 'days'}`, 'must be before the next round begins');
  }
  if (dueDate !== null && recurrence && recurrence.type !== 'yearly') {
    throw invalidField('body/due/date', `cannot be combined with the recurrence \`${recurrence.type}\`; use \`days\``);
  }
  return declaration;
}

/**
 * Returns the minimum number of days between two rounds. The service adapts rounds that begin before an expiry to the
 * due date.
 */
function daysBetweenRounds(recurrence: Recurrence | null): number {
  if (recurrence === null || recurrence.type === 'beforeExpiry') return Infinity;
  return recurrence.type === 'yearly' ? DAYS_OF_YEAR : DAYS_OF_MONTH * (recurrence.months ?? 0);
}
