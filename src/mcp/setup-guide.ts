import { bridgePackage } from '../../generated/bridge.ts';
import type { RequestHandler } from 'express';
import { methodNotAllowed } from '../http/guards.ts';
import { type Html, html } from '../http/html/html.ts';
import { page, pageHeaders } from '../http/html/page.ts';
import { buildAddresses } from '../http/addresses.ts';

const HEADERS = pageHeaders({ formAction: "'none'", referrerPolicy: 'no-referrer' });

/** Serves the page on how to connect common clients, with this server's URL in each snippet. */
export function setupGuide(publicUrl: string): RequestHandler {
  const { resource } = buildAddresses(publicUrl);
  const text = guide(resource);
  return (req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') return void res.set(HEADERS).send(text);
    // Gives the correct URL to a client that posts its calls here.
    throw methodNotAllowed(['GET', 'HEAD'], `This is a page to read. The tool server is at ${resource}.`);
  };
}

function guide(resource: string): string {
  const json = (value: object) => JSON.stringify(value, null, 2);
  const byHeader = { type: 'http', url: resource, headers: { Authorization: 'Bearer ${SERVICE_API_KEY}' } };
  const bridge = {
    ...buildBridgeStart(bridgePackage),
    env: { SERVICE_API_KEY: 'sk_…', SERVICE_MCP_URL: resource, SERVICE_MCP_ALLOW_CUSTOM_URL: '1' },
  };
  const content = html`
    <p>The tool server reads your security awareness programme for an AI client, and changes nothing. Its address is</p>
    ${snippet(resource)}
    <p>
      Most clients need no more than that: they open a page here on which you approve them with an API key of your
      organisation. Take a key of its own for each purpose; revoking it ends the connection at once.
    </p>
    <h2>Claude Code</h2>
    ${snippet(`claude mcp add --transport http awareness ${resource}`)}
    <h2>Claude, ChatGPT and others in the browser</h2>
    <p>Add a custom connector with the address above, and approve it.</p>
    <h2>Cursor</h2>
    <p>In <code>.cursor/mcp.json</code>:</p>
    ${snippet(json({ mcpServers: { awareness: { url: resource } } }))}
    <h2>VS Code</h2>
    <p>In <code>.vscode/mcp.json</code>:</p>
    ${snippet(json({ servers: { awareness: { type: 'http', url: resource } } }))}
    <h2>Clients that send a header</h2>
    <p>For automation, with the key in the environment:</p>
    ${snippet(json({ mcpServers: { awareness: byHeader } }))}
    <h2>Clients that start a program</h2>
    ${snippet(json({ mcpServers: { awareness: bridge } }))}
    <p>A key belongs in no repository, log, screenshot or shared prompt.</p>
  `;
  return page({ language: 'en', title: 'Connect an AI client', content });
}

/** Builds the command that starts the bridge. Anybody could publish under an unscoped name, and npx would run it. */
export function buildBridgeStart({ name, version }: { name: string; version: string }): {
  command: string;
  args: string[];
} {
  if (!name.startsWith('@')) return { command: 'node', args: ['/path/to/bridge/bridge.mjs'] };
  return { command: 'npx', args: ['-y', `${name}@${version}`] };
}

function snippet(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
