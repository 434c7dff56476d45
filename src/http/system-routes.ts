import cors from 'cors';
import { Router } from 'express';
import type { Data, KeyedOperationId } from '../contract.ts';
import { ApiError } from '../errors.ts';
import { isPending } from '../operations.ts';
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
  const documentText = JSON.stringify(withPendingMarked(document));
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

/** Operations without a handler yet say so in the published document, for those who generate from it. */
function withPendingMarked(document: object): object {
  const marked = structuredClone(document) as { paths: Record<string, Record<string, Record<string, unknown>>> };
  for (const item of Object.values(marked.paths)) {
    for (const operation of Object.values(item)) {
      if (isPending(operation.operationId as KeyedOperationId)) operation['x-pending'] = true;
    }
  }
  return marked;
}
