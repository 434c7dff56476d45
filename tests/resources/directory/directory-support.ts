import { keyWith } from '../../support/scoped-keys.ts';
import { type CompanyName } from '../../support/world.ts';

export interface ScimResponse {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

export interface ScimRequest {
  body?: unknown;
  headers?: Record<string, string>;
  company?: CompanyName;
}

const keys = new Map<CompanyName, Promise<string>>();

/** Returns a key of the company with the scope `scim`. The first call creates it. */
export function directoryKey(company: CompanyName = 'tenant'): Promise<string> {
  const key = keys.get(company) ?? keyWith(company, ['scim']);
  keys.set(company, key);
  return key;
}

/** Sends a request as a directory does and validates the response against the SCIM contract. */
export async function ask(method: string, path: string, request: ScimRequest = {}): Promise<ScimResponse> {
  const { body, headers = {}, company = 'tenant' } = request;
  const response = await fetch(`${testService.url}/scim/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await directoryKey(company)}`,
      ...(body !== undefined && { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  const [place = ''] = path.split('?');
  const wrong = testService.checkResponse(method, `/scim/v2${place}`, response.status, type, text);
  expect(wrong).toBeUndefined();
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) };
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Returns a user as a directory creates it. */
export function newUser(name: string, others: object = {}): { userName: string } & Record<string, unknown> {
  return {
    schemas: [USER],
    userName: `${name}@tenant.test`,
    externalId: `dir-${name}`,
    name: { givenName: 'Mary', familyName: 'Somerville' },
    emails: [{ value: `${name}@tenant.test`, type: 'work', primary: true }],
    active: true,
    ...others,
  };
}

/** Creates a user and returns its id. */
export async function makeUser(name: string, others: object = {}): Promise<string> {
  const { status, body } = await ask('POST', '/Users', { body: newUser(name, others) });
  expect(status).toBe(201);
  return body.id as string;
}

export const patch = (path: string, ...Operations: object[]) =>
  ask('PATCH', path, { body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations } });

export const find = (what: 'Users' | 'Groups', filter: string) =>
  ask('GET', `/${what}?filter=${encodeURIComponent(filter)}`);

export const idsOf = ({ body }: ScimResponse) => body.Resources.map(({ id }: { id: string }) => id) as string[];

/** Expects a SCIM error with the given status and type. */
export function expectScimError({ status, body }: ScimResponse, wanted: number, scimType?: string): void {
  expect({ status, scimType: body.scimType }).toEqual({ status: wanted, scimType });
  expect(body.status).toBe(String(wanted));
}
