import type { FileHandle } from 'node:fs/promises';
import type { Request, RequestHandler, Response } from 'express';
import { requireUnencoded } from '../../web/body-text.ts';
import type { UploadedFile } from '../../contract.ts';
import { ApiError, refusalError } from '../../errors.ts';
import { inspectPdf } from '../../pdf/inspect-pdf.ts';
import { bytesOf, withBodyOnDisk } from '../../web/body-on-disk.ts';
import { bodiesInMemory, bodiesOnDisk } from '../../web/body-places.ts';
import { contextOf } from '../../web/request-context.ts';
import { BrokenAnswer } from '../../web/broken-answer.ts';
import { clientGone } from '../../web/client-gone.ts';
import { fileOfForm, fileTooLarge, PDF_LIMIT_BYTES, type SentFile } from './upload-form.ts';

/** What a form may add around its file. */
const FORM_BYTES = 16 * 1024;
const PDF_TYPE = 'application/pdf';
const FORM_TYPE = 'multipart/form-data';

const contentTypes = new WeakMap<Request, string>();

/**
 * Refuses a request whose headers are not those of an upload. The length must be declared, so that a file that is too
 * large is refused before it is read.
 */
export const uploadHeaders: RequestHandler = (req, _res, next) => {
  const isForm = req.is(FORM_TYPE) === FORM_TYPE;
  const length = req.headers['transfer-encoding'] === undefined ? req.headers['content-length'] : undefined;
  if (length === undefined) return next(lengthRequired());
  if (!isForm && mediaTypeOf(req) !== PDF_TYPE) {
    const message = `The Content-Type of this body must be ${FORM_TYPE} or ${PDF_TYPE}.`;
    return next(new ApiError('unsupported_media_type', message));
  }
  requireUnencoded(req);
  if (Number(length) > PDF_LIMIT_BYTES + (isForm ? FORM_BYTES : 0)) return next(fileTooLarge());
  if (isForm) contentTypes.set(req, req.headers['content-type']!);
  // The validator does not check a body that is not JSON, and must not cache content types that clients make up.
  delete req.headers['content-type'];
  next();
};

/**
 * Receives the PDF of an upload, as the field `file` of a form or as the whole body, inspects it, and works with it: the
 * work may be a transaction, which must not wait for the inspection. Whatever the client does, its slot is released when
 * the work is over. A client that disconnects ends it.
 */
export async function withUpload<T>(req: Request, res: Response, work: (file: UploadedFile) => Promise<T>): Promise<T> {
  const signal = clientGone(res);
  const { companyId } = contextOf(res).caller!;
  try {
    // NOTE: the request must outlive a full disk, which it is answered about.
    const bytes = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    return await bodiesOnDisk.run(companyId, signal, () =>
      withBodyOnDisk(bytes, (body) =>
        bodiesInMemory.run(companyId, signal, async () => {
          const inspected = await inspectedFile(await fileOf(req, body), companyId, signal);
          signal.throwIfAborted();
          return work(inspected);
        }),
      ),
    );
  } catch (error) {
    throw signal.aborted ? new BrokenAnswer('The client has gone', { cause: error }) : error;
  }
}

/** @throws {ApiError} `invalid_file` */
async function inspectedFile(file: SentFile, companyId: string, signal: AbortSignal): Promise<UploadedFile> {
  const found = await inspectPdf(file.bytes, companyId, signal);
  if (found.fault === undefined) return { ...file, pageCount: found.pageCount };
  throw refusalError({ code: 'invalid_file', message: `The file ${found.fault}.`, fields: ['file'] });
}

async function fileOf(req: Request, body: FileHandle): Promise<SentFile> {
  const type = contentTypes.get(req);
  if (type === undefined) return { bytes: await bytesOf(body), fileName: null };
  const form = body.createReadStream({ start: 0, autoClose: false });
  return fileOfForm(form, { ...req.headers, 'content-type': type });
}

function mediaTypeOf(req: Request): string | undefined {
  return req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

function lengthRequired(): ApiError {
  return new ApiError('length_required', 'An upload needs a Content-Length header.');
}
