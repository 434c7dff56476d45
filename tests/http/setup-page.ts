/** The response of a setup link. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
}

/** Requests `/setup/{token}` and expects the safety headers of a page with a secret in its URL. */
export async function visit(token: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(`${testService.url}/setup/${token}`, { redirect: 'manual', ...init });
  const page = { status: response.status, headers: response.headers, html: await response.text() };
  expectSafePage(page, init.method ?? 'GET');
  return page;
}

/** Submits the form as a browser does under `Referrer-Policy: no-referrer`. */
export function submit(token: string, fields: Record<string, string> | string, headers = {}): Promise<Page> {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return visit(token, { method: 'POST', body, headers: { ...type, origin: 'null', ...headers } });
}

function expectSafePage({ status, headers, html }: Page, method: string): void {
  expect(status).not.toBe(500);
  if (status !== 405) expect(headers.get('content-type')?.toLowerCase()).toBe('text/html; charset=utf-8');
  const policy = directives(headers.get('content-security-policy'));
  expect(policy).toMatchObject({ 'default-src': "'none'", 'frame-ancestors': "'none'" });
  if (status !== 405) expect(policy['form-action']).toBe("'self'");
  expect(policy).not.toHaveProperty('script-src');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('set-cookie')).toBeNull();
  expect(headers.get('location')).toBeNull();
  if (method === 'HEAD' || status === 405) return;
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toMatch(/<html lang="(en|de|fr)/);
  expect(html).toMatch(/<title>[^<]+<\/title>/);
  expect(html).not.toMatch(/<script|<img|<iframe|<[^>]+\son\w+=|javascript:/i);
  expect(html).not.toMatch(/(src|href|action)="(https?:)?\/\//i);
}

function directives(policy: string | null): Record<string, string> {
  const parts = (policy ?? '').split(';').map((part) => part.trim().split(/\s+/));
  return Object.fromEntries(parts.map(([name, ...values]) => [name, values.join(' ')]));
}

/** Returns the unescaped value of a form input. */
export function valueOf(field: string, { html }: Page): string {
  const tag = inputOf(field, html);
  expect(tag).toBeDefined();
  return unescape(/\bvalue="([^"]*)"/.exec(tag!)?.[1] ?? '');
}

/** Returns the whole input tag; a value can contain `>`. */
function inputOf(field: string, html: string): string | undefined {
  return html.match(/<input\b(?:"[^"]*"|[^">])*>/g)?.find((tag) => tag.includes(` name="${field}"`));
}

/** Returns the text of an input's label. */
export function labelOf(field: string, { html }: Page): string {
  const id = /\bid="([^"]+)"/.exec(inputOf(field, html) ?? '')?.[1] ?? field;
  const label = new RegExp(`<label\\b[^>]*\\bfor="${id}"[^>]*>([^<]+)`).exec(html)?.[1];
  expect(label).toBeDefined();
  return label!.trim();
}

/** Returns the inputs marked as invalid, after checking that each has an error sentence. */
export function fieldsAtFault({ html }: Page): string[] {
  const marked = (html.match(/<input\b(?:"[^"]*"|[^">])*>/g) ?? []).filter((tag) =>
    tag.includes('aria-invalid="true"'),
  );
  return marked.map((tag) => {
    const id = /\baria-describedby="([^"]+)"/.exec(tag)?.[1];
    expect(html).toMatch(new RegExp(`<p\\b[^>]*\\bid="${id}"[^>]*>[^<]+\\.</p>`));
    return /\bname="([^"]+)"/.exec(tag)![1]!;
  });
}

/** Returns the text of the page without its tags. */
export function textOf({ html }: Page): string {
  return unescape(html.replace(/<(title|style)\b.*?<\/\1>/gs, '').replace(/<(?:"[^"]*"|[^">])*>/g, ' '));
}

export function hasForm({ html }: Page): boolean {
  return /<form\b[^>]*\bmethod="post"/i.test(html);
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescape(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_entity, hex: string, decimal: string, name: string) => {
    if (name) return ENTITIES[name] ?? _entity;
    return String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal));
  });
}
