import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';
import type { Finding } from './findings.ts';
import { Misuse } from './misuse.ts';

/** An entry of the file of accepted breaks: one intended break at one place. */
export interface AcceptedBreak {
  rule: string;
  pointer: string;
  what: string;
  reason: string;
  /** The day of the decision. */
  date: string;
  /** The name of the surface; omitted for the first surface. */
  contract?: string;
  /** Deprecation that the base's `x-deprecation` announced; omitted with `noDeprecation`. */
  deprecation?: { since: string; sunset: string };
  /** Reason why callers were not warned, or not for as long as promised; omitted with `deprecation`. */
  noDeprecation?: string;
}

const date = { type: 'string', format: 'date' };
const text = { type: 'string', minLength: 10 };

export const acceptedBreaksSchema = {
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
      contract: { type: 'string', minLength: 1 },
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

/** Reads the file of accepted breaks. @throws {Misuse} that names each missing or invalid field */
export async function readAccepted(path: string): Promise<AcceptedBreak[]> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  const entries = parsed(path, content);
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  if (!ajv.validate(acceptedBreaksSchema, entries))
    throw new Misuse(ajv.errors!.map((error) => `${path}: ${wording(error)}`).join('\n'));
  for (const [index, entry] of (entries as AcceptedBreak[]).entries())
    if ((entry.deprecation === undefined) === (entry.noDeprecation === undefined))
      throw new Misuse(
        `${path}: entry ${index + 1} needs either deprecation (since, sunset) or noDeprecation (why there was none)`,
      );
  return entries as AcceptedBreak[];
}

/**
 * Matches entries with breaks. Returns the accepted breaks, and the reasons why entries are invalid.
 * @param today the day on which a sunset must have passed: the day of the run, or of the verified release
 */
export function judge(
  breaks: Finding[],
  entries: AcceptedBreak[],
  today: string,
): { accepted: Map<Finding, AcceptedBreak>; refused: string[] } {
  const accepted = new Map<Finding, AcceptedBreak>();
  const refused: string[] = [];
  for (const entry of entries) {
    const name = `${entry.rule} at ${entry.pointer} (${entry.what})`;
    const finding = breaks.find((one) => isSame(entry, one) && one.pointer === entry.pointer);
    const isTwice = finding !== undefined && accepted.has(finding);
    const objection = isTwice
      ? 'is listed twice; delete one entry'
      : finding
        ? objectionTo(entry, finding, today)
        : unmatched(entry, breaks);
    if (objection) refused.push(`The accepted break ${name} ${objection}.`);
    else accepted.set(finding!, entry);
  }
  return { accepted, refused };
}

function isSame({ rule, what }: AcceptedBreak, finding: Finding): boolean {
  return finding.rule === rule && finding.what === what;
}

/** Explains why an entry matches no break, and which break it nearly matches. */
function unmatched(entry: AcceptedBreak, breaks: Finding[]): string {
  const elsewhere = breaks.filter((one) => isSame(entry, one)).map(({ pointer }) => pointer);
  if (elsewhere.length > 0) return `is at the wrong pointer; the break is at ${elsewhere.join(' and ')}`;
  const there = breaks.filter((one) => one.pointer === entry.pointer);
  if (there.length === 0) return 'no longer matches a break; delete it';
  return `differs from the break at its pointer, which is ${there.map(({ rule, what }) => `${rule} (${what})`).join(' and ')}`;
}

/**
 * Explains why an entry is invalid; null for a valid entry. If the sunset of the announced deprecation has passed, the
 * entry must cite that deprecation; otherwise it must give the reason in `noDeprecation`.
 */
function objectionTo(entry: AcceptedBreak, { deprecation }: Finding, today: string): string | null {
  if (entry.date > today) return `is dated ${entry.date}, which is in the future`;
  const { since, sunset } = deprecation ?? { since: '', sunset: '' };
  const isOver = sunset !== '' && sunset <= today;
  if (!entry.deprecation) return isOver ? `must cite its deprecation { since: ${since}, sunset: ${sunset} }` : null;
  if (!deprecation) return 'cites a deprecation that the base does not announce; give the reason in noDeprecation';
  if (entry.deprecation.since !== since || entry.deprecation.sunset !== sunset)
    return `must cite the deprecation of the base: since ${since}, sunset ${sunset}`;
  return isOver ? null : `comes before its sunset ${sunset}; wait, or give the reason in noDeprecation`;
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
  return `${where}${name} ${message ?? 'is invalid'}${extra}`;
}
