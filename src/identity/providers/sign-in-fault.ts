/** Why a sign-in with an identity provider failed. */
export type SignInFaultReason =
  | 'attempt_unknown'
  | 'provider_off'
  | 'provider_unavailable'
  | 'provider_refused'
  | 'response_invalid'
  | 'email_missing'
  | 'email_unverified'
  | 'person_unknown'
  | 'identity_differs'
  | 'role_missing'
  | 'learner_refused';

/** A sign-in that an identity provider or the rules of the company do not permit. */
export class SignInFault extends Error {
  readonly reason: SignInFaultReason;

  constructor(reason: SignInFaultReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
