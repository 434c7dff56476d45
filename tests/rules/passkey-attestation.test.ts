import { SettingsService } from '@simplewebauthn/server';
import '../../src/identity/passkeys.ts';

test.each(['android-key', 'android-safetynet', 'apple', 'fido-u2f', 'mds', 'packed', 'tpm'] as const)(
  'a passkey with an attestation of %s makes the service fetch no revocation list: there are no roots to check it against',
  (identifier) => expect(SettingsService.getRootCertificates({ identifier })).toEqual([]),
);
