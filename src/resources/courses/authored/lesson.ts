import escapeHtml from 'escape-html';
import { Marked, type Token, type Tokens } from 'marked';
import { isMarkdownTooDeep } from './nesting.ts';

/** Returns the URL of a picture by its name in the folder `pictures`; undefined if the picture does not exist. */
export type FindPicture = (name: string) => string | undefined;

export interface RenderedLesson {
  title: string;
  /** The lesson up to the reporting channels; the whole lesson if it does not show them. */
  html: string;
  /** The lesson after the reporting channels of the learner's company; null if the lesson does not show them. */
  afterHtml: string | null;
}

/**
 * Records a fault in Markdown text. @param line number of the line in the file, counted from 1; undefined if unknown
 */
export type ReportFault = (words: string, line?: number) => void;

/** Placeholder paragraph, which is replaced by how learners report a suspicious message in their company. */
const REPORTING = '{{reporting}}';
const PICTURE = /^\.\.\/pictures\/([a-z0-9-]+\.svg)$/;

export function renderLesson(markdown: string, find: FindPicture, report: ReportFault): RenderedLesson {
  return withinStack(markdown, { title: '', html: '', afterHtml: null }, report, () =>
    parseLesson(markdown, find, report),
  );
}

function parseLesson(markdown: string, find: FindPicture, report: ReportFault): RenderedLesson {
  const marked = createMarked(find);
  const [first, ...rest] = marked.lexer(markdown);
  const title = first?.type === 'heading' && first.depth === 1 ? plainText(first) : '';
  if (title.trim() === '') report('must begin with a title: # …', 1);
  judge(rest, { find, report, minDepth: 2, firstLine: 1 + countLines(first?.raw ?? '') });
  const isReporting = (token: Token) => token.type === 'paragraph' && token.raw.trim() === REPORTING;
  const place = rest.findIndex(isReporting);
  if (markdown.split('{{').length > (place < 0 ? 1 : 2))
    report(`can have ${REPORTING} once, as a paragraph between others, and no other {{`);
  if (place < 0) return { title, html: marked.parser(rest), afterHtml: null };
  return { title, html: marked.parser(rest.slice(0, place)), afterHtml: marked.parser(rest.slice(place + 1)) };
}

/** Renders Markdown that appears below a heading of the page and therefore must not contain headings. */
export function renderCase(markdown: string, find: FindPicture, report: ReportFault): string {
  return withinStack(markdown, '', report, () => {
    const marked = createMarked(find);
    const tokens = marked.lexer(markdown);
    judge(tokens, { find, report, minDepth: undefined });
    return marked.parser(tokens);
  });
}

/** Renders one line of inline Markdown: only emphasis and code. */
export function renderLine(markdown: string, report: ReportFault): string {
  return withinStack(markdown, '', report, () => {
    const marked = createMarked(() => undefined);
    judge(marked.Lexer.lexInline(markdown), { find: () => undefined, report, minDepth: undefined });
    return marked.parseInline(markdown) as string;
  });
}

/** Renders Markdown. The parser is recursive, so thousands of nested quotes or lists would exhaust its stack. */
function withinStack<T>(markdown: string, fallback: T, report: ReportFault, render: () => T): T {
  try {
    if (!isMarkdownTooDeep(markdown)) return render();
    report('is nested too deeply');
    return fallback;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    report('is nested too deeply');
    return fallback;
  }
}

/**
 * Creates a renderer that shows links as text, because the links in a lesson are examples that nobody should follow.
 */
function createMarked(find: FindPicture): Marked<string, string> {
  return new Marked<string, string>({
    tokenizer: { url: () => undefined, autolink: () => undefined },
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ href, text }) =>
        `<img src="${escapeHtml(find(PICTURE.exec(href)?.[1] ?? '') ?? '')}" alt="${escapeHtml(text)}">`,
      link({ tokens }) {
        return this.parser.parseInline(tokens);
      },
      table({ header, rows }) {
        const line = (cells: Tokens.TableCell[]) => `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
        return `<table>\n<thead>${line(header)}</thead>\n<tbody>${rows.map(line).join('\n')}</tbody>\n</table>\n`;
      },
      tablecell({ tokens, header }) {
        const content = this.parser.parseInline(tokens);
        return header ? `<th scope="col">${content}</th>` : `<td>${content}</td>`;
      },
    },
  });
}

interface Judged {
  find: FindPicture;
  report: ReportFault;
  /** Minimum depth of headings; undefined if headings are not allowed. */
  minDepth: number | undefined;
  /** Line number of the first token in the file; undefined if unknown. */
  firstLine?: number;
}

function judge(tokens: readonly Token[], { find, report: reportFault, minDepth, firstLine }: Judged): void {
  let depth = (minDepth ?? 0) - 1;
  let line = firstLine;
  const report: ReportFault = (words) => reportFault(words, line);
  const visit = (token: Token) => {
    if (token.type === 'html') report(`must not have HTML: ${token.raw.trim()}`);
    if (token.type === 'link') report(`must not have a link; write \`${(token as Tokens.Link).href}\` as code`);
    if (token.type === 'list_item' && (token as Tokens.ListItem).task)
      report(`must not have a task checkbox: ${token.raw.trim()}`);
    if (token.type === 'image') judgePicture(token as Tokens.Image, find, report);
    if (token.type === 'heading') {
      const next = (token as Tokens.Heading).depth;
      if (minDepth === undefined) report(`must not have a heading: ${token.raw.trim()}`);
      else if (next < minDepth || next > depth + 1)
        report(`has a heading of level ${next} instead of ${depth + 1}: ${token.raw.trim()}`);
      depth = next;
    }
  };
  for (const token of tokens) {
    void new Marked().walkTokens([token], visit);
    if (line !== undefined) line += countLines(token.raw);
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

function judgePicture({ href, text }: Tokens.Image, find: FindPicture, report: ReportFault): void {
  const name = PICTURE.exec(href)?.[1];
  if (name === undefined) report(`shows ${href}; name a picture like ../pictures/letter.svg`);
  else if (find(name) === undefined) report(`shows ${href}, which does not exist`);
  if (text.trim() === '') report(`has no description of the picture ${href}; write ![description](…)`);
}

function plainText(token: Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? (token.text as string) : '';
}
