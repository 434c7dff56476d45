import type { Comparison, Finding } from '../../../contract-gate/src/index.ts';

export interface ComparisonPage {
  comparison: Comparison;
  /** The title of the contract, as it begins a sentence: `REST contract`. */
  contract: string;
  from: string;
  to: string;
  /** The operationIds of operations with their own page. */
  operationPages: ReadonlySet<string>;
}

/** A row for a change, with all operations for which the change has the same text. */
interface Row extends Pick<Finding, 'what' | 'why' | 'whom' | 'deprecation'> {
  operations: string[];
}

/** Renders every change between two versions: breaking ones with the reason and who is affected, then the others. */
export function comparisonPage({ comparison, contract, from, to, operationPages }: ComparisonPage): string {
  const { breaking, compatible } = comparison;
  return `# ${contract} ${from} to ${to}

From version ${from} to version ${to}: ${counts(comparison)}. [All versions](/docs/changes).

## Breaking changes

${formatFindings(breaking, operationPages)}

## Compatible changes

${formatFindings(compatible, operationPages)}
`;
}

function formatFindings(findings: Finding[], pages: ReadonlySet<string>): string {
  if (findings.length === 0) return 'None.';
  const items = groupFindings(findings).map(({ operations, what, why, whom, deprecation }) => {
    const parts = [
      `**${escaped(what)}**`,
      why !== '' && `Reason: ${escaped(why)}. Affected: ${escaped(whom)}.`,
      deprecation?.since && `Deprecated since ${deprecation.since}, sunset ${deprecation.sunset}.`,
      `In ${listed(operations, pages)}.`,
    ];
    return `- ${parts.filter(Boolean).join(' ')}`;
  });
  return items.join('\n');
}

/** Formats `2 breaking changes, 524 compatible changes and 126 changed descriptions or examples`. */
export function counts({ breaking, compatible, words }: Comparison): string {
  const texts = words === 1 ? '1 changed description or example' : `${words} changed descriptions or examples`;
  return `${counted(breaking, 'breaking change')}, ${counted(compatible, 'compatible change')} and ${texts}`;
}

export function groupFindings(findings: Finding[]): Row[] {
  const alike = Map.groupBy(findings, ({ what, why, whom, deprecation }) =>
    JSON.stringify([what, why, whom, deprecation]),
  );
  return [...alike.values()].map((group) => {
    const operations = [...new Set(group.flatMap((finding) => finding.operations))];
    return { ...group[0]!, operations };
  });
}

function counted({ length }: Finding[], noun: string): string {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

/** Escapes values in a sentence that look like Markdown, such as patterns. Names are already in backquotes. */
function escaped(sentence: string): string {
  const parts = sentence.split(/(`[^`]*`)/);
  return parts.map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*_[\]<>#~&]/g, '\\$&'))).join('');
}

/** Number of operations from which a list begins with the count. */
const MANY = 10;

function listed(operations: string[], pages: ReadonlySet<string>): string {
  if (operations.length === 0) return 'the whole API';
  const names = operations.map((operation) => named(operation, pages)).join(', ');
  return operations.length >= MANY ? `${operations.length} operations: ${names}` : names;
}

/** Shortens `GET /learners (listLearners)` to its operationId, and a webhook to its type. */
function named(operation: string, pages: ReadonlySet<string>): string {
  const [, webhook] = /^\S+ webhook (\S+)/.exec(operation) ?? [];
  if (webhook !== undefined) return `webhook \`${webhook}\``;
  const [, operationId] = / \(([^()\s]+)\)$/.exec(operation) ?? [];
  const name = `\`${operationId ?? operation}\``;
  return operationId !== undefined && pages.has(operationId) ? `[${name}](/docs/operations/${operationId})` : name;
}
