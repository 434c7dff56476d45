import { Temporal } from 'temporal-polyfill';

/** Names of regions in English. With `fallback: 'none'`, an unknown code has no name. */
const REGION_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Codes that have a name but that ISO 3166-1 does not assign: unions, islands of other countries, codes for tests. */
const NOT_ASSIGNED = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The codes of ISO 3166-1 alpha-2, and XK for Kosovo, which ISO leaves to its users. */
const COUNTRIES: ReadonlySet<string> = new Set(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) =>
      REGION_NAMES.of(code) !== undefined &&
      !NOT_ASSIGNED.has(code) &&
      // Intl.Locale replaces a former code with the code of its successor.
      new Intl.Locale(`und-${code}`).region === code,
  ),
);

/**
 * Normalizes the case of a country code: `de` becomes `DE`. Returns undefined for a string that is not a country code;
 * this includes former codes, such as `DD`.
 */
export function countryCode(text: string): string | undefined {
  const trimmed = text.trim();
  // Other lower-case letters can also become two upper-case letters: `ß` becomes `SS`.
  const code = /^[a-z]{2}$/i.test(trimmed) ? trimmed.toUpperCase() : '';
  return COUNTRIES.has(code) ? code : undefined;
}

/** Other English names of countries that directories use. */
const OTHER_NAMES: Record<string, string> = {
  ...{ US: 'United States of America, USA, U.S.A.', GB: 'Great Britain, England, Scotland, Wales, Northern Ireland' },
  ...{ NL: 'Holland', IE: 'Republic of Ireland, Eire', CZ: 'Czech Republic', SK: 'Slovak Republic', TR: 'Turkey' },
  ...{
    RU: 'Russian Federation',
    KR: 'Republic of Korea, Korea',
    VN: 'Viet Nam',
    CN: "People's Republic of China, PRC",
  },
  ...{ CI: 'Ivory Coast', MM: 'Burma', CV: 'Cabo Verde', SZ: 'Swaziland', MK: 'Macedonia', AE: 'UAE' },
};

const SHORT_NAMES = new Intl.DisplayNames(['en'], { type: 'region', style: 'short' });

/** Codes of countries by their English names, in the form of `plainCountryName`. */
const COUNTRIES_BY_NAME: ReadonlyMap<string, string> = new Map(
  [...COUNTRIES].flatMap((code) => {
    const names = [REGION_NAMES.of(code)!, SHORT_NAMES.of(code)!, ...(OTHER_NAMES[code]?.split(', ') ?? [])];
    return names.map((name) => [plainCountryName(name), code] as const);
  }),
);

function plainCountryName(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('&', ' and ');
  return letters
    .replace(/[^a-z]+/g, ' ')
    .trim()
    .replace(/^the /, '');
}

const MAX_NAME_LENGTH = 100;

/** Returns the code of the country that has an English name: `Germany` is `DE`. Ignores case, accents and punctuation. */
export function countryNamed(name: string): string | undefined {
  return name.length > MAX_NAME_LENGTH ? undefined : COUNTRIES_BY_NAME.get(plainCountryName(name));
}

/** Codes of ISO 3166-1 alpha-3 that begin with the alpha-2 code of their country. */
const REGULAR_ALPHA_3 = `
  AFG AIA ALB ARG ASM AUS AZE BEL BFA BGR BHR BLM BMU BOL BRA BTN BVT BWA CAN CCK CHE CIV CMR COL CRI CUB CXR
  CYP CZE DEU DJI DMA DOM DZA ECU EGY ERI ESP ETH FIN FJI FRA GAB GBR GEO GGY GHA GIB GMB GRC GTM GUM HKG HMD
  HND HRV HTI HUN IDN IMN IND IOT IRN ISL ITA JEY JOR JPN KEN KGZ KHM KIR KNA KWT LAO LBN LCA LIE LKA LSO LTU
  LUX LVA MAR MCO MDA MHL MKD MLI MMR MNG MRT MSR MUS MWI MYS NAM NCL NER NFK NGA NIC NLD NOR NPL NRU NZL OMN
  PAN PER PHL PRI PSE QAT REU ROU RUS RWA SAU SDN SGP SHN SJM SLE SMR SOM SSD STP SXM SYR TCA TGO THA TJK TKL
  TLS TON TTO TWN TZA UGA UMI USA UZB VAT VCT VEN VGB VIR VNM VUT WSM XKX YEM ZAF ZMB ZWE`;

