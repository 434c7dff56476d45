import { type Html, html } from './html.ts';

/** The branding of a company on pages: the path of its files, and its logo. */
export interface Brand {
  companyId: string;
  /** Part of the files' path. */
  version: string;
  hasColor: boolean;
  /** Size of the logo; null if there is none. */
  logo: { width: number; height: number } | null;
}

const MAX_LOGO = { width: 200, height: 48 };

export function getBrandStyle({ companyId, version, hasColor }: Brand): string[] {
  return hasColor ? [`/brand/${companyId}/${version}/style.css`] : [];
}

/** Renders the logo, if the company has one. Its name always stands next to it, so the picture needs no alternative text. */
export function brandLogo(brand: Brand | null | undefined): Html | null {
  if (!brand?.logo) return null;
  const { companyId, version, logo } = brand;
  const scale = Math.min(1, MAX_LOGO.width / logo.width, MAX_LOGO.height / logo.height);
  const [width, height] = [Math.max(1, Math.round(logo.width * scale)), Math.max(1, Math.round(logo.height * scale))];
  return html`<img class="logo" src=${`/brand/${companyId}/${version}/logo`} width=${width} height=${height} alt="" />`;
}
