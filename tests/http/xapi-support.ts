import { post, type Sent } from '../support/client.ts';
import { sourceId, sourceSecret } from '../support/world-sources.ts';
import type { CompanyName } from '../support/world.ts';

export interface XapiResponse {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

export const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** Returns the headers that a company's learning system sends with each request. */
export function headersOf(company: CompanyName): Record<string, string> {
  return {
    authorization: basic(sourceId(company, 'xapi'), sourceSecret(company, 'xapi')),
    'content-type': 'application/json',
    'x-experience-api-version': '1.0.3',
  };
}

/** Sends a request to xAPI unchanged. */
export async function ask(method: string, path: string, { headers = {}, body }: Sent = {}): Promise<XapiResponse> {
  const given = body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) };
  const answer = await fetch(`${testService.url}/xapi${path}`, { method, headers, ...given });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
}

export const postStatements = (body: unknown, company: CompanyName = 'tenant') =>
  ask('POST', '/statements', { headers: headersOf(company), body: JSON.stringify(body) });

export const putStatement = (id: string, body: unknown) =>
  ask('PUT', `/statements?statementId=${id}`, { headers: headersOf('tenant'), body: JSON.stringify(body) });

/** Creates a course of the tenant that its learning system runs, and returns its id. */
export async function makeCourse(externalId: string): Promise<string> {
  const course = { externalId, name: 'lms', subject: 'Phishing', difficulty: 1, passMark: 80, locales: ['en'] };
  const { body } = await post('/courses', course);
  return body.data.id as string;
}
