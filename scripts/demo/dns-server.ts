import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** The response for a name: its TXT records, each in one part or several, a failure, or no response at all. */
export type DnsReply = (string | string[])[] | 'servfail' | 'silence';

const ERROR = { none: 0, servfail: 2, noSuchName: 3 };
const HEADER_BYTES = 12;

/** A real DNS server on loopback that knows only TXT records. */
export class DnsServer {
  /** Responses by name, in lower case. Other names do not exist. */
  readonly answers = new Map<string, DnsReply>();
  /** The queried names, in order. */
  readonly asked: string[] = [];
  readonly #socket = createSocket('udp4');

  constructor() {
    this.#socket.on('message', (question, { port, address }) => {
      const answer = this.#replyTo(question);
      if (answer) this.#socket.send(answer, port, address);
    });
  }

  /**
   * @param place the IP address and port to listen on, such as `127.53.0.1:5353`, if the service must know it before
   * the server starts
   */
  async start(place = '127.0.0.1:0'): Promise<this> {
    const [address, port] = place.split(':');
    this.#socket.bind(Number(port), address);
    await once(this.#socket, 'listening');
    return this;
  }

  /** IP address and port, in the form that resolvers accept. */
  get place(): string {
    const { address, port } = this.#socket.address();
    return `${address}:${port}`;
  }

  /** Lets the process end while the server listens. */
  unref(): this {
    this.#socket.unref();
    return this;
  }

  stop(): void {
    this.#socket.close();
  }

  #replyTo(question: Buffer): Buffer | undefined {
    const { name, end } = nameAt(question, HEADER_BYTES);
    this.asked.push(name);
    const answer = this.answers.get(name) ?? [];
    if (answer === 'silence') return undefined;
    const records = answer === 'servfail' ? [] : answer.map(txtRecord);
    const error = answer === 'servfail' ? 'servfail' : records.length > 0 ? 'none' : 'noSuchName';
    const header = Buffer.from(question.subarray(0, HEADER_BYTES));
    header.writeUInt16BE(0x8180 | ERROR[error], 2);
    header.writeUInt16BE(records.length, 6);
    header.fill(0, 8);
    // The query type and class follow the name.
    return Buffer.concat([header, question.subarray(HEADER_BYTES, end + 4), ...records]);
  }
}

function nameAt(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let place = start;
  while (message[place]! > 0) {
    const end = place + 1 + message[place]!;
    labels.push(message.toString('latin1', place + 1, end));
    place = end;
  }
  return { name: labels.join('.').toLowerCase(), end: place + 1 };
}

/** Builds a TXT record for the queried name, with a time to live of one minute. */
function txtRecord(text: string | string[]): Buffer {
  const data = Buffer.concat([text].flat().map((part) => Buffer.concat([Buffer.of(part.length), Buffer.from(part)])));
  const head = Buffer.from('c00c001000010000003c0000', 'hex');
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
