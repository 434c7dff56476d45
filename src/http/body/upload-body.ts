import type { FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { Request, RequestHandler, Response } from 'express';
import { requireUnencoded } from './body-text.ts';
import type { SentFile } from '../../contract/contract.ts';
import { ApiError, refusalError } from '../../contract/errors.ts';
import { inspectPackage } from '../../resources/courses/scorm/inspection/inspect-package.ts';
import { inspectPdf } from '../../pdf/inspect-pdf.ts';
import { readFileBytes, withSpooledBody } from './spool-body.ts';
import type { PackageLimits } from '../../config/package-limits.ts';
import { bufferedBodies, largeBodies, spooledBodies } from './body-bulkheads.ts';
import { getRequestContext } from '../request-context.ts';
import { ResponseAborted } from '../response/response-aborted.ts';
import { createDisconnectSignal } from '../connection/disconnect-signal.ts';
import { FILE_LIMIT_BYTES, fileTooLarge, readFileForm, readFormFile, requireFormFile } from './upload-form.ts';

/** Maximum number of bytes that a form can add around its file. */
const FORM_BYTES = 16 * 1024;
const FORM_TYPE = 'multipart/form-data';

/**
 * Inspects a file of one content type. The handler gets the result with the file. The text of a fault continues a
 * sentence that begins with “The file”.
 */
interface Inspection {
  companyId: string;
  signal: AbortSignal;
  limits: PackageLimits;
}
type Inspect = (bytes: Buffer, inspection: Inspection) => Promise<{ fault?: string }>;

const inspections: Readonly<Record<string, Inspect>> = {
  'application/pdf': (bytes, { companyId, signal }) => inspectPdf(bytes, companyId, signal),
  'application/zip': (bytes, { limits, signal }) => inspectPackage(bytes, limits, signal),
};

/** Returns the content type of an operation's files, in a form or raw. @throws if no inspection handles such files */
export function findFileType(body: readonly string[]): string {
  const type = body.find((mediaType) => mediaType in inspections);
  if (type === undefined) throw new Error(`No inspection exists for ${body.join(' or ')}`);
  return type;
}

/** Returns the maximum file size for a content type. */
function getMaxBytes(fileType: string, { maxBytes }: PackageLimits): number {
  return fileType === 'application/zip' ? maxBytes : FILE_LIMIT_BYTES;
}

const contentTypes = new WeakMap<Request, string>();

/**
 * Rejects a request whose headers are wrong for an upload. The length must be declared, so that a file that is too
 * large is rejected before it is read.
 */
export const uploadHeaders =
  (fileType: string, limits: PackageLimits): RequestHandler =>
  (req, _res, next) => {
    const isForm = req.is(FORM_TYPE) === FORM_TYPE;
    const length = req.headers['transfer-encoding'] === undefined ? req.headers['content-length'] : undefined;
    if (length === undefined) return next(lengthRequired());
    if (!isForm && getMediaType(req) !== fileType) {
      const message = `The Content-Type of this body must be ${FORM_TYPE} or ${fileType}.`;
      return next(new ApiError('unsupported_media_type', message));
    }
    requireUnencoded(req);
    const maxBytes = getMaxBytes(fileType, limits);
    if (Number(length) > maxBytes + (isForm ? FORM_BYTES : 0)) return next(fileTooLarge(maxBytes));
    if (isForm) contentTypes.set(req, req.headers['content-type']!);
    // The validator does not check a body that is not JSON, and must not cache content types that clients make up.
    delete req.headers['content-type'];
    next();
  };

/**
 * Receives the file of an upload, as the form field `file` or as the whole body, inspects it, and runs the work on it.
 * The inspection comes first, because the work can be a transaction, which must not wait. Whatever the client does, the
 * slots are released once the work is over. If the client disconnects, the upload is aborted.
 */
export async function withUpload<T>(
  req: Request,
  res: Response,
  { fileType, limits, work }: { fileType: string; limits: PackageLimits; work: (file: SentFile) => Promise<T> },
): Promise<T> {
  return withBody(req, res, limits, async (body, inspect) => {
    const file = await readSentFile(req, body, getMaxBytes(fileType, limits));
    return work(await inspect(fileType, file));
  });
}

/** The file of a form, inspected when the work asks for it. */
export interface UploadedForm {
  fields: URLSearchParams;
  /** The file, not inspected; undefined if none was chosen. */
  file: SentFile | undefined;
  /** @throws {ApiError} `invalid_file` or, without a file, `invalid_request` */
  inspect: (fileType: string) => Promise<SentFile>;
}

/**
 * Maximum size of an oversized form that is still received completely, because browsers show no response before the end
 * of the form.
 */
const MAX_DRAINED_BYTES = 128 * 1024 * 1024;

/**
 * Receives a page's form with fields and a file, as `withUpload` does, and runs the work on it.
 * @throws {ApiError} `payload_too_large`, and the errors of the form
 */
export async function withUploadedForm<T>(
  req: Request,
  res: Response,
  { limits, work }: { limits: PackageLimits; work: (form: UploadedForm) => Promise<T> },
): Promise<T> {
  if (req.is(FORM_TYPE) !== FORM_TYPE)
    throw new ApiError('unsupported_media_type', `The Content-Type of this form must be ${FORM_TYPE}.`);
  requireUnencoded(req);
  const length = Number(req.headers['content-length'] ?? NaN);
  if (Number.isNaN(length)) throw lengthRequired();
  const maxBytes = Math.max(limits.maxBytes, FILE_LIMIT_BYTES);
  if (length > maxBytes + FORM_BYTES) {
    if (length <= MAX_DRAINED_BYTES) await finished(req.resume(), { writable: false }).catch(() => undefined);
    throw fileTooLarge(maxBytes);
  }
  return withBody(req, res, limits, async (body, inspect) => {
    const form = body.createReadStream({ start: 0, autoClose: false });
    const { fields, file } = await readFileForm(form, req.headers, maxBytes);
    const inspectFile = (fileType: string) => inspect(fileType, requireFormFile(file));
    return work({ fields, file, inspect: inspectFile });
  });
}

/** Receives a body into a file and runs the work on it, in the slots of the company. */
async function withBody<T>(
  req: Request,
  res: Response,
  limits: PackageLimits,
  work: (body: FileHandle, inspect: (fileType: string, file: SentFile) => Promise<SentFile>) => Promise<T>,
): Promise<T> {
  const signal = createDisconnectSignal(res);
  const { companyId } = getRequestContext(res).caller!;
  const inspect = async (fileType: string, file: SentFile) => {
    const maxBytes = getMaxBytes(fileType, limits);
    if (file.bytes.length > maxBytes) throw fileTooLarge(maxBytes);
    const inspected = await inspectedFile(file, (bytes) =>
      inspections[fileType]!(bytes, { companyId, signal, limits }),
    );
    signal.throwIfAborted();
    return inspected;
  };
  try {
    // NOTE: the request must outlive an error about a full disk, since the response follows on its connection.
    const bytes = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    const isLarge = Number(req.headers['content-length']) > FILE_LIMIT_BYTES + FORM_BYTES;
    const { spooled, buffered } = isLarge ? largeBodies : { spooled: spooledBodies, buffered: bufferedBodies };
    return await spooled.run(companyId, signal, () =>
      withSpooledBody(bytes, (body) => buffered.run(companyId, signal, () => work(body, inspect))),
    );
  } catch (error) {
    throw signal.aborted ? new ResponseAborted('The client disconnected', { cause: error }) : error;
  }
}

/** @throws {ApiError} `invalid_file` */
async function inspectedFile(
  file: SentFile,
  inspect: (bytes: Buffer) => Promise<{ fault?: string }>,
): Promise<SentFile> {
  const inspection = await inspect(file.bytes);
  if (inspection.fault === undefined) return { ...file, ...inspection };
  throw refusalError({ code: 'invalid_file', message: `The file ${inspection.fault}.`, fields: ['file'] });
}

async function readSentFile(req: Request, body: FileHandle, maxFileBytes: number): Promise<SentFile> {
  const type = contentTypes.get(req);
  if (type === undefined) return { bytes: await readFileBytes(body), fileName: null };
  const form = body.createReadStream({ start: 0, autoClose: false });
  return readFormFile(form, { ...req.headers, 'content-type': type }, maxFileBytes);
}

function getMediaType(req: Request): string | undefined {
  return req.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
}

function lengthRequired(): ApiError {
  return new ApiError('length_required', 'An upload must have a Content-Length header.');
}
