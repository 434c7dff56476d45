import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from '../observability/logger.ts';
import { getScimStatus, getScimType, type ScimType } from '../resources/directory/directory-error.ts';
import { toApiError } from '../http/response/error-response.ts';
import { releaseBody } from '../http/request-context.ts';
import type { FailureForm } from '../http/connection/malformed-request.ts';
import { sendResponse, sendJson } from '../http/response/respond.ts';
import { type Projection, projected, type Resource } from './resource.ts';
import { ERROR, LIST_RESPONSE } from './urns.ts';

const TYPE = 'application/scim+json; charset=utf-8';

/** Sends a discovery document or a list. */
export function sendDocument(res: Response, document: object): void {
  sendJson(res, 200, JSON.stringify(document), TYPE);
}

/** Sends a resource with its version. With status 201, the response includes the resource's URL. */
export async function sendResource(
  res: Response,
  resource: Resource,
  { status = 200, projection }: { status?: number; projection: Projection },
): Promise<void> {
  const { version, location } = resource.meta;
  res.setHeader('ETag', version);
  if (status === 201) res.setHeader('Location', location);
  await sendResponse(res, projected(resource, projection), { status, type: TYPE });
}

export interface ListPart {
  resources: readonly object[];
  total: number;
  startIndex: number;
}

export function listResponse({ resources, total, startIndex }: ListPart): object {
  return {
    schemas: [LIST_RESPONSE],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** Responds to any error as RFC 7644 (3.12) requires. */
export function scimErrors(logger: Logger): ErrorRequestHandler {
  // Express recognises an error handler by its four parameters.
  return (thrown: unknown, req, res, _next) => {
    releaseBody(req, res);
    const error = toApiError(logger, res, thrown);
    if (!error) return void res.destroy();
    const status = getScimStatus(error);
    sendFailure(res, status, error.message, getScimType(error));
  };
}

export function sendFailure(res: Response, status: number, detail: string, scimType?: ScimType): void {
  sendJson(res, status, failureText(status, detail, scimType), TYPE);
}

function failureText(status: number, detail: string, scimType?: ScimType): string {
  return JSON.stringify({ schemas: [ERROR], status: String(status), ...(scimType && { scimType }), detail });
}

/** Format of errors for requests that do not reach a SCIM route. */
export const scimFailures: FailureForm = { path: '/scim/v2', contentType: TYPE, text: failureText };
