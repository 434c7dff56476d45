import { escapeText, writeElement } from './canonical-xml.ts';
import type { NameIdAttributes } from './assertion-rules.ts';
import { ASSERTION, PROTOCOL, type SamlService } from './saml-provider.ts';

/** A sign-in at a provider that has ended here. */
export interface EndedSignIn {
  nameId: string;
  nameIdAttributes: NameIdAttributes;
  /** The provider's id of its session; undefined if it has reported none. */
  sessionIndex?: string | undefined;
}

/** The ids of a message. */
export interface MessageIds {
  /** The ID of the message, a random XML ID. */
  id: string;
  /** The ID of the request that a response answers. */
  inResponseTo?: string;
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Writes a request to end a sign-in at a provider, in canonical form. @param destination the provider's URL */
export function writeLogoutRequest(
  service: SamlService,
  { nameId, nameIdAttributes, sessionIndex }: EndedSignIn,
  { id, destination }: { id: string; destination: string },
  now = new Date(),
): string {
  const { Format, NameQualifier, SPNameQualifier } = nameIdAttributes;
  const attributes = { 'xmlns:saml': ASSERTION, Format, NameQualifier, SPNameQualifier };
  return writeMessage(
    ...(['LogoutRequest', service, { id, destination, now }] as const),
    writeElement('saml:NameID', attributes, escapeText(nameId)),
    sessionIndex === undefined ? '' : writeElement('samlp:SessionIndex', {}, escapeText(sessionIndex)),
  );
}

/** Writes the response to a provider whose request has ended the sign-ins here, in canonical form. */
export function writeLogoutResponse(
  service: SamlService,
  { id, inResponseTo, destination }: { id: string; inResponseTo: string; destination: string },
  now = new Date(),
): string {
  const status = writeElement('samlp:Status', {}, writeElement('samlp:StatusCode', { Value: SUCCESS }));
  return writeMessage('LogoutResponse', service, { id, inResponseTo, destination, now }, status);
}

function writeMessage(
  name: string,
  { entityId }: SamlService,
  { id, inResponseTo, destination, now }: MessageIds & { destination: string; now: Date },
  ...content: string[]
): string {
  const attributes = {
    ...{ 'xmlns:samlp': PROTOCOL, Destination: destination, ID: id, InResponseTo: inResponseTo },
    ...{ IssueInstant: now.toISOString(), Version: '2.0' },
  };
  const issuer = writeElement('saml:Issuer', { 'xmlns:saml': ASSERTION }, escapeText(entityId));
  return writeElement(`samlp:${name}`, attributes, issuer, ...content);
}
