import { isStorable } from '../providers/id-token-checks.ts';
import { quote, SamlFault } from './saml-fault.ts';
import { ASSERTION, NAME_ID_FORMATS } from './saml-provider.ts';
import {
  type ExpectedResponse,
  getOnlyChild,
  MAX_CLOCK_DIFFERENCE_MS,
  readText,
  readTime,
  reject,
  requireAttribute,
  requireIssuer,
  requireNotFuture,
  requireNotPast,
  requirePeriod,
  requireTime,
} from './response-values.ts';
import { listChildren, type XmlElement } from './strict-xml.ts';

/** Attributes of a NameID, as the provider sent them. */
export type NameIdAttributes = Partial<Record<(typeof NAME_ID_ATTRIBUTES)[number], string>>;

/** A sign-in that a provider has asserted. */
export interface SamlSignIn {
  /** The provider's id of the person. */
  nameId: string;
  /** Format of the id; `unspecified` if the provider states none. */
  nameIdFormat: string;
  /** The attributes of the NameID, which a request to sign out repeats. */
  nameIdAttributes: NameIdAttributes;
  /** The provider's id of the session. */
  sessionIndex?: string;
  /** Time at which the person last proved their identity to the provider. */
  authenticatedAt: Date;
  /** Time at which the provider requires the session to end. */
  sessionExpiresAt?: Date;
  assertionId: string;
  /** Time after which the assertion is no longer accepted, and its id need no longer be stored. */
  expiresAt: Date;
  /** Text values of each attribute, by name. Attributes without text are missing. */
  attributes: Map<string, string[]>;
}

/** Pattern of an ID. Some providers begin it with a digit, which XML forbids. */
const ID = /^[\w.-]{1,256}$/;
/** Maximum length of a session index. A longer one is ignored. */
const MAX_SESSION_INDEX = 256;
/** Maximum length of a NameID (SAML Core, section 8.3.7, for persistent ids). */
const MAX_NAME_ID = 256;
const NAME_ID_ATTRIBUTES = ['Format', 'NameQualifier', 'SPNameQualifier'] as const;
/** Maximum length of a NameID attribute, such as an entity id. A longer one is ignored. */
const MAX_NAME_ID_ATTRIBUTE = 1024;
/** Maximum age of an assertion. Limits how long its id is stored, regardless of the assertion's own validity period. */
const MAX_AGE_MS = 3_600_000;
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/**
 * Reads a verified assertion.
 * @throws {SamlFault} `response_expired` if the assertion is not valid at this time, otherwise `response_invalid`
 */
export function readAssertion(assertion: XmlElement, expected: ExpectedResponse): SamlSignIn {
  const { provider, now } = expected;
  requireAttribute(assertion, 'Version', '2.0', '');
  const assertionId = assertion.attributes.get('ID') ?? '';
  if (!ID.test(assertionId)) reject('The assertion has no valid ID.');
  requireIssuer(assertion, provider);
  const issuedAt = requireTime(assertion, 'IssueInstant');
  requireNotFuture(issuedAt, now, 'The IssueInstant of the Assertion');
  requireNotPast(issuedAt + MAX_AGE_MS, now, 'The hour after the IssueInstant of the Assertion');
  const conditionsEnd = requireConditions(getOnlyChild(assertion, ASSERTION, 'Conditions'), expected);
  const subject = getOnlyChild(assertion, ASSERTION, 'Subject');
  const confirmationEnd = requireConfirmation(subject, expected);
  const end = Math.min(issuedAt + MAX_AGE_MS, conditionsEnd, confirmationEnd);
  return {
    ...readNameId(subject),
    ...readSession(assertion, now),
    assertionId,
    expiresAt: new Date(end + MAX_CLOCK_DIFFERENCE_MS),
    attributes: readAttributes(assertion),
  };
}

/** Requires the conditions of an assertion, and returns when they end. */
function requireConditions(conditions: XmlElement, { service, now }: ExpectedResponse): number {
  requirePeriod(conditions, now);
  const known = ['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction'];
  const unknown = conditions.children.find(({ namespace, name }) => namespace !== ASSERTION || !known.includes(name));
  if (unknown) reject(`The assertion has the unknown condition ${quote(unknown.name)}.`);
  const restrictions = listChildren(conditions, ASSERTION, 'AudienceRestriction');
  if (restrictions.length === 0) reject('The assertion has no AudienceRestriction.');
  for (const restriction of restrictions) {
    const audiences = listChildren(restriction, ASSERTION, 'Audience').map(readText);
    // An assertion for several services could be stolen from the least secure of them.
    const other = audiences.find((audience) => audience !== service.entityId);
    if (audiences.length === 0 || other !== undefined) {
      reject(`The only audience of the assertion must be ${quote(service.entityId)}, not ${quote(other ?? '')}.`);
    }
  }
  return readTime(conditions, 'NotOnOrAfter') ?? Infinity;
}

