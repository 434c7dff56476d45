import type { Direction } from '../findings.ts';

type Reason = [why: string, whom: string];

const rejected = 'values that were valid before are rejected';
const surprised = 'clients can read values that the old contract excludes';
const missing = 'clients no longer find it';

/** Reasons why the changes that a rule reports are breaks, and for whom, by direction. */
const reasons = {
  'content-encoding-changed': {
    request: ['the same text is decoded differently', 'callers who send the value'],
    response: ['the same value has another encoding', 'clients that read the value'],
  },
  'default-added': { request: ['the same call has another effect', 'callers who omit the value'] },
  'default-changed': { request: ['the same call has another effect', 'callers who omit the value'] },
  'default-removed': { request: ['the same call has another effect', 'callers who omit the value'] },
  'discriminator-changed': {
    request: ['variants are distinguished differently', 'callers who send one of the variants'],
    response: ['variants are distinguished differently', 'clients that read the value and distinguish its variants'],
  },
  'enum-values-added': {
    response: ['they can receive an unknown value', 'clients that read the value and branch on it'],
  },
  'enum-values-removed': { request: [rejected, 'callers who send one of the other values'] },
  'media-type-removed': {
    request: ['bodies of that type are rejected', 'callers who send that content type'],
    response: ['responses no longer have that type', 'clients that accept only that content type'],
  },
  'parameter-became-required': { request: ['calls without it are rejected', 'callers who omit the parameter'] },
  'parameter-removed': { request: ['an unknown parameter is rejected', 'callers who send the parameter'] },
  'parameter-serialization-changed': {
    request: ['the same value is serialized differently', 'callers who send the parameter, and SDK users'],
    response: ['the same value is serialized differently', 'clients that read the header'],
  },
  'part-content-type-added': {
    response: ['they can receive a part of another type', 'clients that read the part'],
  },
  'part-content-type-removed': { request: ['parts of another type are rejected', 'callers who send the part'] },
  'part-header-became-required': { request: ['parts without it are rejected', 'callers who send the part without it'] },
  'part-serialization-changed': {
    request: ['the same value is serialized differently', 'callers who send the part, and SDK users'],
    response: ['the same value is serialized differently', 'clients that read the part'],
  },
  'property-became-read-only': { request: ['bodies with it are rejected', 'callers who send the property'] },
  'property-became-write-only': { response: ['responses no longer contain it', 'clients that read the property'] },
  'property-removed': {
    request: ['it is rejected or ignored, and generated types no longer have it', 'callers who send the property'],
    response: [missing, 'clients that read the property'],
  },
  'request-body-became-required': { request: ['calls without a body are rejected', 'callers who send no body'] },
  'request-body-removed': { request: ['the body is ignored', 'callers who send a body'] },
  'required-properties-added': {
    request: ['bodies without them are rejected', 'callers who omit the properties'],
  },
  'required-properties-removed': {
    response: ['they can be absent', 'clients that rely on the properties'],
  },
  'response-header-became-optional': { response: ['it can be absent', 'clients that read the header'] },
  'response-header-removed': { response: [missing, 'clients that read the header'] },
  'response-removed': { response: ['the expected response no longer occurs', 'clients that handle the status'] },
  'schema-combinator-changed': {
    request: [rejected, 'callers who send a variant that no longer fits'],
    response: [surprised, 'clients that read the value and distinguish its variants'],
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
export function findReason(rule: Rule, direction: Direction): Reason | undefined {
  const known: Partial<Record<Rule, Partial<Record<Direction, Reason>>>> = reasons;
  return known[rule]?.[direction];
}
