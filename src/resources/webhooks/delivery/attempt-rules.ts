import type { WebhookResponse } from '../sending/post-webhook.ts';
import { judgeResponse, waitAfter } from '../sending/retry-rules.ts';
import type { ClaimedEndpoint, Delivery, EndOfTurn, LogPosition } from './delivery-repository.ts';
import type { EventSlice, DeliveryBatch } from './find-batch.ts';

/** An attempt to deliver an event. */
export interface Attempt {
  delivery: Delivery;
  answer: WebhookResponse;
  at: Date;
  durationMs: number;
}

export interface EvaluatedAttempt extends Attempt {
  accepted: boolean;
  /** Seconds until the next attempt; undefined if there is no next attempt. */
  wait: number | undefined;
}

export function evaluateAttempts(attempts: readonly Attempt[]): EvaluatedAttempt[] {
  return attempts.map((one) => {
    const { accepted } = judgeResponse(one.answer);
    return { ...one, accepted, wait: accepted ? undefined : waitAfter(one.delivery.attempts + 1) };
  });
}

/** Reports whether an endpoint accepted its last event. `due_webhooks` in the database applies the same rule. */
export function takesEvents({ failures, lastStatus }: Pick<ClaimedEndpoint, 'failures' | 'lastStatus'>): boolean {
  return failures === 0 && lastStatus !== null && lastStatus >= 200 && lastStatus < 300;
}

/**
 * Returns the attempts to repeat, one per event, and the ids of stored retries that were accepted or given up. A batch
 * can send an event twice, as a retry and for a requested redelivery; the later attempt counts.
 */
export function retryPlan(judged: readonly EvaluatedAttempt[]): {
  retries: EvaluatedAttempt[];
  completedIds: string[];
} {
  const last = [...new Map(judged.map((one) => [one.delivery.eventId, one])).values()];
  const storedEventIds = new Set(judged.flatMap(({ delivery }) => (delivery.isKept ? [delivery.eventId] : [])));
  const ended = last.filter(({ wait, delivery }) => wait === undefined && storedEventIds.has(delivery.eventId));
  return {
    retries: last.filter(({ wait }) => wait !== undefined),
    completedIds: ended.map(({ delivery }) => delivery.eventId),
  };
}

/** Returns the position in a slice of the log after the first `tried` of its deliveries. */
export function positionAfter({ deliveries, start, places, next }: EventSlice, tried: number): LogPosition {
  if (tried >= deliveries.length) return next;
  return tried <= 0 ? start : places[tried - 1]!;
}

/** Returns the deliveries of a batch, in order. */
export function listDeliveries({ retries, newEvents, replay }: DeliveryBatch): Delivery[] {
  return [...retries, ...newEvents.deliveries, ...(replay?.deliveries ?? [])];
}

/** Returns the companies of the events that are new or sent again. */
export function listCompanyIds({ newEvents, replay }: DeliveryBatch): string[] {
  return [...newEvents.companyIds, ...(replay?.companyIds ?? [])];
}

/** Returns the positions in the log and in the redelivery after the first `tried` deliveries of a batch. */
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
  /** Whether every event of the period has been attempted. */
  isOver: boolean;
}

/**
 * Returns the state of an endpoint after a batch. If the endpoint accepted nothing, it is paused: longer each time, or
 * for as long as the receiver asks.
 */
export function nextEndpointState(
  { failures }: ClaimedEndpoint,
  attempts: readonly Attempt[],
): Omit<EndOfTurn, 'webhookEndpointId' | keyof LogPosition> {
  const verdicts = attempts.map(({ answer }) => judgeResponse(answer));
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
