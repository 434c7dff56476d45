import {
  crowdSignals,
  judge,
  type SeenEvent,
  type Signal,
  type Surroundings,
} from '../../src/resources/simulations/interaction-rules.ts';

const SENT = '2026-05-04T08:00:00.000Z';
const after = (seconds: number): string => new Date(Date.parse(SENT) + seconds * 1000).toISOString();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const place = { address: '198.51.100.7', userAgent: CHROME };

const seen = (seconds: number, evidence: SeenEvent['evidence'] = {}, more: Partial<SeenEvent> = {}): SeenEvent => {
  return { eventId: `e${seconds}`, learnerId: 'ada', type: 'visited', occurredAt: after(seconds), evidence, ...more };
};
const around = (more: Partial<Surroundings> = {}): Surroundings => {
  return { signals: new Set<Signal>(), sentAt: SENT, reportedAt: undefined, ...more };
};

// Recorded behaviours of gateways, of robots and of people, and what each is taken for.
const corpus: [string, SeenEvent, Surroundings, string, string[]][] = [
  ['a gateway that follows the link at once', seen(1, place), around(), 'automated', ['seconds_after_delivery']],
  [
    'a gateway that asks for the head first',
    seen(30, { ...place, method: 'HEAD' }),
    around(),
    'automated',
    ['head_request'],
  ],
  ['a script that says what it is', seen(300, { userAgent: 'python-requests/2.32' }), around(), 'automated', ['robot']],
  [
    'a headless browser that loads everything and touches nothing',
    seen(300, { ...place, userAgent: CHROME.replace('Chrome', 'HeadlessChrome') }),
    around(),
    'automated',
    ['robot'],
  ],
  [
    'a scanner in a crowd',
    seen(300, place),
    around({ signals: new Set(['many_recipients']) }),
    'automated',
    ['many_recipients'],
  ],
  ['a follower of the hidden link', seen(300, { ...place, hiddenLink: true }), around(), 'automated', ['hidden_link']],
  [
    'the mail team that looks at what was reported',
    seen(700, place),
    around({ reportedAt: after(400) }),
    'automated',
    ['after_own_report'],
  ],
  ['a person with a fast thumb', seen(3, { ...place, input: true }), around(), 'human', ['input']],
  [
    'a person who clicks in a crowd',
    seen(90, { ...place, input: true }),
    around({ signals: new Set(['many_recipients']) }),
    'human',
    ['input'],
  ],
  ['a person who reads first', seen(95, place), around(), 'human', ['unhurried']],
  [
    'a person who looks again long after the report',
    seen(4000, place),
    around({ reportedAt: after(400) }),
    'human',
    ['unhurried'],
  ],
  [
    'a colleague who opens a forwarded copy, whose link is that of the recipient',
    seen(7200, { ...place, address: '203.0.113.9' }),
    around(),
    'human',
    ['unhurried'],
  ],
  [
    'a browser that loads the page ahead, by the word of the sender',
    seen(300, { ...place, verdict: 'automated' }),
    around(),
    'unsure',
    [],
  ],
  [
    'a person with a pointer, whatever the sender says',
    seen(300, { ...place, input: true, verdict: 'automated' }),
    around(),
    'human',
    ['input'],
  ],
  ['a click half a minute after delivery', seen(30, place), around(), 'unsure', []],
  ['a click of which nothing is known', seen(1), around(), 'unsure', []],
  [
    'a click on a message that was never said to be sent',
    seen(300, place),
    around({ sentAt: undefined }),
    'unsure',
    [],
  ],
  [
    'a picture that a proxy loads',
    seen(2, place, { type: 'opened' }),
    around(),
    'automated',
    ['seconds_after_delivery'],
  ],
  ['an opening, which is never evidence of a person', seen(600, place, { type: 'opened' }), around(), 'unsure', []],
  ['a report, which is nothing to judge', seen(1, place, { type: 'reported' }), around(), 'unsure', []],
];

test.each(corpus)('%s', (_case, event, surroundings, verdict, reasons) => {
  expect(judge(event, surroundings)).toEqual({ verdict, reasons });
});

describe('events of one address tell on each other', () => {
  const touch = (learnerId: string, seconds: number, evidence: SeenEvent['evidence'] = place): SeenEvent => {
    return { ...seen(seconds, evidence), eventId: `${learnerId}-${seconds}`, learnerId };
  };
  const signalled = (...events: SeenEvent[]) =>
    Object.fromEntries([...crowdSignals(events)].map(([id, signals]) => [id, [...signals].toSorted()]));

  test('when they touch three recipients within ten seconds', () => {
    const burst = [touch('ada', 0), touch('eve', 5), touch('bob', 10)];
    expect(signalled(...burst)).toEqual({
      'ada-0': ['many_recipients'],
      'eve-5': ['many_recipients'],
      'bob-10': ['many_recipients'],
    });
  });

  test.each([
    ['two recipients', [touch('ada', 0), touch('eve', 1), touch('ada', 2)]],
    ['three within eleven seconds', [touch('ada', 0), touch('eve', 5), touch('bob', 11)]],
    [
      'three with different browsers, as in an office',
      [touch('ada', 0), touch('eve', 1, { ...place, userAgent: 'A' }), touch('bob', 2, { ...place, userAgent: 'B' })],
    ],
  ])('not when there are %s', (_case, events) => {
    expect(signalled(...events)).toEqual({});
  });

  test('ten thousand at the same moment are all noticed', () => {
    const crowd = Array.from({ length: 10_000 }, (_, index) => ({
      ...touch(`learner-${index}`, 0, { ...place, hiddenLink: true }),
    }));
    expect(crowdSignals(crowd).size).toBe(10_000);
  });

  test('when one follows the hidden link, for ten minutes before and after', () => {
    const events = [
      touch('ada', 0),
      touch('eve', 600, { ...place, hiddenLink: true }),
      touch('bob', 1200),
      touch('joe', 1201),
    ];
    expect(signalled(...events)).toEqual({
      'ada-0': ['hidden_link'],
      'eve-600': ['hidden_link'],
      'bob-1200': ['hidden_link'],
    });
  });
});
