/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { type OperationId, operations } from '../../src/contract/contract.ts';

interface Operation {
  parameters?: { $ref?: string }[];
  responses: Record<string, { headers?: Record<string, { $ref?: string }> }>;
}

const { paths } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};

/**
 * Changes without the header: GoPhish does not send it and identifies its events by id, a leaked key is revoked outside
 * any company, and a preview undoes its changes.
 */
const WITHOUT: OperationId[] = ['receiveGoPhishEvent', 'revokeLeakedKeys', 'previewCampaignChange'];

test.each(Object.keys(operations) as OperationId[])(
  '%s accepts an Idempotency-Key and marks replays exactly if it changes data',
  (operationId) => {
    const { method, path, cluster, idempotencyKey } = operations[operationId];
    const { parameters = [], responses } = paths[path]![method]!;
    const isTaken = cluster !== 'read' && !WITHOUT.includes(operationId);
    const declared = parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey');
    const told = responses['200']?.headers?.['Idempotency-Replayed']?.$ref !== undefined;
    expect({ idempotencyKey, declared, told }).toEqual({ idempotencyKey: isTaken, declared: isTaken, told: isTaken });
  },
);
