import { v4 as randomId, v5 as idOfName } from 'uuid';
import { type Schemas, visibleText } from '../contract/contract.ts';
import type { Actor, Score, Statement } from './statement.ts';
import { momentOf } from './statement-formats.ts';

type Result = Schemas['CourseResultInput'];

/** What becomes of a statement before anything is asked of the database. */
export type Translation = Result | 'ignored' | 'learner_not_found';

const ADL_VERBS = 'http://adlnet.gov/expapi/verbs/';
const STARTS = ['initialized', 'launched'].map((verb) => ADL_VERBS + verb);
const FINISHES = ['completed', 'passed', 'failed'].map((verb) => ADL_VERBS + verb);
const PASSED = `${ADL_VERBS}passed`;
const FAILED = `${ADL_VERBS}failed`;

/** For ids of statements that come without one. */
const NAMESPACE = '5c0b2a0e-6c1f-5d55-9a0e-3f7c1d0a9b42';

/**
 * The id of a statement. One that comes without is known by what it says, so that it is the same when it is sent again;
 * Moodle sends no ids. Without a time nothing tells a repetition from another event, so each is new.
 */
export function idOf({ id, actor, verb, object, result, timestamp }: Statement): string {
  if (id !== undefined) return id;
  if (timestamp === undefined) return randomId();
  return idOfName(JSON.stringify([identityOf(actor), verb.id, object.id ?? object, timestamp, result]), NAMESPACE);
}

/**
 * What a statement says of a course, as a result of the contract. `ignored` when it says nothing of one: another verb, a
 * group, something that is no activity, or a finish that says of itself that the activity is not complete.
 */
export function toResult(statement: Statement, { id, now }: { id: string; now: Date }): Translation {
  const { actor, verb, object, timestamp } = statement;
  const isStart = STARTS.includes(verb.id);
  const isFinish = FINISHES.includes(verb.id) && statement.result?.completion !== false;
  const isActivity = (object.objectType ?? 'Activity') === 'Activity';
  if (!(isStart || isFinish) || !isActivity || actor.objectType === 'Group') return 'ignored';
  const learner = learnerOf(actor);
  if (!learner) return 'learner_not_found';
  const at = timestamp === undefined ? now.toISOString() : momentOf(timestamp)!;
  return {
    learner,
    course: { externalId: object.id! },
    ...(isStart ? { startedAt: at } : { finishedAt: at, ...readGrade(statement) }),
    eventId: `xapi:${id.toLowerCase()}`,
  };
}

/** The score in per cent; without one, whether it is passed, when the statement says so. */
function readGrade({ verb, result }: Statement): Pick<Result, 'score' | 'passed'> {
  const score = percentOf(result?.score ?? {});
  if (score !== undefined) return { score };
  if (verb.id === FAILED || result?.success === false) return { passed: false };
  return verb.id === PASSED || result?.success === true ? { passed: true } : {};
}

/**
 * Points between their bounds come before `scaled`, which xAPI leaves to the sender: Moodle writes half of all points as
 * 0, most others as 0.5. Less than nothing is nothing.
 */
function percentOf({ raw, min = 0, max, scaled }: Score): number | undefined {
  const range = max === undefined ? 0 : max - min;
  // Two bounds may lie further apart than a number can say.
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

/** By address, or by the name of an account, which is an address or the id of HR. Undefined for what is neither here. */
function learnerOf({ mbox, account }: Actor): Result['learner'] | undefined {
  const address = mbox?.slice('mailto:'.length) ?? (account?.name.includes('@') ? account.name : undefined);
  if (address !== undefined) return ADDRESS.test(address) ? { email: address } : undefined;
  const name = account?.name ?? '';
  const isStorable = VISIBLE.test(name) && [...name].length <= MAX_EXTERNAL_ID_LENGTH;
  return isStorable ? { externalLearnerId: name } : undefined;
}

/** What an actor is known by, without the names that change. */
function identityOf({ mbox, mbox_sha1sum: hash, openid, account }: Actor): unknown {
  return mbox ?? hash ?? openid ?? (account ? [account.homePage, account.name] : null);
}
