// The logout messages of a SAML provider for tests.
import { randomUUID, verify, X509Certificate } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  buildSignature,
  element,
  encode,
  MORE,
  NAMESPACES,
  type SamlKey,
  STATUS,
  signText,
  withSignature,
} from './saml-provider.ts';

type Attributes = Record<string, string | undefined>;

/** The parts of a message that tests change. */
export interface LogoutForm {
  name?: string;
  attributes?: Attributes;
  issuer?: string;
  /** The content after the issuer. */
  content?: string;
}

/** Formats a request to sign out, in canonical form and without a signature. */
export function buildLogoutRequest(destination: string, issuer: string, form: LogoutForm = {}): string {
  const attributes = {
    ...{ 'xmlns:samlp': NAMESPACES.samlp, Destination: destination, ID: `_${randomUUID()}` },
    ...{ IssueInstant: new Date().toISOString(), Version: '2.0', ...form.attributes },
  };
  return element(
    ...([form.name ?? 'samlp:LogoutRequest', attributes] as const),
    element('saml:Issuer', { 'xmlns:saml': NAMESPACES.saml }, form.issuer ?? issuer),
    form.content ?? nameId('grace') + sessionIndex('_session1'),
  );
}

export const nameId = (value: string) => element('saml:NameID', { 'xmlns:saml': NAMESPACES.saml }, value);
export const sessionIndex = (value: string) => element('samlp:SessionIndex', {}, value);
export const status = (...codes: string[]) =>
  element(
    'samlp:Status',
    {},
    codes.reduceRight((inner, code) => element('samlp:StatusCode', { Value: `${STATUS}${code}` }, inner), ''),
  );

export interface RedirectForm {
  parameter?: string;
  relayState?: string;
  /** The signature algorithm in the query. */
  algorithm?: string;
  /** Signs the query; returns base64. */
  signer?: (query: string) => string;
}

/** Signs a message of the HTTP-Redirect binding. Returns the query. */
export function signQuery(xml: string, { key }: SamlKey, form: RedirectForm = {}): string {
  const { parameter = 'SAMLRequest', relayState, algorithm = `${MORE}rsa-sha256` } = form;
  const signer = form.signer ?? ((query: string) => signText(query, key, 'sha256'));
  const pairs = {
    [parameter]: deflateRawSync(xml).toString('base64'),
    ...(relayState !== undefined && { RelayState: relayState }),
    SigAlg: algorithm,
  };
  const query = Object.entries(pairs).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${query.join('&')}&Signature=${encodeURIComponent(signer(query.join('&')))}`;
}

/** Signs a message of the HTTP-POST binding. Returns the fields of the form. */
export function signFields(xml: string, key: SamlKey, relayState?: string): Record<string, string> {
  const signed = withSignature(xml, buildSignature(xml, readAttribute(xml, 'ID')!, key));
  return { SAMLRequest: encode(signed), ...(relayState !== undefined && { RelayState: relayState }) };
}

/** A message of the service, as a provider reads it. */
export interface MessageOfService {
  url: string;
  xml: string;
  relayState: string | null;
}

/** Reads a message of the HTTP-Redirect binding. @throws if the certificate has not signed it */
export function readAddress(location: string, certificate: string): MessageOfService {
  const [url, query] = location.split('?') as [string, string];
  const [signed, signature] = query.split('&Signature=') as [string, string];
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const bytes = Buffer.from(decodeURIComponent(signature), 'base64');
  if (!verify('sha256', Buffer.from(signed), publicKey, bytes)) throw new Error(`wrong signature: ${location}`);
  const parameters = new URLSearchParams(signed);
  const message = parameters.get('SAMLRequest') ?? parameters.get('SAMLResponse')!;
  const xml = inflateRawSync(Buffer.from(message, 'base64')).toString();
  return { url, xml, relayState: parameters.get('RelayState') };
}

/** Returns an attribute of a message's root element. */
export function readAttribute(xml: string, name: string): string | undefined {
  return new RegExp(`^[^>]* ${name}="([^"]*)"`).exec(xml)?.[1];
}

/** Returns the certificate in the metadata of the service. */
export async function fetchCertificate(metadataUrl: string): Promise<string> {
  return /<X509Certificate>(.*)<\/X509Certificate>/.exec(await (await fetch(metadataUrl)).text())![1]!;
}
