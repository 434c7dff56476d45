/** Escapes a text for XML or HTML. Replaces control characters, which XML does not allow. */
export function escapeMarkup(text: string): string {
  return text

    .replaceAll(/[\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
