import type { Settings } from './settings.ts';

/** Reports the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` of a response to `onDeprecation`. */
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
    // An error of the callback must not fail the call.
  }
}
