import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import {
  attribute,
  audiences,
  buildResponse,
  createSamlKey,
  element,
  encode,
  NAMESPACES,
  type ResponseForm,
  type SamlKey,
} from './saml-provider.ts';

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** A person of the SAML server. */
export interface SamlPerson {
  nameId: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  groups?: readonly string[];
}

/** The form that the provider makes the browser send. */
export interface SamlForm {
  SAMLResponse: string;
  RelayState: string;
}

/** A SAML provider on this machine, which serves its metadata and signs in one person. */
export class SamlServer {
  entityId = 'https://idp.example.org/saml/metadata';
  person: SamlPerson = { nameId: 'grace' };
  /** The keys in the metadata. The first one signs. */
  keys: SamlKey[] = [];
  /** Whether the server responds. */
  isOn = true;
  /** The bindings of the single logout service. */
  logoutBindings: string[] = [BINDING];
  /** Runs before the server sends its metadata. */
  beforeMetadata: () => Promise<void> = () => Promise.resolve();
  #server: Server | undefined;

  async start(): Promise<void> {
    this.keys = [await createSamlKey()];
    this.#server = createServer((req, res) => {
      if (!this.isOn) res.writeHead(503).end();
      else if (req.url!.startsWith('/sign-in?')) this.#sendForm(res, new URL(req.url!, this.url).href);
      else void this.#sendMetadata(res);
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }

  get logoutUrl(): string {
    return `${this.url.replace('127.0.0.1', 'localhost')}/sign-out`;
  }

  get metadata(): string {
    const keys = this.keys.map(({ certificate }) => {
      const data = element('X509Data', {}, element('X509Certificate', {}, certificate));
      return element('KeyDescriptor', { use: 'signing' }, element('KeyInfo', { xmlns: NAMESPACES.ds }, data));
    });
    const service = element('SingleSignOnService', {
      Binding: BINDING,
      Location: `${this.url.replace('127.0.0.1', 'localhost')}/sign-in`,
    });
    const logouts = this.logoutBindings.map((binding) => {
      return element('SingleLogoutService', { Binding: binding, Location: this.logoutUrl });
    });
    const role = element(
      ...(['IDPSSODescriptor', { protocolSupportEnumeration: NAMESPACES.samlp }] as const),
      ...[...keys, ...logouts, service],
    );
    return element(
      'EntityDescriptor',
      { xmlns: 'urn:oasis:names:tc:SAML:2.0:metadata', entityID: this.entityId },
      role,
    );
  }

  async #sendMetadata(res: ServerResponse): Promise<void> {
    await this.beforeMetadata();
    res.setHeader('Content-Type', 'application/samlmetadata+xml').end(this.metadata);
  }

  /** Sends a page of another site, which makes the browser send the response. */
  #sendForm(res: ServerResponse, location: string): void {
    const form = this.respond(location);
    const fields = Object.entries(form).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
    const { callbackUrl } = readRequest(location);
    res.setHeader('Content-Type', 'text/html');
    res.end(`<!doctype html><form method="post" action="${callbackUrl}">${fields.join('')}</form>
      <script>document.forms[0].submit()</script>`);
  }

  /**
   * Responds to a request.
   * @param location the URL to which the service has sent the browser @param form what differs from a good response
   */
  respond(location: string, form: ResponseForm = {}): SamlForm {
    const { id, callbackUrl, service, relayState } = readRequest(location);
    const time = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const { nameId, email, firstName, lastName, groups = [] } = this.person;
    const attributes = [
      ...(email ? [attribute(`${CLAIMS}/emailaddress`, email)] : []),
      ...(firstName ? [attribute(`${CLAIMS}/givenname`, firstName)] : []),
      ...(lastName ? [attribute(`${CLAIMS}/surname`, lastName)] : []),
      ...(groups.length > 0
        ? [attribute('http://schemas.microsoft.com/ws/2008/06/identity/claims/groups', ...groups)]
        : []),
    ];
    const xml = buildResponse(this.keys[0]!, {
      response: { Destination: callbackUrl, InResponseTo: id, IssueInstant: time(-1) },
      assertion: { ID: `_${crypto.randomUUID()}`, IssueInstant: time(-1) },
      confirmation: { InResponseTo: id, Recipient: callbackUrl, NotOnOrAfter: time(300) },
      conditions: { NotBefore: time(-60), NotOnOrAfter: time(300) },
      authn: { AuthnInstant: time(-10), SessionIndex: '_session1' },
      restrictions: audiences(service),
      ...{ nameId, nameIdAttributes: { Format: PERSISTENT }, attributes: attributes.join('') || ' ' },
      ...form,
    });
    return { SAMLResponse: encode(xml), RelayState: relayState };
  }
}

/** Reads the request in a URL to which the service has sent the browser. */
function readRequest(location: string): { id: string; callbackUrl: string; service: string; relayState: string } {
  const { searchParams } = new URL(location);
  const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest')!, 'base64')).toString();
  const read = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(request)![1]!;
  return {
    ...{ id: read('ID'), callbackUrl: read('AssertionConsumerServiceURL') },
    service: /<saml:Issuer>(.*)<\/saml:Issuer>/.exec(request)![1]!,
    relayState: searchParams.get('RelayState')!,
  };
}
