import { Agent, type OutgoingHttpHeaders, request } from 'node:http';

export interface Answer {
  /** Status of the response; 0 if there was none. */
  status: number;
  /** Whether the body is complete; false if it broke off. */
  whole: boolean;
  /** The parsed body; undefined without a response. */
  body: any;
  /** Times by performance.now(). */
  startedAt: number;
  endedAt: number;
}

interface Received {
  status: number;
  whole: boolean;
  text: string;
}

const NONE: Received = { status: 0, whole: false, text: '' };

export function succeeded({ status, whole }: Answer): boolean {
  return status === 200 && whole;
}

/** A client with a key and a persistent connection. */
export class Client {
  readonly #url: URL;
  readonly #key: string;
  readonly #timeoutMs: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  /**
   * @param url base URL of the service, ending in /v1
   * @param timeoutMs the time after which a call counts as unanswered
   */
  constructor(url: string, key: string, timeoutMs = 60_000) {
    this.#timeoutMs = timeoutMs;
    this.#url = new URL(url);
    this.#key = key;
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: object): Promise<Answer> {
    return this.call('POST', path, body);
  }

  /** Makes a call. Never rejects: a broken connection has the status 0. */
  async call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const startedAt = performance.now();
    const text = body && JSON.stringify(body);
    const answer = await this.#send(method, path, text, headers).catch(() => NONE);
    const { status, whole } = answer;
    return { status, whole, body: parsed(answer.text), startedAt, endedAt: performance.now() };
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(method: string, path: string, body: string | undefined, more: OutgoingHttpHeaders): Promise<Received> {
    const headers: OutgoingHttpHeaders = { authorization: `Bearer ${this.#key}`, ...more };
    if (body !== undefined) {
      Object.assign(headers, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    }
    const { hostname, port, pathname } = this.#url;
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const options = { hostname, port, method, path: pathname + path, headers, agent: this.#agent, signal };
    return new Promise((resolve, reject) => {
      const sent = request(options, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        const over = (whole: boolean) => resolve({ status: response.statusCode!, whole, text });
        response.once('end', () => over(true)).once('error', () => over(false));
      });
      sent.once('error', reject).end(body);
    });
  }
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
