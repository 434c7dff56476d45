import type { Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import { ApiError } from '../../contract/errors.ts';

/** A file that a form sends. Its name has no folders; it is empty if the browser sent none. */
export interface FormFile {
  bytes: Buffer;
  fileName: string;
}

const files = new WeakMap<Request, FormFile>();

const MAX_FIELDS = 20;
const MAX_FILE_NAME_LENGTH = 200;

/**
 * Creates a request handler that reads a `multipart/form-data` form with a file in the field `file`. The texts become
 * the form that `getForm` returns, and `getFormFile` returns the file.
 * @param maxBytes maximum size of the file and of each text
 * @throws {ApiError} `payload_too_large`, and `invalid_request` for a form that cannot be read
 */
export function readFileForm(maxBytes: number): RequestHandler {
  const read = multer({
    storage: multer.memoryStorage(),
    limits: { fileSize: maxBytes, fieldSize: maxBytes, files: 1, fields: MAX_FIELDS, headerPairs: 20 },
    defParamCharset: 'utf8',
  }).single('file');
  return async (req, res, next) => {
    if (!req.is('multipart/form-data'))
      throw new ApiError('unsupported_media_type', 'The Content-Type of this form must be multipart/form-data.');
    await runMulter(read, req, res, maxBytes);
    const { file } = req;
    if (file) files.set(req, { bytes: file.buffer, fileName: cleanFileName(file.originalname) });
    const texts = Object.entries((req.body ?? {}) as Record<string, unknown>);
    req.body = new URLSearchParams(
      texts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
    );
    next();
  };
}

/** Returns the file of a form that `readFileForm` has read; undefined if no file was chosen. */
export function getFormFile(req: Request): FormFile | undefined {
  const file = files.get(req);
  return file && (file.bytes.length > 0 || file.fileName !== '') ? file : undefined;
}

const TOO_LARGE = new Set(['LIMIT_FILE_SIZE', 'LIMIT_FIELD_VALUE']);

function runMulter(read: RequestHandler, req: Request, res: Response, maxBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    void read(req, res, (error?: unknown) => {
      if (error === undefined) return resolve();
      const isTooLarge = TOO_LARGE.has((error as { code?: string }).code ?? '');
      reject(
        isTooLarge
          ? new ApiError('payload_too_large', `The file is larger than ${maxBytes} bytes; send a smaller one.`)
          : new ApiError('invalid_request', 'The form cannot be read; open the page and send it again.'),
      );
    });
  });
}

function cleanFileName(original: string): string {
  const name = [...original.replace(/^.*[/\\]/, '').replace(/\p{C}/gu, '')];
  return name.slice(-MAX_FILE_NAME_LENGTH).join('').toWellFormed();
}
