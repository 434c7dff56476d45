import { readOperation } from '../../scripts/scaffold/operation.ts';
import { CommandError, UsageError } from '../../src/commands/command.ts';

test("a name, a method and a path describe an operation of the path's resource", () => {
  expect(readOperation(['archiveGroup', 'POST', '/groups/{groupId}/archive'])).toEqual({
    operationId: 'archiveGroup',
    method: 'post',
    path: '/groups/{groupId}/archive',
    resource: 'groups',
    folder: 'groups',
    singular: 'group',
    pathIds: ['groupId'],
  });
});

test.each([
  ['/policy-templates/{policyTemplateId}/archive', 'policies/templates', 'policy-template'],
  ['/webhook-endpoints/{webhookEndpointId}/archive', 'webhooks', 'webhook-endpoint'],
  ['/breaches/{breachId}/archive', 'breaches', 'breach'],
])('the operation %s belongs to the folder of its resource', (path, folder, singular) => {
  expect(readOperation(['archiveThing', 'POST', path])).toMatchObject({ folder, singular });
});

test.each([
  [['getGroup', 'GET', '/groups/{groupId}/other'], UsageError, 'The operation getGroup already exists.'],
  [['fetchGroup', 'GET', '/groups/{groupId}'], UsageError, 'GET /groups/{groupId} is already getGroup.'],
  [['Archive', 'POST', '/groups/archive'], UsageError, 'The name Archive must be a verb and a noun'],
  [['archiveGroup2x', 'FETCH', '/groups/x'], UsageError, 'The method FETCH must be GET'],
  [['closeGroup', 'POST', 'groups/close'], UsageError, 'The path groups/close must be a path such as'],
  [['closeThing', 'POST', '/things/close'], CommandError, 'The resource things does not exist'],
  [['closeGroup'], UsageError, 'Usage: make scaffold'],
])('%j is rejected', (args, kind, reason) => {
  expect(() => readOperation(args)).toThrow(kind);
  expect(() => readOperation(args)).toThrow(reason);
});
