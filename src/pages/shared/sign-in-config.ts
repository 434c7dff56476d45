import type pg from 'pg';
import type { PersonKind } from '../../identity/people.ts';
import { PersonSessions } from '../../identity/person-sessions.ts';
import { SignInLinks } from '../../identity/sign-in-links.ts';
import type { Language } from '../../contract/languages.ts';
import type { Html } from '../../http/html/html.ts';
import { SessionCookie } from '../../http/html/session-cookie.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import type { SignInMessages } from './sign-in-messages.ts';

/** What sign-ins are counted by, and what people run. `budget`: what each person may call in a minute. */
type Services = Pick<SharedServices, 'budget' | 'countFailure' | 'countAnonymous' | 'invoke'>;

/** Where people sign in, and what it says there. */
export interface SignInLocation {
  /** The address of the first page. */
  home: string;
  messages: Record<Language, SignInMessages>;
}

interface OwnOptions {
  /** What there is beside the mailed link to sign in with. */
  alternative?: AlternativeSignIn;
}

/** The sign-in of learners or of admins. */
export interface SignInConfig extends SignInLocation, Services, OwnOptions {
  kind: PersonKind;
  links: SignInLinks;
  sessions: PersonSessions;
  cookie: SessionCookie;
  /** By which a device is known on which somebody has signed in. */
  deviceCookie: SessionCookie;
}

export interface AlternativeSignIn {
  /** @param isRefused whether it was just tried in vain */
  content: (language: Language, isRefused: boolean) => Html;
  scripts: readonly string[];
  /** Further directives of the page's policy. */
  also?: Readonly<Record<string, string>>;
}

/** As long as browsers keep a cookie: 400 days. The database forgets a device earlier. */
const DEVICE_COOKIE_SECONDS = 400 * 86_400;

export function createSignIn(
  kind: PersonKind,
  place: SignInLocation,
  { pool, publicUrl, budget, countFailure, countAnonymous, invoke }: Services & { pool: pg.Pool; publicUrl: string },
  own: OwnOptions = {},
): SignInConfig {
  const cookie = new SessionCookie(kind, publicUrl);
  const deviceCookie = new SessionCookie('device', publicUrl, DEVICE_COOKIE_SECONDS);
  const services = { budget, countFailure, countAnonymous, invoke };
  return {
    kind,
    ...place,
    links: new SignInLinks(pool),
    sessions: new PersonSessions(pool),
    cookie,
    deviceCookie,
    ...services,
    ...own,
  };
}
