import { verifySamlResponse } from '../../src/identity/saml/saml-response.ts';
import { buildResponse, createSamlKey, encode, expectFrom, type SamlKey } from '../support/saml-provider.ts';

let key: SamlKey;
beforeAll(async () => {
  key = await createSamlKey();
});

test.each(['response', 'assertion', 'both'] as const)('a response with a signed %s', (signs) => {
  console.log(verifySamlResponse(encode(buildResponse(key, { signs })), expectFrom(key)));
});
