/** A line of prose, without the marks of its comment. */
export interface Line {
  file: string;
  /** The line number, from 1. */
  number: number;
  text: string;
  /** True for the first line of a comment, a paragraph or a description, and for a test's name. */
  isFirst: boolean;
}

/** Generated files, the content of courses and phishing emails, and files that quote prose in order to check it. */
const SKIPPED = /^(generated|api\/released|sdk\/src\/generated|content)\/|^scripts\/check\/accent|\bprose-lines\b/;
const CODE = /\.(ts|mjs|js)$/;

/**
 * Returns the prose of a file: comments and names of tests in code, text outside code blocks in Markdown, descriptions and
 * comments in YAML. Other files have none.
 */
export function proseLines(file: string, read: () => string): Line[] {
  if (SKIPPED.test(file)) return [];
  if (CODE.test(file)) return linesOfCode(file, read());
  if (file.endsWith('.md')) return linesOfMarkdown(file, read());
  if (file.endsWith('.yaml')) return linesOfYaml(file, read());
  return [];
}

function linesOfCode(file: string, code: string): Line[] {
  let isInComment = false;
  return code.split('\n').flatMap((line, index) => {
    const whole = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/|--)\s?(.*?)\s*(?:\*\/)?$/.exec(line);
    const text = whole?.[1] ?? /(?:^|\s)(?:\/\/|--) (.*)$/.exec(line)?.[1] ?? nameOfTest(line);
    const isFirst = !isInComment || !whole;
    isInComment = whole !== null && (whole[1] !== '' || isFirst) && !(isFirst && whole[1] === '');
    return text ? [{ file, number: index + 1, text, isFirst }] : [];
  });
}

function nameOfTest(line: string): string | undefined {
  return /^\s*(?:\]\)|\}\)|(?:test|it|describe)(?:\.\w+)*)\(\s*(['"`])(.*)\1/.exec(line)?.[2];
}

function linesOfMarkdown(file: string, markdown: string): Line[] {
  let isInCode = false;
  let isBehindBlank = true;
  return markdown.split('\n').flatMap((line, index) => {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence) isInCode = !isInCode;
    const text = isInCode || isFence ? '' : line.replace(/`[^`]*`/g, '`…`').trim();
    const isFirst = isBehindBlank && !text.startsWith('#');
    isBehindBlank = text === '';
    return text ? [{ file, number: index + 1, text: text.replace(/^([-*#>|]+|\d+\.)\s+/, ''), isFirst }] : [];
  });
}

function linesOfYaml(file: string, yaml: string): Line[] {
  let isBehindKey = false;
  return yaml.split('\n').flatMap((line, index) => {
    const text = line.replace(/^\s*(?:- )?(?:#|(?:summary|description|kind|title):\s*['"|>]?-?)?\s*/, '').trim();
    const isProse = /\s/.test(text) && !/^[\w$'-]+:( |$)|^[[{$]/.test(text);
    const isFirst = isBehindKey || /(?:summary|description|title):/.test(line);
    isBehindKey = /(?:summary|description|kind): [|>]-?$/.test(line);
    return isProse ? [{ file, number: index + 1, text, isFirst }] : [];
  });
}
