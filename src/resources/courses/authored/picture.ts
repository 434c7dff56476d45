import type { ReportFault } from './lesson.ts';

const ELEMENTS = new Set(
  (
    'svg g defs title desc path rect circle ellipse line polyline polygon text tspan use symbol marker mask clipPath ' +
    'pattern linearGradient radialGradient stop style filter feGaussianBlur feOffset feMerge feMergeNode feDropShadow'
  ).split(' '),
);
/** Pattern of an allowed tag. Requires quotes around values, because `judgeAttributes` finds only quoted values. */
const TAG = /^(<\/[a-zA-Z]+\s*>|<[a-zA-Z]+(\s+[a-zA-Z:-]+\s*=\s*("[^"<]*"|'[^'<]*'))*\s*\/?>)$/;
const MAX_BYTES = 64 * 1024;

/**
 * Checks that a picture contains nothing but drawing: it runs nothing, loads nothing, and has no words that would need
 * a translation.
 */
export function judgePicture(svg: Buffer, report: ReportFault): void {
  const text = svg.toString('utf8');
  if (svg.length > MAX_BYTES) report(`is larger than ${MAX_BYTES / 1024} KiB`);
  if (!/^\s*(<\?xml[^>]*\?>\s*)?(<!--[^]*?-->\s*)*<svg\s[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/.test(text))
    report('must be an SVG that begins with <svg xmlns="http://www.w3.org/2000/svg" …>');
  if (!/<svg\s[^>]*viewBox="/.test(text)) report('must have a viewBox');
  const bare = text.replace(/<!--[^]*?-->/g, '').replace(/^\s*<\?xml[^>]*\?>/, '');
  for (const [tag, name] of bare.matchAll(/<\/?([^\s/>]*)[^>]*>?/g)) {
    if (!TAG.test(tag)) report(`has a tag that cannot be read: ${tag}`);
    else if (!ELEMENTS.has(name!)) report(`must not have the element ${name}`);
    judgeAttributes(tag, report);
  }
  judgeStyles(bare, report);
  for (const [, words] of bare.matchAll(/<(?:text|tspan)\b[^>]*>([^<]*)/g)) {
    if (/\p{L}{2}/u.test(words!)) report(`must not have text, which cannot be translated: ${words!.trim()}`);
  }
}

function judgeAttributes(tag: string, report: ReportFault): void {
  for (const [, name, quoted, apostrophed] of tag.matchAll(/([^\s"'=<>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    const value = quoted ?? apostrophed ?? '';
    if (/^on/i.test(name!)) report(`must not have a script: ${name}`);
    if (/^(xlink:)?href$/i.test(name!) && !/^#[\w-]+$/.test(value)) report(`must not refer to ${value}`);
    if (/^(src|xml:base)$/i.test(name!)) report(`must not refer to ${value}`);
  }
}

/** Checks for styles anywhere in the text, because attribute values can be styles too. */
function judgeStyles(text: string, report: ReportFault): void {
  for (const [, address] of text.matchAll(/url\(([^)]*)/gi)) {
    if (!/^\s*["']?#[\w-]+["']?\s*$/.test(address!)) report(`must not refer to ${address!.trim()}`);
  }
  if (/@import|\\|&#|javascript:|data:/i.test(text))
    report('must not have an import, an escape or an address in its styles');
}
