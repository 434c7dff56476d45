import type { Readable } from 'node:stream';
import type { Request, RequestHandler, Response } from 'express';
import multer from 'multer';
import type { SentFile } from '../../contract/contract.ts';
import { ApiError, invalidField } from '../../contract/errors.ts';

export const FILE_LIMIT_BYTES = 25 * 1024 * 1024;
const FIELD = 'file';
const MAX_FILE_NAME_LENGTH = 200;
const ALONE = `must have only the field ${FIELD}`;

/** Errors of multer, by its codes. */
const faults: Record<string, (field?: string) => ApiError> = {
  LIMIT_FILE_COUNT: () => invalidField('body', `must have only one file, in the field ${FIELD}`),
  LIMIT_UNEXPECTED_FILE: (field) =>
    invalidField(`body/${field}`, `is not expected; send the file in the field ${FIELD}`),
  LIMIT_FIELD_VALUE: (field) => textRefused(field),
  LIMIT_FIELD_COUNT: () => invalidField('body', ALONE),
  LIMIT_PART_COUNT: () => invalidField('body', ALONE),
  LIMIT_FIELD_KEY: () => invalidField('body', `has a field with a long name, but ${ALONE}`),
  MISSING_FIELD_NAME: () => invalidField('body', `has a part without a name; send the file in the field ${FIELD}`),
};
const noBoundary = invalidField('header/content-type', 'must include the boundary of the form');
/** Errors of multer's parser, which have no codes. */
const unreadable: [RegExp, ApiError][] = [
  [/boundary not found/i, noBoundary],
  [
    /malformed part header/i,
    invalidField('body', 'has a part with an unreadable header; remove control characters from its file name'),
  ],
  [
    /unexpected end/i,
    invalidField('body', 'ends before the form is complete; use the boundary of the Content-Type header'),
  ],
];

/**
 * Creates a reader of forms with one file of up to `fileSize` bytes and up to `fields` other fields of `fieldSize`
 * bytes each.
 */
function createReader(fields: number, fieldSize: number, fileSize: number) {
  return multer({
    storage: multer.memoryStorage(),
    limits: {
      ...{ fileSize, files: 1, fields, fieldSize, parts: fields + 1 },
      ...{ headerPairs: 20, fieldNameSize: 100 },
    },
    defParamCharset: 'utf8',
  }).single(FIELD);
}

/**
 * Reads the file in a form that has nothing else.
 * @param headers of the request with the form
 * @throws {ApiError} that names the form's fault
 */
export async function readFormFile(
  form: Readable,
  headers: Request['headers'],
  maxFileBytes: number,
): Promise<SentFile> {
  const { texts, file } = await readForm(createReader(1, 0, maxFileBytes), form, { headers, maxFileBytes });
  const [text] = Object.keys(texts);
  if (text !== undefined) throw textRefused(text);
  return requireFormFile(file);
}

/** A form of a page with a file. */
export interface FileForm {
  fields: URLSearchParams;
  /** The file; undefined if none was chosen. */
  file: SentFile | undefined;
}

/**
 * Reads a page's form, which has other fields next to the file.
 * @param headers of the request with the form
 * @throws {ApiError} that names the form's fault
 */
export async function readFileForm(
  form: Readable,
  headers: Request['headers'],
  maxFileBytes: number,
): Promise<FileForm> {
  const { texts, file } = await readForm(createReader(20, FILE_LIMIT_BYTES, maxFileBytes), form, {
    headers,
    maxFileBytes,
  });
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(texts)) for (const one of [value].flat()) fields.append(name, one);
  return { fields, file };
}

/** @throws {ApiError} `invalid_request` */
export function requireFormFile(file: SentFile | undefined): SentFile {
  if (!file) throw invalidField(`body/${FIELD}`, 'is required; send it as a part with a file name');
  return file;
}

interface ReadForm {
  texts: Record<string, string | string[]>;
  file: SentFile | undefined;
}

async function readForm(
  read: RequestHandler,
  form: Readable,
  { headers, maxFileBytes }: { headers: Request['headers']; maxFileBytes: number },
): Promise<ReadForm> {
  // multer reads only the headers of a request.
  const request = Object.assign(form, { headers }) as Readable & Pick<Request, 'headers' | 'body' | 'file'>;
  await new Promise<void>((resolve, reject) => {
    const done = (error?: unknown) => (error === undefined ? resolve() : reject(toFormError(error, maxFileBytes)));
    void read(request as Request, {} as Response, done);
  });
  // multer skips multipart content types that it cannot parse.
  if (request.body === undefined) throw noBoundary;
  const { file } = request;
  return {
    texts: request.body as ReadForm['texts'],
    file: file && { bytes: file.buffer, fileName: cleanFileName(file.originalname) },
  };
}

export function fileTooLarge(maxFileBytes: number): ApiError {
  return new ApiError('payload_too_large', `The file is larger than ${maxFileBytes} bytes; send a smaller one.`);
}

function textRefused(field: string | undefined): ApiError {
  if (field !== FIELD) return invalidField('body', ALONE);
  return invalidField(`body/${FIELD}`, 'must be a file; give its part a file name');
}

function toFormError(error: unknown, maxFileBytes: number): ApiError {
  const { code, field, message } = error as { code?: string; field?: string; message: string };
  if (code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxFileBytes);
  const fault = faults[code ?? '']?.(field) ?? unreadable.find(([pattern]) => pattern.test(message))?.[1];
  return fault ?? invalidField('body', 'must be a readable form');
}

function cleanFileName(original: string): string | null {
  const name = [...original.replace(/^.*[/\\]/, '').replace(/\p{Cc}/gu, '')];
  return name.slice(-MAX_FILE_NAME_LENGTH).join('').toWellFormed() || null;
}
