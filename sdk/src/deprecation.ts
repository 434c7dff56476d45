import type { Settings } from './settings.ts';

/** Tells of the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` of an answer that has them. */
export function tellDeprecation({ onDeprecation }: Settings, operationId: string, { headers }: Response): void {
  const deprecation = headers.get('deprecation');
  if (deprecation === null) return;
  const seconds = /^@(-?\d+)$/.exec(deprecation)?.[1];
  const sunset = new Date(headers.get('sunset') ?? '');
  const link = /<([^>]*)>[^,]*;\s*rel="?deprecation"?/.exec(headers.get('link') ?? '')?.[1] ?? null;
  try {
    onDeprecation({
      operationId,
      since: seconds === undefined ? null : new Date(Number(seconds) * 1000),
      sunset: Number.isNaN(sunset.getTime()) ? null : sunset,
      link,
    });
  } catch {
    // The call goes on: it is not about the notice.
  }
}
