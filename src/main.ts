// Starts the service: one process or, if HTTP_PROCESSES is more than one, a supervisor of several.
import cluster from 'node:cluster';
import { config } from './server/settings.ts';

if (cluster.isPrimary && config.processes > 1) await import('./server/supervise.ts');
else await import('./server/serve.ts');
