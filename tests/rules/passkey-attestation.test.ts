import { SettingsService } from '@simplewebauthn/server';
import '../../src/identity/passkeys.ts';

test.each(['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'mds', 'packed', 'tpm'] as const)(
  'verifying a %s attestation fetches no revocation list, because it has no root certificates',
  (identifier) => expect(SettingsService.getRootCertificates({ identifier })).toEqual([]),
);
