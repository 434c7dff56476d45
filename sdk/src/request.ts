import type { PdfBody, Route } from './options.ts';

/** A request that can be sent any number of times. */
export interface OperationRequest {
  operationId: string;
  method: string;
  /** The path within the API, with its query. */
  target: string;
  /** It takes an idempotency key. */
  once: boolean;
  contentType?: string;
  body?: string | FormData | Blob | ArrayBuffer;
}

export type Input = Readonly<Record<string, unknown>>;

/**
 * What an operation's input is sent as: `body` as the body, the names of the path in the path, everything else in the
 * query, so that the service refuses what it does not know.
 * @throws {TypeError} for an id that cannot stand in a path
 */
export function requestOf(operationId: string, route: Route, input: Input = {}): OperationRequest {
  const { body, ...parameters }: Record<string, unknown> = input;
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const segment = segmentOf(name, parameters[name]);
    delete parameters[name];
    return segment;
  });
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  const target = query ? `${path}?${query}` : path;
  return { operationId, method: route.method, target, once: route.once === true, ...bodyOf(route, body) };
}

/** Empty and dotted segments would address another path. */
function segmentOf(name: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  throw new TypeError(`${name} must be an id`);
}

function bodyOf(route: Route, body: unknown): Pick<OperationRequest, 'contentType' | 'body'> {
  if (body === undefined) return {};
  if (route.upload !== undefined) return fileOf(route.upload, body as PdfBody);
  return { contentType: 'application/json', body: JSON.stringify(body) };
}

function fileOf(contentType: string, body: PdfBody): Pick<OperationRequest, 'contentType' | 'body'> {
  // The boundary of a form is named by fetch.
  if (body instanceof FormData) return { body };
  if (body instanceof Blob && 'name' in body && typeof body.name === 'string') {
    const form = new FormData();
    form.append('file', body, body.name);
    return { body: form };
  }
  return { contentType, body: body as Blob | ArrayBuffer };
}
