import cors from 'cors';
import { type Request, Router } from 'express';
import type { Data } from '../contract/contract.ts';
import { refuseMethod } from '../http/guards.ts';
import { type Readiness, requireReady } from '../http/readiness.ts';
import { sendStatic } from '../http/response/static-response.ts';
import { named } from '../http/request-context.ts';
import type { PublishedContract } from './published-contract.ts';
import { sendData } from '../http/response/respond.ts';

const SERVICE = 'security-awareness-program-service';

export interface SystemRoutesOptions {
  contract: PublishedContract;
  readiness: Readiness;
  rateLimited: boolean;
}

/** Serves the operations without a key, and the contract as YAML. Pages of any origin can read them. */
export function systemRoutes({ contract, readiness, rateLimited }: SystemRoutesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const versionFor = ({ query }: Request) => contract.versions.requested(query);
  router.use(['/health', '/ready', '/openapi.json', '/openapi.yaml'], allowAnyOrigin);

  router.get('/health', named('getHealth'), async (_req, res) => {
    const data: Data<'getHealth'> = { status: 'ok', service: SERVICE, timestamp: new Date().toISOString() };
    await sendData(res, data);
  });

  router.get('/ready', named('getReadiness'), async (_req, res) => {
    requireReady(readiness);
    const data: Data<'getReadiness'> = {
      status: 'ready',
      service: SERVICE,
      checks: { rateLimit: rateLimited ? 'enabled' : 'disabled' },
      timestamp: new Date().toISOString(),
    };
    await sendData(res, data);
  });

  router.get('/openapi.json', named('getOpenApiDocument'), async (req, res) => {
    await sendStatic(req, res, await contract.json(versionFor(req)));
  });
  router.get('/openapi.yaml', async (req, res) => sendStatic(req, res, await contract.yaml(versionFor(req))));
  router.all('/openapi.yaml', refuseMethod('GET', 'HEAD', 'OPTIONS'));
  return router;
}

const allowAnyOrigin = cors({ methods: ['GET', 'HEAD'], exposedHeaders: ['ETag', 'X-Request-Id'], maxAge: 600 });