/** Requires a bearer confirmation for us, and returns when it ends. If all are invalid, reports the fault of the last. */
function requireConfirmation(subject: XmlElement, expected: ExpectedResponse): number {
  const confirmations = listChildren(subject, ASSERTION, 'SubjectConfirmation');
  const bearers = confirmations.filter(({ attributes }) => attributes.get('Method') === BEARER);
  let fault: unknown = new SamlFault('response_invalid', 'The Subject has no bearer confirmation.');
  for (const bearer of bearers) {
    try {
      return requireBearer(bearer, expected);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

function requireBearer(confirmation: XmlElement, { service, requestId, now }: ExpectedResponse): number {
  const data = getOnlyChild(confirmation, ASSERTION, 'SubjectConfirmationData');
  requireAttribute(data, 'InResponseTo', requestId, 'Begin the sign-in here, not at the provider.');
  const remedy = 'Correct the assertion consumer service URL at the provider.';
  requireAttribute(data, 'Recipient', service.assertionConsumerUrl, remedy);
  const end = requireTime(data, 'NotOnOrAfter');
  requirePeriod(data, now);
  return end;
}

function readNameId(subject: XmlElement): Pick<SamlSignIn, 'nameId' | 'nameIdFormat' | 'nameIdAttributes'> {
  if (listChildren(subject, ASSERTION, 'EncryptedID').length > 0) {
    reject('The NameID is encrypted. Switch off the encryption of NameIDs at the provider.');
  }
  const element = getOnlyChild(subject, ASSERTION, 'NameID');
  const nameId = readText(element);
  if (nameId === '') reject('The NameID is empty.');
  if (nameId.length > MAX_NAME_ID) reject(`The NameID is longer than ${MAX_NAME_ID} characters.`);
  if (!isStorable(nameId)) reject('The NameID contains control characters.');
  const nameIdFormat = element.attributes.get('Format') ?? NAME_ID_FORMATS.unspecified;
  if (nameIdFormat === NAME_ID_FORMATS.transient) {
    reject('The NameID is different at every sign-in. Choose the format persistent or emailAddress at the provider.');
  }
  return { nameId, nameIdFormat, nameIdAttributes: readNameIdAttributes(element) };
}

function readNameIdAttributes({ attributes }: XmlElement): NameIdAttributes {
  const written = NAME_ID_ATTRIBUTES.flatMap((name) => {
    const value = attributes.get(name) ?? '';
    return value !== '' && value.length <= MAX_NAME_ID_ATTRIBUTE && isStorable(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(written);
}

type SamlSession = Pick<SamlSignIn, 'authenticatedAt' | 'sessionIndex' | 'sessionExpiresAt'>;

/** Reads the sign-in at the provider. If there are several statements, the earliest times count. */
function readSession(assertion: XmlElement, now: Date): SamlSession {
  const statements = listChildren(assertion, ASSERTION, 'AuthnStatement');
  if (statements.length === 0) reject('The assertion has no AuthnStatement.');
  const instants = statements.map((statement) => requireTime(statement, 'AuthnInstant'));
  for (const instant of instants) requireNotFuture(instant, now, 'The AuthnInstant of the AuthnStatement');
  const ends = statements.flatMap((statement) => {
    const end = readTime(statement, 'SessionNotOnOrAfter');
    if (end !== undefined) requireNotPast(end, now, 'The SessionNotOnOrAfter of the AuthnStatement');
    return end === undefined ? [] : [end];
  });
  const index = statements[0]!.attributes.get('SessionIndex') ?? '';
  return {
    authenticatedAt: new Date(Math.min(...instants)),
    ...(isStorable(index) && index.length <= MAX_SESSION_INDEX && index !== '' && { sessionIndex: index }),
    ...(ends.length > 0 && { sessionExpiresAt: new Date(Math.min(...ends)) }),
  };
}

/** Reads the attributes. Some providers repeat the attribute for each value. */
function readAttributes(assertion: XmlElement): Map<string, string[]> {
  const attributes = new Map<string, string[]>();
  for (const statement of listChildren(assertion, ASSERTION, 'AttributeStatement')) {
    for (const attribute of listChildren(statement, ASSERTION, 'Attribute')) {
      const name = attribute.attributes.get('Name') || reject('An attribute has no Name.');
      const values = listChildren(attribute, ASSERTION, 'AttributeValue').filter(isText);
      const texts = values.map(({ text }) => text.trim()).filter((text) => text !== '' && isStorable(text));
      if (texts.length > 0) attributes.set(name, [...(attributes.get(name) ?? []), ...texts]);
    }
  }
  return attributes;
}

/** Reports whether an attribute's value is text. Others, such as an eduPersonTargetedID, contain elements. */
function isText({ children }: XmlElement): boolean {
  return children.length === 0;
}
