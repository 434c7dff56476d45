import { isFlash } from './file-types.ts';

export interface AuthoringTool {
  name: string;
  version: string | null;
}

interface Sign {
  name: string;
  /** Pattern for the path of a file that only this tool creates. */
  path?: RegExp;
  /** Pattern for the text of such a file. Its first group is the version. */
  text?: RegExp;
}

/**
 * Signs of authoring tools, most specific first, because a Rise course also contains Rustici's driver. Each sign occurs
 * in public packages of the tool, or in the source of the tool: Storyline 360 (101courses/vision-to-reality), iSpring
 * 9.7 (weloren/sample-lesson), Lectora 22 (vhleyvag/lector), Captivate 11.5 (danoel27/Netiquette-July30), Rise
 * (jacksonp2008/scormtest), Adapt (isd-ewu/infosec-course), H5P (3dmapsopsi/3dmapsopsi.github.io), eXeLearning
 * (exelearning/iteexe), Xerte (thexerteproject/xerteonlinetoolkits), Rustici's samples (EscolaLMS/Scorm).
 *
 * Each repetition ends at the next tag or is bounded. Otherwise, a file that repeats the start of a sign would take
 * quadratic time: 20 s for 512 KiB of `<organizations`.
 */
const SIGNS: readonly Sign[] = [
  { name: 'Articulate Storyline', text: /<!-- Created using Storyline[^<>]*>\s*<!-- version: ([\d.]+)/ },
  { name: 'Articulate Storyline', path: /^story(_html5)?\.html$/i },
  { name: 'Articulate Rise', text: /<organizations\b[^<>]*\bdefault="articulate_rise"/ },
  { name: 'Articulate Rise', path: /^scormcontent\/lib\/(main\.bundle\.js|rise\/)/i },
  { name: 'iSpring', text: /<!-- Created with iSpring[^<>]*>(?:<!--[^<>]*-->){0,3}?<!-- ?version ([\d.]+)/ },
  { name: 'Adobe Captivate', text: /"generator":"(?:Adobe )?Captivate","generatorVersion":"([\d.]+)"/ },
  { name: 'Adobe Captivate', path: /(^|\/)assets\/js\/CPM\.js$/i },
  { name: 'Lectora', text: /<!--[^<>]{0,40}: *Lectora v\.? ?([\d.]+)/ },
  { name: 'Lectora', path: /^trivantis(-|\.js$)/i },
  { name: 'eXeLearning', text: /<meta name="generator" content="eXeLearning(?: v?([\d.]+))?/ },
  { name: 'eXeLearning', path: /^(contentv3\.xml|content\.data)$/i },
  { name: 'Adapt', path: /^adapt\/js\/adapt\.min\.js$/i },
  { name: 'Xerte', path: /(^|\/)xenith\.js$/i },
  { name: 'H5P', text: /\bH5PIntegration\s*=\s*\{/ },
  { name: 'H5P', path: /(^|\/)h5p\.json$/i },
  { name: '3DVista', path: /(^|\/)tdvplayer\.js$/i },
  { name: 'Rustici SCORM Driver', text: /Rustici Software[^\n]{0,200}\n\s{0,20}var VERSION ?= ?"([\d.]+)"/ },
];

const GENERATOR = /<meta\s+name=["']?generator["']?\s+content=["']([^"'<>]{1,60})["']/i;

/** Browser features that a package can use, recognised by patterns in its pages and scripts. */
export const FEATURES = ['frames', 'popups', 'storage', 'workers', 'media', 'flash', 'external_files'] as const;
export type PackageFeature = (typeof FEATURES)[number];

const PATTERNS: readonly { feature: PackageFeature; pattern: RegExp; isOfPages?: boolean }[] = [
  { feature: 'frames', pattern: /<i?frame[\s>]/i, isOfPages: true },
  { feature: 'frames', pattern: /\.contentWindow\b|createElement\(\s*["']iframe["']\s*\)/ },
  { feature: 'popups', pattern: /\btarget\s*=\s*["']?_blank/i, isOfPages: true },
  { feature: 'popups', pattern: /\bwindow\.open\s*\(/ },
  { feature: 'storage', pattern: /\b(localStorage|sessionStorage|indexedDB)\b|\bdocument\.cookie\s*=/ },
  { feature: 'workers', pattern: /\bnew (Shared)?Worker\s*\(|\bserviceWorker\.register\b/ },
];

// Files that a page or a style sheet loads from other hosts. Links that a learner follows do not count.
const LOADED = [
  /<(?:script|iframe|frame|img|link|video|audio|source|embed|object)\b[^<>]*?\s(?:src|href|data)\s*=\s*["']?(?:https?:)?\/\/([a-z0-9.-]+)/gi,
  /(?:@import\s{1,5}(?:url\()?|url\()\s{0,5}["']?(?:https?:)?\/\/([a-z0-9.-]+)/gi,
  /["']https?:\/\/((?:www\.)?youtube(?:-nocookie)?\.com\/embed|player\.vimeo\.com)/gi,
];
/** Patterns of pages that only open a page on another host, as in dispatch packages. */
const ELSEWHERE = [
  /<i?frame\b[^<>]*?\ssrc\s*=\s*["']?(?:https?:)?\/\/([a-z0-9.-]+)/i,
  /\blocation(?:\.href)?\s*=\s*["'](?:https?:)?\/\/([a-z0-9.-]+)/i,
  /\blocation\.(?:replace|assign)\(\s*["'](?:https?:)?\/\/([a-z0-9.-]+)/i,
];

/** Facts about a package that are recognised from its files. */
export interface PackageSigns {
  authoringTool: AuthoringTool | null;
  features: PackageFeature[];
  /** Other hosts from which the package loads files. */
  externalHosts: string[];
  /** Host of the page that the start page opens instead of pages of the package; null if there is none. */
  dispatchHost: string | null;
}

const MAX_HOSTS = 20;
/**
 * Number of bytes to search at the start of each file. Signs are near the start, and the scripts of the tools are
 * large.
 */
const SEARCHED_BYTES = 512 * 1024;
/** Maximum total number of bytes to search. At about 5 ms per MiB, this delays an upload by at most 0.3 s. */
const MAX_SEARCHED_BYTES = 64 * 1024 * 1024;

const SEARCHED_TYPES = [
  'text/html',
  'application/xhtml+xml',
  'text/javascript',
  'text/css',
  'application/xml',
  'text/plain',
];

/** Collects signs from the files of a package, one after another. */
export class SignCollector {
  #tool: AuthoringTool | undefined;
  #toolRank: number = SIGNS.length;
  #generator: AuthoringTool | undefined;
  readonly #features = new Set<PackageFeature>();
  readonly #hosts = new Set<string>();
  readonly #elsewhere = new Map<string, string>();
  #searchedBytes = 0;

  add(path: string, contentType: string, content: Buffer): void {
    SIGNS.forEach((sign, rank) => {
      if (sign.path?.test(path)) this.#foundTool(rank, undefined);
    });
    if (isFlash(path)) this.#features.add('flash');
    if (/^(audio|video)\//.test(contentType)) this.#features.add('media');
    const type = contentType.split(';')[0]!;
    if (!SEARCHED_TYPES.includes(type) || this.#searchedBytes >= MAX_SEARCHED_BYTES) return;
    const text = content.toString('latin1', 0, SEARCHED_BYTES);
    this.#searchedBytes += text.length;
    this.#search(path, type, text);
  }

  #search(path: string, type: string, text: string): void {
    SIGNS.forEach((sign, rank) => {
      const match = rank <= this.#toolRank ? sign.text?.exec(text) : undefined;
      if (match) this.#foundTool(rank, match[1]);
    });
    const isPage = type === 'text/html' || type === 'application/xhtml+xml';
    if (!isPage && type !== 'text/javascript' && type !== 'text/css') return;
    if (isPage) {
      const generator = GENERATOR.exec(text)?.[1]?.trim();
      if (generator) this.#generator ??= { name: toText(generator), version: null };
      const host = ELSEWHERE.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
      if (host !== undefined) this.#elsewhere.set(path, host.toLowerCase());
    }
    for (const { feature, pattern, isOfPages } of PATTERNS) {
      if ((isPage || !isOfPages) && pattern.test(text)) this.#features.add(feature);
    }
    this.#addHosts(text);
  }

  #addHosts(text: string): void {
    for (const pattern of LOADED) {
      for (const [, host] of text.matchAll(pattern)) {
        if (this.#hosts.size < MAX_HOSTS && host!.includes('.')) this.#hosts.add(host!.split('/')[0]!.toLowerCase());
      }
    }
  }

  #foundTool(rank: number, version: string | undefined): void {
    if (rank > this.#toolRank || (rank === this.#toolRank && this.#tool?.version)) return;
    const { name } = SIGNS[rank]!;
    // If the sign has no version, an earlier version of the same tool is kept.
    const known = this.#tool?.name === name ? this.#tool.version : null;
    this.#tool = { name, version: version ?? known };
    this.#toolRank = rank;
  }

  /** @param launchFile path of the start page */
  collect(launchFile: string): PackageSigns {
    const externalHosts = [...this.#hosts].toSorted();
    if (externalHosts.length > 0) this.#features.add('external_files');
    return {
      authoringTool: this.#tool ?? this.#generator ?? null,
      features: FEATURES.filter((feature) => this.#features.has(feature)),
      externalHosts,
      dispatchHost: this.#elsewhere.get(launchFile) ?? null,
    };
  }
}

/** Decodes text that was read byte by byte. */
function toText(latin: string): string {
  return Buffer.from(latin, 'latin1')
    .toString('utf8')
    .replaceAll(/[\p{Cc}\ufffd]/gu, '');
}
