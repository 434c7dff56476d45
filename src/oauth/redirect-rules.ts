import { isLoopback } from '../config/variables.ts';

const MAX_REDIRECT_LENGTH = 2000;

/**
 * A host name or an IPv4 address. The URL standard also allows `;` and `*`, which have a special meaning in a
 * Content-Security-Policy.
 */
const HOST = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/**
 * Schemes of applications. In RFC 8252 (7.1), a scheme is a domain name in reverse order, so it begins with a top-level
 * domain: a country's, or a domain that applications use. Other first parts begin schemes that systems handle, such as
 * `vnd.youtube` and `microsoft.windows.camera`.
 */
const REVERSED_DOMAIN =
  /^([a-z]{2}|com|net|org|edu|gov|info|biz|app|dev|cloud|tech|tools|software|systems|studio|digital|online|page|team|xyz)(\.[a-z0-9-]+)+:$/;
/** Domains of operating system vendors. A part of the system would handle their schemes. */
const OF_SYSTEMS = /^com\.(apple|microsoft|android)[.:]/;

/** Encoded separators, dots and control characters, which another parser might read as another path. */
const DISGUISED = /%(25)*(2f|5c|2e|[01][0-9a-f]|7f)/i;
/** `.` or `..` as a path segment. */
const DOTS = /\/\.{1,2}(\/|$)/;

/**
 * Callbacks of well-known clients whose schemes are not domain names. A redirect URI must begin with one of these
 * callbacks, because the same schemes also install tools and open files.
 */
const TRUSTED_CALLBACKS = [
  // Cursor, and its older versions.
  'cursor://anysphere.cursor-mcp/oauth/',
  'cursor://anysphere.cursor-retrieval/oauth/',
  // Cline, an extension of VS Code, adds a hash of the tool server's URL. VS Code itself uses https and loopback.
  'vscode://saoudrizwan.claude-dev/mcp-auth/callback/',
  'vscode-insiders://saoudrizwan.claude-dev/mcp-auth/callback/',
  // Warp, a terminal.
  'warp://mcp/oauth2callback',
];

/** Returns the fault of a client's redirect URI, as a sentence for its developer; undefined if it has none. */
export function redirectFault(uri: string): string | undefined {
  if (uri.length > MAX_REDIRECT_LENGTH || !/^[!-[\]-~]+$/.test(uri) || !URL.canParse(uri)) {
    return `redirect_uris must be absolute URIs of at most ${MAX_REDIRECT_LENGTH} ASCII characters each.`;
  }
  const url = new URL(uri);
  if (uri.includes('#')) return 'redirect_uris must not contain a fragment (#).';
  if (url.username || url.password) return 'redirect_uris must not contain a user name or password.';
  if (uri.includes('*')) return 'redirect_uris must not contain a wildcard (*), because they are compared exactly.';
  const [path] = uri.split('?', 1) as [string];
  if (DISGUISED.test(path) || DOTS.test(path))
    return 'redirect_uris must not have dot segments or encoded dots, slashes or control characters in their path.';
  return (
    targetFault(url) ??
    (namesItsHost(path, url) ? undefined : 'redirect_uris must write their host in its normal form.')
  );
}

function targetFault(url: URL): string | undefined {
  if (url.protocol === 'http:') {
    return isLoopback(url) ? undefined : 'redirect_uris must use https, or http on localhost, 127.0.0.1 or [::1].';
  }
  if (url.protocol === 'https:') {
    if (isLoopback(url))
      return 'redirect_uris on localhost, 127.0.0.1 or [::1] must use http, because no certificate covers them.';
    return hasPlainHost(url) ? undefined : 'redirect_uris must have a host of letters, digits, hyphens and dots.';
  }
  // Compares the parsed URI, which contains no `..`.
  const isApplication =
    (REVERSED_DOMAIN.test(url.protocol) && !OF_SYSTEMS.test(url.protocol)) ||
    TRUSTED_CALLBACKS.some((callback) => url.href.startsWith(callback));
  if (isApplication) return undefined;
  return 'redirect_uris must use https, http on localhost, or a reversed domain name as their scheme, such as com.example.app:/.';
}

/** Reports whether a URL spells out its host: parsers differ over `https:evil.example` and `http://127.1`. */
function namesItsHost(path: string, { protocol, hostname }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return true;
  const written = /^https?:\/\/([^/:[]+|\[[^\]]*\])(:\d{1,5})?(\/|$)/i.exec(path)?.[1];
  return written?.toLowerCase() === hostname;
}

/** Reports whether the host of a URL can appear in a Content-Security-Policy. */
export function hasPlainHost({ hostname }: URL): boolean {
  return HOST.test(hostname);
}
