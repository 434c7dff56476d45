import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  /** Outcome of the span; the code is 2 for a failure. */
  status: { code?: number; message?: string };
}

interface Payload {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: Attribute[] })[] }[];
  }[];
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** Receives spans by OTLP over HTTP in JSON, as a collector does. */
export class TraceReceiver {
  /** Bodies of the requests, unparsed. */
  readonly payloads: string[] = [];
  /** Method with path, and headers, of each request. */
  readonly requests: { path: string; headers: Record<string, unknown> }[] = [];
  readonly #server = createServer((req, res) => {
    this.requests.push({ path: `${req.method} ${req.url}`, headers: req.headers });
    void text(req).then((body) => {
      this.payloads.push(body);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns the resource attributes of the last payload. */
  resource(): Record<string, unknown> {
    const { resourceSpans } = JSON.parse(this.payloads.at(-1)!) as Payload;
    return plain(resourceSpans[0]!.resource.attributes);
  }

  spans(): ReceivedSpan[] {
    const resources = this.payloads.flatMap((payload) => (JSON.parse(payload) as Payload).resourceSpans);
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans);
    return spans.map((span) => ({ ...span, attributes: plain(span.attributes) }));
  }
}

function plain(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
