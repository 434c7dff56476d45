import type { SealedSecrets } from '../../auth/sealed-secrets.ts';
import type { Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import { SamlFault } from '../../identity/saml/saml-fault.ts';
import type { SamlProvider } from '../../identity/saml/saml-provider.ts';
import { certificatesExpireAt } from '../../identity/saml/signing-certificates.ts';
import { type AddressRules, judgeAddress } from '../webhooks/sending/address-guard.ts';
import type { ProtocolFields } from './identity-provider-repository.ts';

type Protocol = Schemas['CreateIdentityProviderInput']['protocol'];
type Sent = Pick<
  Schemas['UpdateIdentityProviderInput'],
  'issuer' | 'clientId' | 'clientSecret' | 'metadata' | 'metadataUrl'
>;

/** Reads the metadata of SAML providers. */
export interface MetadataReader {
  /** @throws {SamlFault} */
  parse(xml: string): SamlProvider;
  /** @throws {SignInFault} */
  fetch(url: string): Promise<SamlProvider>;
}

export interface ProtocolServices {
  sealedSecrets: SealedSecrets;
  /** Rules for the URLs of webhooks and of identity providers. */
  webhookRules: AddressRules;
  samlMetadata: MetadataReader;
}

const FIELDS = {
  oidc: ['issuer', 'clientId', 'clientSecret'],
  saml: ['metadata', 'metadataUrl'],
} as const satisfies Record<Protocol, readonly (keyof Sent)[]>;

/** Requires that the request has no field of the other protocol. @throws invalid_request */
export function requireProtocol(protocol: Protocol, sent: Sent): void {
  const other = FIELDS[protocol === 'oidc' ? 'saml' : 'oidc'].find((field) => sent[field] !== undefined);
  if (other !== undefined) throw invalidField(`body/${other}`, `does not apply to the protocol ${protocol}`);
}

/** Requires that the request has all fields that a new provider needs. @throws invalid_request */
export function requireComplete(protocol: Protocol, sent: Sent): void {
  if (protocol === 'saml') {
    if (sent.metadata !== undefined || sent.metadataUrl !== undefined) return;
    throw invalidField('body/metadata', 'is required unless `metadataUrl` is sent');
  }
  const missing = (['issuer', 'clientId'] as const).find((field) => sent[field] === undefined);
  if (missing !== undefined) throw invalidField(`body/${missing}`, 'is required');
}

/** Reads the settings of a protocol. If the request has the URL of metadata, fetches them. */
export class ProtocolSettings {
  readonly #services: ProtocolServices;

  constructor(services: ProtocolServices) {
    this.#services = services;
  }

  /**
   * Returns the fields to store. Fields that were not sent are missing.
   * @param id id of the provider, to which its sealed secret is bound
   * @throws invalid_request, secrets_key_missing
   */
  async read(sent: Sent, id: string): Promise<Partial<ProtocolFields>> {
    const { issuer, clientId, clientSecret, metadata, metadataUrl } = sent;
    if (issuer !== undefined) this.#requireIssuer(issuer);
    if (metadata !== undefined && metadataUrl !== undefined)
      throw invalidField('body/metadataUrl', 'cannot be combined with `metadata`');
    return {
      ...(issuer !== undefined && { issuer }),
      ...(clientId !== undefined && { clientId }),
      ...(clientSecret !== undefined && { sealedSecret: this.#seal(clientSecret, id) }),
      ...(metadata !== undefined && toFields(this.#parse(metadata), null)),
      ...(metadataUrl !== undefined && toFields(await this.#fetch(metadataUrl), metadataUrl)),
    };
  }

  #seal(secret: string | null, id: string): Buffer | null {
    return secret === null ? null : this.#services.sealedSecrets.seal(secret, id);
  }

  #requireIssuer(issuer: string): void {
    // The OpenID library would mistake such a URL for that of the configuration, and then accept any issuer.
    const isOfConfiguration = URL.canParse(issuer) && new URL(issuer).href.includes('/.well-known/');
    const reason = isOfConfiguration
      ? 'must not be the address of the configuration'
      : judgeAddress(issuer, this.#services.webhookRules);
    if (reason !== undefined) throw invalidField('body/issuer', reason);
  }

  #parse(xml: string): SamlProvider {
    try {
      return this.#services.samlMetadata.parse(xml);
    } catch (error) {
      throw error instanceof SamlFault ? toInvalid('metadata', error) : error;
    }
  }

  async #fetch(url: string): Promise<SamlProvider> {
    const reason = judgeAddress(url, this.#services.webhookRules);
    if (reason !== undefined) throw invalidField('body/metadataUrl', reason);
    try {
      return await this.#services.samlMetadata.fetch(url);
    } catch (error) {
      if (!(error instanceof SignInFault)) throw error;
      if (error.cause instanceof SamlFault) throw toInvalid('metadataUrl', error.cause);
      throw invalidField(
        'body/metadataUrl',
        'did not respond with metadata: it must return status 200, without a redirect, within ten seconds',
      );
    }
  }
}

function toInvalid(field: 'metadata' | 'metadataUrl', { detail }: SamlFault) {
  return invalidField(`body/${field}`, `The metadata cannot be used. ${detail}`);
}

function toFields(saml: SamlProvider, metadataUrl: string | null): Partial<ProtocolFields> {
  return { saml, issuer: saml.entityId, metadataUrl, certificatesExpireAt: certificatesExpireAt(saml) };
}
