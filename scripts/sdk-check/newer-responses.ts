import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const BRAND_NEW = { error: { code: 'brand_new', message: 'No.', details: [], hint: 'A field that is new.' } };

/**
 * Starts a proxy in front of the service that changes two responses to look like those of a newer service. The learner
 * `newer` is rejected with a new code, and the first simulation has a new status. Both responses have a new field.
 */
export async function serveNewerResponses(service: string): Promise<{ url: string; server: Server }> {
  const server = createServer((req, res) => void answer(service, req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function answer(service: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.url === '/v1/learners/newer') return send(res, 403, BRAND_NEW);
  if (req.url === '/v1/simulations') return send(res, 200, await newerSimulations(service, req));
  passOn(service, req, res);
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

async function newerSimulations(service: string, { url, headers }: IncomingMessage): Promise<object> {
  const response = await fetch(`${service}${url}`, { headers: { authorization: headers.authorization! } });
  const { data } = (await response.json()) as { data: object[] };
  return { data: data.map((row, index) => (index === 0 ? { ...row, status: 'paused', color: 'A new field.' } : row)) };
}

function passOn(service: string, req: IncomingMessage, res: ServerResponse): void {
  const { method, headers } = req;
  const onward = request(`${service}${req.url}`, { method, headers }, (response) => {
    res.writeHead(response.statusCode!, response.headers);
    response.pipe(res);
  });
  onward.on('error', () => res.destroy());
  req.pipe(onward);
}
