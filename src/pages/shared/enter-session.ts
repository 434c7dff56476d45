import type { Request, Response } from 'express';
import { getRequestOrigin } from '../../http/request-context.ts';
import type { SignInConfig } from './sign-in-config.ts';

/**
 * Gives a browser the session that has begun, and ends the session that it had. The cookie of that session is
 * overwritten, but a copy of it would work until the session expires.
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
