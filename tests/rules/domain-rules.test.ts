import { judgeTexts, plainDomain, buildRecordName } from '../../src/resources/simulations/settings/domain-rules.ts';

describe('plainDomain', () => {
  test.each([
    ['ACME.test', 'acme.test'],
    ['acme.test.', 'acme.test'],
    [' mail.acme.test ', 'mail.acme.test'],
    ['München.test', 'xn--mnchen-3ya.test'],
    ['xn--mnchen-3ya.test', 'xn--mnchen-3ya.test'],
    ['acme。test', 'acme.test'],
  ])('reads %s as %s', (text, domain) => {
    expect(plainDomain(text)).toBe(domain);
  });

  test.each([
    ...['', '.', 'acme', 'acme..test', 'acme.test..', '-acme.test', 'a b.test', 'acme.test/x', 'acme.test:53'],
    ...['127.0.0.1', '[::1]', '_dmarc.acme.test', '*.acme.test', 'admin@acme.test', `${'a'.repeat(64)}.test`],
    `${'a.'.repeat(115)}test`,
  ])('rejects %j', (text) => {
    expect(plainDomain(text)).toBeUndefined();
  });
});

describe('the DNS record of a domain', () => {
  const challenge = 'f'.repeat(32);

  test('has the name of the domain with a prefix', () => {
    expect(buildRecordName('acme.test')).toBe('_awareness-simulation.acme.test');
  });

  test.each([
    ['proved', [challenge]],
    ['proved', ['v=spf1 -all', ` ${challenge} `]],
    ['proved', ['0'.repeat(32), challenge]],
    ['different', ['0'.repeat(32)]],
    ['different', [`${challenge}0`, challenge.slice(1), challenge.toUpperCase()]],
    ['different', [`not ${challenge}`, '']],
    ['missing', []],
    ['unanswered', undefined],
  ])('is %s with the texts %j', (finding, texts) => {
    expect(judgeTexts(texts, challenge)).toBe(finding);
  });
});
