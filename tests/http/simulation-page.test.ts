/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcels.example", "TRUSTED_PROXY_HOPS": "1", "AUTH_FAILURES_PER_MINUTE": "5"} */
import { createPersonToken } from '../../src/identity/person-token.ts';
import { patch } from '../support/client.ts';
import { askPage, type Page } from '../support/learner.ts';
import {
  CHROME,
  forgetSimulations,
  type MailedSimulation,
  makeMailedSimulation,
  nonceIn,
  recorded,
  recordInteraction,
} from '../support/own-simulations.ts';
import { companies, learnerId } from '../support/world.ts';

let simulation: MailedSimulation;
let link: string;
beforeEach(async () => {
  simulation = await makeMailedSimulation([1, 2]);
  link = simulation.linkOf(1);
});
afterEach(async () => {
  await forgetSimulations();
  await testService.query(`update companies set name = 'The tenant company' where id = $1`, [companies.tenant]);
});

type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };
let visitors = 0;
/** Requests a path from a new IP address each time, so that failures do not add up. */
const ask = (path: string, init: Asked = {}): Promise<Page> => {
  visitors += 1;
  const headers = {
    'user-agent': CHROME,
    'x-forwarded-for': `10.0.${visitors >> 8}.${visitors & 255}`,
    ...init.headers,
  };
  return askPage(path, { ...init, headers });
};
const send = (path: string, nonce: string, headers: Record<string, string> = {}, body?: string) =>
  ask(path, { method: 'POST', headers: { 'x-form-token': nonce, ...headers }, ...(body !== undefined && { body }) });
const textOf = ({ html }: Page) => html.replace(/.*<main[^>]*>/s, '').replace(/<[^>]+>|\s+/g, ' ');

describe('the landing page of a simulation link', () => {
  test('reveals the simulation and the company first, then the cues, and links to training', async () => {
    const page = await ask(link);
    expect(page.status).toBe(200);
    expect(textOf(page)).toMatch(
      /^ *This was a phishing simulation by The tenant company .*A parcel for .*What gave it away .*The sender is &lt;b>nobody.*Look twice\. .*Then ask\./,
    );
    expect(page.html).toContain(`href="${testService.url}/learn"`);
  });

  test('shows how to report a message, if the company has set it', async () => {
    expect((await ask(link)).html).not.toContain('How you report a message');
    const reporting = {
      address: 'report@tenant.test',
      phone: '+44 20 7946 0158',
      instructions: 'Press <b>Report</b>.',
    };
    await patch('/company/settings', { reporting });
    const { html } = await ask(link);
    expect(html).toContain('How you report a message');
    for (const text of ['href="mailto:report%40tenant.test"', 'href="tel:+442079460158"', 'Press &lt;b>Report&lt;/b>.'])
      expect(html).toContain(text);
    await patch('/company/settings', { reporting: null });
  });

  test('shows the message as sent, with its cues marked and its links disabled', async () => {
    const marked = await makeMailedSimulation([3], {
      words: {
        subject: 'Hurry, {{firstName}}',
        html: '<h1>Hello <b>dear</b> {{lastName}}</h1><p><a href="{{link}}" style="color: #112233">Your parcel</a></p>',
        cues: [
          '“Hello dear” names nobody.',
          'The sender is unknown.',
          'Nobody orders parcels at work.',
          '“hurry” is a threat.',
        ],
      },
    });
    const [row] = await testService.query('select last_name from learners where id = $1', [learnerId('tenant', 3)]);
    const { html } = await ask(marked.linkOf(3));
    const mail = html.slice(html.indexOf('<article class="mail"'), html.indexOf('</article>'));
    expect(mail).toContain(
      '<mark id="mark-2" tabindex="-1">notice@parcel-desk.test<sup><a href="#cue-2" role="doc-noteref">2</a></sup></mark>',
    );
    expect(mail).toContain(
      '<mark id="mark-4" tabindex="-1">Hurry<sup><a href="#cue-4" role="doc-noteref">4</a></sup></mark>, ',
    );
    expect(mail).toContain(
      `<div class="heading"><mark id="mark-1" tabindex="-1">Hello </mark><b><mark>dear<sup><a href="#cue-1" role="doc-noteref">1</a></sup></mark></b>`,
    );
    expect(mail).toContain(String(row!.last_name));
    expect(mail).toContain('<span class="link" style="color: #112233">Your parcel</span>');
    expect(mail).not.toMatch(/href="(?!#cue-)|<img|\{\{/);
    expect(html).toMatch(
      /<li id="cue-3" tabindex="-1"><span class="hint">About the whole message:<\/span> Nobody orders/,
    );
  });

  test('is in the language of the message', async () => {
    const german = await makeMailedSimulation([3], { locale: 'de' });
    const page = await ask(german.linkOf(3), { headers: { 'accept-language': 'fr' } });
    expect(textOf(page)).toMatch(
      /^ *Das war eine Phishing-Simulation von The tenant company.*Den Absender gibt es nicht.*zweimal hin/,
    );
    expect(page.html).toContain('lang="de"');
  });

  test('shows a general lesson if its template was deleted', async () => {
    await testService.query('delete from simulation_templates');
    expect(textOf(await ask(link))).toMatch(/This was a phishing simulation.*Before you follow a link/);
  });

  test('has no form, no cookie and no inline script, and sends no referrer', async () => {
    const { headers, html } = await ask(link);
    expect(html).not.toMatch(/<(input|form|button|textarea|select)/);
    expect(html.match(/<script[^>]*>[^<]*/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/assets\/landing-[^"]+">$/),
    ]);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; " +
        "frame-ancestors 'none'; script-src 'self'; connect-src 'self'; style-src-attr 'unsafe-inline'",
    );
    expect(['referrer-policy', 'x-robots-tag', 'cache-control', 'set-cookie'].map((name) => headers.get(name))).toEqual(
      ['no-referrer', 'noindex', 'no-store', null],
    );
  });

  test('escapes HTML in names', async () => {
    await testService.query(`update companies set name = '<img src=x onerror=alert(1)>' where id = $1`, [
      companies.tenant,
    ]);
    expect((await ask(link)).html).not.toContain('<img');
  });
});

