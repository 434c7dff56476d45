import { readContent, readEnvelope, readFile } from './answer.ts';
import { type Envelopes, type OperationId, type Operations, operations } from './generated/operations.ts';
import type { CallOptions, ClientOptions, Route } from './options.ts';
import { type PageIterators, pageIterators, pageReader } from './pages.ts';
import { type Input, buildRequest } from './request.ts';
import { readSettings } from './settings.ts';
import { type Synchronizer, synchronizer } from './synchronize.ts';
import { send } from './transport.ts';

/** A method for each operation of the contract, under its `operationId`. */
export interface Client extends Operations, PageIterators, Synchronizer {
  /**
   * Calls an operation and returns the whole response body: `data` and the fields next to it, which are `removed` and
   * `syncedUntil` for a list with `updatedSince`, and `coverage` for breaches.
   */
  envelope<Id extends keyof Envelopes>(
    operationId: Id,
    ...given: Parameters<Operations[Id & OperationId]>
  ): Promise<Envelopes[Id]>;
  /**
   * Calls an operation and returns its data with its `ETag`, for `ifMatch` of a later change. The `ETag` is null if the
   * response has none.
   */
  tagged<Id extends keyof Envelopes>(
    operationId: Id,
    ...given: Parameters<Operations[Id & OperationId]>
  ): Promise<{ data: Awaited<ReturnType<Operations[Id & OperationId]>>; etag: string | null }>;
  /**
   * Calls an operation and returns the response with its body unread, to stream a large list or to read headers. The
   * time-out no longer applies once the headers have arrived; the signal can still abort the body. If the service fails
   * while it sends the body, the body ends with an error.
   */
  response<Id extends OperationId>(operationId: Id, ...given: Parameters<Operations[Id]>): Promise<Response>;
}

/** Creates a client. @throws {TypeError} that names an invalid option */
export function createClient(options: ClientOptions): Client {
  const settings = readSettings(options);
  const routes: Record<OperationId, Route> = operations;
  const methods = Object.entries(routes).map(([operationId, route]) => {
    const read = (response: Response) => (route.file ? readFile(response) : readContent(response, route.bare === true));
    const call = async (input?: Input, given?: CallOptions) =>
      send(settings, buildRequest(operationId, route, input), read, given);
    return [operationId, call];
  });
  const response = async (operationId: OperationId, input?: Input, given?: CallOptions) =>
    send(settings, buildRequest(operationId, routes[operationId], input), (unread) => unread, given);
  const envelope = async (operationId: OperationId, input?: Input, given?: CallOptions) =>
    send(settings, buildRequest(operationId, routes[operationId], input), readEnvelope, given);
  const tagged = async (operationId: OperationId, input?: Input, given?: CallOptions) => {
    const read = async (unread: Response) => ({
      data: (await readEnvelope(unread)).data,
      etag: unread.headers.get('etag'),
    });
    return send(settings, buildRequest(operationId, routes[operationId], input), read, given);
  };
  const reader = pageReader(settings, routes);
  const iterators = { ...pageIterators(reader), ...synchronizer(reader) };
  return { ...Object.fromEntries(methods), response, envelope, tagged, ...iterators } as Client;
}
