import { v5 as uuidv5 } from 'uuid';
import { loadAsset } from '../../http/html/assets.ts';
import type { SharedServices } from '../../http/shared-services.ts';

/** A company's report button. */
export type Button = NonNullable<Awaited<ReturnType<SharedServices['openings']['reportButtons']['find']>>>;

/** A company's add-in, as its manifests describe it. */
export interface AddIn {
  /** Id of the add-in. It does not change with the token, so that a new manifest updates the deployed add-in. */
  id: string;
  version: string;
  companyName: string;
  /** The public URL of the service. */
  origin: string;
  /** URL of the button, with its token. */
  base: string;
}

/** Namespace of the ids of add-ins. */
const ADD_INS = 'a1f6b3f2-6c1d-4d6e-9d0b-5f0c6a1c2b77';

/** Pattern of characters that a manifest or a name in an app list cannot show. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}]/gu;

export function toAddIn({ companyId, companyName, version }: Button, publicUrl: string, token: string): AddIn {
  return {
    id: uuidv5(companyId, ADD_INS),
    version: `1.0.${version}`,
    companyName: companyName.replace(UNSHOWN, ' ').trim() || 'Company',
    origin: publicUrl,
    base: `${publicUrl}/report-button/${token}`,
  };
}

/** Returns the first `max` characters. */
export function shorten(text: string, max: number): string {
  let short = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (short.length + segment.length > max) break;
    short += segment;
  }
  return short.trim();
}

/** Lets Outlook on the web, which has another origin, show the pictures. */
const loadIcon = (name: string) => {
  const icon = loadAsset(new URL(`assets/${name}.png`, import.meta.url));
  return { ...icon, headers: { ...icon.headers, 'Cross-Origin-Resource-Policy': 'cross-origin' } };
};

export const ICON_SIZES = [16, 32, 64, 80, 128] as const;

/** The icons of buttons, by their width in pixels. */
export const ICONS = new Map(ICON_SIZES.map((size) => [size, loadIcon(`mail-${size}`)]));
