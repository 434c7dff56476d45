import type { Request, RequestHandler, Response } from 'express';
import type { SigningSource, SourceCache } from '../auth/source-cache.ts';
import { ApiError } from '../contract/errors.ts';
import type { CountRequest } from '../http/rate-limits/rate-limits.ts';
import { getRequestContext, withOrigin } from '../http/request-context.ts';

const HEADER = 'X-Gophish-Signature';

/** Steps that authenticate a request by the signature of a source instead of an API key. */
export interface Signatures {
  /** Finds the source before the body is read; a request without a signature is rejected at once. */
  findSource: RequestHandler;
  verify: (text: string, req: Request, res: Response) => Promise<void>;
}

/** Creates the steps. `countFailure` counts each failure, as it does for a wrong key. */
export function createSignatures(sources: SourceCache, countFailure: CountRequest): Signatures {
  const sourcesByRequest = new WeakMap<Request, SigningSource>();

  async function refuse(req: Request, res: Response): Promise<never> {
    // Cleared, because the access log must not name a source that might not be the caller.
    delete getRequestContext(res).caller;
    await countFailure(req, res);
    throw new ApiError(
      'unauthorized',
      `The signature in ${HEADER} is missing or invalid; sign the body with the secret of a source.`,
      {
        headers: { 'WWW-Authenticate': HEADER },
      },
    );
  }

  return {
    findSource: async (req, res, next) => {
      const { sourceId } = req.params as { sourceId: string };
      if (req.headers[HEADER.toLowerCase()] === undefined) return refuse(req, res);
      // An unknown source is rejected like a wrong signature, after the body is read.
      const source = await sources.findSigning('gophish', sourceId);
      sourcesByRequest.set(req, source);
      // Large bodies count towards this company's share. Nothing else is done for the company before `verify`.
      getRequestContext(res).caller = withOrigin(source.caller, req, res);
      next();
    },

    // The text of a UTF-8 body encodes to the bytes that were sent. The exception is a byte order mark, which is lost:
    // the signature of such a body does not match.
    verify: async (text, req, res) => {
      const source = sourcesByRequest.get(req)!;
      const signature = String(req.headers[HEADER.toLowerCase()]);
      if (!source.hasSigned(Buffer.from(text), signature)) return refuse(req, res);
      await sources.recordUse(source.caller);
    },
  };
}
