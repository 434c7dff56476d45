import { setTimeout as sleep } from 'node:timers/promises';

const LISTENS_WITHIN_MS = 10_000;

/** A minimal browser: keeps cookies by path and follows redirects within the service. */
class Browser {
  readonly #jar = new Map<string, { value: string; path: string }>();

  /** Requests a page and follows redirects on the same origin. Returns the page, or the external address. */
  async go(address: URL, form?: Record<string, string>): Promise<{ address: URL; html: string }> {
    const answer = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: this.#cookiesFor(address), ...(form && { origin: address.origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    this.#keep(answer.headers.getSetCookie());
    const location = answer.headers.get('location');
    if (location === null) return { address, html: await answer.text() };
    const next = new URL(location, address);
    return next.origin === address.origin ? this.go(next) : { address: next, html: '' };
  }

  #cookiesFor({ pathname }: URL): string {
    const sent = [...this.#jar].filter(([, { path }]) => pathname.startsWith(path));
    return sent.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [pair = '', ...attributes] = cookie.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice('path='.length) ?? '/';
      if (value) this.#jar.set(name, { value, path });
      else this.#jar.delete(name);
    }
  }
}

/** Approves an authorization that a program requests in its output, as soon as it appears. */
export class Approver {
  readonly #key: string;
  #approval: Promise<void> | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  /** @param output the program's output so far */
  watch(output: string): void {
    const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
    if (address === undefined || this.#approval) return;
    this.#approval = approve(address, this.#key);
    // `hasApproved` reports a failure.
    this.#approval.catch(() => undefined);
  }

  /** Reports whether there was an authorization to approve. Rejects if the approval failed. */
  async hasApproved(): Promise<boolean> {
    await this.#approval;
    return this.#approval !== undefined;
  }
}

/** Approves an authorization request with an API key, as a person does on the page, and redirects to the client. */
async function approve(authorizeUrl: string, key: string): Promise<void> {
  const browser = new Browser();
  let page = await browser.go(new URL(authorizeUrl));
  const forms: Record<string, string>[] = [{ action: 'check', key }, { action: 'approve' }];
  for (const fields of forms) {
    const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1];
    if (token === undefined) throw new Error(`There is no form at ${page.address.pathname}: ${page.html}`);
    page = await browser.go(page.address, { form_token: token, ...fields });
  }
  if (page.html !== '') throw new Error(`The approval does not lead back to the client: ${page.html}`);
  await reach(page.address);
}

/** Retries, because a program might print the URL before it listens for the redirect. */
async function reach(address: URL): Promise<void> {
  for (const deadline = Date.now() + LISTENS_WITHIN_MS; ; await sleep(100)) {
    try {
      await fetch(address);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
