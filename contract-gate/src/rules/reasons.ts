import type { Direction } from '../findings.ts';

type Reason = [why: string, whom: string];

const rejected = 'callers who send what was allowed until now are refused';
const surprised = 'clients that read it meet what they were promised not to';
const missing = 'clients that read it no longer find it';

/** Reasons why the changes of a rule are breaks, and for whom, in each direction in which they are. */
const reasons = {
  'content-encoding-changed': {
    request: ['the same text is decoded another way', 'callers who send the value'],
    response: ['the same value arrives in another encoding', 'clients that read the value'],
  },
  'default-added': { request: ['the same call does something else', 'callers who leave the value out'] },
  'default-changed': { request: ['the same call does something else', 'callers who leave the value out'] },
  'default-removed': { request: ['the same call does something else', 'callers who leave the value out'] },
  'discriminator-changed': {
    request: ['variants are told apart another way', 'callers who send one of the variants'],
    response: ['variants are told apart another way', 'clients that read the value and tell its variants apart'],
  },
  'enum-values-added': {
    response: ['a value that they do not know arrives', 'clients that read the value and branch on it'],
  },
  'enum-values-removed': { request: [rejected, 'callers who send one of the other values'] },
  'media-type-removed': {
    request: ['bodies of that type are refused', 'callers who send that content type'],
    response: ['no answer of that type comes any more', 'clients that accept only that content type'],
  },
  'parameter-became-required': { request: ['calls without it are refused', 'callers who leave the parameter out'] },
  'parameter-removed': { request: ['an unknown parameter is refused', 'callers who send the parameter'] },
  'parameter-serialization-changed': {
    request: ['the same value is written another way', 'callers who send the parameter, and SDK users'],
    response: ['the same value is written another way', 'clients that read the header'],
  },
  'part-content-type-added': {
    response: ['a part of another type arrives', 'clients that read the part'],
  },
  'part-content-type-removed': { request: ['parts of another type are refused', 'callers who send the part'] },
  'part-header-became-required': { request: ['parts without it are refused', 'callers who send the part without it'] },
  'part-serialization-changed': {
    request: ['the same value is written another way', 'callers who send the part, and SDK users'],
    response: ['the same value is written another way', 'clients that read the part'],
  },
  'property-became-read-only': { request: ['bodies with it are refused', 'callers who send the property'] },
  'property-became-write-only': { response: ['it is no longer answered', 'clients that read the property'] },
  'property-removed': {
    request: [
      'it is refused or no longer read, and is not among the generated type’s',
      'callers who send the property',
    ],
    response: [missing, 'clients that read the property'],
  },
  'request-body-became-required': { request: ['calls without a body are refused', 'callers who send no body'] },
  'request-body-removed': { request: ['the body is no longer read', 'callers who send a body'] },
  'required-properties-added': {
    request: ['bodies without them are refused', 'callers who leave the properties out'],
  },
  'required-properties-removed': {
    response: ['they may be absent', 'clients that rely on the properties being there'],
  },
  'response-header-became-optional': { response: ['it may be absent', 'clients that read the header'] },
  'response-header-removed': { response: [missing, 'clients that read the header'] },
  'response-removed': { response: ['the answer they know no longer comes', 'clients that handle the status'] },
  'schema-combinator-changed': {
    request: [rejected, 'callers who send a variant that no longer fits'],
    response: [surprised, 'clients that read the value and tell its variants apart'],
  },
  'schema-constraint-changed': {
    request: [rejected, 'callers who send values outside the new limits'],
    response: [surprised, 'clients that read the value and rely on the old limits'],
  },
  'schema-type-changed': {
    request: [rejected, 'callers who send a value of the old type'],
    response: ['a value of another type arrives', 'clients that read the value'],
  },
} satisfies Record<string, Partial<Record<Direction, Reason>>>;

/** A rule for messages. The rules without a reason (`added`, `changed` and others) break nobody. */
export type Rule = keyof typeof reasons | 'added' | 'changed' | 'extensible-values-added';

/** Returns why a change is a break in that direction, and for whom; undefined if it breaks nobody. */
export function reasonOf(rule: Rule, direction: Direction): Reason | undefined {
  const known: Partial<Record<Rule, Partial<Record<Direction, Reason>>>> = reasons;
  return known[rule]?.[direction];
}
