import escapeHtml from 'escape-html';
import type { Token, Tokens } from 'marked';

/** Tab labels, by the language of the code block in Markdown. */
export const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
};

interface Tabs extends Tokens.Generic {
  type: 'tabs';
  blocks: Tokens.Code[];
}

/** Replaces each run of adjacent code blocks in different languages by one token, which `renderTabs` renders. */
export function groupTabs(tokens: Token[]): Token[] {
  const grouped: Token[] = [];
  for (const token of tokens) {
    const last = grouped.at(-1);
    if (token.type === 'space' && last && (last.type === 'tabs' || isExample(last))) continue;
    if (last?.type === 'tabs' && isExample(token)) (last as Tabs).blocks.push(token);
    else if (last && isExample(last) && isExample(token) && last.lang !== token.lang)
      grouped[grouped.length - 1] = { type: 'tabs', raw: '', blocks: [last, token] } satisfies Tabs;
    else grouped.push(token);
  }
  return grouped;
}

function isExample(token: Token): token is Tokens.Code {
  return token.type === 'code' && Object.hasOwn(LANGUAGES, (token as Tokens.Code).lang ?? '');
}

/**
 * Renders code blocks as tabs, one for each language. The tabs are radio buttons, and the style sheet hides the other
 * languages, so they need no script. `docs.js` remembers the language.
 */
export function renderTabs(token: Tokens.Generic): string {
  const { blocks } = token as Tabs;
  const languages = blocks.map(({ lang }) => lang!);
  const choices = languages.map((lang, index) => {
    const checked = index === 0 ? ' checked' : '';
    return `<label><input type="radio" name="language" value="${lang}"${checked} autocomplete="off">${LANGUAGES[lang]}</label>`;
  });
  const panels = blocks.map(({ text, lang }) => renderCode(text, lang));
  return `<div class="tabs">
<fieldset><legend class="unseen">Language of the example</legend>
${choices.join('\n')}
</fieldset>
${panels.join('')}</div>
`;
}

/** Renders a code block. `docs.js` adds a button that copies it. */
export function renderCode(text: string, language?: string): string {
  const given = language === undefined ? '' : ` data-language="${language}"`;
  return `<div class="code"${given}><pre tabindex="0"><code>${escapeHtml(text)}\n</code></pre></div>\n`;
}
