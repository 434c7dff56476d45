import { isLoopback } from '../config/variables.ts';
import { hasPlainHost } from './redirect-rules.ts';

/** Destination of a code, for the person who approves. */
export interface RedirectTarget {
  kind: 'web' | 'loopback' | 'app';
  /** Host, or the scheme of an application. */
  name: string;
  /** The destination as a source of a Content-Security-Policy. */
  source: string;
}

export function redirectTarget(uri: string): RedirectTarget {
  const url = new URL(uri);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return { kind: 'app', name: `${url.protocol}//`, source: url.protocol };
  }
  // A Content-Security-Policy cannot express an IPv6 address, and another unusual host could add more than a source to
  // it.
  const source = hasPlainHost(url) ? url.origin : url.protocol;
  return { kind: isLoopback(url) ? 'loopback' : 'web', name: url.host, source };
}
