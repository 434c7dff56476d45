import type { WebhookAnswer } from '../sending/post-webhook.ts';
import { judgeAnswer, waitAfter } from '../sending/retry-rules.ts';
import type { ClaimedEndpoint, Delivery, EndOfTurn, LogPosition } from './delivery-repository.ts';
import type { EventSlice, DeliveryBatch } from './find-batch.ts';

/** One event that was sent once. */
export interface Attempt {
  delivery: Delivery;
  answer: WebhookAnswer;
  at: Date;
  durationMs: number;
}

export interface EvaluatedAttempt extends Attempt {
  accepted: boolean;
  /** Seconds to the next try; undefined when there is none. */
  wait: number | undefined;
}

export function evaluateAttempts(attempts: readonly Attempt[]): EvaluatedAttempt[] {
  return attempts.map((one) => {
    const { accepted } = judgeAnswer(one.answer);
    return { ...one, accepted, wait: accepted ? undefined : waitAfter(one.delivery.attempts + 1) };
  });
}

/** Reports whether an endpoint took its last event. `due_webhooks` in the database has the same rule. */
export function takesEvents({ failures, lastStatus }: Pick<ClaimedEndpoint, 'failures' | 'lastStatus'>): boolean {
  return failures === 0 && lastStatus !== null && lastStatus >= 200 && lastStatus < 300;
}

/**
 * What is kept for its next try, each event once, and the ids of what was kept and is accepted or given up. An event that is
 * due may be sent again in the same turn, because it was asked for: the later try is what counts.
 */
export function retryPlan(judged: readonly EvaluatedAttempt[]): {
  retries: EvaluatedAttempt[];
  completedIds: string[];
} {
  const last = [...new Map(judged.map((one) => [one.delivery.eventId, one])).values()];
  const wereKept = new Set(judged.flatMap(({ delivery }) => (delivery.isKept ? [delivery.eventId] : [])));
  const ended = last.filter(({ wait, delivery }) => wait === undefined && wereKept.has(delivery.eventId));
  return {
    retries: last.filter(({ wait }) => wait !== undefined),
    completedIds: ended.map(({ delivery }) => delivery.eventId),
  };
}

/** Where an endpoint stands in a slice of the log when so many of its deliveries were tried. */
export function positionAfter({ deliveries, start, places, next }: EventSlice, tried: number): LogPosition {
  if (tried >= deliveries.length) return next;
  return tried <= 0 ? start : places[tried - 1]!;
}

/** The deliveries of a turn, in order. */
export function listDeliveries({ retries, newEvents, replay }: DeliveryBatch): Delivery[] {
  return [...retries, ...newEvents.deliveries, ...(replay?.deliveries ?? [])];
}

/** Whose events are sent for the first time, or again. */
export function listCompanyIds({ newEvents, replay }: DeliveryBatch): string[] {
  return [...newEvents.companyIds, ...(replay?.companyIds ?? [])];
}

/** Where the endpoint stands in the log and in what is sent again, when so many of a turn's deliveries were tried. */
export function positionsAfter(
  { retries, newEvents, replay }: DeliveryBatch,
  tried: number,
): { place: LogPosition; replayed: Replayed | null } {
  const triedOfLog = tried - retries.length;
  const triedAgain = triedOfLog - newEvents.deliveries.length;
  return {
    place: positionAfter(newEvents, triedOfLog),
    replayed: replay && {
      place: positionAfter(replay, triedAgain),
      isOver: !replay.hasMore && triedAgain >= replay.deliveries.length,
    },
  };
}

export interface Replayed {
  place: LogPosition;
  /** All of it was tried. */
  isOver: boolean;
}

/** Nothing accepted pauses the endpoint, longer each time; as long as the receiver asks when it asks. */
export function nextEndpointState(
  { failures }: ClaimedEndpoint,
  attempts: readonly Attempt[],
): Omit<EndOfTurn, 'webhookEndpointId' | keyof LogPosition> {
  const verdicts = attempts.map(({ answer }) => judgeAnswer(answer));
  const tried = attempts.length > 0;
  const isDown = tried && !verdicts.some(({ accepted }) => accepted);
  const failuresNow = isDown ? failures + 1 : tried ? 0 : failures;
  const wait = isDown ? waitAfter(failuresNow) : 0;
  const requestedPauseS = Math.max(0, ...verdicts.map(({ pauseS = 0 }) => pauseS));
  const disabledBecause = verdicts.some(({ isGone }) => isGone) ? 'gone' : wait === undefined ? 'failing' : null;
  const lastStatus = attempts.at(-1)?.answer.status ?? null;
  return {
    failures: failuresNow,
    pause: Math.max(wait ?? 0, requestedPauseS) || null,
    tried,
    lastStatus,
    disabledBecause,
  };
}
