import { type Breach, type BreachedAccount, BreachSourceError } from './breach-source.ts';

// Responses of the upstream are read leniently: unknown fields are ignored, and entries without their key are skipped.

/** Reads the response to `GET /breaches`: an array of breach models. */
export function readBreaches(answer: unknown): Breach[] {
  if (!Array.isArray(answer)) throw nonsense('an array');
  return answer.flatMap((entry: unknown) => {
    const model = asRecord(entry);
    const name = asText(model?.Name);
    if (!model || !name) return [];
    return {
      name,
      title: asText(model.Title) ?? name,
      category: asText(model.Category) ?? getCategory(model),
      date: asDate(model.BreachDate),
      dataClasses: asTexts(model.DataClasses),
    };
  });
}

/** Reads the response to `GET /breacheddomain/{domain}`: breach names by the local part of each e-mail address. */
export function readAccounts(answer: unknown, domain: string): BreachedAccount[] {
  const names = asRecord(answer);
  if (!names) throw nonsense('an object');
  return Object.entries(names).flatMap(([alias, breaches]) => {
    const name = asText(alias);
    if (!name) return [];
    return asTexts(breaches).map((breach) => ({ email: `${name}@${domain}`, breach }));
  });
}

const FLAGS: Record<string, string> = {
  IsStealerLog: 'Stealer log',
  IsMalware: 'Malware',
  IsSpamList: 'Spam list',
};

function getCategory(model: Record<string, unknown>): string {
  const flag = Object.keys(FLAGS).find((name) => model[name] === true);
  if (flag) return FLAGS[flag]!;
  return model.IsVerified === false ? 'Unverified' : 'Website';
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/**
 * Maximum length in characters. Real addresses and titles are shorter, and a Postgres index entry holds 2,700 bytes.
 */
const MAX_TEXT_LENGTH = 500;

/** Returns the trimmed string; undefined if it is not a string, is empty, or cannot be stored. */
function asText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text !== '' && text.length <= MAX_TEXT_LENGTH && text.isWellFormed() && !text.includes('\0')
    ? text
    : undefined;
}

function asTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.flatMap((entry: unknown) => asText(entry) ?? []) : [];
}

function asDate(value: unknown): string | null {
  const text = asText(value)?.slice(0, 10) ?? '';
  const isDate = /^[12]\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDate && new Date(text).toISOString().startsWith(text) ? text : null;
}

function nonsense(expected: string): BreachSourceError {
  return new BreachSourceError('unreadable', `The response of the breach feed is not ${expected}.`);
}
