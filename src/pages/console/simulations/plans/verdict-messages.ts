import type { Language } from '../../../../contract/languages.ts';

/** Texts of the page with the verdicts on opens and clicks. */
interface VerdictMessages {
  interactions: string;
  interactionsAbout: string;
  interactionsHead: readonly [time: string, what: string, verdict: string, reasons: string, counts: string];
  kinds: Record<string, string>;
  verdicts: Record<string, string>;
  reasons: Record<string, string>;
}

export const verdictMessages: Record<Language, VerdictMessages> = {
  en: {
    interactions: 'Verdicts on opens and clicks',
    interactionsAbout: 'Programs follow links too. Each open and click has a verdict and its reasons.',
    interactionsHead: ['Time (UTC)', 'What', 'Verdict', 'Reasons', 'Counts'],
    kinds: { opened: 'opened', visited: 'link followed', compromised: 'data entered' },
    verdicts: { human: 'a person', automated: 'a program', unsure: 'unclear' },
    reasons: {
      input: 'pointer, touch or key used',
      unhurried: 'a minute or more after delivery',
      hidden_link: 'followed a link that people cannot see',
      head_request: 'asked only for headers',
      robot: 'not a browser',
      dead_browser: 'an outdated browser that nobody uses',
      scanner_network: 'the network of a scanner',
      many_clicks: 'many clicks at once',
      many_recipients: 'clicks for many recipients',
      seconds_after_delivery: 'seconds after delivery',
      after_own_report: 'after the person had reported the message',
      cloud_address: 'an IP address of a cloud provider',
      page_not_loaded: 'the page was not loaded',
      before_own_report: 'shortly before the person reported the message',
      soon_after_delivery: 'soon after delivery',
      withdrawn: 'taken back',
    },
  },
  de: {
    interactions: 'Wie Öffnungen und Klicks bewertet sind',
    interactionsAbout:
      'Auch Programme öffnen Links. Für jede Öffnung und jeden Klick steht hier, wie sie bewertet sind und warum.',
    interactionsHead: ['Zeit (UTC)', 'Was', 'Bewertung', 'Gründe', 'Zählt'],
    kinds: { opened: 'geöffnet', visited: 'Link geöffnet', compromised: 'Daten eingegeben' },
    verdicts: { human: 'ein Mensch', automated: 'ein Programm', unsure: 'unklar' },
    reasons: {
      input: 'Zeiger, Finger oder Taste benutzt',
      unhurried: 'mindestens eine Minute nach der Zustellung',
      hidden_link: 'folgte einem Link, den Menschen nicht sehen',
      head_request: 'fragte nur nach Kopfzeilen',
      robot: 'kein Browser',
      dead_browser: 'ein Browser, der nicht mehr in Gebrauch ist',
      scanner_network: 'das Netz eines Scanners',
      many_clicks: 'viele Klicks auf einmal',
      many_recipients: 'Klicks für viele Empfänger',
      seconds_after_delivery: 'Sekunden nach der Zustellung',
      after_own_report: 'nachdem die Person die Nachricht gemeldet hatte',
      cloud_address: 'eine Adresse in einer Cloud',
      page_not_loaded: 'die Seite wurde nicht geladen',
      before_own_report: 'kurz bevor die Person die Nachricht meldete',
      soon_after_delivery: 'bald nach der Zustellung',
      withdrawn: 'zurückgenommen',
    },
  },
  fr: {
    interactions: 'Comment les ouvertures et les clics sont jugés',
    interactionsAbout:
      'Des programmes suivent aussi les liens. Chaque ouverture et chaque clic a été jugé, avec ses raisons.',
    interactionsHead: ['Heure (UTC)', 'Quoi', 'Auteur', 'Raisons', 'Compte'],
    kinds: { opened: 'ouvert', visited: 'lien suivi', compromised: 'données saisies' },
    verdicts: { human: 'une personne', automated: 'un programme', unsure: 'incertain' },
    reasons: {
      input: 'pointeur, doigt ou touche utilisé',
      unhurried: 'une minute ou plus après la remise',
      hidden_link: 'a suivi un lien que personne ne voit',
      head_request: 'n’a demandé que les en-têtes',
      robot: 'pas un navigateur',
      dead_browser: 'un navigateur qui n’est plus utilisé',
      scanner_network: 'le réseau d’un analyseur',
      many_clicks: 'beaucoup de clics à la fois',
      many_recipients: 'des clics pour beaucoup de destinataires',
      seconds_after_delivery: 'quelques secondes après la remise',
      after_own_report: 'après le signalement par la personne',
      cloud_address: 'une adresse dans un nuage',
      page_not_loaded: 'la page n’a pas été chargée',
      before_own_report: 'juste avant le signalement par la personne',
      soon_after_delivery: 'peu après la remise',
      withdrawn: 'retiré',
    },
  },
};
