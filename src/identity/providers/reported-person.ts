import type { NameIdAttributes } from '../saml/assertion-rules.ts';
import { isStorable } from './id-token-checks.ts';

const MAX_GROUPS = 2000;
const MAX_TEXT = 500;

/** A person as a provider reports them. Strings that the provider does not report are empty. */
export interface ReportedPerson {
  /** The provider's own id of the person. */
  subject: string;
  email: string;
  /** True unless the provider says that it has not verified the claim `email`. */
  isEmailVerified: boolean;
  firstName: string;
  lastName: string;
  groups: string[];
  /**
   * Time in seconds at which the person last signed in at the provider; undefined if the provider does not report it.
   */
  authTime?: number | undefined;
  /** The provider's id of its session, with which it ends sessions here; undefined if it reports none. */
  sessionId?: string;
  /** The attributes of the NameID of SAML, which a request to sign out repeats; undefined with OpenID Connect. */
  nameIdAttributes?: NameIdAttributes;
  /** Time at which the provider requires the session to end; undefined if it sets none. */
  sessionExpiresAt?: Date | undefined;
}

/** Reads a string about a person; empty for any other type, and for a string that cannot be stored. */
export function readText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TEXT && isStorable(value) ? value.trim() : '';
}

/**
 * Reads an e-mail address. Postgres and providers might disagree about letters outside ASCII, such as the Kelvin sign.
 */
export function readEmail(value: unknown): string {
  const text = readText(value);
  return /^[!-~]+$/.test(text) ? text : '';
}

/** Reads the names or ids of a person's groups. */
export function readGroups(values: readonly unknown[]): string[] {
  return values.slice(0, MAX_GROUPS).map(readText).filter(Boolean);
}
