import type { Language } from '../../../contract/languages.ts';

export interface ApplicationsMessages {
  title: string;
  about: string;
  none: string;
  name: string;
  unnamed: string;
  goesTo: string;
  key: string;
  may: string;
  everything: string;
  made: string;
  used: string;
  never: string;
  until: string;
  end(name: string): string;
  endShort: string;
  endTitle: string;
  endAbout(name: string): string;
  endButton: string;
  keep: string;
}

export const applicationsMessages: Record<Language, ApplicationsMessages> = {
  en: {
    title: 'Connected applications',
    about:
      'AI clients and other applications that somebody has given access with a key of your organisation. They can read, but not change anything. The names are what the applications call themselves.',
    none: 'No application is connected.',
    name: 'Application',
    unnamed: 'without a name',
    goesTo: 'Access goes to',
    key: 'Key',
    may: 'Can read',
    everything: 'what its key can read',
    made: 'Approved',
    used: 'Last used',
    never: 'never',
    until: 'Ends',
    end: (name) => `End the access of “${name}”`,
    endShort: 'End',
    endTitle: 'End this access?',
    endAbout: (name) =>
      `From now on, “${name}” can no longer read anything. The key stays, and so do other applications.`,
    endButton: 'End access',
    keep: 'Keep access',
  },
  de: {
    title: 'Verbundene Anwendungen',
    about:
      'KI-Programme und andere Anwendungen, denen jemand mit einem Schlüssel Ihrer Organisation Zugang gegeben hat. Sie lesen und ändern nichts. Die Namen geben die Anwendungen selbst an.',
    none: 'Es ist keine Anwendung verbunden.',
    name: 'Anwendung',
    unnamed: 'ohne Namen',
    goesTo: 'Der Zugang geht an',
    key: 'Schlüssel',
    may: 'Liest',
    everything: 'was ihr Schlüssel lesen darf',
    made: 'Erlaubt',
    used: 'Zuletzt benutzt',
    never: 'nie',
    until: 'Endet',
    end: (name) => `Den Zugang von „${name}“ beenden`,
    endShort: 'Beenden',
    endTitle: 'Diesen Zugang beenden?',
    endAbout: (name) =>
      `„${name}“ kann ab sofort nichts mehr lesen. Der Schlüssel bleibt, und andere Anwendungen auch.`,
    endButton: 'Zugang beenden',
    keep: 'Lassen, wie es ist',
  },
  fr: {
    title: 'Applications connectées',
    about:
      'Des clients d’IA et d’autres applications à qui quelqu’un a donné accès avec une clé de votre organisation. Elles lisent et ne modifient rien. Les noms sont ceux que les applications se donnent.',
    none: 'Aucune application n’est connectée.',
    name: 'Application',
    unnamed: 'sans nom',
    goesTo: 'L’accès va à',
    key: 'Clé',
    may: 'Lit',
    everything: 'ce que sa clé peut lire',
    made: 'Approuvée',
    used: 'Dernier usage',
    never: 'jamais',
    until: 'Prend fin',
    end: (name) => `Mettre fin à l’accès de « ${name} »`,
    endShort: 'Mettre fin',
    endTitle: 'Mettre fin à cet accès ?',
    endAbout: (name) =>
      `« ${name} » ne pourra plus rien lire dès maintenant. La clé reste, et les autres applications aussi.`,
    endButton: 'Mettre fin à l’accès',
    keep: 'Ne rien changer',
  },
};
