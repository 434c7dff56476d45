import type { SeenEvent } from './interaction-rules.ts';

/**
 * Maximum number of milliseconds between a visit and the loading of its page, or between the visit and data given away
 * on the page.
 */
const NEAR_MS = 10 * 60_000;
/**
 * Maximum number of a person's clicks in `RAPID_MS`, as in Trend Micro's Phish Insight. A double click counts as two.
 */
const MAX_RAPID = 3;
const RAPID_MS = 3_000;

/** Facts about a visit from the other events of its recipient. */
export interface Companions {
  /** Reports whether the browser of the visit loaded the page, or somebody used the page in that browser. */
  isLoaded: (event: SeenEvent) => boolean;
  /** Reports whether the recipient gave data away soon after the visit. */
  isConfirmed: (event: SeenEvent) => boolean;
  /** Ids of visits that follow each other faster than a person clicks. */
  rapidIds: ReadonlySet<string>;
}

/**
 * Gathers what the events of one recipient reveal about each other.
 * @param loads the events that report that the page was loaded or used
 * @param compromises the compromises that count
 */
export function gatherCompanions(
  events: readonly SeenEvent[],
  { loads, compromises }: { loads: readonly SeenEvent[]; compromises: readonly SeenEvent[] },
): Companions {
  const timesByOrigin = new Map(
    [...Map.groupBy(loads, getOrigin)].map(([place, group]) => [place, group.map(getTime)]),
  );
  const compromiseTimes = compromises.map(getTime);
  return {
    isLoaded: (event) => {
      const time = getTime(event);
      return (timesByOrigin.get(getOrigin(event)) ?? []).some((load) => Math.abs(load - time) <= NEAR_MS);
    },
    isConfirmed: (event) => {
      const time = getTime(event);
      return compromiseTimes.some((compromise) => compromise >= time && compromise - time <= NEAR_MS);
    },
    rapidIds: findRapid(events.filter(isClick)),
  };
}

/**
 * Reports whether an event is a click: a visit with a trace. A report from the landing page is not a click, and an
 * untraced visit might be a second record of the same click.
 */
function isClick({ type, evidence }: SeenEvent): boolean {
  if (type !== 'visited' || evidence.script !== undefined || evidence.input) return false;
  return evidence.address !== undefined || evidence.userAgent !== undefined;
}

function findRapid(clicks: readonly SeenEvent[]): Set<string> {
  const ordered = clicks.toSorted((a, b) => (a.occurredAt < b.occurredAt ? -1 : 1));
  const eventIds = new Set<string>();
  for (let index = MAX_RAPID; index < ordered.length; index++) {
    if (getTime(ordered[index]!) - getTime(ordered[index - MAX_RAPID]!) > RAPID_MS) continue;
    for (const { eventId } of ordered.slice(index - MAX_RAPID, index + 1)) eventIds.add(eventId);
  }
  return eventIds;
}

function getOrigin({ evidence }: SeenEvent): string {
  return JSON.stringify([evidence.address, evidence.userAgent]);
}

function getTime({ occurredAt }: SeenEvent): number {
  return Date.parse(occurredAt);
}
