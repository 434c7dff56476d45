import { type DefaultTreeAdapterTypes, type ParserError, parseFragment } from 'parse5';
import { judgeText, type ReportFieldFault, type Variable } from '../sending/phishing-email-text.ts';

const INLINE = new Set('a b em i small span strong sub sup u'.split(' '));
const BLOCKS = new Set(
  'blockquote br center div h1 h2 h3 h4 hr li ol p table tbody td tfoot th thead tr ul'.split(' '),
);
const ATTRIBUTES = new Set(
  'align bgcolor border cellpadding cellspacing colspan dir height lang role rowspan style valign width'.split(' '),
);
const STYLES = new RegExp(
  `^(${[
    ...['background(-color)?', 'border((-(top|right|bottom|left))?(-(color|style|width))?|-collapse|-radius|-spacing)'],
    ...['color', 'display', 'font(-(family|size|style|weight))?', '((max|min)-)?(height|width)', 'letter-spacing'],
    ...['line-height', 'list-style-type', '(margin|padding)(-(top|right|bottom|left))?', 'overflow-wrap'],
    ...['text-(align|decoration|transform)', 'vertical-align', 'white-space', 'word-break'],
  ].join('|')})$`,
);
/**
 * Pattern of a value without brackets (and therefore without `url(…)`) and without backslashes, which could escape
 * brackets.
 */
const PLAIN_VALUE = /^[\w#%.,'" -]*$/;

/**
 * Checks the HTML of a phishing email against an allow list: text, tables, plain styles, and no link except `{{link}}`.
 * Parses the HTML as browsers do, and rejects anything that a parser would have to guess, so that every program shows
 * the same content.
 */
export function judgeHtml(html: string, variables: readonly Variable[], report: ReportFieldFault): void {
  const reportHtml = (texts: string) => report('html', texts);
  const onParseError = ({ code, startLine }: ParserError) =>
    reportHtml(`must be well-formed: ${code} in line ${startLine}`);
  const nodes = listNodes(parseFragment(html, { sourceCodeLocationInfo: true, onParseError }));
  for (const node of nodes) judgeNode(node, reportHtml);
  const tagCount = nodes.reduce((count, node) => count + countTags(node), 0);
  if (html.split('<').length - 1 !== tagCount) reportHtml('must be well-formed, but has a tag without an element');
  const text = nodes.map(getNodeText).join('');
  if (/\p{Bidi_Control}/u.test(text)) reportHtml('must not have a character that reverses text');
  judgeText('html', text, variables, report);
}

type Node = DefaultTreeAdapterTypes.Node;

/** Lists all nodes in order. Uses no recursion, because deeply nested HTML could exhaust the stack. */
function listNodes(root: DefaultTreeAdapterTypes.ParentNode): Node[] {
  const nodes: Node[] = [];
  const left: Node[] = root.childNodes.toReversed();
  for (let node = left.pop(); node; node = left.pop()) {
    nodes.push(node);
    if ('childNodes' in node) left.push(...node.childNodes.toReversed());
  }
  return nodes;
}

/**
 * Counts the tags of an element. Needed because parsers skip unexpected tags, such as `<body>`, without reporting an
 * error.
 */
function countTags(node: Node): number {
  if (!('tagName' in node) || !node.sourceCodeLocation) return 0;
  return node.sourceCodeLocation.endTag ? 2 : 1;
}

function getNodeText(node: Node): string {
  if ('value' in node) return node.value;
  return BLOCKS.has(node.nodeName) ? '\n' : '';
}

function judgeNode(node: Node, reportHtml: (texts: string) => void): void {
  if (node.nodeName === '#text') return;
  if (!('tagName' in node)) return reportHtml('must not have a comment or a declaration');
  const { tagName, attrs } = node;
  if (!isAllowedElement(tagName)) return reportHtml(`must not have the element ${tagName}`);
  for (const { name, value } of attrs) judgeAttribute(tagName, name, value, reportHtml);
  if (tagName === 'a' && !attrs.some(({ name }) => name === 'href'))
    reportHtml('must not have <a> without href="{{link}}"');
}

function judgeAttribute(element: string, name: string, value: string, reportHtml: (texts: string) => void): void {
  if (element === 'a' && name === 'href') {
    if (value !== '{{link}}') reportHtml(`must not have a link to ${value}; use only {{link}}`);
  } else if (!ATTRIBUTES.has(name)) reportHtml(`must not have the attribute ${name}`);
  else if (name === 'style') judgeStyles(value, reportHtml);
  else if (!PLAIN_VALUE.test(value)) reportHtml(`must not have the attribute ${name} with the value ${value}`);
}

/** Reports whether an email can contain an element. */
export function isAllowedElement(tagName: string): boolean {
  return INLINE.has(tagName) || BLOCKS.has(tagName);
}

/** Reports whether an element other than a link can have an attribute with this value. */
export function isAllowedAttribute(name: string, value: string): boolean {
  if (!ATTRIBUTES.has(name)) return false;
  return name === 'style' ? value.split(';').every(isAllowedStyle) : PLAIN_VALUE.test(value);
}

function isAllowedStyle(style: string): boolean {
  const [name, ...values] = style.split(':');
  return style.trim() === '' || (STYLES.test(name!.trim().toLowerCase()) && PLAIN_VALUE.test(values.join(':').trim()));
}

function judgeStyles(styles: string, reportHtml: (texts: string) => void): void {
  for (const style of styles.split(';')) {
    if (!isAllowedStyle(style)) reportHtml(`must not have the style ${style.trim()}`);
  }
}
