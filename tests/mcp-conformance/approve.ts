/** A browser without a window: it keeps cookies by their paths and follows redirects within the service. */
class Browser {
  readonly #jar = new Map<string, { value: string; path: string }>();

  /** Asks, and follows what leads elsewhere on the same origin. Gives the page, or the address that leads away. */
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

/** Approves an authorization request with an API key, as a person does on the page, and tells the client. */
export async function approve(authorizeUrl: string, key: string): Promise<void> {
  const browser = new Browser();
  let page = await browser.go(new URL(authorizeUrl));
  const forms: Record<string, string>[] = [{ action: 'check', key }, { action: 'approve' }];
  for (const fields of forms) {
    const token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1];
    if (token === undefined) throw new Error(`There is no form at ${page.address.pathname}: ${page.html}`);
    page = await browser.go(page.address, { form_token: token, ...fields });
  }
  if (page.html !== '') throw new Error(`The approval does not lead back to the client: ${page.html}`);
  await fetch(page.address);
}
