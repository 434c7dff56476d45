import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { readText } from './reported-person.ts';
import { SignInFault } from './sign-in-fault.ts';

/**
 * Maximum age of a logout token, and maximum difference between the clocks. A copy of the token that arrives later ends
 * no session.
 */
const MAX_AGE_SECONDS = 120;
const MAX_CLOCK_DIFFERENCE_SECONDS = 60;
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`));
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** The sessions that a provider ends. At least one of the ids is present. */
export interface SignOut {
  /** The provider's id of its session. */
  sessionId?: string;
  /** The provider's id of the person. */
  subject?: string;
  /** Time at which the provider ended the sessions. Sessions that began later are kept. */
  at: Date;
}

export interface LogoutContext {
  /** The issuer, exactly as the provider's configuration states it. */
  issuer: string;
  clientId: string;
  findKey: JWTVerifyGetKey;
}

/**
 * Verifies a logout token, by OpenID Connect Back-Channel Logout 1.0, section 2.6.
 * @throws {SignInFault} `response_invalid`, and the faults of `findKey`
 */
export async function verifyLogoutToken(token: string, { issuer, clientId, findKey }: LogoutContext): Promise<SignOut> {
  try {
    const { payload } = await jwtVerify(token, findKey, {
      ...{ issuer, audience: clientId, algorithms: [...ALGORITHMS, 'EdDSA', 'Ed25519'] },
      ...{ requiredClaims: ['iat', 'exp', 'jti', 'events'], maxTokenAge: MAX_AGE_SECONDS },
      clockTolerance: MAX_CLOCK_DIFFERENCE_SECONDS,
    });
    const { events, sub, sid, nonce, iat } = payload;
    const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, EVENT);
    if (!isLogout || nonce !== undefined) throw new Error('The token is not a logout token.');
    const [sessionId, subject] = [readText(sid), readText(sub)];
    if (sessionId === '' && subject === '') throw new Error('The token names neither a session nor a person.');
    return {
      ...(sessionId !== '' && { sessionId }),
      ...(subject !== '' && { subject }),
      at: new Date((iat! + MAX_CLOCK_DIFFERENCE_SECONDS) * 1000),
    };
  } catch (error) {
    throw error instanceof SignInFault ? error : new SignInFault('response_invalid', { cause: error });
  }
}
