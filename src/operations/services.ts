import type { SealedSecrets } from '../auth/sealed-secrets.ts';
import type { BeginSession } from '../resources/admins/setup-handlers.ts';
import type { BreachFeed } from '../resources/breaches/feed/breach-feed.ts';
import type { CourseLibrary } from '../resources/courses/authored/course-library.ts';
import type { PackageHost } from '../resources/courses/scorm/package-notices.ts';
import type { EventServices } from '../resources/events/event-handlers.ts';
import type { MetadataReader } from '../resources/identity-providers/protocol-settings.ts';
import type { OwnSimulationServices } from '../resources/simulations/own-simulation-handlers.ts';
import type { CompaniesReportServices } from '../resources/reports/companies/companies-report-handlers.ts';
import type { FindTexts } from '../resources/simulations/settings/find-texts.ts';
import type { AddressRules } from '../resources/webhooks/sending/address-guard.ts';

/** Dependencies of handlers, in addition to the tenant handle. */
export interface Services extends Omit<EventServices, 'recordReads'>, OwnSimulationServices, PackageHost {
  recordReads: EventServices['recordReads'] & CompaniesReportServices['recordReads'];
  breachFeed: BreachFeed;
  beginSession: BeginSession;
  /** Authored courses. */
  library: CourseLibrary;
  /** Reads the TXT records of a name. */
  findTexts: FindTexts;
  /** The domains of free e-mail providers. */
  freeMail: ReadonlySet<string>;
  sealedSecrets: SealedSecrets;
  /** Rules for the URLs of webhooks and of identity providers. */
  webhookRules: AddressRules;
  samlMetadata: MetadataReader;
  /** The public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** E-mail address of the operator's mailbox for reported emails; undefined if there is none. */
  reportMailbox: string | undefined;
}
