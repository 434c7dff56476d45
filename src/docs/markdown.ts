import { posix } from 'node:path';
import escapeHtml from 'escape-html';
import { Marked, type RendererObject, type Token, type Tokens } from 'marked';

export interface Rendered {
  /** The first heading as plain text; `description` is the first paragraph. */
  title: string;
  description: string;
  html: string;
}

/** A function that resolves the target of a link. */
export type Resolve = (href: string) => string;

/** Renders Markdown as HTML. Escapes HTML in it. */
export function renderMarkdown(markdown: string, resolve: Resolve): Rendered {
  const marked = new Marked<string, string>({ renderer: createRenderer(resolve) });
  const tokens = marked.lexer(markdown);
  const first = (type: string) => tokens.find((token) => token.type === type);
  return {
    title: plainText(first('heading')),
    description: plainText(first('paragraph')).replaceAll('\n', ' '),
    html: marked.parser(tokens),
  };
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

function createRenderer(resolve: Resolve): RendererObject<string, string> {
  const idCounts = new Map<string, number>();
  return {
    heading({ tokens, depth }) {
      const content = this.parser.parseInline(tokens);
      const id = uniqueId(tokens.map(plainText).join(''), idCounts);
      return depth === 1
        ? `<h1>${content}</h1>\n`
        : `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre>\n`;
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

function uniqueId(text: string, idCounts: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const count = idCounts.get(slug) ?? 0;
  idCounts.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

function plainText(token: Token | undefined): string {
  if (!token) return '';
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('');
  return 'text' in token ? (token.text as string) : '';
}