/** The other alpha-3 codes, each followed by the alpha-2 code. XKX is the alpha-3 code of XK. */
const OTHER_ALPHA_3 = `
  ABW:AW AGO:AO ALA:AX AND:AD ARE:AE ARM:AM ATA:AQ ATF:TF ATG:AG AUT:AT BDI:BI BEN:BJ BES:BQ BGD:BD BHS:BS
  BIH:BA BLR:BY BLZ:BZ BRB:BB BRN:BN CAF:CF CHL:CL CHN:CN COD:CD COG:CG COK:CK COM:KM CPV:CV CUW:CW CYM:KY
  DNK:DK ESH:EH EST:EE FLK:FK FRO:FO FSM:FM GIN:GN GLP:GP GNB:GW GNQ:GQ GRD:GD GRL:GL GUF:GF GUY:GY IRL:IE
  IRQ:IQ ISR:IL JAM:JM KAZ:KZ KOR:KR LBR:LR LBY:LY MAC:MO MAF:MF MDG:MG MDV:MV MEX:MX MLT:MT MNE:ME MNP:MP
  MOZ:MZ MTQ:MQ MYT:YT NIU:NU PAK:PK PCN:PN PLW:PW PNG:PG POL:PL PRK:KP PRT:PT PRY:PY PYF:PF SEN:SN SGS:GS
  SLB:SB SLV:SV SPM:PM SRB:RS SUR:SR SVK:SK SVN:SI SWE:SE SWZ:SZ SYC:SC TCD:TD TKM:TM TUN:TN TUR:TR TUV:TV
  UKR:UA URY:UY WLF:WF`;

const COUNTRIES_BY_ALPHA_3: ReadonlyMap<string, string> = new Map([
  ...REGULAR_ALPHA_3.trim()
    .split(/\s+/)
    .map((code) => [code, code.slice(0, 2)] as const),
  ...OTHER_ALPHA_3.trim()
    .split(/\s+/)
    .map((pair) => [pair.slice(0, 3), pair.slice(4)] as const),
]);

/** Returns the code of the country that has an alpha-3 code: `DEU` is `DE`. Ignores case. */
export function countryOfAlpha3(text: string): string | undefined {
  return COUNTRIES_BY_ALPHA_3.get(text.trim().toUpperCase());
}

/**
 * Time zone names by the strings that were looked up, in lower case; undefined for a string that is not a time zone.
 */
const zones = new Map<string, string | undefined>();
/** Maximum number of strings in `zones`; enough for a bulk call. A lookup takes 75 µs, most of it in Intl. */
const MAX_ZONES = 10_000;

/**
 * Normalizes the case of a time zone's name: `europe/berlin` becomes `Europe/Berlin`. Returns undefined for a string
 * that is not an IANA time zone name, such as `+01:00` or `BST`. Aliases are kept.
 *
 * Intl is not enough: it replaces Asia/Kolkata with Asia/Calcutta, and takes `BST` for the time of Dhaka.
 */
export function timeZoneName(text: string): string | undefined {
  const key = text.trim().toLowerCase();
  // The other strings that Temporal accepts are offsets and dates, and zones that only Intl has.
  if (!/^[a-z][a-z0-9_+/-]{1,63}$/.test(key) || key.startsWith('systemv/')) return undefined;
  if (!zones.has(key)) {
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(key, findZone(key));
  }
  return zones.get(key);
}

function findZone(name: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}
