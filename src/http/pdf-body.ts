import express, { type Request, type RequestHandler } from 'express';
import multer from 'multer';
import type { UploadedFile } from '../contract.ts';
import { ApiError, invalidField } from '../errors.ts';
import { FairSlots } from '../fair-slots.ts';
import { contextOf } from './request-context.ts';

const PDF_LIMIT_BYTES = 25 * 1024 * 1024;
/** What a form may add around its file. */
const FORM_BYTES = 16 * 1024;
const PDF_TYPE = 'application/pdf';
const FORM_TYPE = 'multipart/form-data';
const FIELD = 'file';
const LONGEST_FILE_NAME = 200;

const files = new WeakMap<Request, UploadedFile>();
// A file is in memory from its first byte until it is stored: no more than these are at once.
const slots = new FairSlots({ most: 4, mostOfOne: 2 });

const readForm = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: PDF_LIMIT_BYTES, files: 1, fields: 0, parts: 2, headerPairs: 20, fieldNameSize: 100 },
  defParamCharset: 'utf8',
}).single(FIELD);
const readRaw = express.raw({ type: PDF_TYPE, limit: PDF_LIMIT_BYTES, inflate: false });

/**
 * Reads the PDF of an upload: the field `file` of a form, or the whole body. How large it is must be said beforehand, so
 * that one that is too large is refused before it is read.
 */
export const pdfBody: RequestHandler = async (req, res, next) => {
  const isForm = req.is(FORM_TYPE) === FORM_TYPE;
  const length = req.headers['transfer-encoding'] === undefined ? req.headers['content-length'] : undefined;
  if (length === undefined) return next(lengthRequired());
  if (!isForm && mediaTypeOf(req) !== PDF_TYPE) {
    const message = `The Content-Type of this body must be ${FORM_TYPE} or ${PDF_TYPE}.`;
    return next(new ApiError('unsupported_media_type', message));
  }
  if (Number(length) > PDF_LIMIT_BYTES + (isForm ? FORM_BYTES : 0)) return next(tooLarge());
  const giveBack = await slots.acquire(contextOf(res).caller!.companyId);
  // Who has left while it waited hears no more, and will not close again.
  if (res.closed) return giveBack();
  res.once('close', giveBack);
  (isForm ? readForm : readRaw)(req, res, (error?: unknown) => {
    if (error !== undefined) return next(translateUploadError(error));
    const file = isForm ? fileOfForm(req) : rawFile(req);
    if (!file) return next(invalidField(`body/${FIELD}`, 'is required'));
    files.set(req, file);
    // The validator has nothing to say of a body that is no JSON, and must not keep what a client calls its own.
    delete req.headers['content-type'];
    req.body = undefined;
    next();
  });
};

/** The file that `pdfBody` has read. */
export function uploadedFile(req: Request): UploadedFile | undefined {
  return files.get(req);
}

function mediaTypeOf(req: Request): string | undefined {
  return req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

function fileOfForm({ file }: Request): UploadedFile | undefined {
  if (!file) return undefined;
  const name = [...file.originalname.replace(/^.*[/\\]/, '').replace(/\p{Cc}/gu, '')];
  return { bytes: file.buffer, fileName: name.slice(-LONGEST_FILE_NAME).join('').toWellFormed() || null };
}

function rawFile({ body }: Request): UploadedFile {
  return { bytes: Buffer.isBuffer(body) ? body : Buffer.alloc(0), fileName: null };
}

function translateUploadError(error: unknown): unknown {
  const { code, field, type } = error as { code?: string; field?: string; type?: string };
  if (code === 'LIMIT_FILE_SIZE' || type === 'entity.too.large') return tooLarge();
  if (code === 'LIMIT_UNEXPECTED_FILE')
    return invalidField(`body/${field}`, `is not expected: the file is in ${FIELD}`);
  if (code === 'LIMIT_FIELD_COUNT' || code === 'LIMIT_PART_COUNT') {
    return invalidField('body', `must have the field ${FIELD} alone`);
  }
  return invalidField('body', 'could not be read');
}

function lengthRequired(): ApiError {
  return new ApiError('length_required', 'An upload needs a Content-Length header.');
}

function tooLarge(): ApiError {
  return new ApiError('payload_too_large', `The file is larger than ${PDF_LIMIT_BYTES} bytes.`);
}
