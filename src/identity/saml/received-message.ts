// Messages about sign-outs that a browser brings from a provider.
//
// With the HTTP-Redirect binding, the signature covers the query as the provider wrote it, so this file splits the
// query itself: a URL parser would change how characters are encoded. A parameter that occurs twice is rejected,
// because the signature might cover one and the reader take the other. With the HTTP-POST binding, the document
// contains the signature (signed-parts.ts). A certificate in the message is never used.
import type { KeyObject } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { reject } from './response-values.ts';
import { isSignatureAlgorithm, isSignedByAny } from './signature-algorithms.ts';
import { readSignedRoot } from './signed-parts.ts';
import { parseStrictXml, type XmlElement, type XmlLimits } from './strict-xml.ts';

/** Form in which a message arrived: the unparsed query of a URL, or the fields of a form. */
export type Delivery = { query: string } | { form: URLSearchParams };

/** A message from a provider. */
export interface ReceivedMessage {
  parameter: Parameter;
  /** The document, which anybody could have written. */
  unverified: XmlElement;
  /** Undefined if the provider sent none. */
  relayState: string | undefined;
  /** Returns the document if one of the keys has signed it. @throws {SamlFault} `response_invalid` */
  verify: (keys: readonly KeyObject[]) => XmlElement;
}

type Parameter = (typeof PARAMETERS)[number];

const PARAMETERS = ['SAMLRequest', 'SAMLResponse'] as const;
const FORM_FIELDS: readonly string[] = [...PARAMETERS, 'RelayState', 'SigAlg', 'Signature', 'SAMLEncoding'];
const DEFLATE = 'urn:oasis:names:tc:SAML:2.0:bindings:URL-Encoding:DEFLATE';
/** Maximum size of a message in bytes. A message names one person, and at most a few dozen sessions. */
const MAX_BYTES = 50_000;
const LIMITS: XmlLimits = {
  ...{ code: 'response_invalid', maxElements: 500, maxAttributes: 1000 },
  allowsComments: false,
} as const;

/** Reads a message. @throws {SamlFault} `response_invalid` if it is malformed */
export function receiveMessage(delivery: Delivery): ReceivedMessage {
  return 'query' in delivery ? receiveAddress(delivery.query) : receiveForm(delivery.form);
}

function receiveForm(form: URLSearchParams): ReceivedMessage {
  for (const name of FORM_FIELDS) if (form.getAll(name).length > 1) reject(`The form has the field ${name} twice.`);
  const parameter = requireParameter((name) => form.has(name));
  const text = decodeText(decodeBase64(form.get(parameter)!));
  const unverified = parseStrictXml(text, LIMITS);
  const verify = (keys: readonly KeyObject[]) => readSignedRoot(text, unverified, keys);
  return { parameter, unverified, relayState: form.get('RelayState') ?? undefined, verify };
}

function receiveAddress(query: string): ReceivedMessage {
  const pairs = splitQuery(query);
  const parameter = requireParameter((name) => pairs.has(name));
  const read = (name: string) => decodeValue(pairs.get(name) ?? '');
  if (pairs.has('SAMLEncoding') && read('SAMLEncoding') !== DEFLATE) reject('The encoding of the message is unknown.');
  const unverified = parseStrictXml(decodeText(inflate(decodeBase64(read(parameter)))), LIMITS);
  const signed = [parameter, 'RelayState', 'SigAlg'].filter((name) => pairs.has(name));
  const text = signed.map((name) => `${name}=${pairs.get(name)!}`).join('&');
  const verify = (keys: readonly KeyObject[]) => {
    if (!pairs.has('Signature')) reject(`The ${unverified.name} is not signed.`);
    const algorithm = read('SigAlg');
    if (!isSignatureAlgorithm(algorithm)) {
      reject('The signature algorithm is not accepted. Choose RSA or ECDSA with SHA-256, SHA-384 or SHA-512.');
    }
    if (isSignedByAny(keys, algorithm, text, read('Signature'))) return unverified;
    return reject('The signature does not match the certificates of the provider. Upload its current metadata.');
  };
  return { parameter, unverified, relayState: pairs.has('RelayState') ? read('RelayState') : undefined, verify };
}

/** Returns the values of the known parameters as they are written. @throws {SamlFault} if one of them occurs twice */
function splitQuery(query: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [name, value = ''] = pair.split(/=(.*)/s) as [string, string?];
    if (!FORM_FIELDS.includes(name)) continue;
    if (pairs.has(name)) reject(`The URL has the parameter ${name} twice.`);
    pairs.set(name, value);
  }
  return pairs;
}

function requireParameter(has: (name: Parameter) => boolean): Parameter {
  const [parameter, other] = PARAMETERS.filter(has);
  if (parameter === undefined) reject('The message has no SAMLRequest and no SAMLResponse.');
  if (other !== undefined) reject('The message has both a SAMLRequest and a SAMLResponse.');
  return parameter;
}

function decodeValue(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return reject('The URL is not percent-encoded correctly.');
  }
}

/** Decodes base64. Accepts line breaks, because some providers insert them. */
function decodeBase64(base64: string): Buffer {
  if (base64.length > 2 * MAX_BYTES) reject('The message is too large.');
  const encoded = base64.replace(/[\t\n\r ]+/g, '');
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) reject('The message is not valid base64.');
  return bytes;
}

function inflate(bytes: Buffer): Buffer {
  try {
    return inflateRawSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    return reject('The message is not compressed as the HTTP-Redirect binding requires, or is too large.');
  }
}

function decodeText(bytes: Buffer): string {
  if (bytes.length > MAX_BYTES) reject('The message is too large.');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return reject('The message is not valid UTF-8.');
  }
}
