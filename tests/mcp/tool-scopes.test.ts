import { tools } from '../../generated/tools.ts';
import { keyWith } from '../support/scoped-keys.ts';
import { request, resultOf, send, toolCall } from './mcp-support.ts';

let authorization: string;
beforeAll(async () => {
  authorization = `Bearer ${await keyWith('tenant', ['groups:read', 'learners:read', 'learners:write'])}`;
});

async function ask(message: object) {
  const { messages } = await send(JSON.stringify(message), { key: null, headers: { authorization } });
  return messages[0]!;
}

const open = tools.filter(({ scope }) => scope === 'groups:read' || scope === 'learners:read').map(({ name }) => name);

test('a key with scopes lists only the tools of its scopes, and the help', async () => {
  const { result } = await ask(request('tools/list'));
  const names = (result.tools as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual([...open, 'service_get_tool_help'].toSorted());
  expect(open.length).toBeGreaterThan(3);
});

test('a key with scopes can call only these tools', async () => {
  expect(resultOf(await ask(toolCall('service_list_groups'))).isError).toBe(false);
  for (const { name } of tools.filter((tool) => !open.includes(tool.name))) {
    const { error } = await ask(toolCall(name, {}));
    expect(error?.message).toContain('not found');
  }
});

test('the help omits the other tools', async () => {
  const clusters = resultOf(await ask(toolCall('service_get_tool_help', { topic: 'clusters' }))).text;
  expect(clusters).toContain('service_list_groups');
  expect(clusters).not.toContain('service_list_admins');
  const one = resultOf(await ask(toolCall('service_get_tool_help', { topic: 'tool:service_list_admins' })));
  expect(one.isError).toBe(true);
});
