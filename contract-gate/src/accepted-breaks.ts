import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import { Misuse, scimBundle } from './read-document.ts';
import type { Finding } from './findings.ts';

/** One break at one place that was made on purpose, as `api/accepted-breaks.yaml` has it. */
export interface AcceptedBreak {
  rule: string;
  pointer: string;
  what: string;
  reason: string;
  date: string;
  /** Of which contract it is, where not of REST. */
  contract?: 'scim';
  /** What the base's `x-deprecation` announced … */
  deprecation?: { since: string; sunset: string };
  /** … or why callers were not warned, or not for as long as they were promised. */
  noDeprecation?: string;
}

const date = { type: 'string', format: 'date' };
const text = { type: 'string', minLength: 10 };
const schema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['rule', 'pointer', 'what', 'reason', 'date'],
    properties: {
      rule: { type: 'string' },
      pointer: { type: 'string', pattern: '^#/' },
      what: { type: 'string', minLength: 1 },
      reason: text,
      date,
      contract: { const: 'scim' },
      deprecation: {
        type: 'object',
        required: ['since', 'sunset'],
        properties: { since: date, sunset: date },
        additionalProperties: false,
      },
      noDeprecation: text,
    },
    additionalProperties: false,
  },
};

/** Reads the file of accepted breaks. @throws {Misuse} that names each missing or wrong field */
export async function readAccepted(path: string): Promise<AcceptedBreak[]> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const entries = parsed(path, content);
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  if (!ajv.validate(schema, entries))
    throw new Misuse(ajv.errors!.map((error) => `${path}: ${wording(error)}`).join('\n'));
  for (const [index, entry] of (entries as AcceptedBreak[]).entries())
    if ((entry.deprecation === undefined) === (entry.noDeprecation === undefined))
      throw new Misuse(
        `${path}: entry ${index + 1} needs either deprecation (since, sunset) or noDeprecation (why there was none)`,
      );
  return entries as AcceptedBreak[];
}

/** Those of the contract that is compared: the other one has a comparison of its own. @param head its file */
export function entriesOf(head: string, entries: AcceptedBreak[]): AcceptedBreak[] {
  return entries.filter(({ contract }) => (contract === 'scim') === (head === scimBundle));
}

/** Which breaks the entries accept, and which entries are refused. */
export function judge(
  breaks: Finding[],
  entries: AcceptedBreak[],
): { accepted: Map<Finding, AcceptedBreak>; refused: string[] } {
  const accepted = new Map<Finding, AcceptedBreak>();
  const refused: string[] = [];
  for (const entry of entries) {
    const name = `${entry.rule} at ${entry.pointer} (${entry.what})`;
    const finding = breaks.find(
      ({ rule, pointer, what }) => rule === entry.rule && pointer === entry.pointer && what === entry.what,
    );
    const objection = finding ? objectionTo(entry, finding) : 'matches no break any more: delete it';
    if (objection) refused.push(`The accepted break ${name} ${objection}.`);
    else accepted.set(finding!, entry);
  }
  return { accepted, refused };
}

/** An entry cites the deprecation as it was announced, and its sunset has passed; or else it says why not. */
function objectionTo(entry: AcceptedBreak, { deprecation }: Finding): string | null {
  const { since, sunset } = deprecation ?? { since: '', sunset: '' };
  const isOver = sunset !== '' && sunset <= entry.date;
  if (!entry.deprecation) return isOver ? `must cite its deprecation: { since: ${since}, sunset: ${sunset} }` : null;
  if (!deprecation) return 'cites a deprecation that the base does not announce: say why in noDeprecation';
  if (entry.deprecation.since !== since || entry.deprecation.sunset !== sunset)
    return `cites another deprecation than the base announces: since ${since}, sunset ${sunset}`;
  return isOver ? null : `comes before its sunset ${sunset}: wait, or say why in noDeprecation`;
}

function parsed(path: string, content: string): unknown {
  try {
    return parse(content) ?? [];
  } catch (error) {
    throw new Misuse(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function wording({
  instancePath,
  message,
  params,
}: {
  instancePath: string;
  message?: string;
  params: object;
}): string {
  const [, index, ...field] = instancePath.split('/');
  const where = index === undefined ? 'the file' : `entry ${Number(index) + 1}`;
  const name = field.length > 0 ? `, ${field.join('.')}` : '';
  const extra = 'additionalProperty' in params ? ` (${String(params.additionalProperty)})` : '';
  return `${where}${name} ${message ?? 'is wrong'}${extra}`;
}
