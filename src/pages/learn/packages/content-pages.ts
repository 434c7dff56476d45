import type { Response } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';
import type { SharedServices } from '../../../http/shared-services.ts';
import { html, render } from '../../../http/html/html.ts';
import { pageHeaders } from '../../../http/html/page.ts';
import { getContentOrigin, SANDBOX } from './content-host.ts';
import { renderMenu } from './content-menu.ts';
import { CONTENT_PLAYER, CONTENT_STYLE, RUNTIMES } from './package-assets.ts';

/** A window on the content host, found by its token. */
export type ContentWindow = NonNullable<Awaited<ReturnType<SharedServices['openings']['packages']['findWindow']>>> & {
  token: string;
};

/**
 * Features of the browser that packages cannot use. They can use the event `unload`, in which many packages finish:
 * newer versions of Chromium fire it only where this policy and the frame's `allow` attribute have it.
 */
export const PERMISSIONS = [
  ...['accelerometer', 'bluetooth', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer'],
  ...['microphone', 'midi', 'payment', 'publickey-credentials-get', 'screen-wake-lock', 'serial', 'usb'],
  'xr-spatial-tracking',
]
  .map((feature) => `${feature}=()`)
  .concat('unload=(self)')
  .join(', ');

/** Sends the page that holds the SCORM runtime. Its attributes pass all data to the script. */
export function sendPlayPage(
  res: Response,
  window: ContentWindow,
  { content, publicUrl }: { content: ContentHost; publicUrl: string },
): void {
  const { token, standard, learnerId, firstName, lastName, state, reportNumber, isOpen, launchPath } = window;
  const origin = getContentOrigin(content, token);
  const service = new URL(publicUrl).origin;
  const also = {
    'script-src': "'self'",
    'connect-src': `${origin}/play/${token}`,
    'frame-src': `${origin}/packages/${token}/`,
    'frame-ancestors': service,
    webrtc: "'block'",
    sandbox: SANDBOX,
  };
  res.removeHeader('X-Frame-Options');
  res.set(pageHeaders({ formAction: "'none'", referrerPolicy: 'no-referrer', also }));
  res.set({ 'Permissions-Policy': PERMISSIONS, 'Cross-Origin-Opener-Policy': 'unsafe-none' });
  // If each window has its own host, its storage is already empty.
  if (!content.isWildcard) res.set('Clear-Site-Data', '"storage"');
  const document = html`
    <html lang=${window.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${window.name}</title>
        <link rel="stylesheet" href=${CONTENT_STYLE.path} />
        <script type="module" src=${CONTENT_PLAYER.path}></script>
      </head>
      <body
        data-standard=${standard}
        data-runtime=${RUNTIMES[standard].path}
        data-launch=${`/packages/${token}/${launchPath}`}
        data-learner-id=${learnerId}
        data-learner-name=${`${lastName}, ${firstName}`}
        data-state=${JSON.stringify(state)}
        data-sco=${JSON.stringify(window.item ?? {})}
        data-item=${window.position}
        data-kind=${window.item?.isSco === false ? 'handout' : 'sco'}
        data-number=${String(reportNumber)}
        data-page-time=${String(Date.now())}
        data-mode=${isOpen ? 'normal' : 'review'}
        data-title=${window.name}
        data-service=${service}
      >
        ${renderMenu(window)}
      </body>
    </html>
  `;
  res.send(`<!doctype html>\n${render(document)}\n`);
}
