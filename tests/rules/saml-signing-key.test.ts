import { generateKeyPairSync, sign, verify, X509Certificate } from 'node:crypto';
import { createSigningKey, formatPrivateKey, readSigningKey } from '../../src/identity/saml/signing-key.ts';
import { certificatesExpireAt } from '../../src/identity/saml/signing-certificates.ts';

const NOW = new Date('2026-03-02T08:30:00Z');

test('a key has a self-signed certificate, which other programs can read', async () => {
  const { privateKey, certificate } = await createSigningKey('Security awareness', NOW);
  const parsed = new X509Certificate(Buffer.from(certificate, 'base64'));
  expect([parsed.subject, parsed.issuer]).toEqual(['CN=Security awareness', 'CN=Security awareness']);
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  expect(parsed.verify(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)).toBe(false);
  expect(Date.parse(parsed.validFrom)).toBe(NOW.getTime());
  expect(certificatesExpireAt({ certificates: [certificate] })).toBe('2046-03-02T08:30:00.000Z');
  expect(verify('sha256', Buffer.from('x'), parsed.publicKey, sign('sha256', Buffer.from('x'), privateKey))).toBe(true);
});

test('a certificate can expire after 2049', async () => {
  const { certificate } = await createSigningKey('Security awareness', new Date('2031-12-31T00:00:00Z'));
  expect(certificatesExpireAt({ certificates: [certificate] })).toBe('2051-12-31T00:00:00.000Z');
});

test('a stored key is read unchanged', async () => {
  const key = await createSigningKey('Security awareness');
  const stored = readSigningKey(formatPrivateKey(key), key.certificate);
  expect(stored.privateKey.equals(key.privateKey)).toBe(true);
});
