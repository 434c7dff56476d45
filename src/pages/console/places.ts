import type { KeyedOperationId } from '../../contract/contract.ts';
import { type Admin, isOffered } from './admin.ts';
import type { PlaceName, SectionName } from './places-messages.ts';

/** A page that the navigation of the console leads to. */
interface Place {
  name: PlaceName;
  href: string;
  /** Operation that the page needs, or several of which one is enough; none for a page about the signed-in admin. */
  needs?: KeyedOperationId | readonly KeyedOperationId[];
}

type Section = { name: SectionName; places: readonly Place[] };

/** Navigation entries in display order: pages, and sections, whose pages form a second row. */
const PLACES: readonly (Place | Section)[] = [
  { name: 'overview', href: '/console' },
  { name: 'companies', href: '/console/companies/compare', needs: 'getCompaniesReport' },
  { name: 'people', href: '/console/people', needs: 'listLearners' },
  { name: 'groups', href: '/console/groups', needs: 'listGroups' },
  { name: 'campaigns', href: '/console/campaigns', needs: 'getCampaignReport' },
  {
    name: 'simulations',
    places: [
      { name: 'simulationPlans', href: '/console/simulations', needs: 'listSimulations' },
      { name: 'allSimulations', href: '/console/simulations/all', needs: 'listSimulations' },
      { name: 'simulationResults', href: '/console/simulations/results', needs: 'getSimulationTrendReport' },
      { name: 'simulationTemplates', href: '/console/simulations/templates', needs: 'listSimulationTemplates' },
      { name: 'simulationSettings', href: '/console/simulations/settings', needs: 'getSimulationSettings' },
    ],
  },
  { name: 'courses', href: '/console/courses', needs: 'getCourseReport' },
  { name: 'policies', href: '/console/policies', needs: 'getPolicyReport' },
  { name: 'reports', href: '/console/reports', needs: ['getGroupReport', 'getPolicyResultsReport'] },
  {
    name: 'settings',
    places: [
      { name: 'company', href: '/console/settings', needs: 'getCompanySettings' },
      { name: 'branding', href: '/console/branding', needs: 'getCompanyBranding' },
      { name: 'reportButton', href: '/console/report-button', needs: 'getReportButton' },
      { name: 'admins', href: '/console/admins', needs: 'listAdmins' },
      { name: 'roles', href: '/console/roles', needs: 'listRoles' },
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

/** A link in the navigation. */
export interface PlaceLink {
  name: PlaceName | SectionName;
  href: string;
  /** `page` for the current page, and `true` for the section that it belongs to. */
  current: 'page' | 'true' | undefined;
}

/** Returns the navigation links for an admin, and the links within the current page's section. */
export function findPlaces(
  admin: Pick<Admin, 'caller' | 'modules'>,
  path: string,
): { places: PlaceLink[]; section: { name: SectionName; places: PlaceLink[] } | undefined } {
  const isOpen = ({ name, needs }: Place) =>
    needs === undefined
      ? admin.caller.childId === undefined || name === 'overview'
      : [needs].flat().some((one) => isOffered(admin, one));
  const toLink = ({ name, href }: Place): PlaceLink => ({ name, href, current: getCurrent(href, path) });
  /** Keeps only the most specific of the links that lead to the current page. */
  const withOneCurrent = (links: PlaceLink[]): PlaceLink[] => {
    const [best] = links.filter(({ current }) => current).sort((a, b) => b.href.length - a.href.length);
    return links.map((link) => (link === best ? link : { ...link, current: undefined }));
  };
  let shown: { name: SectionName; places: PlaceLink[] } | undefined;
  const places = PLACES.flatMap((entry): PlaceLink[] => {
    if (!('places' in entry)) return isOpen(entry) ? [toLink(entry)] : [];
    const links = withOneCurrent(entry.places.filter(isOpen).map(toLink));
    const isHere = links.some(({ current }) => current !== undefined);
    if (isHere) shown = { name: entry.name, places: links };
    return links.slice(0, 1).map(({ href }) => ({ name: entry.name, href, current: isHere ? 'true' : undefined }));
  });
  return { places, section: shown };
}

function getCurrent(href: string, path: string): PlaceLink['current'] {
  if (path === href) return 'page';
  return href !== '/console' && path.startsWith(`${href}/`) ? 'true' : undefined;
}
