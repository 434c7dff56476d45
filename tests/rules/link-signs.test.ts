import { LINK_SIGNS } from '../../src/mail/messages/link-signs.ts';
import { holdsWebAddress } from '../../src/resources/learners/shared/person-rules.ts';

test('every character that NFKC folds into a link sign is a link sign', () => {
  const signs = new RegExp(`^[${LINK_SIGNS}]$`, 'u');
  const missing: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (/[.:/@\u3002\u2044]/.test(character.normalize('NFKC')) && !signs.test(character))
      missing.push(code.toString(16));
  }
  expect(missing).toEqual([]);
});

test.each([
  'http：／／evil.example',
  'http:⁄⁄evil',
  'www．evil.example',
  'www。evil。example',
  'WWW｡evil',
  'ｗｗｗ․evil',
  'w\u200dww.evil',
  'www\ufe0f.evil',
])('the name %s contains a web address', (name) => {
  expect(holdsWebAddress(name)).toBe(true);
});

test.each(["Dr. J:son O'Leary s/o Kumar (U.K.)", '田中。太郎', 'Ａｄａ', 'Zoe\u0308', '½'])(
  'the name %s contains no web address',
  (name) => {
    expect(holdsWebAddress(name)).toBe(false);
  },
);
