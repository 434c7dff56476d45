import { domainToASCII } from 'node:url';
import { type ApiError, type ErrorCode, invalidField, refusalError } from '../../../contract/errors.ts';
import type { EmailPolicy } from '../../learners/shared/person-rules.ts';

/** Label that precedes the domain in the name of its TXT record. */
const LABEL = '_awareness-simulation';
const NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
const MAX_NAME_LENGTH = 253;

interface DomainFacts {
  /** Domains of free e-mail providers. */
  freeMail: ReadonlySet<string>;
  policy: EmailPolicy;
}

/** Result of a lookup. `unanswered` means that DNS did not respond, not that the record is missing. */
export type Finding = 'proved' | 'missing' | 'different' | 'unanswered';

/** Normalises a domain to lower case and ASCII, without a trailing dot. Returns undefined for an invalid domain. */
export function plainDomain(text: string): string | undefined {
  // domainToASCII would silently drop everything that follows the host in a URL.
  if (/[/?#\\]/.test(text)) return undefined;
  const name = domainToASCII(text.trim().replace(/\.$/, ''));
  return NAME.test(name) && buildRecordName(name).length <= MAX_NAME_LENGTH ? name : undefined;
}

/**
 * Normalises a domain, and requires that the company is locked to it and can therefore prove it.
 * @throws {ApiError} `invalid_request`, `email_provider_not_allowed` or `domain_not_locked`
 */
export function judgeDomain(text: string, { freeMail, policy }: DomainFacts): string {
  const domain = plainDomain(text);
  if (domain === undefined) throw invalidField('body/domain', 'must be a domain such as example.org');
  if (freeMail.has(domain)) {
    throw refusal(
      'email_provider_not_allowed',
      'Simulations cannot be sent to addresses at free e-mail providers; use another domain.',
    );
  }
  if (!policy.domainLock || policy.domain?.toLowerCase() !== domain) {
    throw refusal('domain_not_locked', 'The company is not locked to this domain; ask the operator to lock it.');
  }
  return domain;
}

function refusal(code: ErrorCode, message: string): ApiError {
  return refusalError({ code, message, fields: ['domain'] });
}

/** Returns the name of the TXT record that proves the domain. */
export function buildRecordName(domain: string): string {
  return `${LABEL}.${domain}`;
}

/**
 * Judges the strings of the record. The record can contain other strings, because each company that has the domain has
 * its own challenge.
 * @param texts undefined if DNS did not respond
 */
export function judgeTexts(texts: readonly string[] | undefined, challenge: string): Finding {
  if (texts === undefined) return 'unanswered';
  if (texts.some((text) => text.trim() === challenge)) return 'proved';
  return texts.length === 0 ? 'missing' : 'different';
}
