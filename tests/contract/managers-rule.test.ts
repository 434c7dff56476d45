/** @jest-environment node */
import document from '../../generated/openapi.json' with { type: 'json' };
import { operations, type OperationId } from '../../generated/operations.ts';
import contractRules from '../../scripts/check/contract-rules.ts';

type Fields = Record<string, unknown>;
type Described = Record<string, Record<string, { operationId?: OperationId; description: string }>>;

/** Returns the messages of the rule about an operation. */
function judge(operation: Fields): string[] {
  const messages: string[] = [];
  const location = { key: () => location, child: () => location };
  const context = { key: 'get', location, report: ({ message }: { message: string }) => void messages.push(message) };
  contractRules().rules.oas3.managers().Operation.enter(operation, context);
  return messages;
}

const read = { 'x-mcp': { cluster: 'read', absent: true } };

test('the linter accepts a read that is open to managers, and one that is not', () => {
  expect(judge({ ...read, 'x-managers': true })).toEqual([]);
  expect(judge(read)).toEqual([]);
});

test.each<[string, Fields, string]>([
  ['a value other than true', { ...read, 'x-managers': false }, 'must be true'],
  ['a change', { 'x-mcp': { cluster: 'write' }, 'x-managers': true }, 'needs a read'],
  ['an operation without a key', { ...read, security: [], 'x-managers': true }, 'that admins can call'],
])('the linter rejects %s', (_name, operation, message) => {
  expect(judge(operation)).toEqual([expect.stringContaining(message)]);
});

test('descriptions state which operations are open to managers', () => {
  const described = Object.values(document.paths as unknown as Described).flatMap((methods) => Object.values(methods));
  const stating = described.filter(({ description }) => description?.includes('role `manager` reads only'));
  const open = (Object.keys(operations) as OperationId[]).filter((id) => operations[id].managers !== null);
  expect(stating.map(({ operationId }) => operationId!).toSorted()).toEqual(open.toSorted());
});
