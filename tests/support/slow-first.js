import TestSequencer from '@jest/test-sequencer';

/** They wait for clocks and for processes of their own: begun last, one of them would run on alone. */
const SLOW = [
  'sdk/rate-limit',
  'resources/policies/hostile-pdfs',
  'mail/outage',
  'process/',
  'mail/',
  'http/streamed-objects',
];

/** How soon a file begins; the longest waits come first. */
function rankOf({ path }) {
  const rank = SLOW.findIndex((part) => path.includes(`/tests/${part}`));
  return rank === -1 ? SLOW.length : rank;
}

export default class SlowFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
