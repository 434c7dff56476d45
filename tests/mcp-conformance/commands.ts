import { spawn } from 'node:child_process';
import { join } from 'node:path';

const CLIENTS = join(import.meta.dirname, 'clients/node_modules');

export const programs = {
  conformance: join(CLIENTS, '@modelcontextprotocol/conformance/dist/index.js'),
  inspector: join(CLIENTS, '@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  remote: join(CLIENTS, 'mcp-remote/dist/proxy.js'),
};

export interface Ended {
  /** Exit code; null after a timeout. */
  code: number | null;
  /** Output on stdout and stderr. */
  output: string;
}

export interface CommandOptions {
  /** The program's home directory. */
  home: string;
  mostMs?: number;
  /** Function that is called with the output so far. */
  onOutput?: (output: string) => void;
}

/** Returns an environment with a separate home directory and no browser. */
export function environment(home: string): Record<string, string> {
  return { HOME: home, PATH: '', NO_COLOR: '1', BROWSER: 'none' };
}

/** Runs a Node program to its end. */
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
