import type { Response } from 'express';
import type { SentAttachment } from '../../contract/contract.ts';
import { sendParts } from './send-parts.ts';

/**
 * Sends a file as an attachment, which browsers save instead of showing it.
 * @param companyId the company whose share of the slots for slow clients the response uses
 * @throws the read error if nothing has been sent; otherwise `ResponseAborted`
 */
export function sendAttachment(res: Response, file: SentAttachment, companyId: string): Promise<void> {
  const { parts, sizeBytes, fileName, mediaType } = file;
  const begin = () => {
    res.statusCode = 200;
    res.setHeader('Content-Type', mediaType);
    res.setHeader('Content-Length', sizeBytes);
    res.setHeader('Content-Disposition', attachment(fileName ?? 'policy.pdf'));
  };
  return sendParts(res, { parts, companyId, begin });
}

/** Builds a Content-Disposition with the name twice: as RFC 6266 encodes it, and in ASCII for older clients. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
