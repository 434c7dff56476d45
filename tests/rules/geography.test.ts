import { countryCode, countryNamed, countryOfAlpha3, timeZoneName } from '../../src/contract/geography.ts';

describe('countryCode', () => {
  test.each([
    ['GB', 'GB'],
    ['de', 'DE'],
    [' ch ', 'CH'],
    ['xk', 'XK'],
  ])('%j is %s', (text, code) => expect(countryCode(text)).toBe(code));

  test.each([
    '',
    'D',
    'DEU',
    'Germany',
    '49',
    'UK',
    'EU',
    'UN',
    'EA',
    'ZZ',
    'XA',
    'QO',
    'DD',
    'YU',
    'AN',
    'ß',
    'ıo',
    'D\0',
  ])('%j is not a country', (text) => expect(countryCode(text)).toBeUndefined());

  test('accepts the 249 codes of ISO 3166-1 and Kosovo', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    expect(codes.filter((code) => countryCode(code)).length).toBe(250);
  });
});

describe('countryNamed', () => {
  test.each([
    ['Germany', 'DE'],
    [' united  states ', 'US'],
    ['The Netherlands', 'NL'],
    ['UK', 'GB'],
    ['U.S.A.', 'US'],
    ["Cote d'Ivoire", 'CI'],
    ['Bosnia and Herzegovina', 'BA'],
    ['Turkey', 'TR'],
    ['Türkiye', 'TR'],
    ['Hong Kong', 'HK'],
  ])('%j is %s', (name, code) => expect(countryNamed(name)).toBe(code));

  test.each(['', 'Deutschland', 'Europe', 'Atlantis', '日本', '\0', 'x'.repeat(100_000)])('%j is unknown', (name) =>
    expect(countryNamed(name)).toBeUndefined(),
  );
});

describe('timeZoneName', () => {
  test.each([
    ['europe/berlin', 'Europe/Berlin'],
    ['AMERICA/PORT-AU-PRINCE', 'America/Port-au-Prince'],
    ['america/argentina/comodrivadavia', 'America/Argentina/ComodRivadavia'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['asia/calcutta', 'Asia/Calcutta'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['europe/kyiv', 'Europe/Kyiv'],
    ['us/east-indiana', 'US/East-Indiana'],
    ['etc/gmt+5', 'Etc/GMT+5'],
    [' utc ', 'UTC'],
    ['est5edt', 'EST5EDT'],
  ])('%j is %s', (text, name) => expect(timeZoneName(text)).toBe(name));

  test.each([
    ...[
      '',
      'z',
      '+01:00',
      '-05',
      'UTC+1',
      'GMT+1',
      'BST',
      'PST',
      'IST',
      'CEST',
      'Europe/Atlantis',
      'W. Europe Standard Time',
    ],
    ...['2026-01-01T00:00Z', 'Europe/Berlin[u-ca=iso8601]', 'systemv/pst8', 'Europe/Berlin\0', 'x'.repeat(10_000)],
  ])('%j is not a time zone', (text) => expect(timeZoneName(text)).toBeUndefined());
});

describe('countryOfAlpha3', () => {
  test('every code belongs to a country, and every country has one', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const countries = codes.flatMap((code) => countryOfAlpha3(code) ?? []);
    const expected = letters.flatMap((a) => letters.flatMap((b) => countryCode(a + b) ?? []));
    expect(countries.sort()).toEqual(expected);
  });

  test.each([
    ['DEU', 'DE'],
    [' usa ', 'US'],
    ['CHE', 'CH'],
    ['XKX', 'XK'],
    ['EUR', undefined],
    ['ROM', undefined],
  ])('%j is %s', (text, code) => expect(countryOfAlpha3(text)).toBe(code));
});
