/** Reasons why a person whom an identity provider has identified is not signed in. */
const PERSON_FAULTS = [
  ...(['email_missing', 'email_unverified', 'person_unknown', 'identity_differs'] as const),
  ...(['role_missing', 'learner_refused', 'person_differs', 'sign_in_not_recent'] as const),
] as const;
export type PersonFaultReason = (typeof PERSON_FAULTS)[number];

/**
 * Reports whether a reason is about an identified person. Only such reasons are in the sign-in log, because strangers
 * can cause the others.
 */
export function isPersonFault(reason: SignInFaultReason): reason is PersonFaultReason {
  return PERSON_FAULTS.some((fault) => fault === reason);
}

/** Reason why a sign-in with an identity provider failed. */
export type SignInFaultReason =
  | ('attempt_unknown' | 'provider_off' | 'provider_unavailable' | 'provider_refused' | 'response_invalid')
  | PersonFaultReason;

interface FaultOptions {
  cause?: unknown;
  personId?: string | undefined;
  detail?: string;
}

/** A sign-in that an identity provider or the rules of the company do not permit. */
export class SignInFault extends Error {
  readonly reason: SignInFaultReason;
  /** The person in this service whom the fault concerns; null if there is none. */
  readonly personId: string | null;

  /** An explanation for the people who run the programme, in English; undefined if there is none. */
  readonly detail: string | undefined;

  constructor(reason: SignInFaultReason, { cause, personId, detail }: FaultOptions = {}) {
    super(reason, { cause });
    this.reason = reason;
    this.personId = personId ?? null;
    this.detail = detail;
  }
}
