const DAY_MS = 86_400_000;
/** RFC 9116 recommends less than a year; the text is made for each request, so it never expires. */
const VALID_DAYS = 364;

/** The security.txt of RFC 9116. It names its own address only where that is known: under https and without a path. */
export function securityText({ contact, publicUrl, now }: { contact: string; publicUrl: string; now: Date }): string {
  const { protocol, pathname, origin } = new URL(publicUrl);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const expires = new Date(today + VALID_DAYS * DAY_MS).toISOString().replace('.000Z', 'Z');
  const isKnown = protocol === 'https:' && pathname === '/';
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    ...(isKnown ? [`Canonical: ${origin}/.well-known/security.txt`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
