// Finds the tokens of simulation links in text, however mail programs and link scanners have rewritten the links.
//
// Most scanners put the original URL into their own, percent-encoded once per gateway in the chain. Some use a
// different encoding: URL Defense v2 writes `-2F` or `_`, Sophos base64, and Check Point shifted letters. If a scanner
// keeps the original in its database (Mimecast), no token is left in the link. Each form is decoded into another
// string, until nothing new appears. A wrong guess does no harm, because a token counts only if its hash is stored.

/** Pattern of the token in a link; the slashes might be percent-encoded once or twice. */
const TOKEN = /(?:\/|%(?:25)*2f)s(?:\/|%(?:25)*2f)([\w-]{64})/gi;
/** Pattern of a URL, plain or encoded. URLs in emails are shorter than 4,000 characters. */
const ADDRESS = /https?(?::|%(?:25)*3a|-3a)[^\s"'<>]{1,4000}/gi;
/**
 * Pattern of a line break within a link, which comes from quoted-printable, from format=flowed, or from a program that
 * quotes the text.
 */
const BREAK = /=?(?<![ \t])[ \t]*\r?\n[ \t>|]*/g;
const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
const ENTITY = /&(?:#x([0-9a-f]{1,5})|#(\d{1,6})|(sol|lowbar|hyphen|colon|amp|period));?/gi;
const NAMED = { sol: '/', lowbar: '_', hyphen: '-', colon: ':', amp: '&', period: '.' } as const;
/** Pattern of a URL whose letters Check Point has shifted. The scheme has four or five letters. */
const SHIFTED = /___([a-z]{4,5})(:[^\s"'<>]{1,2000})/gi;
const BASE64 = /[=/]([A-Za-z0-9+_-]{40,2000})/g;

/** Maximum number of URLs to decode; an email has a few dozen. */
const MAX_ADDRESSES = 2000;
/** Maximum number of gateways in a chain. */
const MAX_DEPTH = 6;
/** Maximum number of tokens to look up. One person receives fewer; further tokens are ignored. */
export const MAX_TOKENS = 100;

export function findTokens(text: string): string[] {
  const plain = text.replace(INVISIBLE, '');
  const whole = [plain, plain.replace(BREAK, ''), decodeEntities(plain.replace(BREAK, ''))];
  const tokens = new Set(whole.flatMap(tokensIn));
  let addresses = new Set(whole.flatMap((view) => view.match(ADDRESS)?.slice(0, MAX_ADDRESSES) ?? []));
  const known = new Set(addresses);
  for (let depth = 0; depth < MAX_DEPTH && known.size < MAX_ADDRESSES; depth += 1) {
    const decoded = [...addresses].flatMap(decodeAddress).filter((address) => !known.has(address));
    addresses = new Set(decoded.slice(0, MAX_ADDRESSES));
    for (const address of addresses) {
      known.add(address);
      for (const token of tokensIn(address)) tokens.add(token);
    }
  }
  return [...tokens].slice(0, MAX_TOKENS);
}

function tokensIn(text: string): string[] {
  return [...text.matchAll(TOKEN)].map((match) => match[1]!);
}

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase() as keyof typeof NAMED];
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code < 0x10000 ? String.fromCharCode(code) : entity;
  });
}

/** Returns the decoded forms of a URL that a scanner might have written, one for each encoding. */
function decodeAddress(address: string): string[] {
  return [
    decodePercent(address),
    decodePercent(address.replace(/_/g, '/').replace(/-([0-9a-f]{2})/gi, '%$1')),
    ...[...address.matchAll(BASE64)].flatMap((match) => decodeBase64(match[1]!)),
    ...[...address.matchAll(SHIFTED)].flatMap((match) => unshift(match[1]!, match[2]!)),
  ];
}

/** Decodes each escape sequence separately, because a URL might be cut off in the middle of a sequence. */
function decodePercent(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_sequence, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function decodeBase64(text: string): string[] {
  const decoded = Buffer.from(text, 'base64').toString('latin1');
  return /^https?:/i.test(decoded) ? [decoded] : [];
}

/**
 * Shifts letters back so that the scheme begins with `h`. Returns two strings: one with the digits shifted by the same
 * number, and one with the digits unchanged.
 */
function unshift(scheme: string, rest: string): string[] {
  const shift = scheme.toLowerCase().charCodeAt(0) - 'h'.charCodeAt(0);
  if (shift === 0) return [];
  const letters = (scheme + rest).replace(/[a-z]/gi, (letter) => rotate(letter, letter < 'a' ? 65 : 97, 26, shift));
  return [letters, letters.replace(/\d/g, (digit) => rotate(digit, 48, 10, shift))];
}

function rotate(letter: string, first: number, count: number, shift: number): string {
  return String.fromCharCode(first + ((((letter.charCodeAt(0) - first - shift) % count) + count) % count));
}
