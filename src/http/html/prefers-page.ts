import type { Request, Response } from 'express';

/** Reports whether a client prefers a page to JSON, as browsers do. Sets `Vary`, because the response depends on it. */
export function prefersPage(req: Request, res: Response): boolean {
  res.vary('Accept');
  return req.headers.accept !== undefined && req.accepts('json', 'html') === 'html';
}