describe('an interaction', () => {
  test('is recorded before the response: opened, visited, used by a person', async () => {
    await recordInteraction(simulation, 'sent', 90, 1);
    const picture = await fetch(`${testService.url}${link}/picture.gif`);
    expect([picture.status, picture.headers.get('content-type'), (await picture.arrayBuffer()).byteLength]).toEqual([
      ...[200, 'image/gif', 43],
    ]);
    expect(await recorded(simulation)).toMatchObject([{ type: 'opened' }]);
    const nonce = nonceIn((await ask(link)).html);
    expect(await recorded(simulation)).toMatchObject([{}, { type: 'visited', evidence: { method: 'GET' } }]);
    expect((await send(`${link}/input`, nonce)).status).toBe(204);
    const [, , input] = await recorded(simulation);
    expect(input).toMatchObject({ type: 'visited', verdict: 'human', evidence: { input: true, method: 'POST' } });
  });

  test('repeated a hundred times concurrently is recorded as at most three events', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    await Promise.all(Array.from({ length: 100 }, () => ask(link, { headers })));
    expect((await recorded(simulation)).length).toBeLessThan(4);
  });

  test('from a new IP address each time is recorded at most a hundred times per recipient', async () => {
    await Promise.all(Array.from({ length: 130 }, () => ask(link)));
    expect(await recorded(simulation)).toHaveLength(100);
    await ask(simulation.linkOf(2));
    expect(await recorded(simulation)).toHaveLength(101);
  });

  test.each([
    ['that is cancelled', `status = 'cancelled'`, 0],
    [
      'that ended a month ago',
      `status = 'completed', start_date = now() - interval '40 days', end_date = now() - interval '31 days'`,
      0,
    ],
    ['that has just ended', `status = 'completed', end_date = now() - interval '1 hour'`, 3],
  ])('with a simulation %s shows the lesson, and is recorded until shortly after', async (_case, change, count) => {
    await testService.query(`update simulations set ${change} where id = $1`, [simulation.id]);
    const page = await ask(link);
    expect(textOf(page)).toContain('This was a phishing simulation');
    await send(`${link}/input`, nonceIn(page.html));
    await ask(`${link}/picture.gif`);
    expect(await recorded(simulation)).toHaveLength(count);
  });

  test('by a prefetching browser is not recorded', async () => {
    await ask(link, { headers: { 'sec-purpose': 'prefetch;prerender' } });
    expect(await recorded(simulation)).toEqual([]);
  });

  test('with an odd user agent is recorded within the contract', async () => {
    await ask(link, { headers: { 'user-agent': `é\t${'x'.repeat(1500)}` } });
    const [{ evidence }] = (await recorded(simulation)) as [{ evidence: { userAgent: string } }];
    expect(evidence.userAgent).toMatch(/^\?+x+$/);
    expect(evidence.userAgent).toHaveLength(1000);
  });
});

describe('rejected and unlogged requests', () => {
  const canary = 'hunter2-canary';

  test.each([
    ['without the form token', {}],
    ['with the form token of another link', { 'x-form-token': 'other' }],
    ['from another site', { 'x-form-token': 'own', 'sec-fetch-site': 'cross-site' }],
  ])('a POST %s returns 403', async (_case, headers: Record<string, string>) => {
    const [own, other] = [await ask(link), await ask(simulation.linkOf(2))].map(({ html }) => nonceIn(html));
    const token = { own, other }[headers['x-form-token'] ?? ''] ?? '';
    const answer = await send(`${link}/input`, token, { ...headers, 'x-form-token': token });
    expect(answer.status).toBe(403);
    expect((await recorded(simulation)).map(({ evidence }) => (evidence as { input?: boolean }).input)).not.toContain(
      true,
    );
  });

  test('the body of a POST is neither read nor stored', async () => {
    const nonce = nonceIn((await ask(link)).html);
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(`${link}/input`, nonce, type, `password=${canary}`)).status).toBe(204);
    expect(JSON.stringify(await recorded(simulation))).not.toContain(canary);
    expect(testService.log.join('')).not.toContain(canary);
  });

  test('no log contains a link', async () => {
    await ask(link);
    await ask(`/s/${'x'.repeat(64)}`);
    expect(testService.log.join('')).not.toContain(link.slice(3));
  });

  test('guessed, truncated, changed and foreign links get the same page and are rate-limited', async () => {
    const token = link.slice(3);
    const foreign = createPersonToken(companies.other).slice(0, 22) + token.slice(22);
    const guesses = [createPersonToken(companies.tenant), token.slice(1), `${token}A`, foreign, '%00'];
    const from = { headers: { 'x-forwarded-for': '192.0.2.66', 'accept-language': 'de' } };
    const pages = [];
    for (const guess of guesses) pages.push(await ask(`/s/${guess}`, from));
    expect(pages.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(pages.map(({ html }) => html)).size).toBe(1);
    expect(textOf(pages[0]!)).toMatch(/^ *Diese Seite gehört zu Phishing-Simulationen/);
    expect((await ask(`/s/${createPersonToken(companies.tenant)}/picture.gif`, from)).status).toBe(429);
    expect((await ask(link)).status).toBe(200);
  });

  test('other methods return 405', async () => {
    expect((await ask(link, { method: 'POST' })).status).toBe(405);
    expect((await ask(`${link}/input`)).status).toBe(405);
  });
});
