// Starts the embedded Postgres in the given folder, prints it as JSON, and stops it on SIGTERM.
import { startEmbeddedPostgres } from '../../scripts/embedded-postgres/server.ts';

const server = await startEmbeddedPostgres({ dataFolder: process.argv[2]!, durable: false });
const alive = setInterval(() => undefined, 60_000);
process.once('SIGTERM', () => {
  clearInterval(alive);
  void server.stop();
});
process.stdout.write(`${JSON.stringify({ ...server, pid: server.pid })}\n`);
