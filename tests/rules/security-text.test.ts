import { readConfig } from '../../src/config/config.ts';
import { securityText } from '../../src/pages/start/start-routes.ts';
import { ConfigError } from '../../src/config/variables.ts';

const contact = 'https://provider.example/security';
const textAt = (moment: string, publicUrl = 'https://awareness.example') =>
  securityText({ contact, publicUrl, now: new Date(moment) });

describe('security.txt', () => {
  test.each([
    ['2026-11-26T00:00:00.000Z', '2027-11-25T00:00:00Z'],
    ['2026-11-26T23:59:59.999Z', '2027-11-25T00:00:00Z'],
    ['2028-02-29T12:00:00.000Z', '2029-02-27T00:00:00Z'],
  ])('generated at %s expires at %s', (now, expires) => {
    expect(textAt(now)).toBe(
      `Contact: ${contact}\nExpires: ${expires}\nCanonical: https://awareness.example/.well-known/security.txt\n`,
    );
  });

  test.each(['http://awareness.example', 'https://provider.example/awareness'])(
    'has no Canonical line if served at %s',
    (publicUrl) => expect(textAt('2026-11-26T00:00:00Z', publicUrl)).not.toContain('Canonical'),
  );
});

describe('SECURITY_CONTACT', () => {
  test.each(['mailto:security@example.org', 'https://example.org/security?lang=en#report', ' mailto:a@b.example '])(
    'can be "%s"',
    (value) => expect(readConfig({ SECURITY_CONTACT: value }).securityContact).toBe(value.trim()),
  );

  test('can be omitted', () => expect(readConfig({ SECURITY_CONTACT: ' ' }).securityContact).toBeUndefined());

  test.each([
    'security@example.org',
    'http://example.org/security',
    'mailto:',
    'mailto:nobody',
    'mailto:a@b.example\nExpires: 2020-01-01T00:00:00Z',
    'https://example.org/\r\nContact: mailto:x@evil.example',
    'https://example.org/a b',
    'https://',
    'https://user:password@example.org/',
    'javascript:alert(1)',
    'mailto:a@b.example,mailto:c@d.example',
  ])('is rejected by name if it is %j', (value) => {
    expect(() => readConfig({ SECURITY_CONTACT: value })).toThrow(ConfigError);
    expect(() => readConfig({ SECURITY_CONTACT: value })).toThrow(/^SECURITY_CONTACT /);
  });
});
