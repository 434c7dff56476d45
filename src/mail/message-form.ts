import escapeHtml from 'escape-html';
import type { Language } from '../contract/languages.ts';
import type { MessageContent } from './wording/wording.ts';

export function renderMessageText(content: MessageContent): string {
  const blocks = [
    content.greeting,
    ...content.paragraphs,
    content.items.map((item) => `- ${item}`).join('\n'),
    ...(content.afterItems ?? []),
    content.action ? `${content.action.label}\n${content.action.url}` : '',
    `-- \n${content.footer}`,
  ];
  return `${blocks.filter(Boolean).join('\n\n')}\n`;
}

const BODY = 'margin:0;padding:24px 12px;background:#f3f4f6;color:#111827;font:16px/1.5 Arial,sans-serif';
const CARD = 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px';
const BUTTON =
  'display:inline-block;padding:12px 20px;background:#1d4ed8;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:bold';
const ADDRESS = 'color:#4b5563;font-size:13px;overflow-wrap:anywhere';
const FOOTER = 'max-width:560px;margin:16px auto 0;color:#4b5563;font-size:13px';

function renderParagraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

/** Renders a button with its address below, for programs that do not show buttons and people who do not trust them. */
function renderAction({ label, url }: NonNullable<MessageContent['action']>): string {
  const address = escapeHtml(url);
  return `<p><a href="${address}" style="${BUTTON}">${escapeHtml(label)}</a></p>
<p style="${ADDRESS}">${address}</p>`;
}

/** Renders the content as HTML. Styles are attributes, because mail programs drop style sheets. */
export function renderMessageHtml(content: MessageContent, language: Language): string {
  const paragraphs = [content.greeting, ...content.paragraphs].map(renderParagraph);
  const items = content.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
  const { action } = content;
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>
<body style="${BODY}">
<div style="${CARD}">
${paragraphs.join('\n')}
${items && `<ul>${items}</ul>`}
${(content.afterItems ?? []).map(renderParagraph).join('\n')}
${action ? renderAction(action) : ''}
</div>
<p style="${FOOTER}">${escapeHtml(content.footer)}</p>
</body>
</html>
`;
}
