import { createPersonToken, hashPersonToken } from '../../src/identity/person-token.ts';
import { askPage, type Page } from './learner.ts';
import { adminId, type CompanyName, companies } from './world.ts';

/** Stores a sign-in link for an admin and returns its secret. */
export async function makeAdminLink(company: CompanyName, number: 1 | 2 = 1, validFor = '30 minutes'): Promise<string> {
  const token = createPersonToken(companies[company]);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, admin_id, expires_at) values ($1, $2, $3, now() + $4::interval)`,
    [companies[company], hashPersonToken(token), adminId(company, number), validFor],
  );
  return token;
}

type Fields = Record<string, string> | [string, string][];

/** A signed-in admin of the console. */
export class Admin {
  readonly cookie: string;

  constructor(cookie: string) {
    this.cookie = cookie;
  }

  /** Signs in with the secret of a sign-in link. */
  static async by(token: string): Promise<Admin> {
    const page = await askPage(`/console/sign-in/${token}`, { method: 'POST' });
    expect({ status: page.status, location: page.headers.get('location') }).toEqual({
      status: 303,
      location: '/console',
    });
    return new Admin(page.headers.get('set-cookie')!.split(';')[0]!);
  }

  static async of(company: CompanyName, number: 1 | 2 = 1): Promise<Admin> {
    return Admin.by(await makeAdminLink(company, number));
  }

  get(path: string): Promise<Page> {
    return askPage(path, { headers: { cookie: this.cookie } });
  }

  /** Submits a page's form to `to`, with the form's hidden fields. */
  async post(from: string, fields: Fields = {}, to = from): Promise<Page> {
    const hidden = hiddenOf((await this.get(from)).html);
    return this.send(to, [...Object.entries(hidden), ...(Array.isArray(fields) ? fields : Object.entries(fields))]);
  }

  /** Submits a page's form with a file, as a browser does; without a file if `file` is undefined. */
  async upload(
    path: string,
    fields: Record<string, string>,
    file?: { name: string; bytes: Buffer; type?: string },
  ): Promise<Page> {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...hiddenOf((await this.get(path)).html), ...fields }))
      body.append(name, value);
    if (file) body.append('file', new Blob([new Uint8Array(file.bytes)], { type: file.type ?? '' }), file.name);
    return this.sendForm(path, body);
  }

  /** Submits only this form, with the Content-Length that browsers send. */
  async sendForm(path: string, form: FormData): Promise<Page> {
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const body = Buffer.from(await request.arrayBuffer());
    const headers = { cookie: this.cookie, 'content-type': request.headers.get('content-type')! };
    return askPage(path, { method: 'POST', body, headers });
  }

  /** Submits only these fields. */
  send(path: string, fields: Fields, headers: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams(fields);
    return askPage(path, { method: 'POST', body, headers: { cookie: this.cookie, ...headers } });
  }
}

/** Returns the hidden fields of a page's own form, which is the last form in the page. */
export function hiddenOf(html: string): Record<string, string> {
  const last = html.slice(html.lastIndexOf('<form'));
  const found = [...last.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name, value]) => [name!, value!]));
}
