import type { Handler } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { type BrandingChange, findBranding, updateBranding } from './branding-repository.ts';
import { hasEnoughContrast, readLogo } from './branding-rules.ts';

export const getCompanyBranding: Handler<'getCompanyBranding'> = (_input, tenant) => findBranding(tenant);

export const updateCompanyBranding: Handler<'updateCompanyBranding'> = ({ body }, tenant) => {
  const { logo, color, ...texts } = body;
  if (color && !hasEnoughContrast(color))
    throw invalidField('body/color', 'must have a contrast of at least 4.5:1 with white; choose a darker colour');
  const change = {
    ...texts,
    ...(color !== undefined && { color: color && color.toLowerCase() }),
    ...(logo !== undefined && { logo: logo === null ? null : decodeLogo(logo) }),
  };
  return tenant.transaction((tx) => updateBranding(tx, change));
};

function decodeLogo(base64: string): NonNullable<BrandingChange['logo']> {
  const bytes = Buffer.from(base64, 'base64');
  const facts = readLogo(bytes);
  if (!facts)
    throw invalidField(
      'body/logo',
      'must be a PNG, JPEG or WebP picture without animation of at most 64 KiB and 1,000 by 1,000 pixels, in base64',
    );
  return { bytes, facts };
}
