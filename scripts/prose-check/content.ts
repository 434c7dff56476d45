import { isPair, isScalar, LineCounter, type Pair, parseDocument, Scalar, visit } from 'yaml';
import { type Language, LANGUAGES } from '../../src/contract/languages.ts';
import { markdownPassages } from './markdown.ts';
import { hasProse, type Passage, PartsBuilder } from './passages.ts';

/** Values that are identifiers, dates or file names, not prose. */
const NAME = /^[a-z0-9-]+(\.[a-z]+)?$/;
/** Tags that start a new passage. */
const BREAKS = /^<\/?(?:p|div|br|h\d|li|ul|ol|td|tr|table)\b/i;
const ENTITIES: Record<string, string> = { '&nbsp;': '\u00a0', '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/**
 * Returns the passages of a YAML file in content/. The language comes from the name or folder of the file, or from a
 * key `en`, `de` or `fr`. Emails are HTML or plain text, and everything else is Markdown.
 */
export function yamlPassages(file: string, source: string): Passage[] {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const passages: Passage[] = [];
  visit(document, {
    Scalar: (key, scalar, path) => {
      if (key === 'key' || typeof scalar.value !== 'string' || NAME.test(scalar.value)) return;
      const keys = path.filter((node) => isPair(node)).map((pair) => getKey(pair));
      const language = findLanguage(file, keys);
      if (!language) return;
      const isBlock = scalar.type === Scalar.BLOCK_LITERAL || scalar.type === Scalar.BLOCK_FOLDED;
      const line = lines.linePos(scalar.range![0]).line + (isBlock ? 1 : 0);
      const origin = { file, line, language };
      const isHtml = keys.at(-1) === 'html';
      passages.push(...(isHtml ? htmlPassages(scalar.value, origin) : markdownPassages(scalar.value, origin)));
    },
  });
  return passages;
}

function getKey({ key }: Pair): string {
  return isScalar(key) ? String(key.value) : '';
}

function findLanguage(file: string, keys: readonly string[]): Language | undefined {
  const names = [...keys, ...file.split(/[/.]/)];
  return LANGUAGES.find((language) => names.includes(language));
}

/** Returns the passages of HTML: its blocks, with tags as markup. */
export function htmlPassages(html: string, origin: Omit<Passage, 'parts'>): Passage[] {
  const passages: Passage[] = [];
  let line = origin.line;
  let builder = new PartsBuilder(origin.language);
  const finish = (): void => {
    if (hasProse(builder.parts)) passages.push({ ...origin, line, parts: builder.parts });
    builder = new PartsBuilder(origin.language);
  };
  let count = origin.line;
  for (const [token] of html.matchAll(/<[^>]*>|&\w+;|[^<&]+|&/g)) {
    if (BREAKS.test(token)) {
      finish();
      line = count;
    } else if (token.startsWith('<')) builder.addMarkup(token);
    else if (ENTITIES[token]) builder.addMarkup(token, ENTITIES[token]);
    else {
      if (builder.parts.length === 0) line = count + (/^\s*/.exec(token)![0].split('\n').length - 1);
      builder.addText(builder.parts.length === 0 ? token.trimStart() : token);
    }
    count += token.split('\n').length - 1;
  }
  finish();
  return passages;
}
