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

/** The operations that act for a company; the others (health and the like) need no key. */
export type KeyedOperationId = { [Op in OperationId]: Table[Op]['keyed'] extends true ? Op : never }[OperationId];

/** What the pipeline runs: the operations of REST, those of SCIM, whose contract is its own, and those of pages. */
export type AnyOperationId = KeyedOperationId | ScimOperationId | PersonOperationId;
export const allOperations = { ...operations, ...scimOperations, ...personOperations };

/** Path and query parameters side by side, and the JSON body or the file: what a handler is given, already validated. */
export type Input<Op extends OperationId> = PathOf<Op> & QueryOf<Op> & BodyOf<Op> & FileOf<Op>;

/** A file as it was sent. */
export interface SentFile {
  bytes: Buffer;
  /** As the client calls it, without a folder; null for a body that is nothing but the file. */
  fileName: string | null;
}

/** A PDF that is uploaded, and has been inspected. */
export interface UploadedFile extends SentFile {
  pageCount: number;
}

/** A package of a course, likewise. */
export type UploadedPackage = SentFile & PackageContents;

/** A file that an operation answers, in parts that are read while they are sent. */
export class SentPdf {
  readonly parts: Rows<{ bytes: Buffer }>;
  readonly sizeBytes: number;
  /** Null for a file without a name. */
  readonly fileName: string | null;

  constructor(parts: Rows<{ bytes: Buffer }>, sizeBytes: number, fileName: string | null) {
    this.parts = parts;
    this.sizeBytes = sizeBytes;
    this.fileName = fileName;
  }
}

/** What the contract puts under `data` in the 200 of an operation. */
export type Data<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { 'application/json': { data: infer D } } } };
}
  ? D
  : never;

/** What it puts beside `data`, but for the page, which the transport adds. */
type Meta<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { 'application/json': infer Body extends { data: unknown } } } };
}
  ? Omit<Body, 'data' | 'page'>
  : never;

type AnswersPdf<Op extends OperationId> = ContractOperations[Op] extends {
  responses: { 200: { content: { 'application/pdf': unknown } } };
}
  ? true
  : false;

/** Reads may be made for a managed child; everything else is the own company's. */
export type TenantOf<Op extends OperationId> = Table[Op]['cluster'] extends 'read' ? TenantReader : TenantWriter;

/** An array, or an array in a field, may be answered as rows that are read while they are sent. */
export type Answer<Op extends OperationId> =
  AnswersPdf<Op> extends true
    ? SentPdf
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
/** With `updatedSince`, what says beside it what is gone. */
type OrChanges<Op extends OperationId, D> =
  Meta<Op> extends { syncedUntil?: string } ? D | ResultWithMeta<D & object, Required<OrRowsIn<Meta<Op>>>> : D;
type OrRows<T> = T extends readonly (infer Item)[] ? T | Rows<Item> | Rows<JsonText<Item>> : T;

/** What implements an operation, whichever transport it is called over. */
export type Handler<Op extends OperationId> = (
  input: Input<Op>,
  tenant: TenantOf<Op>,
  caller: Caller,
) => Promise<Answer<Op>> | Answer<Op>;

/**
 * What asks somebody else before it changes anything, such as DNS. That may take seconds, so no transaction is open: also not
 * that of an `Idempotency-Key` or of `If-Match`. Gives the handler, which knows what was found.
 */
export type PreflightHandler<Op extends OperationId> =
  TenantOf<Op> extends TenantWriter
    ? { preflight: (input: Input<Op>, tenant: TenantReader) => Promise<Handler<Op>> }
    : never;

/** Whether the bodies that an operation takes are JSON, and so the request validator's to judge. */
export function isJsonOnly(mediaTypes: readonly string[]): boolean {
  return mediaTypes.every((mediaType) => mediaType === 'application/json');
}

type Parameters<Op extends OperationId> = ContractOperations[Op]['parameters'];
type PathOf<Op extends OperationId> = Given<Parameters<Op>['path']>;
type QueryOf<Op extends OperationId> = Given<Parameters<Op>['query']>;
type FileOf<Op extends OperationId> = ContractOperations[Op] extends {
  requestBody: { content: { 'application/pdf': unknown } };
}
  ? { file: UploadedFile }
  : ContractOperations[Op] extends { requestBody: { content: { 'application/zip': unknown } } }
    ? { file: UploadedPackage }
    : unknown;
/** Parameters that an operation does not have are generated as `never`. They become `unknown`, so that `&` drops them. */
type Given<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type BodyOf<Op extends OperationId> = ContractOperations[Op] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? { body: B }
  : ContractOperations[Op] extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { body?: B }
    : unknown;
