// Links as link scanners rewrite them. Each writes the documented form of its vendor around the link.

const encode = encodeURIComponent;
const TAIL = '&d=DwMFaQ&c=abc&r=def&m=ghi&s=jkl&e=';

const safeLinks = (link: string) =>
  `https://eur02.safelinks.protection.outlook.com/?url=${encode(link)}&data=05%7C02%7Cada&sdata=x%2By&reserved=0`;
const defenseV1 = (link: string) =>
  `https://urldefense.proofpoint.com/v1/url?u=${encode(link)}&k=oIvRg1%2BdG&r=x%0A&m=y`;
const defenseV2 = (link: string) => {
  const plain = encode(link).replaceAll('-', '%2D').replaceAll('_', '%5F').replaceAll('%2F', '_').replaceAll('%', '-');
  return `https://urldefense.proofpoint.com/v2/url?u=${plain}${TAIL}`;
};
const defenseV3 = (link: string) => `https://urldefense.com/v3/__${link}__;!!Abc123!xyz-AbC_9$`;
const barracuda = (link: string) =>
  `https://linkprotect.cudasvc.com/url?a=${encode(link).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())}&c=E,1,abc,&typo=1`;
const cisco = (link: string) => `https://secure-web.cisco.com/1aBcD-eF_gh/${encode(link)}`;
const sophos = (link: string) =>
  `https://eu-central-1.protection.sophos.com?d=parcels.example&u=${Buffer.from(link).toString('base64url')}&i=NWY1&t=abc&h=def&s=ghi`;
const checkPoint = (link: string) => `https://protect.checkpoint.com/v2/r02/___${link}___.YzJlOnRlc3Q6YzpvOmFiYw`;
const shift = (by: number, digits: number) => (link: string) => {
  const letter = (char: string) => {
    const first = char < 'a' ? 65 : 97;
    return String.fromCharCode(first + ((char.charCodeAt(0) - first + by) % 26));
  };
  const text = link.replace(/[a-z]/gi, letter).replace(/\d/g, (digit) => String((Number(digit) + digits) % 10));
  return `https://protect.checkpoint.com/v2/r01/___${text}___.YzJlOnRlc3Q6YzpvOmFiYw`;
};
const trend = (link: string) =>
  `https://imsva91-ctp.trendmicro.com:443/wis/clicktime/v1/query?url=${encode(link)}&umid=A1&auth=b2`;
const fireEye = (link: string) => `https://protect2.fireeye.com/v1/url?k=31323334-5012-b1&q=1&e=2&u=${encode(link)}`;
const symantec = (link: string) => `https://clicktime.symantec.com/3AbC?u=${encode(link)}`;
const google = (link: string) => `https://www.google.com/url?q=${encode(link)}&source=gmail&ust=1&usg=x`;

export const REWRITERS: Record<string, (link: string) => string> = {
  'no link scanner': (link) => link,
  'Safe Links': safeLinks,
  'URL Defense v1': defenseV1,
  'URL Defense v2': defenseV2,
  'URL Defense v3': defenseV3,
  Barracuda: barracuda,
  Cisco: cisco,
  Sophos: sophos,
  'Check Point': checkPoint,
  'Check Point with shifted letters': shift(13, 0),
  'Check Point with shifted letters and digits': shift(5, 5),
  'Trend Micro': trend,
  FireEye: fireEye,
  Symantec: symantec,
  Google: google,
  'Safe Links twice': (link) => safeLinks(safeLinks(link)),
  'URL Defense v2 in Safe Links': (link) => safeLinks(defenseV2(link)),
  'URL Defense v3 in Barracuda': (link) => barracuda(defenseV3(link)),
  'Sophos in Safe Links': (link) => safeLinks(sophos(link)),
  'Safe Links in URL Defense v2': (link) => defenseV2(safeLinks(link)),
  'Check Point in Cisco in Safe Links': (link) => safeLinks(cisco(checkPoint(link))),
};

/** The short form of Mimecast, whose original link only the vendor knows. */
export const mimecast = (host: string) => `https://protect-eu.mimecast.com/s/AbCdEfGhIjKlMnOp?domain=${host}`;
