import { fullFormats } from 'ajv-formats/dist/formats.js';
import { type Schemas, visibleText } from '../../contract/contract.ts';
import { CONSTRAINT_REFUSALS } from '../../db/database-errors.ts';
import type { Refusal } from '../../contract/errors.ts';
import { countryCode, timeZoneName } from '../../contract/geography.ts';
import { languageTag } from '../../contract/languages.ts';
import { calendarDate } from '../../contract/calendar-dates.ts';
import { CALENDAR_DATE, COUNTRY_CODE, LANGUAGE_TAG, TIME_ZONE, VISIBLE } from '../../contract/validation-messages.ts';
import { runAtOnce } from '../../limits/give-way.ts';
import type { KeyHolders } from './unique-value-owners.ts';
import { getEmailDomain, type EmailPolicy, refuseForeignDomain, refuseNames } from './shared/person-rules.ts';

/** A learner to create, with its new id and its index in the request. */
export type NewLearner = Schemas['CreateLearnerInput'] & { index: number; id: string };

interface StoredTexts {
  email?: string;
  firstName?: string;
  lastName?: string;
  externalLearnerId?: string | null;
  locale?: string;
  department?: string | null;
  jobTitle?: string | null;
  country?: string | null;
  location?: string | null;
  timeZone?: string | null;
  absentUntil?: string | null;
}

const TEXTS = ['firstName', 'lastName', 'externalLearnerId', 'department', 'jobTitle', 'location'] as const;

type Spelling = (text: string) => string | undefined;
const trim: Spelling = (text) => text.trim();

/** Stored spelling of each text field of a learner; undefined if the value is invalid in every spelling. */
const SPELLINGS: [keyof StoredTexts, Spelling][] = [
  ['email', trim],
  ...TEXTS.map((field): [keyof StoredTexts, Spelling] => [field, trim]),
  ['locale', languageTag],
  ['country', countryCode],
  ['timeZone', timeZoneName],
  ['absentUntil', calendarDate],
];

/**
 * Returns the fields of a learner in the form in which they are stored. HR systems surround values with white space,
 * and write `de_DE`.
 */
export function asStored<T extends StoredTexts>(fields: T): T {
  const stored = SPELLINGS.flatMap(([field, spelling]) => {
    const text = fields[field];
    return typeof text === 'string' ? [[field, spelling(text) ?? text]] : [];
  });
  return { ...fields, ...Object.fromEntries(stored) } as T;
}

const MAX_TEXT_LENGTH = 200;
const VISIBLE_TEXT = new RegExp(visibleText, 'u');

/** Returns the refusal of a learner's text fields, if any. Missing fields and an empty last name are accepted. */
export function refuseTexts(learner: StoredTexts): Refusal | undefined {
  for (const field of TEXTS) {
    const text = learner[field];
    if (text === undefined || text === null || (field === 'lastName' && text === '')) continue;
    if (text.length > MAX_TEXT_LENGTH && [...text].length > MAX_TEXT_LENGTH)
      return invalidText(field, `must have at most ${MAX_TEXT_LENGTH} characters`);
    if (!VISIBLE_TEXT.test(text)) return invalidText(field, VISIBLE);
  }
  for (const { field, spelling, words } of CODES) {
    const text = learner[field];
    if (typeof text === 'string' && spelling(text) !== text) return invalidText(field, words);
  }
  return undefined;
}

/** Fields whose values must be in a list of known codes. */
const CODES: { field: keyof StoredTexts; spelling: Spelling; words: string }[] = [
  { field: 'locale', spelling: languageTag, words: LANGUAGE_TAG },
  { field: 'country', spelling: countryCode, words: COUNTRY_CODE },
  { field: 'timeZone', spelling: timeZoneName, words: TIME_ZONE },
  { field: 'absentUntil', spelling: calendarDate, words: CALENDAR_DATE },
];

function invalidText(field: string, words: string): Refusal {
  return { fields: [field], code: 'invalid_request', message: `\`${field}\` ${words}.` };
}

/** Rules for the e-mail addresses of learners. */
export interface LearnerEmailPolicy extends EmailPolicy {
  /** Domains of free e-mail providers. A company that is locked to such a domain can still use it. */
  freeMail: ReadonlySet<string>;
}

/** Data that decides which learners can be created. */
export interface CreationFacts extends KeyHolders {
  emailPolicy: LearnerEmailPolicy;
  /** Number of learners that can still become active; null if the company has no limit. */
  freeSeats: number | null;
  existingGroupIds: ReadonlySet<string>;
  existingManagerIds: ReadonlySet<string>;
}

// The request validator uses this format for single creations. Bulk creation checks each e-mail address itself.
const emailFormat = fullFormats.email as RegExp;
const MAX_EMAIL_LENGTH = 254;

export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && emailFormat.test(text);
}

