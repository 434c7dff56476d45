import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { makeFolder } from './folders.ts';
import { freePort } from './support.ts';
import { until } from '../support/until.ts';

const PROGRAM = ['redis-server', 'valkey-server'].find((name) => !spawnSync(name, ['--version']).error);

/** Whether the machine has Redis or Valkey. */
export const hasRedis = PROGRAM !== undefined;

/** A real Redis or Valkey without persistence, which can be killed, frozen and started again on its port. */
export class RedisServer {
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const args = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.#child = spawn(PROGRAM!, args, { cwd: makeFolder(), stdio: 'ignore' });
    await until(async () => (await this.ask('PING').catch(() => '')) === '+PONG\r\n');
  }

  signal(name: NodeJS.Signals): void {
    this.#child!.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Sends one command and returns the raw response. */
  async ask(command: string): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      socket.write(`${command}\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString();
    } finally {
      socket.destroy();
    }
  }
}
