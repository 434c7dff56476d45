import { spawn } from 'node:child_process';
import { join } from 'node:path';

const CLIENTS = join(import.meta.dirname, 'clients/node_modules');

export const programs = {
  conformance: join(CLIENTS, '@modelcontextprotocol/conformance/dist/index.js'),
  inspector: join(CLIENTS, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  remote: join(CLIENTS, 'mcp-remote/dist/proxy.js'),
};

export interface Ended {
  /** Null when it ran out of time. */
  code: number | null;
  /** What it wrote, on both channels. */
  output: string;
}

export interface CommandOptions {
  /** Where it may keep things: its home. */
  home: string;
  mostMs?: number;
  /** Is told what it has written so far. */
  onOutput?: (output: string) => void;
}

/** What a program finds: a home of its own, and nothing to open a browser with. */
export function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: '', NO_COLOR: '1', BROWSER: 'none' };
}

/** Runs a program of Node's to its end. */
export function run(
  program: string,
  args: string[],
  { home, mostMs = 90_000, onOutput }: CommandOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
    const child = spawn(process.execPath, [program, ...args], { env: environment(home), cwd: home, stdio });
    let output = '';
    const late = setTimeout(() => child.kill('SIGKILL'), mostMs);
    for (const channel of [child.stdout, child.stderr]) {
      channel.setEncoding('utf8').on('data', (part: string) => {
        output += part;
        onOutput?.(output);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(late);
      resolve({ code, output });
    });
  });
}
