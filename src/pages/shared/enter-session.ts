import type { Request, Response } from 'express';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SignInConfig } from './sign-in-config.ts';

/**
 * Sets the cookie of a new session, and ends the browser's previous session. Overwriting the previous cookie is not
 * enough: a copy of it would work until that session expires.
 */
export async function enterSession(
  { kind, sessions, cookie }: Pick<SignInConfig, 'kind' | 'sessions' | 'cookie'>,
  token: string,
  req: Request,
  res: Response,
): Promise<void> {
  const origin = getRequestOrigin(req, res);
  const earlierToken = cookie.read(req);
  const earlier = earlierToken === '' ? undefined : await sessions.find(kind, earlierToken, origin);
  if (earlier) await sessions.end(earlier, earlierToken, origin);
  cookie.set(res, token);
}
