import type { Language } from '../../../../contract/languages.ts';
import type { FaultMessages } from '../../fault-messages.ts';

export interface SettingsMessages {
  title: string;
  stopped: (day: string) => string;
  stopTitle: string;
  stop: string;
  stopAbout: string;
  resume: string;
  domains: string;
  domainsAbout: string;
  domainHead: [domain: string, record: string, value: string, state: string];
  noDomains: string;
  states: { proved: (day: string) => string; unproved: string; unlocked: string };
  lookUp: string;
  remove: string;
  addDomain: string;
  domain: string;
  add: string;
  filters: string;
  filtersAbout: string;
  header: string;
  noSecret: string;
  senders: string;
  noSenders: string;
  rotate: string;
  rotateAbout: string;
  rotateButton: string;
  networks: string;
  networksHint: string;
  save: string;
  keep: string;
  removeDomainTitle: string;
  removeDomainAbout: (domain: string) => string;
  removeDomainButton: string;
  exclusions: string;
  codes: FaultMessages['codes'];
  notices: Record<
    | 'proved'
    | 'missing'
    | 'different'
    | 'unanswered'
    | 'domainAdded'
    | 'domainRemoved'
    | 'saved'
    | 'stopped'
    | 'resumed'
    | 'rotated',
    string
  >;
}

