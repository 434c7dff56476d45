import type { PdfBody, Route } from './options.ts';

/** A request that can be sent repeatedly. */
export interface OperationRequest {
  operationId: string;
  method: string;
  /** The path within the API, with its query. */
  target: string;
  /** True if the operation accepts an idempotency key. */
  once: boolean;
  contentType?: string;
  body?: string | FormData | Blob | ArrayBuffer;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * Builds the request of an operation: `body` as the body, parameters of the path in the path, everything else in the
 * query, so that the service rejects unknown names.
 * @throws {TypeError} for an id that a path cannot contain
 */
export function buildRequest(operationId: string, route: Route, input: Input = {}): OperationRequest {
  const { body, ...parameters }: Record<string, unknown> = input;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segment = encodeSegment(name, parameters[name]);
    delete parameters[name];
    return segment;
  });
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const target = query ? `${path}?${query}` : path;
  return { operationId, method: route.method, target, once: route.once === true, ...buildBody(route, body) };
}

/** Encodes an id. Rejects empty and dotted segments, which would address another path. */
function encodeSegment(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name} must be an id`);
}

function buildBody(route: Route, body: unknown): Pick<OperationRequest, 'contentType' | 'body'> {
  if (body === undefined) return {};
  if (route.upload !== undefined) return buildFileBody(route.upload, body as PdfBody);
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function buildFileBody(contentType: string, body: PdfBody): Pick<OperationRequest, 'contentType' | 'body'> {
  // fetch sets the content type of a form, with its boundary.
  if (body instanceof FormData) return { body };
  if (body instanceof Blob && 'name' in body && typeof body.name === 'string') {
    const form = new FormData();
    form.append('file', body, body.name);
    return { body: form };
  }
  return { contentType, body: body as Blob | ArrayBuffer };
}
