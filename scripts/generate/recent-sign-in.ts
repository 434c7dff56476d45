import { type JsonObject, operationsIn, text } from '../../contract-gate/src/index.ts';

const NOTE =
  'In the console, an admin must have proved within the last ten minutes who they are; otherwise the call fails with 403 ' +
  '`recent_sign_in_required`. Calls with API keys are not affected.';

/** Adds the rule about recent sign-ins to the descriptions of the operations that require one (`x-recent-sign-in`). */
export function describeRecentSignIns(document: JsonObject): void {
  for (const { operation } of operationsIn(document)) {
    if (operation['x-recent-sign-in'] !== true) continue;
    operation.description = `${text(operation.description).trimEnd()}\n\n${NOTE}`;
  }
}
