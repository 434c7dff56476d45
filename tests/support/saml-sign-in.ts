import type { SamlSignIn } from '../../src/identity/saml/assertion-rules.ts';
import type { ExpectedResponse } from '../../src/identity/saml/response-values.ts';
import { SamlFault } from '../../src/identity/saml/saml-fault.ts';
import { verifySamlResponse } from '../../src/identity/saml/saml-response.ts';
import { encode, expectFrom, type SamlKey } from './saml-provider.ts';

type Expected = Partial<ExpectedResponse>;

/** Verifies a document as a response of the provider with a key. */
export function signIn(xml: string, key: SamlKey | SamlKey[], expected: Expected = {}): SamlSignIn {
  return verifySamlResponse(encode(xml), { ...expectFrom(...[key].flat()), ...expected });
}

/** Returns the fault of a rejected document, and fails if it is accepted. */
export function failToSignIn(xml: string, key: SamlKey | SamlKey[], expected: Expected = {}): SamlFault {
  return catchFault(() => signIn(xml, key, expected));
}

/** Returns the fault that an action throws. */
export function catchFault(act: () => unknown): SamlFault {
  let result: unknown;
  try {
    result = act();
  } catch (error) {
    if (error instanceof SamlFault) return error;
    throw error;
  }
  throw new Error(`accepted: ${JSON.stringify(result)}`);
}
