import { isLoopback } from '../../loopback.ts';

/** Where a code goes, for the one who is to approve it. */
export interface RedirectTarget {
  kind: 'web' | 'loopback' | 'app';
  /** The host, or the scheme of an application. */
  name: string;
  /** The same as a source of a Content-Security-Policy. */
  source: string;
}

export function redirectTarget(uri: string): RedirectTarget {
  const url = new URL(uri);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { kind: 'app', name: `${url.protocol}//`, source: url.protocol };
  }
  // A policy has no form for the address of an IPv6 host.
  const source = url.hostname.startsWith('[') ? url.protocol : url.origin;
  return { kind: isLoopback(url) ? 'loopback' : 'web', name: url.host, source };
}
