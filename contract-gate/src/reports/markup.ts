/** A text for XML or HTML. Control characters, which XML does not allow, are replaced. */
export function escapeMarkup(text: string): string {
  return text

    .replaceAll(/[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
