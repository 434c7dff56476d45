import type { components, operations as ContractOperations } from '../../generated/api-types.ts';
import {
  versionPattern,
  deprecations,
  type OperationId,
  operations,
  parameterModules,
  scopes,
  visibleLines,
  visibleText,
} from '../../generated/operations.ts';
import { scimOperations, type ScimOperationId } from '../../generated/scim-operations.ts';
import { personOperations, type PersonOperationId } from './person-operations.ts';
import type { Caller } from '../auth/caller.ts';
import type { ResultWithMeta, JsonText, Rows, RowsWithMeta } from '../db/rows.ts';
import type { TenantReader, TenantWriter } from '../db/tenant.ts';
import type { PackageContents } from '../resources/courses/scorm/inspection/inspect-package.ts';

export {
  versionPattern,
  deprecations,
  type OperationId,
  operations,
  parameterModules,
  type PersonOperationId,
  personOperations,
  type ScimOperationId,
  scimOperations,
  scopes,
  visibleLines,
  visibleText,
};

export type Schemas = components['schemas'];

type Table = typeof operations;

/** The operations that act for a company. The others, such as health checks, need no key. */
export type KeyedOperationId = { [Op in OperationId]: Table[Op]['keyed'] extends true ? Op : never }[OperationId];

/** The operations that the pipeline runs: those of REST, of SCIM, which has its own contract, and of the pages. */
export type AnyOperationId = KeyedOperationId | ScimOperationId | PersonOperationId;
export const allOperations = { ...operations, ...scimOperations, ...personOperations };

/** The validated input of a handler: path and query parameters in one object, and the JSON body or the file. */
export type Input<Op extends OperationId> = PathOf<Op> & QueryOf<Op> & BodyOf<Op> & FileOf<Op>;

/** A file as the client sent it. */
export interface SentFile {
  bytes: Buffer;
  /** The client's name for the file, without folders; null if the body is the raw file. */
  fileName: string | null;
}

/** An uploaded PDF that has been inspected. */
export interface UploadedFile extends SentFile {
  pageCount: number;
}

/** An uploaded course package that has been inspected. */
export type UploadedPackage = SentFile & PackageContents;

/** A file that an operation returns, in parts that are read while they are sent. */
export class SentAttachment {
  readonly parts: Rows<{ bytes: Buffer }>;
  readonly sizeBytes: number;
  /** The name of the file; null if it has none. */
  readonly fileName: string | null;
  readonly mediaType: AttachmentType;

  constructor(
    parts: Rows<{ bytes: Buffer }>,
    sizeBytes: number,
    fileName: string | null,
    mediaType: AttachmentType = 'application/pdf',
  ) {
    this.parts = parts;
    this.sizeBytes = sizeBytes;
    this.fileName = fileName;
    this.mediaType = mediaType;
  }
}

/** The media types of responses that are files. */
type AttachmentType = 'application/pdf' | 'application/zip';

/** The type of `data` in the 200 response of an operation. */
export type Data<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { 'application/json': { data: infer D } } } };
}
  ? D
  : never;

/** The fields next to `data` in the 200 response of an operation, except for `page`, which the transport adds. */
type Meta<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { 'application/json': infer Body extends { data: unknown } } } };
}
  ? Omit<Body, 'data' | 'page'>
  : never;

type SendsAttachment<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { [Type in AttachmentType]?: infer File } } };
}
  ? unknown extends File
    ? false
    : true
  : false;

/**
 * The tenant handle of an operation. Reads can act for a managed child company; all other operations act for the
 * caller's own company.
 */
export type TenantOf<Op extends OperationId> = Table[Op]['cluster'] extends 'read' ? TenantReader : TenantWriter;

/**
 * The result of a handler. An array, or an array in a field, can instead be `Rows`, which are read while they are sent.
 */
export type Result<Op extends OperationId> =
  SendsAttachment<Op> extends true
    ? SentAttachment
    : Data<Op> extends readonly (infer Item)[]
      ? Meta<Op> extends { syncedUntil?: string }
        ? OrChanges<Op, OrRows<Data<Op>>>
        : keyof Meta<Op> extends never
          ? OrRows<Data<Op>>
          : RowsWithMeta<Item, Meta<Op>>
      : Data<Op> extends object
        ? OrChanges<Op, OrRowsIn<Data<Op>>>
        : Data<Op>;
type OrRowsIn<T> = { [Field in keyof T]: OrRows<T[Field]> };
/** A result that, with `updatedSince`, can also have the fields next to `data`, such as the removed items. */
type OrChanges<Op extends OperationId, D> =
  Meta<Op> extends { syncedUntil?: string } ? D | ResultWithMeta<D & object, Required<OrRowsIn<Meta<Op>>>> : D;
type OrRows<T> = T extends readonly (infer Item)[] ? T | Rows<Item> | Rows<JsonText<Item>> : T;

/** The function that implements an operation, for every transport. */
export type Handler<Op extends OperationId> = (
  input: Input<Op>,
  tenant: TenantOf<Op>,
  caller: Caller,
) => Promise<Result<Op>> | Result<Op>;

/**
 * The implementation of a change that first queries another service, such as DNS. The query can take seconds, so
 * `preflight` runs outside any transaction, even the one for an `Idempotency-Key` or `If-Match`. `preflight` returns
 * the handler, which uses the service's answer.
 */
export type PreflightHandler<Op extends OperationId> =
  TenantOf<Op> extends TenantWriter
    ? { preflight: (input: Input<Op>, tenant: TenantReader, caller: Caller) => Promise<Handler<Op>> }
    : never;

/** A handler of any change; the type for functions that wrap handlers. */
export type ChangeHandler<Input, Result> = (
  input: Input,
  tenant: TenantWriter,
  caller: Caller,
) => Promise<Result> | Result;

/** Reports whether an operation accepts only JSON bodies, which the request validator checks. */
export function isJsonOnly(mediaTypes: readonly string[]): boolean {
  return mediaTypes.every((mediaType) => mediaType === 'application/json');
}

type Parameters<Op extends OperationId> = ContractOperations[Op]['parameters'];
type PathOf<Op extends OperationId> = OrUnknown<Parameters<Op>['path']>;
type QueryOf<Op extends OperationId> = OrUnknown<Parameters<Op>['query']>;
type FileOf<Op extends OperationId> = ContractOperations[Op] extends {
  requestBody: { content: { 'application/pdf': unknown } };
}
  ? { file: UploadedFile }
  : ContractOperations[Op] extends { requestBody: { content: { 'application/zip': unknown } } }
    ? { file: UploadedPackage }
    : unknown;
/** Missing parameters are generated as `never`. This type turns them into `unknown`, so that `&` drops them. */
type OrUnknown<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type BodyOf<Op extends OperationId> = ContractOperations[Op] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? { body: B }
  : ContractOperations[Op] extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : unknown;
