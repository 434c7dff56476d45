import { isbot } from 'isbot';

/** Pattern of the historical prefix that every current browser's user agent has. */
const BROWSER = /^(Mozilla\/[45]\.0|Opera\/9)/;
/** Pattern of systems that fetch the links in emails and tickets, and name themselves in addition to a browser. */
const LINK_OPENERS = new RegExp(
  [
    ...[
      'zendesk',
      'freshdesk',
      'freshservice',
      'servicenow',
      'atlassian',
      'jira',
      'otrs',
      'zammad',
      'intercom',
      'hubspot',
    ],
    ...['barracuda', 'proofpoint', 'urldefense', 'mimecast', 'safelinks', 'trendmicro', 'symantec', 'messagelabs'],
    ...['forcepoint', 'ironport', 'fireeye', 'sophos', 'bitdefender', 'kaspersky', 'virustotal', 'urlscan'],
  ].join('|'),
  'i',
);
/**
 * Pattern of systems that have had no updates since 2017 or earlier: Windows XP and Vista, Windows 9x, Mac OS on
 * PowerPC.
 */
const DEAD_SYSTEM = /Windows (?:NT [45]\.|NT 6\.0|9[58]|XP|ME)|Win 9x|PPC Mac OS X|Mac_PowerPC/;
/** Pattern of Internet Explorer up to version 10, and of version 11 on systems that never had it. */
const DEAD_EXPLORER = /\bMSIE \d|Trident\/[1-6]\.|(?:Macintosh|Linux|Android).*Trident\//;
/** First major versions of 2018. Browsers have updated themselves since then. */
const OLD_VERSIONS: readonly [RegExp, number][] = [
  [/\bChrome\/(\d+)\./, 64],
  [/\bFirefox\/(\d+)\./, 60],
  [/\bVersion\/(\d+)\.[\d.]+ (?:Mobile\/\w+ )?Safari\//, 10],
];

/** Reports whether a user agent names a program, or does not look like a browser's user agent. */
export function isProgram(userAgent: string): boolean {
  return isbot(userAgent) || !BROWSER.test(userAgent) || LINK_OPENERS.test(userAgent);
}

/** Reports whether a user agent names an obsolete browser or system, as the user agents of scanners do. */
export function isDeadBrowser(userAgent: string): boolean {
  if (DEAD_SYSTEM.test(userAgent) || DEAD_EXPLORER.test(userAgent)) return true;
  return OLD_VERSIONS.some(([pattern, first]) => Number(pattern.exec(userAgent)?.[1] ?? first) < first);
}
