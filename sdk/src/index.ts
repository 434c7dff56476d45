export { type Client, createClient } from './client.ts';
export { ApiError, ConnectionError, isApiError, type KnownErrorCode, TimeoutError } from './errors.ts';
export { contractVersion, type Envelopes, type OperationId, type Operations } from './generated/operations.ts';
export type * from './generated/schemas.ts';
export type { ChangesOf, ItemOf, ListId, PageOf, SyncedListId } from './pages.ts';
export type { CallOptions, ClientOptions, DeprecationNotice, PdfBody, ZipBody } from './options.ts';
export type { Applied, ListStore } from './synchronize.ts';
