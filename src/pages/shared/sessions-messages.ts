import type { Language } from '../../contract/languages.ts';

/** Texts about sessions and sign-ins, on the pages of learners and of admins. */
export interface SessionsMessages {
  title: string;
  about: string;
  none: string;
  since: string;
  used: string;
  way: string;
  ways: Record<'sign_in_link' | 'passkey' | 'setup' | 'identity_provider', string>;
  device: string;
  address: string;
  unknown: string;
  current: string;
  end: string;
  endLabel(device: string, since: string): string;
  endOthers: string;
  endAll: string;
  ofAnother(owner: string): string;
}

export const sessionsMessages: Record<Language, SessionsMessages> = {
  en: {
    title: 'Where you are signed in',
    about: 'If you do not recognise one of these, end it.',
    none: 'Not signed in anywhere.',
    since: 'Since (UTC)',
    used: 'Last used (UTC)',
    way: 'Signed in with',
    ways: { sign_in_link: 'e-mail link', passkey: 'passkey', setup: 'invitation', identity_provider: 'organisation' },
    device: 'Browser',
    address: 'Network address',
    unknown: 'unknown',
    current: 'this session',
    end: 'End',
    endLabel: (device, since) => `End the session in ${device} since ${since}`,
    endOthers: 'End all other sessions',
    endAll: 'End all sessions',
    ofAnother: (owner) => `Where ${owner} is signed in. Ending a session keeps mailed links and passkeys.`,
  },
  de: {
    title: 'Wo Sie angemeldet sind',
    about: 'Wenn Sie einen Eintrag nicht kennen, beenden Sie ihn.',
    none: 'Nirgends angemeldet.',
    since: 'Seit (UTC)',
    used: 'Zuletzt benutzt (UTC)',
    way: 'Angemeldet mit',
    ways: {
      sign_in_link: 'Link per E-Mail',
      passkey: 'Passkey',
      setup: 'Einladung',
      identity_provider: 'Organisation',
    },
    device: 'Browser',
    address: 'Netzadresse',
    unknown: 'unbekannt',
    current: 'diese Sitzung',
    end: 'Beenden',
    endLabel: (device, since) => `Die Sitzung in ${device} seit ${since} beenden`,
    endOthers: 'Alle anderen Sitzungen beenden',
    endAll: 'Alle Sitzungen beenden',
    ofAnother: (owner) =>
      `Wo ${owner} angemeldet ist. Zugesandte Links und Passkeys bleiben, wenn Sie eine Sitzung beenden.`,
  },
  fr: {
    title: 'Où vous êtes connecté(e)',
    about: 'Si vous ne reconnaissez pas une de ces sessions, mettez-y fin.',
    none: 'Aucune session ouverte.',
    since: 'Depuis (UTC)',
    used: 'Dernier usage (UTC)',
    way: 'Connexion par',
    ways: {
      sign_in_link: 'lien reçu par e-mail',
      passkey: 'clé d’accès',
      setup: 'invitation',
      identity_provider: 'organisation',
    },
    device: 'Navigateur',
    address: 'Adresse réseau',
    unknown: 'inconnu',
    current: 'cette session',
    end: 'Mettre fin',
    endLabel: (device, since) => `Mettre fin à la session dans ${device} depuis ${since}`,
    endOthers: 'Mettre fin à toutes les autres sessions',
    endAll: 'Mettre fin à toutes les sessions',
    ofAnother: (owner) =>
      `Où ${owner} a ouvert une session. Y mettre fin ne retire ni les liens envoyés ni les clés d’accès.`,
  },
};
