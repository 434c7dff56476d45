import { domainToASCII } from 'node:url';
import { type ApiError, type ErrorCode, invalidField, refusalError } from '../../../contract/errors.ts';
import type { EmailPolicy } from '../../learners/shared/person-rules.ts';

/** Where a domain says whose it is, in front of its name. */
const LABEL = '_awareness-simulation';
const NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const MAX_NAME_LENGTH = 253;

interface DomainFacts {
  /** The domains of free e-mail providers. */
  freeMail: ReadonlySet<string>;
  policy: EmailPolicy;
}

/** What a look at the record of a domain has found. Who gives no answer has not said that the record is gone. */
export type Finding = 'proved' | 'missing' | 'different' | 'unanswered';

/** A domain as it is stored and asked for: in lower case, in ASCII, without the dot at its end. Undefined for what is none. */
export function plainDomain(text: string): string | undefined {
  // It drops what follows the host of an address.
  if (/[/?#\\]/.test(text)) return undefined;
  const name = domainToASCII(text.trim().replace(/\.$/, ''));
  return NAME.test(name) && buildRecordName(name).length <= MAX_NAME_LENGTH ? name : undefined;
}

/**
 * The domain that a company may prove: the one that it is locked to.
 * @throws {ApiError} `invalid_request`, `email_provider_not_allowed` or `domain_not_locked`
 */
export function judgeDomain(text: string, { freeMail, policy }: DomainFacts): string {
  const domain = plainDomain(text);
  if (domain === undefined) throw invalidField('body/domain', 'must be a domain such as example.org');
  if (freeMail.has(domain)) {
    throw refusal('email_provider_not_allowed', 'Simulations go to no address of a free e-mail provider.');
  }
  if (!policy.domainLock || policy.domain?.toLowerCase() !== domain) {
    throw refusal('domain_not_locked', 'The company is not locked to this domain.');
  }
  return domain;
}

function refusal(code: ErrorCode, message: string): ApiError {
  return refusalError({ code, message, fields: ['domain'] });
}

/** The name of the TXT record that proves the domain. */
export function buildRecordName(domain: string): string {
  return `${LABEL}.${domain}`;
}

/**
 * What the texts of the record say. Others may stand beside ours: another company that has the domain, too, has its own.
 * @param texts undefined when there was no answer
 */
export function judgeTexts(texts: readonly string[] | undefined, challenge: string): Finding {
  if (texts === undefined) return 'unanswered';
  if (texts.some((text) => text.trim() === challenge)) return 'proved';
  return texts.length === 0 ? 'missing' : 'different';
}
