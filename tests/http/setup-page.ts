/** What the page behind a setup link answered. */
export interface Page {
  status: number;
  headers: Headers;
  html: string;
}

/** Asks for `/setup/{token}`, and expects of every answer what a page with a secret in its address owes its reader. */
export async function visit(token: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(`${testService.url}/setup/${token}`, { redirect: 'manual', ...init });
  const page = { status: response.status, headers: response.headers, html: await response.text() };
  expectSafePage(page, init.method ?? 'GET');
  return page;
}

/** Sends the form as a browser does that follows `Referrer-Policy: no-referrer`. */
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

/** The value of an input of the form, as a browser reads it. */
export function valueOf(field: string, { html }: Page): string {
  const tag = inputOf(field, html);
  expect(tag).toBeDefined();
  return unescape(/\bvalue="([^"]*)"/.exec(tag!)?.[1] ?? '');
}

/** The whole tag. A value may hold `>`. */
function inputOf(field: string, html: string): string | undefined {
  return html.match(/<input\b(?:"[^"]*"|[^">])*>/g)?.find((tag) => tag.includes(` name="${field}"`));
}

/** The words that stand at an input. */
export function labelOf(field: string, { html }: Page): string {
  const id = /\bid="([^"]+)"/.exec(inputOf(field, html) ?? '')?.[1] ?? field;
  const label = new RegExp(`<label\\b[^>]*\\bfor="${id}"[^>]*>([^<]+)`).exec(html)?.[1];
  expect(label).toBeDefined();
  return label!.trim();
}

/** The inputs that are marked as wrong, each of which has a sentence that says why. */
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

/** The page without its tags. */
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
