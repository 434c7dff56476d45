import cors from 'cors';
import { Router } from 'express';
import type { Data } from '../contract.ts';
import { ApiError } from '../errors.ts';
import type { Readiness } from '../readiness.ts';
import { sendData, sendJson } from './respond.ts';

const SERVICE = 'security-awareness-program-service';

export interface SystemRoutesOptions {
  document: object;
  readiness: Readiness;
  rateLimited: boolean;
}

/** The operations that need no key. Pages of any origin may read them. */
export function systemRoutes({ document, readiness, rateLimited }: SystemRoutesOptions): Router {
  const documentText = JSON.stringify(document);
  const router = Router({ caseSensitive: true, strict: true });
  router.use(['/health', '/ready', '/openapi.json'], cors());

  router.get('/health', async (_req, res) => {
    const data: Data<'getHealth'> = { status: 'ok', service: SERVICE, timestamp: new Date().toISOString() };
    await sendData(res, data, 0);
  });

  router.get('/ready', async (_req, res) => {
    if (!readiness.ready) throw new ApiError('not_ready', 'The service is not ready to take requests.');
    const data: Data<'getReadiness'> = {
      status: 'ready',
      service: SERVICE,
      checks: { rateLimit: rateLimited ? 'enabled' : 'disabled' },
      timestamp: new Date().toISOString(),
    };
    await sendData(res, data, 0);
  });

  router.get('/openapi.json', (_req, res) => {
    sendJson(res, 200, documentText);
  });
  return router;
}
