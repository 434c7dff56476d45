import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { type FindId, worstPath, worstRequests } from '../../support/worst-bodies.ts';
import { Client } from '../support/client.ts';
import { type Company, learnerId } from '../support/world.ts';

export interface FloodTarget {
  url: string;
  /** The companies that flood. */
  companies: [Company, Company];
  groupId: string;
  courseIds: string[];
  /** The id and the secret of a source of kind `xapi`, which sends statements. */
  source?: { id: string; secret: string };
}

type Flood = (target: FloodTarget) => void | Promise<void>;

const CLIENTS = 200;
const BODY_BYTES = 10 * 1024 * 1024;
const PIPELINED_BYTES = 5_000_000;
const BULK = 10_000;
/** Number of learners of each company. */
export const LEARNERS = 100_000;

/** Ways in which one company could monopolise a service, by name. Each continues until its process ends. */
export const floods: Record<string, Flood> = {
  'one learner, by 200 clients': ({ url, companies: [one] }) =>
    readBy(CLIENTS, url, one.key, `/learners/${learnerId(one, 1)}`),
  'a group of 30,000, by 200 clients': ({ url, companies: [one], groupId }) =>
    readBy(CLIENTS, url, one.key, `/groups/${groupId}`),
  'lists of 100,000 learners, read slowly by two companies': ({ url, companies }) => {
    for (const { key } of companies) for (let n = 0; n < 20; n++) readSlowly(url, key);
  },
  '200 bodies of 10 MiB that arrive slowly': ({ url, companies: [one] }) => {
    for (let n = 0; n < CLIENTS; n++) sendSlowly(url, one.key);
  },
  '200 bodies of 10 MiB of [[[[': ({ url, companies: [one] }) => {
    const body = Buffer.alloc(BODY_BYTES, '[');
    for (let n = 0; n < CLIENTS; n++) sendRepeatedly(url, one.key, body);
  },
  'five connections with 5 MB of pipelined 404s': ({ url }) => {
    for (let n = 0; n < 5; n++) pipeline(url);
  },
  'bulk creations and enrolments of 10,000, back to back': ({ url, companies: [one], courseIds }) => {
    for (let n = 0; n < 4; n++) createMany(url, one.key, `bulk${n}`);
    for (const courseId of courseIds.slice(0, 4)) enrollMany(url, one, courseId);
  },
  'uploads of 5 MB PDFs, by 16 clients': async ({ url, companies: [one] }) => {
    const document = await PDFDocument.create();
    document.addPage();
    await document.attach(Buffer.alloc(5_000_000, 'security '), 'annex.txt');
    const body = Buffer.from(await document.save());
    for (let n = 0; n < 16; n++) upload(url, one.key, body);
  },
};

/** The flood of the scenario `bodies`. */
export const WORST_BODIES = 'the worst body of every operation, on every transport';
const CLIENTS_OF_WORST = 3;

/** Sends the worst bodies one after another with a few clients that start at different bodies. */
export function sendWorstBodies({ url, companies: [one], groupId, courseIds, source }: FloodTarget): void {
  const idsOf: [RegExp, (index: number) => string | undefined][] = [
    [/^learner/, (index) => (index < LEARNERS ? learnerId(one, index + 1) : undefined)],
    [/^course/, (index) => courseIds[index]],
    [/^group|^addGroup/, (index) => (index === 0 ? groupId : undefined)],
  ];
  const find: FindId = (field, index) => idsOf.find(([pattern]) => pattern.test(field))?.[1](index);
  const requests = worstRequests(find);
  const basic = Buffer.from(`${source!.id}:${source!.secret}`).toString('base64');
  const origin = new URL(url).origin;
  for (let client = 0; client < CLIENTS_OF_WORST; client++) {
    let next = Math.floor((client * requests.length) / CLIENTS_OF_WORST);
    forever(async () => {
      const { name, method, path, headers, by, body } = requests[next++ % requests.length]!;
      const authorization = by === 'key' ? `Bearer ${one.key}` : `Basic ${basic}`;
      const init = {
        method: method.toUpperCase(),
        headers: { ...headers, authorization },
        body: new Uint8Array(body()),
      };
      const startedAt = performance.now();
      const response = await fetch(origin + worstPath(path, find), init);
      await response.arrayBuffer();
      console.log(`${response.status} ${Math.round(performance.now() - startedAt)} ms ${name}`);
    });
  }
}

function readBy(clients: number, url: string, key: string, path: string): void {
  for (let n = 0; n < clients; n++) {
    const client = new Client(url, key);
    forever(() => client.get(path));
  }
}

function createMany(url: string, key: string, name: string): void {
  const client = new Client(url, key);
  let made = 0;
  forever(() => {
    const learners = Array.from({ length: BULK }, () => {
      return { email: `${name}-${++made}@flood.test`, firstName: 'Flood', lastName: 'Learner' };
    });
    return client.post('/learners/bulk', { learners });
  });
}

function enrollMany(url: string, company: Company, courseId: string): void {
  const client = new Client(url, company.key);
  let first = 0;
  forever(() => {
    const learnerIds = Array.from({ length: BULK }, (_, index) => learnerId(company, first + index + 1));
    first = (first + BULK) % LEARNERS;
    return client.post('/course-enrollments', { courseIds: [courseId], learnerIds });
  });
}

function upload(url: string, key: string, body: Buffer): void {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/pdf' };
  forever(async () => {
    await (await fetch(`${url}/policies/upload`, { method: 'POST', headers, body })).arrayBuffer();
  });
}

function forever(work: () => Promise<unknown>): void {
  void work()
    // A pause, because immediate rejections would overload this process instead.
    .catch(() => sleep(50))
    .finally(() => forever(work));
}

/** Keeps a connection open, reconnecting whenever it ends. */
function keepConnected(url: string, use: (socket: Socket) => void): void {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => use(socket));
  socket.on('error', () => undefined);
  socket.once('close', () => setTimeout(() => keepConnected(url, use), 50));
}

/** Reads 16 KiB every quarter of a second, fast enough not to count as stalled. */
function readSlowly(url: string, key: string): void {
  keepConnected(url, (socket) => {
    socket.pause().write(`GET /v1/learners HTTP/1.1\r\nHost: flood\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const timer = setInterval(() => socket.read(16_384), 250);
    socket.on('readable', () => undefined).once('close', () => clearInterval(timer));
  });
}

function headOfBody(key: string): string {
  return (
    `POST /v1/learners/bulk HTTP/1.1\r\nHost: flood\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`
  );
}

function sendSlowly(url: string, key: string): void {
  const piece = Buffer.alloc(64 * 1024, ' ');
  keepConnected(url, (socket) => {
    socket.resume().write(headOfBody(key));
    const timer = setInterval(() => socket.write(piece), 250);
    socket.once('close', () => clearInterval(timer));
  });
}

function sendRepeatedly(url: string, key: string, body: Buffer): void {
  keepConnected(url, (socket) => {
    const send = () => {
      socket.write(headOfBody(key));
      socket.write(body);
    };
    socket.on('data', send);
    send();
  });
}

function pipeline(url: string): void {
  const request = 'GET /v1/nothing HTTP/1.1\r\nHost: flood\r\n\r\n';
  const requests = request.repeat(Math.ceil(PIPELINED_BYTES / request.length));
  keepConnected(url, (socket) => {
    const send = () => socket.write(requests, (error) => error ?? send());
    socket.resume();
    send();
  });
}
