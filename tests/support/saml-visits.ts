import type { components } from '../../generated/api-types.ts';
import { Visitor } from './browser-visit.ts';
import { post } from './client.ts';
import { askPage, type Page } from './learner.ts';
import { buildLogoutRequest, type LogoutForm, type RedirectForm, signQuery } from './saml-logout.ts';
import type { ResponseForm } from './saml-provider.ts';
import type { SamlServer } from './saml-server.ts';
import { companies } from './world.ts';

type IdentityProvider = components['schemas']['IdentityProvider'];

/** The visits of people to a SAML provider of the company `tenant`, and to the service. */
export class SamlVisits {
  readonly server: SamlServer;
  readonly provider: IdentityProvider;

  private constructor(server: SamlServer, provider: IdentityProvider) {
    this.server = server;
    this.provider = provider;
  }

  /** Creates a provider with the metadata of a server, which everybody can use. */
  static async create(server: SamlServer): Promise<SamlVisits> {
    const created = await post('/identity-providers', { name: 'AD FS', protocol: 'saml', metadata: server.metadata });
    const provider = created.body.data as IdentityProvider;
    await testService.query(
      `update identity_providers set tested_at = now(), admins = 'optional', learners = 'optional' where id = $1`,
      [provider.id],
    );
    return new SamlVisits(server, provider);
  }

  path(place: string): string {
    return `/sso/${companies.tenant}/${this.provider.id}/${place}`;
  }

  /** Signs the person of the server in. @param form what differs from a good response */
  async signIn(form: ResponseForm = {}, place = 'learn'): Promise<Visitor> {
    const visitor = new Visitor();
    const location = (await visitor.get(this.path(place))).headers.get('location')!;
    const signedIn = await visitor.get(this.path('callback'), {
      ...{ method: 'POST', body: new URLSearchParams({ ...this.server.respond(location, form) }) },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(signedIn.status).toBe(303);
    return visitor;
  }

  /** Builds a request of the provider to sign out. */
  build(form: LogoutForm = {}): string {
    return buildLogoutRequest(testService.url + this.path('logout'), this.server.entityId, form);
  }

  /** Builds the query of a signed request. */
  sign(form: LogoutForm = {}, redirect: RedirectForm = {}): string {
    return signQuery(this.build(form), this.server.keys[0]!, redirect);
  }

  /** Visits the single logout service with a query. */
  open(query: string, visitor?: Visitor): Promise<Page> {
    const address = `${this.path('logout')}?${query}`;
    return visitor ? visitor.get(address) : askPage(address);
  }

  /** Sends a form to the single logout service, as another site makes a browser do. */
  send(fields: Record<string, string>): Promise<Page> {
    const body = new URLSearchParams(fields);
    return askPage(this.path('logout'), { method: 'POST', body, headers: { origin: 'https://idp.test' } });
  }
}

/** Reports whether a visitor is signed in. */
export async function isIn(visitor: Visitor, home = '/learn'): Promise<boolean> {
  return !(await visitor.get(home)).html.includes('name="email"');
}

/** Returns the reason on a page that says why a message was rejected. */
export function readReason({ html }: Page): string | undefined {
  return /<code>(\w+)<\/code>/.exec(html)?.[1];
}
