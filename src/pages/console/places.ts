import type { Caller } from '../../auth/caller.ts';
import type { KeyedOperationId } from '../../contract/contract.ts';
import { canCall } from './admin.ts';
import type { PlaceName, SectionName } from './places-messages.ts';

/** A page that the navigation of the console leads to. */
interface Place {
  name: PlaceName;
  href: string;
  /** The operation that the page needs; undefined for a page about the signed-in admin. */
  needs?: KeyedOperationId;
  /** The module that the page needs. */
  module?: string;
}

type Section = { name: SectionName; places: readonly Place[] };

/** The navigation in its order: pages, and sections whose pages have a second row. */
const PLACES: readonly (Place | Section)[] = [
  { name: 'overview', href: '/console' },
  { name: 'people', href: '/console/people', needs: 'listLearners' },
  { name: 'campaigns', href: '/console/campaigns', needs: 'getCampaignReport' },
  { name: 'simulations', href: '/console/simulations', needs: 'listSimulations', module: 'smphish' },
  {
    name: 'settings',
    places: [
      { name: 'admins', href: '/console/admins', needs: 'listAdmins' },
      { name: 'signIn', href: '/console/identity-providers', needs: 'listIdentityProviders' },
      { name: 'signIns', href: '/console/sign-ins', needs: 'listSignIns' },
      { name: 'auditLog', href: '/console/audit-log', needs: 'listAuditLog' },
      { name: 'keys', href: '/console/keys', needs: 'listApiKeys' },
      { name: 'sources', href: '/console/sources', needs: 'listSources' },
      { name: 'applications', href: '/console/applications', needs: 'listConnections' },
    ],
  },
  {
    name: 'account',
    places: [
      { name: 'passkeys', href: '/console/passkeys' },
      { name: 'sessions', href: '/console/sessions' },
    ],
  },
];

/** A link of the navigation. */
export interface PlaceLink {
  name: PlaceName | SectionName;
  href: string;
  /** `page` for the shown page, and `true` for what the shown page belongs to. */
  current: 'page' | 'true' | undefined;
}

/** Returns the links of the navigation for an admin, and those of the section that the shown page is in. */
export function findPlaces(
  { caller, modules }: { caller: Caller; modules: readonly string[] },
  path: string,
): { places: PlaceLink[]; section: { name: SectionName; places: PlaceLink[] } | undefined } {
  const isOpen = ({ needs, module }: Place) =>
    (needs === undefined || canCall(caller, needs)) && (module === undefined || modules.includes(module));
  const toLink = ({ name, href }: Place): PlaceLink => ({ name, href, current: currentOf(href, path) });
  let shown: { name: SectionName; places: PlaceLink[] } | undefined;
  const places = PLACES.flatMap((entry): PlaceLink[] => {
    if (!('places' in entry)) return isOpen(entry) ? [toLink(entry)] : [];
    const links = entry.places.filter(isOpen).map(toLink);
    const isHere = links.some(({ current }) => current !== undefined);
    if (isHere) shown = { name: entry.name, places: links };
    return links.slice(0, 1).map(({ href }) => ({ name: entry.name, href, current: isHere ? 'true' : undefined }));
  });
  return { places, section: shown };
}

function currentOf(href: string, path: string): PlaceLink['current'] {
  if (path === href) return 'page';
  return href !== '/console' && path.startsWith(`${href}/`) ? 'true' : undefined;
}
