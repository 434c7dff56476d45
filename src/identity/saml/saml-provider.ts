/** A company's SAML provider, as it is stored. */
export interface SamlProvider {
  entityId: string;
  /** URL of the HTTP-Redirect binding. */
  signInUrl: string;
  /** Certificates of signing keys in base64 of DER. The provider has several while it replaces its key. */
  certificates: string[];
  /** The single logout service; missing if the provider has no such service that browsers can reach. */
  logout?: SamlLogoutService;
}

/** Endpoint at which a provider accepts messages about sign-outs. */
export interface SamlLogoutService {
  binding: 'redirect' | 'post';
  url: string;
  /** URL for responses, if it differs from the URL for requests. */
  responseUrl?: string;
}

/** This service, as one provider knows it. */
export interface SamlService {
  entityId: string;
  /** URL to which the provider's responses are posted. */
  assertionConsumerUrl: string;
  /** URL of our single logout service. */
  logoutUrl: string;
}

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const XML_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';

export const BINDINGS = {
  post: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST',
  redirect: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
} as const;

export const NAME_ID_FORMATS = {
  persistent: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  emailAddress: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  unspecified: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
} as const;
