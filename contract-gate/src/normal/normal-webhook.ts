import { child, type FoundOperation, type JsonObject, listedParameters, object, resolved, text } from '../document.ts';
import { type Making, normalContent, normalHeader, selectUnjudged } from './normal-operation.ts';
import { mark } from './origins.ts';

/**
 * Returns a webhook in normal form. Receivers read its request and send its response, so it is judged in reverse: as an
 * operation whose response is the webhook's body and headers, and whose request body is the webhook's response.
 */
export function normalWebhook(making: Making, found: FoundOperation): JsonObject {
  const { itemPointer, method, operation } = found;
  const pointer = child(itemPointer, method);
  const [body, where] = resolved(making.source, operation.requestBody, child(pointer, 'requestBody'));
  const content = normalContent(making, body.content, child(where, 'content'));
  const sent = mark(
    making,
    { headers: normalizeHeaders(making, found), content, ...selectUnjudged('RequestBody', body) },
    where,
  );
  const answer = normalizeResponse(making, operation, child(pointer, 'responses'));
  return mark(making, { ...answer, responses: { 200: sent } }, pointer);
}

function normalizeHeaders(making: Making, found: FoundOperation): JsonObject {
  const headers = listedParameters(making.source, found).filter(({ parameter }) => parameter.in === 'header');
  return Object.fromEntries(
    headers.map(({ parameter, pointer }) => [
      text(parameter.name).toLowerCase(),
      normalHeader(making, parameter, pointer),
    ]),
  );
}

/** Returns the first response body that receivers can send. */
function normalizeResponse(making: Making, operation: JsonObject, pointer: string): JsonObject {
  for (const [status, value] of Object.entries(object(operation.responses))) {
    const [answer, where] = resolved(making.source, value, child(pointer, status));
    if (!status.startsWith('2') || answer.content === undefined) continue;
    const content = normalContent(making, answer.content, child(where, 'content'));
    return { requestBody: mark(making, { required: false, content }, where) };
  }
  return {};
}
