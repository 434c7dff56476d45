import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { type CompanyName, companies, learnerId } from './world.ts';

/** Response to a page request. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
}

/** Stores a sign-in link for a learner and returns its secret. */
export async function makeLink(company: CompanyName, number: 1 | 2 | 3 | 4 | 5, validFor = '1 day'): Promise<string> {
  const token = createPersonToken(companies[company]);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, learner_id, expires_at) values ($1, $2, $3, now() + $4::interval)`,
    [companies[company], hashPersonToken(token), learnerId(company, number), validFor],
  );
  return token;
}

/** Requests a page as a browser does from a page of the same origin. Follows no redirect. */
export async function askPage(
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Page> {
  const headers = { 'sec-fetch-site': 'same-origin', ...init.headers };
  const response = await fetch(`${testService.url}${path}`, { redirect: 'manual', ...init, headers });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

/** A signed-in learner. */
export class Learner {
  readonly cookie: string;

  constructor(cookie: string) {
    this.cookie = cookie;
  }

  /** Signs in with the secret of a sign-in link. */
  static async by(token: string): Promise<Learner> {
    const page = await askPage(`/learn/sign-in/${token}`, { method: 'POST' });
    expect({ status: page.status, location: page.headers.get('location') }).toEqual({
      status: 303,
      location: '/learn',
    });
    return new Learner(page.headers.get('set-cookie')!.split(';')[0]!);
  }

  static async of(company: CompanyName, number: 1 | 2 | 3 | 4 | 5): Promise<Learner> {
    return Learner.by(await makeLink(company, number));
  }

  /** Reports whether the session is valid. Without a valid session, the page shows the form for an email address. */
  async isIn(): Promise<boolean> {
    return !(await this.get('/learn')).html.includes('name="email"');
  }

  get(path: string): Promise<Page> {
    return askPage(path, { headers: { cookie: this.cookie } });
  }

  /** Submits a form, with the form token of the learner's start page. */
  async post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<Page> {
    const { html } = await this.get('/learn');
    const form_token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const body = new URLSearchParams({ form_token, ...fields });
    return askPage(path, { method: 'POST', body, headers: { cookie: this.cookie, ...headers } });
  }
}
