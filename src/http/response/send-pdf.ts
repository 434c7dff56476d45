import type { Response } from 'express';
import type { SentPdf } from '../../contract/contract.ts';
import { sendParts } from './send-parts.ts';

/**
 * Answers a file, to be saved and not to be shown.
 * @param companyId whose share of the places for slow clients it takes
 * @throws what reading its first part throws; after that a failure breaks the connection
 */
export function sendPdf(res: Response, { parts, sizeBytes, fileName }: SentPdf, companyId: string): Promise<void> {
  const begin = () => {
    res.statusCode = 200;
    res.setHeader('Content-Type', 'application/pdf');
    res.setHeader('Content-Length', sizeBytes);
    res.setHeader('Content-Disposition', attachment(fileName ?? 'policy.pdf'));
  };
  return sendParts(res, { parts, companyId, begin });
}

/** The name twice: for clients that know RFC 6266, and without what is not ASCII for those that do not. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
