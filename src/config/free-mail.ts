import providers from 'email-providers/all.json' with { type: 'json' };
import others from './free-mail-domains.json' with { type: 'json' };

/** Providers that are missing from both lists. */
const UNLISTED = [
  ...['tutanota.com', 'tutamail.com', 'tuta.com', 'keemail.me', 'zohomail.eu', 'zohomail.in', 'startmail.com'],
  ...['disroot.org', 'riseup.net', 'onmail.com', 'skiff.com', 'atomicmail.io', 'ctemplar.com', 'tempmail.com'],
  ...['simplelogin.com', 'slmail.me', 'aleeas.com', 'anonaddy.me', 'addy.io', 'passmail.net', 'passinbox.com'],
  ...['mozmail.com', 'relay.firefox.com', 'zoznam.sk', 'hispeed.ch', 'sunrise.ch', 'telia.com', 'bredband.net'],
  ...['passagen.se', 'bbox.fr', 'numericable.fr', 'cegetel.net'],
];

/**
 * Domains that the lists name as providers, although the e-mail addresses there belong to employees of the domain's
 * owner.
 */
const EMPLOYERS = [
  ...[
    'alibaba.com',
    'aver.com',
    'bolt.com',
    'bt.com',
    'cox.com',
    'detik.com',
    'facebook.com',
    'name.com',
    'nus.edu.sg',
  ],
  ...['oath.com', 'parrot.com', 'sky.com', 'space.com', 'starbucks.com', 'telstra.com', 'ukmail.com'],
  ...['virginmedia.co.uk'],
];

/** The operator's corrections, in lower case. */
export interface FreeMailSettings {
  readonly added: readonly string[];
  readonly excepted: readonly string[];
}

/** Builds the set of domains of free e-mail providers, in lower case: two maintained lists with all corrections. */
export function freeMailDomains({ added, excepted }: FreeMailSettings): ReadonlySet<string> {
  const listed = [...providers, ...others.domains, ...UNLISTED].filter((domain) => !EMPLOYERS.includes(domain));
  return new Set([...listed, ...added].filter((domain) => !excepted.includes(domain)));
}
