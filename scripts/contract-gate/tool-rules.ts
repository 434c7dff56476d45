import {
  atBase,
  atHead,
  breaking,
  child,
  compatible,
  type Json,
  type JsonObject,
  type Located,
  type NormalForm,
  type NormalOperation,
  object,
  text,
} from '../../contract-gate/src/index.ts';

const whom = 'MCP clients that call the tool, and prompts that name it';

/** What AI clients see: the tools that `x-mcp` makes of operations. */
export function toolFindings(base: NormalForm, head: NormalForm): Located[] {
  const [before, after] = [toolsOf(base), toolsOf(head)];
  const added = [...after].filter(([name]) => !before.has(name));
  return [
    ...[...before].flatMap(([name, operations]) => operations.flatMap((one) => leftTool(name, one, head, after))),
    ...added.map(([name, [operation]]) =>
      atHead(child(operation!.pointer, 'x-mcp', 'tool'), compatible('tool-added', `Tool \`${name}\` was added.`)),
    ),
  ];
}

function toolsOf(form: NormalForm): Map<string, NormalOperation[]> {
  const offered = [...form.operations.values()].filter(({ source }) => typeof mcp(source).tool === 'string');
  return Map.groupBy(offered, ({ source }) => text(mcp(source).tool));
}

function leftTool(
  name: string,
  operation: NormalOperation,
  head: NormalForm,
  after: Map<string, NormalOperation[]>,
): Located[] {
  const select = JSON.stringify(mcp(operation.source).select ?? {});
  const offered = after.get(name)?.some(({ source }) => JSON.stringify(mcp(source).select ?? {}) === select);
  if (offered) return [];
  const where = child(operation.pointer, 'x-mcp', 'tool');
  const replacement = sameOperation(operation, head);
  const now = replacement && mcp(replacement.source).tool;
  if (replacement && typeof now === 'string' && now !== name) {
    const what = `Tool \`${name}\` ${after.has(name) ? 'lost an operation' : 'was renamed'} to \`${now}\`.`;
    return [
      atHead(
        child(replacement.pointer, 'x-mcp', 'tool'),
        breaking('tool-renamed', what, 'the tool they call does not exist', whom),
      ),
    ];
  }
  const what = after.has(name) ? `Tool \`${name}\` no longer takes ${select}.` : `Tool \`${name}\` was removed.`;
  return [atBase(where, breaking('tool-removed', what, 'the call is refused', whom))];
}

function sameOperation(operation: NormalOperation, head: NormalForm): NormalOperation | undefined {
  const { operationId } = operation.source;
  const all = [...head.operations.values()];
  return (
    all.find(({ source }) => operationId !== undefined && source.operationId === operationId) ??
    all.find(({ method, path }) => method === operation.method && path === operation.path)
  );
}

function mcp(source: JsonObject): Record<string, Json> {
  return object(source['x-mcp']);
}
