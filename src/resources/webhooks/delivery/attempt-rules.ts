import type { WebhookAnswer } from '../sending/post-webhook.ts';
import { judgeAnswer, waitAfter } from '../sending/retry-rules.ts';
import type { ClaimedEndpoint, Delivery, EndOfTurn, Place } from './delivery-repository.ts';
import type { Stretch, Work } from './find-batch.ts';

/** One event that was sent once. */
export interface Try {
  delivery: Delivery;
  answer: WebhookAnswer;
  at: Date;
  durationMs: number;
}

export interface JudgedTry extends Try {
  taken: boolean;
  /** Seconds to the next try; undefined when there is none. */
  wait: number | undefined;
}

export function judgeTries(tries: readonly Try[]): JudgedTry[] {
  return tries.map((one) => {
    const { taken } = judgeAnswer(one.answer);
    return { ...one, taken, wait: taken ? undefined : waitAfter(one.delivery.tries + 1) };
  });
}

/** Reports whether an endpoint took its last event. `due_webhooks_by_company` in the database has the same rule. */
export function takesEvents({ failures, lastStatus }: Pick<ClaimedEndpoint, 'failures' | 'lastStatus'>): boolean {
  return failures === 0 && lastStatus !== null && lastStatus >= 200 && lastStatus < 300;
}

/**
 * What is kept for its next try, each event once, and the ids of what was kept and is taken or given up. An event that is
 * due may be sent again in the same turn, because it was asked for: the later try is what counts.
 */
export function fatesOf(judged: readonly JudgedTry[]): { kept: JudgedTry[]; done: string[] } {
  const last = [...new Map(judged.map((one) => [one.delivery.eventId, one])).values()];
  const wereKept = new Set(judged.flatMap(({ delivery }) => (delivery.isKept ? [delivery.eventId] : [])));
  const ended = last.filter(({ wait, delivery }) => wait === undefined && wereKept.has(delivery.eventId));
  return {
    kept: last.filter(({ wait }) => wait !== undefined),
    done: ended.map(({ delivery }) => delivery.eventId),
  };
}

/** Where an endpoint stands in a stretch when so many of its deliveries were tried. */
export function placeAfter({ deliveries, start, places, next }: Stretch, tried: number): Place {
  if (tried >= deliveries.length) return next;
  return tried <= 0 ? start : places[tried - 1]!;
}

/** The deliveries of a turn, in order. */
export function deliveriesOf({ due, live, replay }: Work): Delivery[] {
  return [...due, ...live.deliveries, ...(replay?.deliveries ?? [])];
}

/** Whose events are sent for the first time, or again. */
export function companiesOf({ live, replay }: Work): string[] {
  return [...live.companyIds, ...(replay?.companyIds ?? [])];
}

/** Where the endpoint stands in the log and in what is sent again, when so many of a turn's deliveries were tried. */
export function placesAfter({ due, live, replay }: Work, tried: number): { place: Place; replayed: Replayed | null } {
  const triedOfLog = tried - due.length;
  const triedAgain = triedOfLog - live.deliveries.length;
  return {
    place: placeAfter(live, triedOfLog),
    replayed: replay && {
      place: placeAfter(replay, triedAgain),
      isOver: !replay.hasMore && triedAgain >= replay.deliveries.length,
    },
  };
}

export interface Replayed {
  place: Place;
  /** All of it was tried. */
  isOver: boolean;
}

/** Nothing taken pauses the endpoint, longer each time; as long as the receiver asks when it asks. */
export function stateAfter(
  { failures }: ClaimedEndpoint,
  tries: readonly Try[],
): Omit<EndOfTurn, 'webhookEndpointId' | keyof Place> {
  const verdicts = tries.map(({ answer }) => judgeAnswer(answer));
  const tried = tries.length > 0;
  const isDown = tried && !verdicts.some(({ taken }) => taken);
  const failuresNow = isDown ? failures + 1 : tried ? 0 : failures;
  const wait = isDown ? waitAfter(failuresNow) : 0;
  const asked = Math.max(0, ...verdicts.map(({ pauseS = 0 }) => pauseS));
  const disabledBecause = verdicts.some(({ gone }) => gone) ? 'gone' : wait === undefined ? 'failing' : null;
  const lastStatus = tries.at(-1)?.answer.status ?? null;
  return { failures: failuresNow, pause: Math.max(wait ?? 0, asked) || null, tried, lastStatus, disabledBecause };
}
