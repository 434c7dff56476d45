import type { Response } from 'express';
import type { ContentHost } from '../../../config/content-url.ts';
import { html } from '../../../http/html/html.ts';
import { getPageContext } from '../../shared/page-context.ts';
import { sendLearnPage } from '../learn-page.ts';
import { getContentOrigin, SANDBOX } from './content-host.ts';
import { PACKAGE_WINDOW } from './package-assets.ts';
import { packageMessages } from './package-messages.ts';
import { buildPackagePath } from './package-pages.ts';

/** Sends the page whose frame plays the package on the content host. */
export function sendContentWindow(
  res: Response,
  courseId: string,
  token: string,
  { name, content }: { name: string; content: ContentHost },
): void {
  const messages = packageMessages[getPageContext(res).language];
  const origin = getContentOrigin(content, token);
  // The opener of a package's popup is a frame of this page, which the stricter value would hide from the popup.
  res.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
  res.set('Permissions-Policy', `unload=(self "${origin}")`);
  const page = html`
    <noscript><p>${messages.needsScript}</p></noscript>
    <p role="status"></p>
    <iframe
      referrerpolicy="no-referrer"
      class="package"
      title=${messages.frame}
      sandbox=${SANDBOX}
      allow="fullscreen; autoplay; unload"
      src=${`${origin}/play/${token}`}
      data-origin=${origin}
      data-saved=${messages.saved}
      data-stale=${messages.stale}
      data-expired=${messages.expired}
      data-unsaved=${messages.unsaved}
    ></iframe>
    <p><a href=${buildPackagePath(res, courseId)}>${messages.back}</a></p>
  `;
  sendLearnPage(res, {
    ...{ title: name, content: page, width: 'wide' },
    scripts: [PACKAGE_WINDOW.path],
    also: { 'frame-src': origin },
  });
}
