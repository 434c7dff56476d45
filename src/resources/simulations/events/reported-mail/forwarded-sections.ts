/** An email that is quoted in the text of another email, below the lines that name its sender and subject. */
export interface ForwardedSection {
  subject: string;
  /** Line that names the sender. */
  from: string;
  text: string;
}

export interface SplitText {
  /** Text above the first forwarded email. */
  head: string;
  sections: ForwardedSection[];
}

// Names that Outlook, Apple Mail, Gmail and Thunderbird give these two lines, in the languages of Western Europe.
const FROM = /^(?:from|von|de|expéditeur|da|van|fra|från|od)\s*:(.*)$/i;
const SUBJECT = /^(?:subject|betreff|objet|sujet|oggetto|onderwerp|asunto|assunto|emne|ämne|temat)\s*:(.*)$/i;
/** Maximum number of lines between the sender and the subject, such as the date, or recipients on several lines. */
const MAX_LINES_BETWEEN = 10;
const MAX_LINE = 1000;
/** Maximum number of forwarded emails in the text of an email; the last one contains the rest. */
const MAX_SECTIONS = 20;

/** Splits an email's text into the writer's own words and the emails that are forwarded below them. */
export function splitForwards(text: string): SplitText {
  const lines = text.split('\n');
  const plain = lines.map(toPlainLine);
  const starts: { at: number; subject: string; from: string }[] = [];
  for (let at = 0; at < lines.length && starts.length < MAX_SECTIONS; at += 1) {
    const header = readHeader(plain, at);
    if (!header) continue;
    starts.push({ at, ...header });
    at = header.end;
  }
  const sections = starts.map(({ at, subject, from }, index) => ({
    ...{ subject, from },
    text: lines.slice(at, starts[index + 1]?.at).join('\n'),
  }));
  return { head: lines.slice(0, starts[0]?.at).join('\n'), sections };
}

/** Removes quotation marks and bold markers around a line. */
function toPlainLine(line: string): string {
  return line
    .slice(0, MAX_LINE)
    .replace(/^[\s>|*]+/, '')
    .replace(/[*\u00a0]/g, ' ')
    .trim();
}

function readHeader(lines: readonly string[], at: number): { subject: string; from: string; end: number } | undefined {
  const isFrom = FROM.test(lines[at]!);
  if (!isFrom && !SUBJECT.test(lines[at]!)) return undefined;
  const own = isFrom ? FROM : SUBJECT;
  const other = isFrom ? SUBJECT : FROM;
  for (let end = at + 1; end < lines.length && end <= at + MAX_LINES_BETWEEN; end += 1) {
    if (own.test(lines[end]!)) return undefined;
    if (!other.test(lines[end]!)) continue;
    const [first, second] = [readValue(lines, at, own), readValue(lines, end, other)];
    return isFrom ? { from: first, subject: second, end } : { from: second, subject: first, end };
  }
  return undefined;
}

/** Returns the value after the colon, or the next line if nothing follows the colon. */
function readValue(lines: readonly string[], at: number, label: RegExp): string {
  const value = label.exec(lines[at]!)?.[1]?.trim() ?? '';
  return value === '' ? (lines[at + 1] ?? '') : value;
}

/** Converts HTML to text, but keeps the URLs of links and images. */
export function toTextWithLinks(html: string): string {
  return html
    .replace(/\r?\n\s*/g, ' ')
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d|hr|blockquote)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, (tag) => {
      const links = [...tag.matchAll(/(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi)].map((match) => match[1]!);
      return links.length === 0 ? '' : ` ${links.join(' ')} `;
    })
    .replace(/&nbsp;|&#160;/gi, ' ')
    .replace(/&lt;/gi, '<')
    .replace(/&gt;/gi, '>')
    .replace(/&quot;/gi, '"')
    .replace(/&#(\d{2,5});/g, (_entity, code: string) => String.fromCharCode(Number(code)))
    .replace(/&eacute;/g, 'é')
    .replace(/&auml;/g, 'ä')
    .replace(/&amp;/gi, '&');
}
