/** Why a document of a SAML provider is rejected. */
export type SamlFaultCode =
  | 'metadata_invalid'
  /** The response is malformed, is not signed by the provider, or answers another request. */
  | 'response_invalid'
  /** The response is too old, or from the future. */
  | 'response_expired'
  /** The provider reports that it did not sign the person in. */
  | 'status_refused';

/**
 * A rejected document of a SAML provider. `detail` explains the rejection to the admin who sets up the provider. It can
 * quote short values of the document, so pages must escape it; it never contains a key, a signature or an attribute.
 */
export class SamlFault extends Error {
  readonly code: SamlFaultCode;
  readonly detail: string;

  constructor(code: SamlFaultCode, detail: string) {
    super(detail);
    this.name = 'SamlFault';
    this.code = code;
    this.detail = detail;
  }
}

const MAX_QUOTED = 200;

/** Quotes a value of a document in a detail: on one line, without invisible characters, and cut if it is long. */
export function quote(value: string): string {
  const visible = value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return `"${visible.length > MAX_QUOTED ? `${visible.slice(0, MAX_QUOTED)}…` : visible}"`;
}
