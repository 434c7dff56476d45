import fc from 'fast-check';
import {
  isTakenBack,
  type JudgedEvent,
  mergeMilestones,
  type Milestones,
  computeMilestones,
} from '../../src/resources/simulations/events/milestone-rules.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 4, 4, 8, minute)).toISOString();
const nothing: Milestones = {
  scheduled: null,
  sent: null,
  opened: null,
  visited: null,
  compromised: null,
  reported: null,
};
const event = (type: JudgedEvent['type'], minute: number, more: Partial<JudgedEvent> = {}): JudgedEvent => {
  return {
    eventId: `${type}-${minute}`,
    learnerId: 'ada',
    type,
    occurredAt: at(minute),
    evidence: {},
    verdict: 'unsure',
    ...more,
  };
};

test.each<[string, JudgedEvent[], Partial<Milestones>]>([
  ['the earliest event counts', [event('sent', 5), event('sent', 2)], { sent: at(2) }],
  [
    'a visit implies that the message was sent and opened',
    [event('visited', 5)],
    { sent: at(5), opened: at(5), visited: at(5) },
  ],
  ['a report does not imply an opening', [event('reported', 5)], { sent: at(5), reported: at(5) }],
  [
    'a visit after the compromise it led to is moved before it',
    [event('visited', 9), event('compromised', 5)],
    { sent: at(5), opened: at(5), visited: at(5), compromised: at(5) },
  ],
  ['an automated visit is ignored', [event('sent', 1), event('visited', 5, { verdict: 'automated' })], { sent: at(1) }],
  ['a doubtful visit makes no milestone', [event('visited', 5, { reasons: ['soon_after_delivery'] })], {}],
  [
    'a doubtful visit that its sender attributes to a person makes a milestone',
    [event('visited', 5, { reasons: ['soon_after_delivery'], evidence: { verdict: 'human' } })],
    { sent: at(5), opened: at(5), visited: at(5) },
  ],
  ['a withdrawn report makes no milestone', [event('reported', 5, { reasons: ['withdrawn'] })], {}],
  ["the sender's verdict counts if ours is unsure", [event('visited', 5, { evidence: { verdict: 'automated' } })], {}],
  [
    "our verdict outweighs the sender's",
    [event('opened', 5, { verdict: 'human', evidence: { verdict: 'automated' } })],
    { sent: at(5), opened: at(5) },
  ],
])('%s', (_case, events, expected) => {
  expect(computeMilestones(events)).toEqual({ ...nothing, ...expected });
});

test('milestones from other sources stay when later events are withdrawn', () => {
  const stored = { ...nothing, sent: at(1), opened: at(3), visited: at(7) };
  const before = computeMilestones([event('visited', 7)]);
  const merged = mergeMilestones(stored, before, nothing);
  expect(merged).toEqual({ ...nothing, sent: at(1), opened: at(3) });
  expect(isTakenBack(stored, merged)).toBe(true);
});

test('a milestone that moves earlier is not withdrawn, one that moves later is', () => {
  const [early, late] = [computeMilestones([event('visited', 3)]), computeMilestones([event('visited', 7)])];
  expect([isTakenBack(late, early), isTakenBack(early, late)]).toEqual([false, true]);
});

test('milestones are ordered in time and independent of the order of events', () => {
  const anyEvent = fc
    .record({
      type: fc.constantFrom('scheduled', 'sent', 'opened', 'visited', 'compromised', 'reported'),
      minute: fc.nat(59),
      verdict: fc.constantFrom('human', 'automated', 'unsure'),
    })
    .map(({ type, minute, verdict }) => event(type as 'sent', minute, { verdict: verdict as 'human' }));
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      const made = computeMilestones(events);
      expect(computeMilestones(events.toReversed())).toEqual(made);
      const reached = [made.sent, made.opened, made.visited, made.compromised];
      const times = reached.filter((time) => time !== null);
      expect(reached.slice(0, times.length)).toEqual(times);
      expect(times.toSorted()).toEqual(times);
    }),
  );
});
