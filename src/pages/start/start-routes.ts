import { type RequestHandler, Router } from 'express';
import type { Config } from '../../config/config.ts';
import { languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import { staticResponse, sendStatic } from '../../http/response/static-response.ts';
import { refuseMethod } from '../../http/guards.ts';
import { html } from '../../http/html/html.ts';
import { isOfSimulation, listSimulationHosts, wantsPage } from './browsers.ts';
import { startMessages } from './start-messages.ts';

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };
const ROBOTS = staticResponse('User-agent: *\nDisallow: /\n', TEXT);

/** Serves the first page for browsers, and the files that crawlers and security researchers request. */
export function startRoutes(config: Pick<Config, 'publicUrl' | 'simulations' | 'securityContact' | 'roles'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const hosts = listSimulationHosts(config);
  if (config.roles.includes('api')) router.get('/', startPage(hosts));
  router.get('/robots.txt', (req, res) => sendStatic(req, res, ROBOTS));
  router.all('/robots.txt', refuseMethod('GET', 'HEAD'));
  const { securityContact, publicUrl } = config;
  if (securityContact === undefined) return router;
  const path = '/.well-known/security.txt';
  router.use(path, (req, _res, next) => next(isOfSimulation(req, hosts) ? 'router' : undefined));
  router.get(path, (req, res) => {
    return sendStatic(
      req,
      res,
      staticResponse(securityText({ contact: securityContact, publicUrl, now: new Date() }), TEXT),
    );
  });
  router.all(path, refuseMethod('GET', 'HEAD'));
  return router;
}

function startPage(hosts: ReadonlySet<string>): RequestHandler {
  return (req, res, next) => {
    if (!wantsPage(req, res, hosts)) return next();
    const language = languageAsked(req);
    res.vary('Accept-Language');
    const { title, about, ...messages } = startMessages[language];
    const content = html`
      <p>${about}</p>
      <ul>
        <li><a href="/console">${messages.console}</a></li>
        <li><a href="/learn">${messages.learn}</a></li>
        <li><a href="/docs">${messages.docs}</a></li>
        <li><a href="/v1/health">${messages.health}</a></li>
      </ul>
    `;
    sendPlainPage(res, { language, title, content });
  };
}

const DAY_MS = 86_400_000;
/** Days for which a response is valid. RFC 9116 recommends less than a year; each request gets a new date. */
const VALID_DAYS = 364;

/** Builds the security.txt of RFC 9116. The file states its own URL only if `publicUrl` has https and no path. */
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
