import {
  crowdSignals,
  isLoad,
  judge,
  type SeenEvent,
  type Signal,
  type Surroundings,
} from '../../src/resources/simulations/events/interaction-rules.ts';
import { gatherCompanions } from '../../src/resources/simulations/events/recipient-signs.ts';

const SENT = '2026-05-04T08:00:00.000Z';
const after = (seconds: number): string => new Date(Date.parse(SENT) + seconds * 1000).toISOString();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const place = { address: '198.51.100.7', userAgent: CHROME };
const cloud = { ...place, address: '40.107.3.4' };
const IE8 = 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)';
const VISTA = CHROME.replace('Windows NT 10.0', 'Windows NT 6.0');

const seen = (seconds: number, evidence: SeenEvent['evidence'] = {}, more: Partial<SeenEvent> = {}): SeenEvent => {
  return { eventId: `e${seconds}`, learnerId: 'ada', type: 'visited', occurredAt: after(seconds), evidence, ...more };
};
const around = (more: Partial<Surroundings> = {}): Surroundings => {
  return { signals: new Set<Signal>(), sentAt: SENT, reportedAt: undefined, ...more };
};

// Recorded behaviours of gateways, robots and people, with the expected verdict and reasons.
const corpus: [string, SeenEvent, Surroundings, string, string[]][] = [
  ['a gateway that follows the link immediately', seen(1, place), around(), 'automated', ['seconds_after_delivery']],
  [
    'a gateway that sends a HEAD request first',
    seen(30, { ...place, method: 'HEAD' }),
    around(),
    'automated',
    ['head_request'],
  ],
  ['a self-identified script', seen(300, { userAgent: 'python-requests/2.32' }), around(), 'automated', ['robot']],
  [
    'a headless browser that loads everything without input',
    seen(300, { ...place, userAgent: CHROME.replace('Chrome', 'HeadlessChrome') }),
    around(),
    'automated',
    ['robot'],
  ],
  [
    'a scanner that visits for many recipients',
    seen(300, place),
    around({ signals: new Set(['many_recipients']) }),
    'automated',
    ['many_recipients'],
  ],
  ['a follower of the hidden link', seen(300, { ...place, hiddenLink: true }), around(), 'automated', ['hidden_link']],
  [
    'the mail team that checks a reported message',
    seen(700, place),
    around({ reportedAt: after(400) }),
    'automated',
    ['after_own_report'],
  ],
  ['a person who clicks within seconds', seen(3, { ...place, input: true }), around(), 'human', ['input']],
  [
    'a person who clicks while many recipients do',
    seen(90, { ...place, input: true }),
    around({ signals: new Set(['many_recipients']) }),
    'human',
    ['input'],
  ],
  ['a person who reads first', seen(95, place), around(), 'human', ['unhurried']],
  [
    'a person who returns long after their report',
    seen(4000, place),
    around({ reportedAt: after(400) }),
    'human',
    ['unhurried'],
  ],
  [
    'a colleague who opens a forwarded copy with the link of the recipient',
    seen(7200, { ...place, address: '203.0.113.9' }),
    around(),
    'human',
    ['unhurried'],
  ],
  [
    'a browser that prefetches the page, according to the sender',
    seen(300, { ...place, verdict: 'automated' }),
    around(),
    'unsure',
    [],
  ],
  [
    "a person with pointer input, regardless of the sender's verdict",
    seen(300, { ...place, input: true, verdict: 'automated' }),
    around(),
    'human',
    ['input'],
  ],
  ['a click half a minute after delivery', seen(30, place), around(), 'unsure', ['soon_after_delivery']],
  [
    'data submitted within half a minute after delivery',
    seen(30, place, { type: 'compromised' }),
    around(),
    'unsure',
    [],
  ],
  ['a click from the cloud, soon after delivery', seen(90, cloud), around(), 'unsure', ['cloud_address']],
  ['a click from the cloud, hours after delivery', seen(7200, cloud), around(), 'human', ['unhurried']],
  [
    'a click that comes with the report of the message',
    seen(300, place),
    around({ reportedAt: after(360) }),
    'unsure',
    ['before_own_report'],
  ],
  ['a click long before the report', seen(300, place), around({ reportedAt: after(900) }), 'human', ['unhurried']],
  ['a ticket system', seen(600, { ...place, userAgent: 'Zendesk/External-Content' }), around(), 'automated', ['robot']],
  [
    'Internet Explorer 8 on Windows XP',
    seen(600, { ...place, userAgent: IE8 }),
    around(),
    'automated',
    ['dead_browser'],
  ],
  ['Chrome on Windows Vista', seen(600, { ...place, userAgent: VISTA }), around(), 'automated', ['dead_browser']],
  [
    'a mail client that opens a message',
    seen(600, { userAgent: 'Microsoft Office/16.0 (Microsoft Outlook 16.0.12345; Pro)' }, { type: 'opened' }),
    around(),
    'unsure',
    [],
  ],
  [
    "the company's scanner",
    seen(600, place),
    around({ isScanner: (address) => address === place.address }),
    'automated',
    ['scanner_network'],
  ],
  [
    "a person behind the scanner's address",
    seen(600, { ...place, input: true }),
    around({ isScanner: () => true }),
    'human',
    ['input'],
  ],
  ['a bare request for our page', seen(600, place), around({ isOwnPage: true }), 'unsure', ['page_not_loaded']],
  [
    'a page whose style sheet was not loaded',
    seen(600, { ...place, script: true, styleSheet: false }),
    around({ isOwnPage: true }),
    'unsure',
    ['page_not_loaded'],
  ],
  [
    'a fully loaded page',
    seen(600, { ...place, script: true, styleSheet: true }),
    around({ isOwnPage: true }),
    'human',
    ['unhurried'],
  ],
  [
    'a page of another system whose script did not run',
    seen(600, { ...place, script: false }),
    around(),
    'unsure',
    ['page_not_loaded'],
  ],
  [
    'a withdrawn event',
    seen(600, { ...place, input: true }),
    around({ signals: new Set(['withdrawn']) }),
    'unsure',
    ['withdrawn'],
  ],
  ['a click without any evidence', seen(1), around(), 'unsure', []],
  [
    'a click on a message without a known time of sending',
    seen(300, place),
    around({ sentAt: undefined }),
    'unsure',
    [],
  ],
  [
    'an image that a mail proxy loads',
    seen(2, place, { type: 'opened' }),
    around(),
    'automated',
    ['seconds_after_delivery'],
  ],
  ['an opening, which never proves a person', seen(600, place, { type: 'opened' }), around(), 'unsure', []],
  ['a report, which has no verdict', seen(1, place, { type: 'reported' }), around(), 'unsure', []],
];

