import type { Config } from '../../config/config.ts';
import { createConnector } from '../../outbound/connector.ts';
import { createFetch, type Fetch } from '../../outbound/fetch.ts';
import { listExtraNetworks } from '../../outbound/networks.ts';
import { SignInFault } from './sign-in-fault.ts';

/** Maximum length of a provider's response. The configurations, keys and metadata of known providers are shorter. */
const MAX_RESPONSE_BYTES = 512 * 1024;
export const TIMEOUT_SECONDS = 10;

export interface ProviderRequestOptions {
  /** Fetches a provider's URL. Must not reach private networks or follow redirects. */
  fetch: Fetch;
  /** Whether providers on this machine can use http; only for the demo. */
  allowsHttp: boolean;
  /** Timeout of each request to a provider; by default, ten seconds. */
  timeoutSeconds?: number;
}

/** Returns the options of requests to providers, which follow the rules for webhooks. */
export function toProviderRequestOptions({ webhooks }: Pick<Config, 'webhooks'>): ProviderRequestOptions {
  const fetch = createFetch(createConnector({ allowedNetworks: listExtraNetworks(webhooks) }));
  return { fetch, allowsHttp: webhooks.allowsLoopback };
}

/** Fetches a provider's URL, and reads its whole response. @throws {SignInFault} `provider_unavailable` */
export async function fetchBounded(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await boundBody(await fetch(url, init));
  } catch (error) {
    throw new SignInFault('provider_unavailable', { cause: error });
  }
}

/** Reads a response up to the maximum, and fails if it is longer. */
async function boundBody(response: Response): Promise<Response> {
  if (!response.body) return response;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error('The response is too long.');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(Buffer.concat(chunks), { status, headers });
}
