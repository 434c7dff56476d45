import { posix } from 'node:path';
import escapeHtml from 'escape-html';
import { groupTabs, renderCode, renderTabs } from './code-tabs.ts';
import { Marked, marked, type RendererObject, type Token, type Tokens } from 'marked';

export interface Rendered {
  /** The first heading as plain text; `description` is the first paragraph. */
  title: string;
  description: string;
  html: string;
  /** The headings of the second level, for the list of the page's sections. */
  headings: Heading[];
}

export interface Heading {
  id: string;
  text: string;
}

/** A function that resolves the target of a link. */
export type Resolve = (href: string) => string;

/** Renders Markdown as HTML. Escapes HTML in it. */
export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const marked = new Marked<string, string>();
  const tokens = marked.lexer(markdown);
  const ids = identifyHeadings(tokens);
  marked.use({ renderer: createRenderer(resolve, ids), extensions: [{ name: 'tabs', renderer: renderTabs }] });
  const first = (type: string) => tokens.find((token) => token.type === type);
  return {
    title: plainText(first('heading')),
    description: plainText(first('paragraph')).replaceAll('\n', ' '),
    html: marked.parser(groupTabs(tokens)),
    headings: [...ids].flatMap(([{ depth, tokens: inline }, id]) =>
      depth === 2 ? [{ id, text: inline.map(plainText).join('') }] : [],
    ),
  };
}

/** A part of a page: a heading, and the text up to the next heading. */
export interface Section {
  /** The heading's URL fragment. */
  id: string;
  title: string;
  text: string;
}

/** Splits a page into its sections, as plain text. The text before the first heading is a section without a title. */
export function splitSections(markdown: string): Section[] {
  const tokens = marked.lexer(markdown);
  const ids = identifyHeadings(tokens);
  const sections: Section[] = [];
  for (const token of tokens) {
    if (isHeading(token)) sections.push({ id: ids.get(token)!, title: plainText(token), text: '' });
    else if (sections.length === 0) sections.push({ id: '', title: '', text: plainText(token) });
    else sections.at(-1)!.text += ` ${plainText(token)}`;
  }
  return sections;
}

/** Resolves the links of a Markdown page. */
export function resolveLinks(markdown: string, resolve: Resolve): string {
  return markdown.replace(/\]\(([^()\s]+)\)/g, (_link, href: string) => `](${resolve(href)})`);
}

/** Creates a resolver for links between files of the repository, such as `../oauth.md#x` in `docs/guides/mcp.md`. */
export function linkFrom(file: string, findAddress: (file: string) => string | undefined): Resolve {
  return (href) => {
    if (/^([a-z]+:|[/#])/.test(href)) return href;
    const [path, fragment] = href.split('#') as [string, string?];
    const address = findAddress(posix.join(posix.dirname(file), path));
    if (address === undefined) return href;
    return fragment === undefined ? address : `${address}#${fragment}`;
  };
}

function createRenderer(resolve: Resolve, ids: ReadonlyMap<Tokens.Heading, string>): RendererObject<string, string> {
  return {
    heading(heading) {
      const { tokens, depth } = heading;
      const content = this.parser.parseInline(tokens);
      const id = ids.get(heading);
      return depth === 1 || id === undefined
        ? `<h${depth}>${content}</h${depth}>\n`
        : `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
    },
    code({ text }) {
      return renderCode(text);
    },
    table({ header, rows }) {
      const line = (cells: Tokens.TableCell[]) => `<tr>${cells.map((cell) => this.tablecell(cell)).join('')}</tr>`;
      return `<div class="table" role="group" aria-label="Table" tabindex="0"><table>
<thead>${line(header)}</thead>
<tbody>${rows.map(line).join('\n')}</tbody>
</table></div>\n`;
    },
    tablecell({ tokens, header }) {
      const tag = header && tokens.length > 0 ? 'th' : 'td';
      return `<${tag}${tag === 'th' ? ' scope="col"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    html({ text }) {
      return escapeHtml(text);
    },
  };
}

/** Gives each heading of a page its own id. */
function identifyHeadings(tokens: Token[]): Map<Tokens.Heading, string> {
  const counts = new Map<string, number>();
  return new Map(
    tokens.filter(isHeading).map((heading) => {
      const slug = toSlug(heading.tokens.map(plainText).join(''));
      const count = counts.get(slug) ?? 0;
      counts.set(slug, count + 1);
      return [heading, count === 0 ? slug : `${slug}-${count}`];
    }),
  );
}

/** Returns the id of the first heading with this text. */
export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading';
}

function plainText(token: Token | undefined): string {
  if (!token) return '';
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((cells) => cells.map(plainCell)).join(' ');
  }
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? (token.text as string) : '';
}

function plainCell({ tokens }: Tokens.TableCell): string {
  return tokens.map(plainText).join('');
}