/** Returns the refusal of an e-mail address, if any. */
export function refuseEmail(email: string, policy: LearnerEmailPolicy): Refusal | undefined {
  const fields = ['email'];
  if (!isEmailAddress(email)) return { fields, code: 'invalid_request', message: 'The e-mail address is invalid.' };
  if (policy.domainLock) return refuseForeignDomain(email, policy);
  if (policy.freeMail.has(getEmailDomain(email))) {
    const message = 'Addresses at free e-mail providers are not accepted; use another address.';
    return { fields, code: 'email_provider_not_allowed', message };
  }
  return undefined;
}

export interface RefusedLearner extends Refusal {
  index: number;
  /** Id of the learner who holds the conflicting value, if there is one. */
  learnerId: string | null;
}

/** Learners to create, in order, and learners to reject. */
export interface JudgedLearners {
  accepted: NewLearner[];
  refused: RefusedLearner[];
}

/** Splits learners into those to create, in order, and those to reject, each with the first reason. */
export function judgeNewLearners(learners: readonly NewLearner[], facts: CreationFacts): JudgedLearners {
  return runAtOnce(judgeLearnersInSteps(learners, facts));
}

/** Judges learners like `judgeNewLearners`, but pauses after each learner: ten thousand take 60 ms. */
export function* judgeLearnersInSteps(
  learners: readonly NewLearner[],
  facts: CreationFacts,
): Generator<void, JudgedLearners, void> {
  const holders = { emails: new Map(facts.emailHolders), externalIds: new Map(facts.externalIdHolders) };
  const accepted: NewLearner[] = [];
  const refused: RefusedLearner[] = [];
  for (const learner of learners) {
    yield;
    const refusal =
      refuseTexts(learner) ??
      refuseNames(learner) ??
      refuseEmail(learner.email, facts.emailPolicy) ??
      refuseDuplicate(learner, holders) ??
      refuseGroups(learner, facts.existingGroupIds) ??
      refuseManager(learner, learner.id, facts.existingManagerIds) ??
      refuseSeat(accepted.length, facts.freeSeats);
    if (refusal) {
      refused.push({ index: learner.index, learnerId: null, ...refusal });
      continue;
    }
    accepted.push(learner);
    holders.emails.set(learner.email.toLowerCase(), learner.id);
    if (learner.externalLearnerId !== undefined) holders.externalIds.set(learner.externalLearnerId, learner.id);
  }
  return { accepted, refused };
}

function refuseDuplicate(
  { email, externalLearnerId = '' }: NewLearner,
  { emails, externalIds }: { emails: ReadonlyMap<string, string>; externalIds: ReadonlyMap<string, string> },
): (Refusal & { learnerId: string }) | undefined {
  const holder = emails.get(email.toLowerCase());
  if (holder !== undefined) return { ...CONSTRAINT_REFUSALS.learners_email, learnerId: holder };
  const idHolder = externalIds.get(externalLearnerId);
  if (idHolder === undefined) return undefined;
  return { ...CONSTRAINT_REFUSALS.learners_external_learner_id, learnerId: idHolder };
}

/** Fields of an input that list groups. */
export const GROUP_LISTS = ['groupIds', 'addGroupIds', 'removeGroupIds'] as const;
export type GroupLists = { readonly [List in (typeof GROUP_LISTS)[number]]?: readonly string[] };

/** Returns the refusal of a learner's lists of groups, if any. */
export function refuseGroups(lists: GroupLists, existingIds: ReadonlySet<string>): Refusal | undefined {
  const fields = GROUP_LISTS.flatMap((list) => {
    const ids = lists[list] ?? [];
    return ids.flatMap((id, position) => (existingIds.has(id) ? [] : [`${list}/${position}`]));
  });
  if (fields.length === 0) return undefined;
  return { fields, code: 'not_found', message: `Group not found: \`${fields.slice(0, 3).join('`, `')}\`.` };
}

/** A manager to set; null to set none. */
export interface ManagerChange {
  managerId?: string | null;
}

/** Returns the ids of the managers that the given changes set. */
export function listManagerIds(changes: readonly ManagerChange[]): string[] {
  return [...new Set(changes.flatMap(({ managerId }) => managerId ?? []))];
}

/** Returns the refusal of a learner's manager, if any. @param learnerId the learner whose manager is set */
export function refuseManager(
  { managerId }: ManagerChange,
  learnerId: string,
  existingIds: ReadonlySet<string>,
): Refusal | undefined {
  if (managerId === undefined || managerId === null) return undefined;
  const fields = ['managerId'];
  if (managerId === learnerId)
    return { fields, code: 'invalid_request', message: '`managerId` must be the id of another learner.' };
  return existingIds.has(managerId)
    ? undefined
    : { fields, code: 'not_found', message: 'Learner not found: `managerId`.' };
}

function refuseSeat(takenSeats: number, freeSeats: number | null): Refusal | undefined {
  return freeSeats === null || takenSeats < freeSeats ? undefined : CONSTRAINT_REFUSALS.learner_limit;
}
