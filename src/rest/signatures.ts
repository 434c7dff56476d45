import type { Request, RequestHandler, Response } from 'express';
import type { SigningSource, SourceCache } from '../auth/source-cache.ts';
import { ApiError } from '../contract/errors.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { getRequestContext, withOrigin } from '../http/request-context.ts';

const HEADER = 'X-Gophish-Signature';

/** The steps that accept what a source has signed, in place of a key. */
export interface Signatures {
  /** Before the body is read: a request without a signature is not worth it. */
  findSource: RequestHandler;
  verify: (text: string, req: Request, res: Response) => Promise<void>;
}

/** Each failure is counted by `countFailure`, as a wrong key is. */
export function createSignatures(sources: SourceCache, countFailure: CountRequest): Signatures {
  const sourcesByRequest = new WeakMap<Request, SigningSource>();

  async function refuse(req: Request, res: Response): Promise<never> {
    // The access log names no source that may not have called.
    delete getRequestContext(res).caller;
    await countFailure(req, res);
    throw new ApiError('unauthorized', `A valid signature of a source is required in ${HEADER}.`, {
      headers: { 'WWW-Authenticate': HEADER },
    });
  }

  return {
    findSource: async (req, res, next) => {
      const { sourceId } = req.params as { sourceId: string };
      if (req.headers[HEADER.toLowerCase()] === undefined) return refuse(req, res);
      // An unknown one is refused as a wrong signature is, when the body has been read.
      const source = await sources.findSigning('gophish', sourceId);
      sourcesByRequest.set(req, source);
      // Whose share of what large bodies take it is; nothing is done for it before the signature is verified.
      getRequestContext(res).caller = withOrigin(source.caller, req, res);
      next();
    },

    // A text that was UTF-8 has the bytes that came. A byte order mark is lost, and refused so.
    verify: async (text, req, res) => {
      const source = sourcesByRequest.get(req)!;
      const signature = String(req.headers[HEADER.toLowerCase()]);
      if (!source.hasSigned(Buffer.from(text), signature)) return refuse(req, res);
      await sources.recordUse(source.caller);
    },
  };
}
