import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../process/support.ts';
import { until } from '../support/until.ts';

const REALM = 'staff';
const ADMIN = 'admin-of-the-tests';
const START_MS = 240_000;
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const GROUPS = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';

/** The credentials of the client by which the service signs in with OpenID Connect. */
export const KEYCLOAK_CLIENT = { clientId: 'awareness', clientSecret: 'the-secret-of-the-client' };
export const PASSWORD = 'the-password-of-the-tests';

interface Client {
  id: string;
  attributes: Record<string, string>;
}

const toUser = (username: string, email: string, groups: string[]) => ({
  ...{ username, email, emailVerified: true, firstName: 'Mary', lastName: 'Jackson', enabled: true, groups },
  credentials: [{ type: 'password', value: PASSWORD, temporary: false }],
});

/** A Keycloak on this machine, with one realm and one admin of the company `tenant`. */
export class Keycloak {
  #process: ChildProcess | undefined;
  #port = 0;
  #output = '';
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  async start(): Promise<void> {
    this.#port = await freePort();
    const args = ['start-dev', '--db=dev-mem', '--http-host=127.0.0.1', `--http-port=${this.#port}`];
    const env = { ...process.env, KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN, KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN };
    this.#process = spawn('sh', [join(this.#home, 'bin/kc.sh'), ...args], {
      ...{ env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    for (const stream of [this.#process.stdout!, this.#process.stderr!])
      stream.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    await until(() => this.#output.includes('Listening on:'), START_MS);
    await this.#call('POST', '/admin/realms', {
      ...{ realm: REALM, enabled: true, groups: [{ name: 'Owners' }] },
      users: [toUser('mary', 'admin1@tenant.test', ['/Owners'])],
    });
  }

  async stop(): Promise<void> {
    const { pid, exitCode } = this.#process ?? {};
    if (pid === undefined || exitCode !== null) return;
    const ended = new Promise((resolve) => this.#process!.once('exit', resolve));
    process.kill(-pid, 'SIGKILL');
    await ended;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}/realms/${REALM}`;
  }

  get metadataUrl(): string {
    return `${this.issuer}/protocol/saml/descriptor`;
  }

  get signOutUrl(): string {
    return `${this.issuer}/protocol/openid-connect/logout`;
  }

  async addOidcClient(callbackUrl: string): Promise<void> {
    const { clientId, clientSecret: secret } = KEYCLOAK_CLIENT;
    const config = { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' };
    await this.#call('POST', `/admin/realms/${REALM}/clients`, {
      ...{ clientId, secret, protocol: 'openid-connect', redirectUris: [callbackUrl] },
      protocolMappers: [toMapper('groups', 'openid-connect', 'oidc-group-membership-mapper', config)],
      attributes: {
        'backchannel.logout.url': callbackUrl.replace('callback', 'backchannel-logout'),
        'backchannel.logout.session.required': 'true',
      },
    });
  }

  async addSamlClient(entityId: string, callbackUrl: string): Promise<void> {
    const email = { 'user.attribute': 'email', 'attribute.name': `${CLAIMS}/emailaddress` };
    const groups = { 'attribute.name': GROUPS, 'full.path': 'false', single: 'true' };
    await this.#call('POST', `/admin/realms/${REALM}/clients`, {
      ...{ clientId: entityId, protocol: 'saml', redirectUris: [callbackUrl], frontchannelLogout: true },
      protocolMappers: [
        toMapper('email', 'saml', 'saml-user-property-mapper', email),
        toMapper('groups', 'saml', 'saml-group-membership-mapper', groups),
      ],
      attributes: {
        ...{ saml_assertion_consumer_url_post: callbackUrl, 'saml.client.signature': 'false' },
        ...{ 'saml.assertion.signature': 'true', 'saml.server.signature': 'true' },
        ...{ 'saml.signature.algorithm': 'RSA_SHA256', 'saml.authnstatement': 'true' },
        ...{ saml_name_id_format: 'persistent', saml_force_name_id_format: 'true' },
        saml_single_logout_service_url_redirect: callbackUrl.replace('callback', 'logout'),
      },
    });
  }

  /** Lets Keycloak accept only requests of a SAML client that its key has signed. */
  async requireSignature(entityId: string, certificate: string): Promise<void> {
    await this.#setAttributes(entityId, { 'saml.client.signature': 'true', 'saml.signing.certificate': certificate });
  }

  /** Lets Keycloak accept requests of a SAML client without a signature. */
  async acceptUnsigned(entityId: string): Promise<void> {
    await this.#setAttributes(entityId, { 'saml.client.signature': 'false' });
  }

  async #setAttributes(entityId: string, attributes: Record<string, string>): Promise<void> {
    const query = new URLSearchParams({ clientId: entityId }).toString();
    const [client] = (await this.#call('GET', `/admin/realms/${REALM}/clients?${query}`)) as Client[];
    await this.#call('PUT', `/admin/realms/${REALM}/clients/${client!.id}`, {
      ...{ ...client, attributes: { ...client!.attributes, ...attributes } },
    });
  }

  /** Adds a key, which signs from now on. @param priority higher than those of earlier keys */
  async rotateKey(priority: number): Promise<void> {
    await this.#call('POST', `/admin/realms/${REALM}/components`, {
      ...{ name: `key-${priority}`, providerId: 'rsa-generated', providerType: 'org.keycloak.keys.KeyProvider' },
      config: { priority: [String(priority)], enabled: ['true'], active: ['true'] },
    });
  }

  async disable(username: string): Promise<void> {
    const users = (await this.#call('GET', `/admin/realms/${REALM}/users?username=${username}`)) as { id: string }[];
    await this.#call('PUT', `/admin/realms/${REALM}/users/${users[0]!.id}`, { enabled: false });
  }

  async #call(method: string, path: string, body?: object): Promise<unknown> {
    const base = `http://127.0.0.1:${this.#port}`;
    const form = { grant_type: 'password', client_id: 'admin-cli', username: ADMIN, password: ADMIN };
    const url = `${base}/realms/master/protocol/openid-connect/token`;
    const token = await fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await token.json()) as { access_token: string };
    const response = await fetch(base + path, {
      method,
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }
}

function toMapper(name: string, protocol: string, protocolMapper: string, config: object): object {
  return { name, protocol, protocolMapper, config };
}
