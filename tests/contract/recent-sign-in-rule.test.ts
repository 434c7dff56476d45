/** @jest-environment node */
import contractRules from '../../scripts/check/contract-rules.ts';

type Fields = Record<string, unknown>;

/** Returns the messages of the rule about an operation. */
function judge(operation: Fields): string[] {
  const messages: string[] = [];
  const location = { key: () => location, child: () => location };
  const context = { key: 'post', location, report: ({ message }: { message: string }) => void messages.push(message) };
  contractRules().rules.oas3['recent-sign-in']().Operation.enter(operation, context);
  return messages;
}

const write = { 'x-mcp': { cluster: 'write', absent: true } };

test.each<[string, Fields]>([
  ['a change to roles that asks again', { tags: ['Roles'], ...write, 'x-recent-sign-in': true }],
  ['a read of roles', { tags: ['Roles'], 'x-mcp': { cluster: 'read', absent: true } }],
  ['a change of groups', { tags: ['Groups'], ...write }],
  ['the end of a connection', { operationId: 'endConnection', tags: ['API keys'], ...write }],
])('the linter accepts %s', (_name, operation) => {
  expect(judge(operation)).toEqual([]);
});

test.each<[string, Fields, string]>([
  ['a change to roles that does not ask', { tags: ['Roles'], ...write }, 'A change of access needs'],
  ['a value other than true', { tags: ['Groups'], ...write, 'x-recent-sign-in': false }, 'must be true'],
  ['an operation without a key', { tags: ['System'], security: [], 'x-recent-sign-in': true }, 'that admins can call'],
])('the linter rejects %s', (_name, operation, message) => {
  expect(judge(operation)).toEqual([expect.stringContaining(message)]);
});