export const settingsMessages: Record<Language, SettingsMessages> = {
  en: {
    title: 'Settings of simulations',
    stopped: (day) => `All simulations have been stopped since ${day}. Nothing is sent, and links lead to the lesson.`,
    stopTitle: 'Stop',
    stop: 'Stop all simulations',
    stopAbout: 'Nothing more is sent until you resume them. Use this if a simulation causes trouble.',
    resume: 'Resume simulations',
    domains: 'Domains of your people',
    domainsAbout:
      'Simulations are sent only to addresses at domains that you have proved to be yours. Create the TXT record in your DNS, keep it, and then look it up here.',
    domainHead: ['Domain', 'Name of the record', 'Value', 'State'],
    noDomains: 'No domain has been added yet.',
    states: {
      proved: (day) => `Proved since ${day}`,
      unproved: 'Not proved',
      unlocked: 'Your organisation is not locked to this domain. Please ask the operator of the service.',
    },
    lookUp: 'Look up',
    remove: 'Remove',
    addDomain: 'Add a domain',
    domain: 'Domain',
    add: 'Add domain',
    filters: 'For your mail team',
    filtersAbout:
      'Filters should let a message through if it has this header and its sender is in one of these domains, proved by SPF or DKIM.',
    header: 'Header',
    noSecret: 'The secret is created when the first simulation is scheduled or these settings are saved.',
    senders: 'Domains of the senders',
    noSenders: 'The operator of the service has not switched on simulations.',
    rotate: 'New secret for the header',
    rotateAbout:
      'From then on, messages carry the new secret, and filters that know only the old one hold them back. Stop the simulations first, and resume them once your mail team has the new secret.',
    rotateButton: 'Create new secret',
    networks: 'Networks of your mail gateways and link scanners',
    networksHint: 'One per line, such as 198.51.100.0/24. Clicks from these networks do not count.',
    save: 'Save',
    keep: 'Leave it as it is',
    removeDomainTitle: 'Remove this domain?',
    removeDomainAbout: (domain) => `Simulations, including running ones, are no longer sent to addresses at ${domain}.`,
    removeDomainButton: 'Remove domain',
    exclusions: 'People and days without simulations',
    codes: {
      domain_not_locked:
        'Your organisation is not locked to this domain. Please ask the operator of the service, or enter the domain that it is locked to.',
      email_provider_not_allowed: 'This domain belongs to a free e-mail provider. Please enter one of your own.',
    },
    notices: {
      proved: 'The record was found. The domain is proved.',
      missing: 'There is no TXT record with this name yet. DNS can take some hours to show a new record.',
      different: 'The name has TXT records, but none with this value.',
      unanswered: 'DNS did not respond. Please try again in a few minutes.',
      domainAdded: 'The domain has been added. Now create its TXT record.',
      domainRemoved: 'The domain has been removed.',
      saved: 'The settings have been saved.',
      stopped: 'All simulations have been stopped.',
      resumed: 'Simulations have been resumed.',
      rotated: 'The header now has a new secret.',
    },
  },
  de: {
    title: 'Einstellungen der Simulationen',
    stopped: (day) =>
      `Alle Simulationen sind seit ${day} angehalten. Nichts wird gesendet, und Links führen zur Lektion.`,
    stopTitle: 'Anhalten',
    stop: 'Alle Simulationen anhalten',
    stopAbout:
      'Nichts wird mehr gesendet, bis Sie sie fortsetzen. Gedacht für den Fall, dass eine Simulation Ärger macht.',
    resume: 'Simulationen fortsetzen',
    domains: 'Domains Ihrer Mitarbeitenden',
    domainsAbout:
      'Simulationen erreichen nur Adressen von Domains, die nachweislich Ihnen gehören. Legen Sie den TXT-Eintrag in Ihrem DNS an, lassen Sie ihn stehen, und prüfen Sie ihn dann hier.',
    domainHead: ['Domain', 'Name des Eintrags', 'Wert', 'Zustand'],
    noDomains: 'Es ist noch keine Domain hinzugefügt.',
    states: {
      proved: (day) => `Nachgewiesen seit ${day}`,
      unproved: 'Nicht nachgewiesen',
      unlocked:
        'Ihre Organisation ist nicht auf diese Domain festgelegt. Bitte wenden Sie sich an den Betreiber des Dienstes.',
    },
    lookUp: 'Prüfen',
    remove: 'Entfernen',
    addDomain: 'Domain hinzufügen',
    domain: 'Domain',
    add: 'Domain hinzufügen',
    filters: 'Für Ihr Mailteam',
    filtersAbout:
      'Filter sollten eine Nachricht durchlassen, wenn sie diesen Header hat und ihr Absender in einer dieser Domains liegt, durch SPF oder DKIM belegt.',
    header: 'Header',
    noSecret: 'Das Geheimnis entsteht, sobald eine Simulation geplant ist oder diese Einstellungen gespeichert werden.',
    senders: 'Domains der Absender',
    noSenders: 'Der Betreiber des Dienstes hat Simulationen nicht eingeschaltet.',
    rotate: 'Neues Geheimnis für den Header',
    rotateAbout:
      'Nachrichten tragen ab dann das neue Geheimnis, und Filter, die nur das alte kennen, halten sie zurück. Halten Sie die Simulationen zuerst an, und setzen Sie sie fort, sobald Ihr Mailteam das neue Geheimnis hat.',
    rotateButton: 'Neues Geheimnis anlegen',
    networks: 'Netze Ihrer Mail-Gateways und Linkscanner',
    networksHint: 'Eines pro Zeile, zum Beispiel 198.51.100.0/24. Klicks aus diesen Netzen zählen nicht.',
    save: 'Speichern',
    keep: 'Lassen, wie es ist',
    removeDomainTitle: 'Diese Domain entfernen?',
    removeDomainAbout: (domain) => `Keine Simulation erreicht dann noch Adressen unter ${domain}, auch keine laufende.`,
    removeDomainButton: 'Domain entfernen',
    exclusions: 'Personen und Tage ohne Simulationen',
    codes: {
      domain_not_locked:
        'Ihre Organisation ist nicht auf diese Domain festgelegt. Bitte wenden Sie sich an den Betreiber des Dienstes, oder geben Sie die festgelegte Domain ein.',
      email_provider_not_allowed:
        'Diese Domain gehört einem kostenlosen E-Mail-Anbieter. Bitte geben Sie eine eigene ein.',
    },
    notices: {
      proved: 'Der Eintrag ist da. Die Domain ist nachgewiesen.',
      missing:
        'Es gibt noch keinen TXT-Eintrag mit diesem Namen. Bis DNS einen neuen Eintrag zeigt, können Stunden vergehen.',
      different: 'Der Name hat TXT-Einträge, aber keinen mit diesem Wert.',
      unanswered: 'DNS hat nicht geantwortet. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
      domainAdded: 'Die Domain ist hinzugefügt. Legen Sie jetzt ihren TXT-Eintrag an.',
      domainRemoved: 'Die Domain ist entfernt.',
      saved: 'Die Einstellungen sind gespeichert.',
      stopped: 'Alle Simulationen sind angehalten.',
      resumed: 'Die Simulationen gehen weiter.',
      rotated: 'Der Header hat ein neues Geheimnis.',
    },
  },
  fr: {
    title: 'Paramètres des simulations',
    stopped: (day) =>
      `Toutes les simulations sont arrêtées depuis le ${day}. Rien n’est envoyé, et les liens mènent à la leçon.`,
    stopTitle: 'Arrêt',
    stop: 'Arrêter toutes les simulations',
    stopAbout: 'Plus rien n’est envoyé jusqu’à la reprise. À utiliser si une simulation cause des ennuis.',
    resume: 'Reprendre les simulations',
    domains: 'Domaines de vos équipes',
    domainsAbout:
      'Les simulations n’atteignent que les adresses de domaines dont vous avez prouvé la propriété. Créez l’enregistrement TXT dans votre DNS, gardez-le, puis vérifiez-le ici.',
    domainHead: ['Domaine', 'Nom de l’enregistrement', 'Valeur', 'État'],
    noDomains: 'Aucun domaine n’a encore été ajouté.',
    states: {
      proved: (day) => `Prouvé depuis le ${day}`,
      unproved: 'Non prouvé',
      unlocked: 'Votre organisation n’est pas limitée à ce domaine. Veuillez vous adresser à l’exploitant du service.',
    },
    lookUp: 'Vérifier',
    remove: 'Retirer',
    addDomain: 'Ajouter un domaine',
    domain: 'Domaine',
    add: 'Ajouter le domaine',
    filters: 'Pour votre équipe de messagerie',
    filtersAbout:
      'Les filtres devraient laisser passer un message s’il porte cet en-tête et que son expéditeur est dans un de ces domaines, prouvé par SPF ou DKIM.',
    header: 'En-tête',
    noSecret: 'Le secret est créé quand une simulation est planifiée ou que ces paramètres sont enregistrés.',
    senders: 'Domaines des expéditeurs',
    noSenders: 'L’exploitant du service n’a pas activé les simulations.',
    rotate: 'Nouveau secret pour l’en-tête',
    rotateAbout:
      'Les messages portent dès lors le nouveau secret, et les filtres qui ne connaissent que l’ancien les retiennent. Arrêtez d’abord les simulations, et reprenez-les quand votre équipe de messagerie a le nouveau secret.',
    rotateButton: 'Créer un nouveau secret',
    networks: 'Réseaux de vos passerelles et analyseurs de liens',
    networksHint: 'Un par ligne, par exemple 198.51.100.0/24. Les clics de ces réseaux ne comptent pas.',
    save: 'Enregistrer',
    keep: 'Ne rien changer',
    removeDomainTitle: 'Retirer ce domaine ?',
    removeDomainAbout: (domain) => `Aucune simulation n’atteint plus les adresses de ${domain}, même en cours.`,
    removeDomainButton: 'Retirer le domaine',
    exclusions: 'Personnes et jours sans simulation',
    codes: {
      domain_not_locked:
        'Votre organisation n’est pas limitée à ce domaine. Veuillez vous adresser à l’exploitant du service, ou saisir le domaine auquel elle est limitée.',
      email_provider_not_allowed:
        'Ce domaine est celui d’un fournisseur de messagerie gratuite. Veuillez en saisir un à vous.',
    },
    notices: {
      proved: 'L’enregistrement a été trouvé. Le domaine est prouvé.',
      missing:
        'Il n’y a pas encore d’enregistrement TXT de ce nom. Le DNS peut mettre des heures à montrer un nouvel enregistrement.',
      different: 'Ce nom a des enregistrements TXT, mais aucun de cette valeur.',
      unanswered: 'Le DNS n’a pas répondu. Veuillez réessayer dans quelques minutes.',
      domainAdded: 'Le domaine a été ajouté. Créez maintenant son enregistrement TXT.',
      domainRemoved: 'Le domaine a été retiré.',
      saved: 'Les paramètres ont été enregistrés.',
      stopped: 'Toutes les simulations sont arrêtées.',
      resumed: 'Les simulations reprennent.',
      rotated: 'L’en-tête a un nouveau secret.',
    },
  },
};
