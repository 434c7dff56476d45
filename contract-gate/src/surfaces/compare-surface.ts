import { compare, type Comparison, type Options } from '../compare.ts';
import type { Surface } from '../config.ts';
import type { JsonObject } from '../document.ts';
import type { Finding } from '../findings.ts';
import { parseContract, parseObject } from '../read-document.ts';
import { compareNames } from './names.ts';
import { toolPointer, toolsAsContract } from './tools.ts';

/** Compares a surface of any kind. */
export function compareSurface({ kind }: Surface, base: JsonObject, head: JsonObject, options: Options): Comparison {
  if (kind === 'names') return compareNames(base, head);
  if (kind !== 'tools') return compare(base, head, options);
  const found = compare(toolsAsContract(base), toolsAsContract(head));
  return { ...found, breaking: found.breaking.map(asTool), compatible: found.compatible.map(asTool) };
}

/** Converts a finding of `toolsAsContract` to one about a tool. */
function asTool(finding: Finding): Finding {
  const name = /^POST (\S+)/.exec(finding.operations[0] ?? '')?.[1] ?? '';
  const operations = finding.operations.map((label) => label.replace(/^POST (\S+).*$/, 'tool $1'));
  const told = { ...finding, operations, pointer: toolPointer(finding.pointer) };
  if (finding.rule === 'operation-added') return { ...told, rule: 'tool-added', what: `Tool \`${name}\` was added.` };
  if (finding.rule !== 'operation-removed') return told;
  const whom = 'MCP clients that call the tool, and prompts that name it';
  return { ...told, rule: 'tool-removed', what: `Tool \`${name}\` was removed.`, why: 'the call is rejected', whom };
}

/** Parses the file of a surface. @throws {Misuse} if the text does not have the format of the surface */
export function parseSurface({ kind = 'openapi' }: Surface, name: string, content: string): JsonObject {
  return kind === 'openapi' ? parseContract(name, content) : parseObject(name, content);
}
