import { quote, SamlFault } from './saml-fault.ts';
import { ASSERTION, type SamlProvider, type SamlService } from './saml-provider.ts';
import { listChildren, type XmlElement } from './strict-xml.ts';

/** The values that a response must match. */
export interface ExpectedResponse {
  provider: SamlProvider;
  service: SamlService;
  /** The ID of the request that the response must answer. */
  requestId: string;
  now: Date;
}

/** Maximum difference between our clock and a provider's. */
export const MAX_CLOCK_DIFFERENCE_MS = 120_000;

const ENTITY_FORMAT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:entity';
/** A SAML time: in UTC, with a fraction of any length. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,12})?(Z|\+00:00)$/;

/** @throws {SamlFault} `response_invalid` */
export function reject(detail: string): never {
  throw new SamlFault('response_invalid', detail);
}

/** @throws {SamlFault} `response_expired` */
function rejectTime(detail: string): never {
  throw new SamlFault('response_expired', detail);
}

/** Returns the only child with a name. @throws {SamlFault} if there is none, or several */
export function getOnlyChild(parent: XmlElement, namespace: string, name: string): XmlElement {
  const [child, ...others] = listChildren(parent, namespace, name);
  if (!child) reject(`The ${parent.name} has no ${name}.`);
  if (others.length > 0) reject(`The ${parent.name} has several ${name} elements.`);
  return child;
}

/** Returns the text of an element without white space around it. @throws {SamlFault} if it contains other elements */
export function readText(element: XmlElement): string {
  if (element.children.length > 0) reject(`The ${element.name} contains other elements.`);
  return element.text.trim();
}

/** @throws {SamlFault} if an attribute is missing or has another value */
export function requireAttribute(element: XmlElement, name: string, expected: string, remedy: string): void {
  const value = element.attributes.get(name);
  if (value === undefined) reject(`The ${element.name} has no ${name}.`);
  if (value !== expected) {
    reject(`The ${name} of the ${element.name} must be ${quote(expected)}, not ${quote(value)}. ${remedy}`.trim());
  }
}

/** @throws {SamlFault} if the issuer of a response or an assertion is missing or is not the provider */
export function requireIssuer(element: XmlElement, { entityId }: SamlProvider): void {
  const issuer = getOnlyChild(element, ASSERTION, 'Issuer');
  const text = readText(issuer);
  if ((issuer.attributes.get('Format') ?? ENTITY_FORMAT) !== ENTITY_FORMAT || text !== entityId) {
    reject(`The issuer of the ${element.name} must be ${quote(entityId)}, not ${quote(text)}.`);
  }
}

/** Reads a time in milliseconds; undefined if it is missing. @throws {SamlFault} if it is not a time in UTC */
export function readTime(element: XmlElement, name: string): number | undefined {
  const value = element.attributes.get(name);
  if (value === undefined) return undefined;
  const time = TIME.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(time) ? reject(`The ${name} of the ${element.name} is not a time in UTC.`) : time;
}

/** @throws {SamlFault} if a time is missing, or is not a time in UTC */
export function requireTime(element: XmlElement, name: string): number {
  return readTime(element, name) ?? reject(`The ${element.name} has no ${name}.`);
}

/** @throws {SamlFault} `response_expired` if `NotBefore` is in the future, or `NotOnOrAfter` is not */
export function requirePeriod(element: XmlElement, now: Date): void {
  const from = readTime(element, 'NotBefore');
  if (from !== undefined) requireNotFuture(from, now, `The NotBefore of the ${element.name}`);
  const until = readTime(element, 'NotOnOrAfter');
  if (until !== undefined) requireNotPast(until, now, `The NotOnOrAfter of the ${element.name}`);
}

/** @throws {SamlFault} `response_expired` if a time is in the future. `subject` begins the detail of the fault. */
export function requireNotFuture(time: number, now: Date, subject: string): void {
  if (time > now.getTime() + MAX_CLOCK_DIFFERENCE_MS) {
    rejectTime(`${subject} is in the future. Check the clock of the provider.`);
  }
}

/** @throws {SamlFault} `response_expired` if a time has passed. `subject` begins the detail of the fault. */
export function requireNotPast(time: number, now: Date, subject: string): void {
  if (time + MAX_CLOCK_DIFFERENCE_MS <= now.getTime()) {
    rejectTime(`${subject} has passed. Sign in again, or check the clock of the provider.`);
  }
}
