import escapeHtml from 'escape-html';
import type { Language } from '../../contract/languages.ts';
import type { MessageContent } from '../wording/wording.ts';

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
const LOGO = 'display:inline-block;padding:4px;background:#ffffff;border-radius:4px';
const BUTTON =
  'display:inline-block;padding:12px 20px;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:bold';
const ADDRESS = 'color:#4b5563;font-size:13px;overflow-wrap:anywhere';
const FOOTER = 'max-width:560px;margin:16px auto 0;color:#4b5563;font-size:13px';

const DEFAULT_COLOR = '#1d4ed8';
const MAX_LOGO = { width: 200, height: 60 };

/** The branding of a company in an email. */
export interface MessageLook {
  /** Background of buttons with white text; null for the service's colour. */
  color: string | null;
  /** The logo, as a part of the email with this Content-ID. */
  logo?: { cid: string; width: number; height: number } | undefined;
}

/**
 * Renders the logo on a white background, which mail programs keep in dark mode. The email names the company in text,
 * so the picture needs no alternative text.
 */
function renderLogo({ cid, width, height }: NonNullable<MessageLook['logo']>): string {
  const scale = Math.min(1, MAX_LOGO.width / width, MAX_LOGO.height / height);
  const size = [width, height].map((pixels) => Math.max(1, Math.round(pixels * scale)));
  return `<p><span style="${LOGO}"><img src="cid:${cid}" width="${size[0]}" height="${size[1]}" alt=""></span></p>\n`;
}

function renderParagraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

/** Renders a button with its URL below, for programs that do not show buttons and people who do not trust them. */
function renderAction({ label, url }: NonNullable<MessageContent['action']>, color: string): string {
  const address = escapeHtml(url);
  return `<p><a href="${address}" style="${BUTTON};background:${color}">${escapeHtml(label)}</a></p>
<p style="${ADDRESS}">${address}</p>`;
}

/** Renders the content as HTML. Styles are attributes, because mail programs drop style sheets. */
export function renderMessageHtml(
  content: MessageContent,
  language: Language,
  look: MessageLook = { color: null },
): string {
  const color = look.color ?? DEFAULT_COLOR;
  const paragraphs = [content.greeting, ...content.paragraphs].map(renderParagraph);
  const items = content.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
  const { action } = content;
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><title>${escapeHtml(content.subject)}</title></head>
<body style="${BODY}">
<div style="${CARD}">
${look.logo ? renderLogo(look.logo) : ''}${paragraphs.join('\n')}
${items && `<ul>${items}</ul>`}
${(content.afterItems ?? []).map(renderParagraph).join('\n')}
${action ? renderAction(action, color) : ''}
</div>
<p style="${FOOTER}">${escapeHtml(content.footer)}</p>
</body>
</html>
`;
}
