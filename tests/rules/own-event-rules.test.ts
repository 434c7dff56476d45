import { isPrefetch } from '../../src/pages/landing/prefetch.ts';
import { type Interaction, interactionEvent } from '../../src/resources/simulations/events/own-event-rules.ts';

const interaction: Interaction = {
  simulationId: 's',
  learnerId: 'l',
  recipientId: 'r',
  type: 'visited',
  address: '198.51.100.7',
  userAgent: 'Mozilla/5.0',
  signs: { method: 'GET' },
};
const NOW = '2026-05-04T08:00:00.000Z';
const idOf = (change: Partial<Interaction> = {}, time = NOW) =>
  interactionEvent({ ...interaction, ...change }, new Date(time)).eventId;

test('equal interactions within ten seconds share an event id', () => {
  expect(idOf({}, '2026-05-04T08:00:09.999Z')).toBe(idOf());
  expect(idOf({}, '2026-05-04T08:00:10.000Z')).not.toBe(idOf());
});

test.each<Partial<Interaction>>([
  { type: 'opened' },
  { recipientId: 'other' },
  { address: '198.51.100.8' },
  { userAgent: 'Other' },
  { userAgent: undefined },
  { signs: { method: 'HEAD' } },
  { signs: { method: 'GET', hiddenLink: true } },
])('a different interaction has another event id: %j', (change) => {
  expect(idOf(change)).not.toBe(idOf());
});

test.each([
  ['prefetch', true],
  ['prefetch;prerender', true],
  ['preview', true],
  ['navigation', false],
  [undefined, false],
])('the purpose %s counts as a prefetch: %s', (purpose, is) => {
  expect(isPrefetch(purpose)).toBe(is);
});
