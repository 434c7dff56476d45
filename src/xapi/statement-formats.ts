const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const IRI = /^[a-z][a-z0-9+.-]*:[^\s\u0000-\u001f\u007f<>"{}|\\^`]+$/i;
const MAILTO = /^mailto:[^\s@]+@[^\s@]+$/;
/** RFC 5646: language, script, region, variants, extensions, private use. ECMAScript's check is ten times slower. */
const LANGUAGE = new RegExp(
  '^([a-z]{2,3}(-[a-z]{3}){0,3}|[a-z]{4,8})(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*' +
    '(-[a-wyz0-9](-[a-z0-9]{2,8})+)*(-x(-[a-z0-9]{1,8})+)?$',
  'i',
);
/** Tags that are older than this grammar, and private-use tags. */
const OTHER_LANGUAGE = /^(x(-[a-z0-9]{1,8})+|i-[a-z]+|sgn-[a-z]{2}-[a-z]{2}|art-lojban|zh-min|zh-xiang)$/i;

const DATE = String.raw`(?<date>\d{4}-\d\d-\d\d)`;
const TIME = String.raw`(?<time>\d\d:\d\d(:\d\d([.,]\d+)?)?)`;
const EXTENDED = new RegExp(`^${DATE}[T ]${TIME}(?<zone>Z|[+-]\\d\\d(:?\\d\\d)?)?$`, 'i');
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:[.,]\d+)?)?(.*)$/;
/** An unknown offset in RFC 3339, which xAPI rejects. */
const UNKNOWN_ZONE = /^-00(:?00)?$/;

const NUMBER = String.raw`\d+(?:[.,]\d+)?`;
const part = (...units: string[]) => units.map((unit) => `(?:${NUMBER}${unit})?`).join('');
const DURATION = new RegExp(`^P(?:${NUMBER}W|(?=.)${part('Y', 'M', 'D')}(?:T(?=.)${part('H', 'M', 'S')})?)$`);

export function isStatementId(value: string): boolean {
  return UUID.test(value);
}

export function isIri(value: string): boolean {
  return IRI.test(value);
}

export function isMailto(value: string): boolean {
  return MAILTO.test(value);
}

/** Reports whether a string is a language tag (RFC 5646). */
export function isLanguage(value: string): boolean {
  return (LANGUAGE.test(value) && !repeatsExtension(value)) || OTHER_LANGUAGE.test(value);
}

/** Reports whether two extensions of a tag have the same letter. The private part of a tag has no extensions. */
function repeatsExtension(tag: string): boolean {
  const letters =
    tag
      .toLowerCase()
      .split('-x-', 1)[0]!
      .match(/-[a-z0-9](?=-)/g) ?? [];
  return new Set(letters).size < letters.length;
}

export function isIsoDuration(value: string): boolean {
  return DURATION.test(value);
}

/**
 * Parses a time in ISO 8601, extended or basic, to UTC in milliseconds. A time without an offset is UTC. Returns
 * undefined for other strings.
 */
export function parseMoment(value: string): string | undefined {
  const basic = BASIC.exec(value);
  const [, year, month, day, hour, minute, second = '00', rest] = basic ?? [];
  const extended = basic ? `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}` : value;
  const { date, time, zone = 'Z' } = EXTENDED.exec(extended)?.groups ?? {};
  if (date === undefined || UNKNOWN_ZONE.test(zone)) return undefined;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  const at = new Date(`${date}T${time!.replace(',', '.')}${offset}`);
  // Otherwise, 30 February would become a day in March.
  const isReal = !Number.isNaN(at.getTime()) && new Date(`${date}T00:00Z`).toISOString().startsWith(date);
  return isReal ? at.toISOString() : undefined;
}
