const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const IRI = /^[a-z][a-z0-9+.-]*:[^\s\u0000-\u001f\u007f<>"{}|\\^`]+$/i;
const MAILTO = /^mailto:[^\s@]+@[^\s@]+$/;
/** Most tags; telling them so is a hundred times quicker than asking ECMAScript. */
const PLAIN_LANGUAGE = /^[a-z]{2,3}(-[a-z]{2})?$/i;
/** Of RFC 5646, what no locale of ECMAScript may be: private tags, and those that are older than its grammar. */
const OTHER_LANGUAGE = /^(x(-[a-z0-9]{1,8})+|i-[a-z]+|sgn-[a-z]{2}-[a-z]{2}|art-lojban|zh-min|zh-xiang)$/i;

const DATE = String.raw`(?<date>\d{4}-\d\d-\d\d)`;
const TIME = String.raw`(?<time>\d\d:\d\d(:\d\d([.,]\d+)?)?)`;
const EXTENDED = new RegExp(`^${DATE}[T ]${TIME}(?<zone>Z|[+-]\\d\\d(:?\\d\\d)?)?$`, 'i');
const BASIC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d(?:[.,]\d+)?)?(.*)$/;
/** "Nobody knows where" (RFC 3339), which xAPI refuses. */
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

/** Whether a text is a language tag by RFC 5646. */
export function isLanguage(value: string): boolean {
  if (PLAIN_LANGUAGE.test(value) || OTHER_LANGUAGE.test(value)) return true;
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

export function isIsoDuration(value: string): boolean {
  return DURATION.test(value);
}

/**
 * A moment of ISO 8601, extended or basic, as UTC to the millisecond; undefined for what is none. Without an offset it is
 * UTC.
 */
export function momentOf(value: string): string | undefined {
  const basic = BASIC.exec(value);
  const [, year, month, day, hour, minute, second = '00', rest] = basic ?? [];
  const extended = basic ? `${year}-${month}-${day}T${hour}:${minute}:${second}${rest}` : value;
  const { date, time, zone = 'Z' } = EXTENDED.exec(extended)?.groups ?? {};
  if (date === undefined || UNKNOWN_ZONE.test(zone)) return undefined;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}` : 'Z';
  const at = new Date(`${date}T${time!.replace(',', '.')}${offset}`);
  // 30 February would become a day of March.
  const isReal = !Number.isNaN(at.getTime()) && new Date(`${date}T00:00Z`).toISOString().startsWith(date);
  return isReal ? at.toISOString() : undefined;
}
