import type pg from 'pg';
import type { PersonKind } from '../../identity/people.ts';
import { PersonSessions } from '../../identity/person-sessions.ts';
import { listProvidersByEmail, type OfferedProvider } from '../../identity/providers/identity-providers.ts';
import { SignInLinks } from '../../identity/sign-in-links.ts';
import type { Language } from '../../contract/languages.ts';
import type { Html } from '../../http/html/html.ts';
import { SessionCookie } from '../../http/html/session-cookie.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import type { SignInMessages } from './sign-in-messages.ts';
import { SignedOutCookie } from './signed-out-cookie.ts';

/** Limits of sign-ins, and the operations of people. `budget` limits the calls of each person per minute. */
type Services = Pick<SharedServices, 'budget' | 'countFailure' | 'countAnonymous' | 'invoke'>;

interface Dependencies extends Services, Pick<SharedServices, 'sealedSecrets'> {
  pool: pg.Pool;
  publicUrl: string;
}

/** Home page of a sign-in, and its messages. */
export interface SignInLocation {
  /** Path of the first page. */
  home: string;
  messages: Record<Language, SignInMessages>;
}

interface OwnOptions {
  /** Sign-in method other than the mailed link. */
  alternative?: AlternativeSignIn;
}

/** The sign-in of learners or of admins. */
export interface SignInConfig extends SignInLocation, Services, OwnOptions {
  kind: PersonKind;
  links: SignInLinks;
  /** Lists the identity providers for an e-mail address. */
  listProviders: (email: string) => Promise<OfferedProvider[]>;
  sessions: PersonSessions;
  cookie: SessionCookie;
  /** Cookie that recognises a device on which somebody has signed in. */
  deviceCookie: SessionCookie;
  signedOutCookie: SignedOutCookie;
}

export interface AlternativeSignIn {
  /** @param isRefused whether the last attempt was rejected */
  content: (language: Language, isRefused: boolean) => Html;
  scripts: readonly string[];
  /** Additional directives of the page's content security policy. */
  also?: Readonly<Record<string, string>>;
}

/**
 * Lifetime of the device cookie: 400 days, the maximum in browsers. The device's row in the database expires earlier.
 */
const DEVICE_COOKIE_SECONDS = 400 * 86_400;

export function createSignIn(
  kind: PersonKind,
  place: SignInLocation,
  { pool, publicUrl, sealedSecrets, budget, countFailure, countAnonymous, invoke }: Dependencies,
  own: OwnOptions = {},
): SignInConfig {
  const cookie = new SessionCookie(kind, publicUrl);
  const deviceCookie = new SessionCookie('device', publicUrl, DEVICE_COOKIE_SECONDS);
  const services = { budget, countFailure, countAnonymous, invoke };
  return {
    kind,
    ...place,
    links: new SignInLinks(pool),
    listProviders: (email) => listProvidersByEmail(pool, kind, email),
    sessions: new PersonSessions(pool),
    cookie,
    deviceCookie,
    signedOutCookie: new SignedOutCookie(sealedSecrets, publicUrl),
    ...services,
    ...own,
  };
}
