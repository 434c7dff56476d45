// xAPI translation: converts statements of learning systems to results of courses.
//
// xapi-routes.ts accepts xAPI 1.0.x from a source of kind `xapi`. statement.ts validates each statement against version
// 1.0.3. This file translates it, and record.ts passes the results to the operation `recordCourseResults`. The rules:
//
// - Verb: `initialized` and `launched` are a start. `completed`, `passed` and `failed` are a finish, unless the result
//   says `completion: false`.
// - Actor: `mbox` is an e-mail address. The name of an account is an e-mail address if it contains an @, otherwise the
//   id in the HR system. Any other actor is `learner_not_found`, since a hash or an OpenID identifies no learner here.
// - Object: the id of the activity is the `externalId` of the course.
// - Grade: points with bounds take precedence, then `scaled`, then points without bounds, read as a percentage. Without
//   a score, `passed`, `failed` and `success` decide. Without any of these, the finish has no grade.
// - Id: the id of the statement, so a statement that is sent again is recorded once. A statement without an id gets one
//   that is derived from its content, or a random one if it has no timestamp either.
//
// A statement with the verb `voided` voids the result of the statement that it refers to, as a correction
// (`correctRecords`). Voiding statements are not stored, so a statement that arrives after the statement that voids it
// is recorded.
//
// Anything else (other verbs, groups, agents as objects) is `ignored`: valid, acknowledged and not recorded.
//
// Guarantees: if an id already belongs to another statement, no statement of the request is recorded and the response
// is
// 409. A statement without a timestamp is exempt. It has the time of its arrival, which differs each time it is sent,
// so a reused id counts as a repetition.
//
// An xAPI response cannot report the result of a statement. The header `Statement-Outcomes`, the metrics and the log do
// (outcomes.ts).
//
// This is not a learning record store: statements are not stored, so they cannot be read.
import { v4 as randomId, v5 as idOfName } from 'uuid';
import { type Schemas, visibleText } from '../contract/contract.ts';
import type { Actor, Score, Statement } from './statement.ts';
import { parseMoment } from './statement-formats.ts';

type Result = Schemas['CourseResultInput'];

/** The result to void. */
export interface Voiding {
  voidedEventId: string;
}

/** Result of the translation, before any database access. */
export type Translation = Result | Voiding | 'ignored' | 'learner_not_found';

const ADL_VERBS = 'http://adlnet.gov/expapi/verbs/';
const STARTS = ['initialized', 'launched'].map((verb) => ADL_VERBS + verb);
const FINISHES = ['completed', 'passed', 'failed'].map((verb) => ADL_VERBS + verb);
const PASSED = `${ADL_VERBS}passed`;
const FAILED = `${ADL_VERBS}failed`;
const VOIDED = `${ADL_VERBS}voided`;

/** UUID namespace for statements that are sent without an id. */
const NAMESPACE = '5c0b2a0e-6c1f-5d55-9a0e-3f7c1d0a9b42';

/** Returns the id of a statement, or derives one, since Moodle sends none. */
export function getStatementId({ id, actor, verb, object, result, timestamp }: Statement): string {
  if (id !== undefined) return id;
  if (timestamp === undefined) return randomId();
  return idOfName(
    JSON.stringify([getActorIdentity(actor), verb.id, object.id ?? object, timestamp, result]),
    NAMESPACE,
  );
}

/** Translates a statement to a result of the contract, or to the result that it voids. */
export function toResult(statement: Statement, { id, now }: { id: string; now: Date }): Translation {
  const { actor, verb, object, timestamp } = statement;
  if (verb.id === VOIDED) return { voidedEventId: toEventId(object.id!) };
  const isStart = STARTS.includes(verb.id);
  const isFinish = FINISHES.includes(verb.id) && statement.result?.completion !== false;
  const isActivity = (object.objectType ?? 'Activity') === 'Activity';
  if (!(isStart || isFinish) || !isActivity || actor.objectType === 'Group') return 'ignored';
  const learner = toLearnerKey(actor);
  if (!learner) return 'learner_not_found';
  const at = timestamp === undefined ? now.toISOString() : parseMoment(timestamp)!;
  return {
    learner,
    course: { externalId: object.id! },
    ...(isStart ? { startedAt: at } : { finishedAt: at, ...readGrade(statement) }),
    eventId: toEventId(id),
  };
}

function toEventId(statementId: string): string {
  return `xapi:${statementId.toLowerCase()}`;
}

/** Returns the score in per cent. Without a score, returns whether the learner passed, if the statement says so. */
function readGrade({ verb, result }: Statement): Pick<Result, 'score' | 'passed'> {
  const score = toPercent(result?.score ?? {});
  if (score !== undefined) return { score };
  if (verb.id === FAILED || result?.success === false) return { passed: false };
  return verb.id === PASSED || result?.success === true ? { passed: true } : {};
}

/**
 * Converts a score to per cent. Points with bounds take precedence over `scaled`, whose meaning xAPI leaves to the
 * sender: for half of all points, Moodle writes 0 and most others write 0.5. A negative score counts as 0.
 */
function toPercent({ raw, min = 0, max, scaled }: Score): number | undefined {
  const range = max === undefined ? 0 : max - min;
  // The distance between two bounds might exceed the largest number.
  if (raw !== undefined && range > 0 && range < Infinity) return within((raw - min) / range);
  if (scaled !== undefined) return within(scaled);
  return raw === undefined ? undefined : within(raw / 100);
}

function within(share: number): number {
  return Math.round(Math.min(Math.max(share, 0), 1) * 10_000) / 100;
}

const VISIBLE = new RegExp(visibleText, 'u');
const ADDRESS = /^[\u0021-\u007e]{1,254}$/;
const MAX_EXTERNAL_ID_LENGTH = 200;

/**
 * Identifies the learner by e-mail address, or by an account's name, which is an e-mail address or an HR id; otherwise
 * undefined.
 */
function toLearnerKey({ mbox, account }: Actor): Result['learner'] | undefined {
  const address = mbox?.slice('mailto:'.length) ?? (account?.name.includes('@') ? account.name : undefined);
  if (address !== undefined) return ADDRESS.test(address) ? { email: address } : undefined;
  const name = account?.name ?? '';
  const isStorable = VISIBLE.test(name) && [...name].length <= MAX_EXTERNAL_ID_LENGTH;
  return isStorable ? { externalLearnerId: name } : undefined;
}

/** Returns the identity of an actor, without names that can change. */
function getActorIdentity({ mbox, mbox_sha1sum: hash, openid, account }: Actor): unknown {
  return mbox ?? hash ?? openid ?? (account ? [account.homePage, account.name] : null);
}
