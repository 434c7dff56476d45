import { type ContractDocument, type MediaType, resolve } from './document.ts';

/** Returns the value of the first example. */
export function firstExample(document: ContractDocument, media: Pick<MediaType, 'examples'> | undefined): unknown {
  const [example] = Object.values(media?.examples ?? {});
  return example && resolve<{ value?: unknown }>(document, example).value;
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Formats a cell as one line, and escapes bars. */
function cell(text: string): string {
  return text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');
}

export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