test.each(corpus)('%s', (_case, event, surroundings, verdict, reasons) => {
  expect(judge(event, surroundings)).toEqual({ verdict, reasons });
});

describe('events of the same recipient', () => {
  const load = seen(605, { ...place, script: true, styleSheet: true });
  const given = seen(40, place, { type: 'compromised' });
  const withCompanions = (event: SeenEvent, others: SeenEvent[], more: Partial<Surroundings> = {}) => {
    const loads = others.filter(isLoad);
    const compromises = others.filter(({ type }) => type === 'compromised');
    return judge(event, around({ companions: gatherCompanions([event, ...others], { loads, compromises }), ...more }));
  };

  test.each<[string, SeenEvent, SeenEvent[], string, string[]]>([
    ['a request whose page the same browser loads', seen(600, place), [load], 'human', ['unhurried']],
    [
      'a request from another address than the page load',
      seen(600, { ...place, address: '203.0.113.9' }),
      [load],
      'unsure',
      ['page_not_loaded'],
    ],
    [
      'a request hours before the page load',
      seen(600, place),
      [{ ...load, occurredAt: after(1206) }],
      'unsure',
      ['page_not_loaded'],
    ],
  ])('%s', (_case, event, others, verdict, reasons) => {
    expect(withCompanions(event, others, { isOwnPage: true })).toEqual({ verdict, reasons });
  });

  test("a hurried click before submitted data counts as a person's", () => {
    expect(withCompanions(seen(30, place), [given])).toEqual({ verdict: 'unsure', reasons: [] });
    expect(withCompanions(seen(41, place), [given]).reasons).toEqual(['soon_after_delivery']);
  });

  test('four clicks in three seconds are automated, three are not', () => {
    const clicks = [600, 601, 602, 603].map((seconds) => seen(seconds, place));
    expect(withCompanions(clicks[0]!, clicks.slice(1))).toEqual({ verdict: 'automated', reasons: ['many_clicks'] });
    expect(withCompanions(clicks[0]!, clicks.slice(1, 3)).verdict).toBe('human');
  });
});

describe('crowdSignals', () => {
  const touch = (learnerId: string, seconds: number, evidence: SeenEvent['evidence'] = place): SeenEvent => {
    return { ...seen(seconds, evidence), eventId: `${learnerId}-${seconds}`, learnerId };
  };
  const signalled = (...events: SeenEvent[]) =>
    Object.fromEntries([...crowdSignals(events)].map(([id, signals]) => [id, [...signals].toSorted()]));

  test('flags three recipients touched by one address within ten seconds', () => {
    const burst = [touch('ada', 0), touch('eve', 5), touch('bob', 10)];
    expect(signalled(...burst)).toEqual({
      'ada-0': ['many_recipients'],
      'eve-5': ['many_recipients'],
      'bob-10': ['many_recipients'],
    });
  });

  test.each([
    ['two recipients', [touch('ada', 0), touch('eve', 1), touch('ada', 2)]],
    ['three recipients within eleven seconds', [touch('ada', 0), touch('eve', 5), touch('bob', 11)]],
    [
      'three recipients with different browsers, as in an office',
      [touch('ada', 0), touch('eve', 1, { ...place, userAgent: 'A' }), touch('bob', 2, { ...place, userAgent: 'B' })],
    ],
  ])('flags nothing for %s', (_case, events) => {
    expect(signalled(...events)).toEqual({});
  });

  test('flags ten thousand simultaneous events', () => {
    const crowd = Array.from({ length: 10_000 }, (_, index) => ({
      ...touch(`learner-${index}`, 0, { ...place, hiddenLink: true }),
    }));
    expect(crowdSignals(crowd).size).toBe(10_000);
  });

  test('flags events within ten minutes of a hidden link visit from the same address', () => {
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
