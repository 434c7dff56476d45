import type { Language } from '../../../contract/languages.ts';

export interface KeysMessages {
  title: string;
  about: string;
  none: string;
  name: string;
  key: string;
  may: string;
  everything: string;
  made: string;
  used: string;
  until: string;
  never: string;
  unlimited: string;
  revoke(name: string): string;
  revokeShort: string;
  endedTitle: string;
  ended: string;
  revoked: string;
  expired: string;
  makeTitle: string;
  nameHint: string;
  untilLabel: string;
  untilHint: string;
  mayLabel: string;
  choices: Record<'read' | 'some' | 'all', string>;
  scopesLabel: string;
  make: string;
  newTitle: string;
  newKey(name: string): string;
  once: string;
  back: string;
  revokeTitle: string;
  revokeAbout(name: string): string;
  revokeButton: string;
  keep: string;
  createdTitle: string;
  createdAbout(name: string): string;
  createdKey(name: string): string;
  createdSource(name: string): string;
  createdEndpoint(url: string): string;
  endCreated: string;
  keepCreated: string;
}

export const keysMessages: Record<Language, KeysMessages> = {
  en: {
    title: 'API keys',
    about:
      'With a key, one of your programs can use the API of this service for your organisation. Create one for each program, and allow only what the program needs.',
    none: 'There are no active keys.',
    name: 'Name',
    key: 'Key',
    may: 'Permissions',
    everything: 'everything',
    made: 'Created',
    used: 'Last used',
    until: 'Valid until',
    never: 'never',
    unlimited: 'no expiry',
    revoke: (name) => `Revoke the key “${name}”`,
    revokeShort: 'Revoke',
    endedTitle: 'Keys that no longer work',
    ended: 'Ended',
    revoked: 'revoked',
    expired: 'expired',
    makeTitle: 'Create a key',
    nameHint: 'What the key is for, such as “HR import”.',
    untilLabel: 'Valid until the end of',
    untilHint: 'A day, in UTC. Leave it empty for a key that does not expire.',
    mayLabel: 'What the key can do',
    choices: {
      read: 'Read everything, change nothing',
      some: 'Only what is ticked below',
      all: 'Everything that your organisation can do, including creating other keys',
    },
    scopesLabel: 'Permissions',
    make: 'Create key',
    newTitle: 'Your new key',
    newKey: (name) => `This is the key “${name}”:`,
    once: 'Copy it now, and keep it as safe as a password. It will not be shown again, and nobody can look it up.',
    back: 'Back to all keys',
    revokeTitle: 'Revoke this key?',
    revokeAbout: (name) =>
      `Programs that use the key “${name}” stop working within a minute, and the applications that are connected with it lose their access. This cannot be undone.`,
    revokeButton: 'Revoke key',
    keep: 'Keep key',
    createdTitle: 'The key has been revoked',
    createdAbout: (name) => `Programs created these with the key “${name}”, and they still work:`,
    createdKey: (name) => `API key: ${name}`,
    createdSource: (name) => `Source: ${name}`,
    createdEndpoint: (url) => `Webhook endpoint: ${url}`,
    endCreated: 'End these as well',
    keepCreated: 'Keep these',
  },
  de: {
    title: 'API-Schlüssel',
    about:
      'Mit einem Schlüssel nutzt ein Programm von Ihnen die Schnittstelle (API) dieses Dienstes für Ihre Organisation. Legen Sie für jedes Programm einen eigenen an, der nur darf, was das Programm braucht.',
    none: 'Es gibt keinen gültigen Schlüssel.',
    name: 'Name',
    key: 'Schlüssel',
    may: 'Darf',
    everything: 'alles',
    made: 'Angelegt',
    used: 'Zuletzt benutzt',
    until: 'Gültig bis',
    never: 'nie',
    unlimited: 'ohne Ende',
    revoke: (name) => `Den Schlüssel „${name}“ widerrufen`,
    revokeShort: 'Widerrufen',
    endedTitle: 'Schlüssel, die nicht mehr gelten',
    ended: 'Beendet',
    revoked: 'widerrufen',
    expired: 'abgelaufen',
    makeTitle: 'Schlüssel anlegen',
    nameHint: 'Wofür der Schlüssel ist, zum Beispiel „Import der Personalabteilung“.',
    untilLabel: 'Gültig bis zum Ende des Tages',
    untilHint: 'Ein Tag in UTC. Lassen Sie das Feld leer für einen Schlüssel ohne Ende.',
    mayLabel: 'Was der Schlüssel darf',
    choices: {
      read: 'Alles lesen, nichts ändern',
      some: 'Nur, was unten angekreuzt ist',
      all: 'Alles, was Ihre Organisation darf, auch weitere Schlüssel anlegen',
    },
    scopesLabel: 'Angekreuzt',
    make: 'Schlüssel anlegen',
    newTitle: 'Ihr neuer Schlüssel',
    newKey: (name) => `Das ist der Schlüssel „${name}“:`,
    once: 'Kopieren Sie ihn jetzt, und verwahren Sie ihn wie ein Passwort. Er wird nicht noch einmal angezeigt, und niemand kann ihn nachsehen.',
    back: 'Zu allen Schlüsseln',
    revokeTitle: 'Diesen Schlüssel widerrufen?',
    revokeAbout: (name) =>
      `Programme, die den Schlüssel „${name}“ benutzen, funktionieren nach spätestens einer Minute nicht mehr, und die Anwendungen, die mit ihm verbunden sind, verlieren ihren Zugang. Das lässt sich nicht rückgängig machen.`,
    revokeButton: 'Schlüssel widerrufen',
    keep: 'Behalten',
    createdTitle: 'Der Schlüssel ist widerrufen',
    createdAbout: (name) => `Mit dem Schlüssel „${name}“ wurden diese angelegt, und sie sind noch gültig:`,
    createdKey: (name) => `API-Schlüssel: ${name}`,
    createdSource: (name) => `Quelle: ${name}`,
    createdEndpoint: (url) => `Webhook-Endpunkt: ${url}`,
    endCreated: 'Auch diese beenden',
    keepCreated: 'Diese behalten',
  },
  fr: {
    title: 'Clés d’API',
    about:
      'Avec une clé, un de vos programmes utilise l’API de ce service pour votre organisation. Créez une clé pour chaque programme, qui ne permette que ce dont il a besoin.',
    none: 'Il n’y a aucune clé valable.',
    name: 'Nom',
    key: 'Clé',
    may: 'Permet',
    everything: 'tout',
    made: 'Créée',
    used: 'Dernier usage',
    until: 'Valable jusqu’au',
    never: 'jamais',
    unlimited: 'sans fin',
    revoke: (name) => `Révoquer la clé « ${name} »`,
    revokeShort: 'Révoquer',
    endedTitle: 'Clés qui ne sont plus valables',
    ended: 'Fin',
    revoked: 'révoquée',
    expired: 'expirée',
    makeTitle: 'Créer une clé',
    nameHint: 'À quoi sert la clé, par exemple « Import RH ».',
    untilLabel: 'Valable jusqu’à la fin du',
    untilHint: 'Un jour, en UTC. Laissez le champ vide pour une clé sans fin.',
    mayLabel: 'Ce que la clé permet',
    choices: {
      read: 'Tout lire, ne rien modifier',
      some: 'Seulement ce qui est coché ci-dessous',
      all: 'Tout ce que votre organisation peut faire, y compris créer d’autres clés',
    },
    scopesLabel: 'Ce qui est coché',
    make: 'Créer la clé',
    newTitle: 'Votre nouvelle clé',
    newKey: (name) => `Voici la clé « ${name} » :`,
    once: 'Copiez-la maintenant, et gardez-la comme un mot de passe. Elle ne sera plus affichée, et personne ne peut la retrouver.',
    back: 'Vers toutes les clés',
    revokeTitle: 'Révoquer cette clé ?',
    revokeAbout: (name) =>
      `Les programmes qui utilisent la clé « ${name} » cesseront de fonctionner en moins d’une minute, et les applications qui y sont connectées perdront leur accès. C’est sans retour.`,
    revokeButton: 'Révoquer la clé',
    keep: 'La garder',
    createdTitle: 'La clé est révoquée',
    createdAbout: (name) => `Ces éléments ont été créés avec la clé « ${name} » et sont encore valides :`,
    createdKey: (name) => `Clé d’API : ${name}`,
    createdSource: (name) => `Source : ${name}`,
    createdEndpoint: (url) => `Point de terminaison : ${url}`,
    endCreated: 'Y mettre fin aussi',
    keepCreated: 'Les garder',
  },
};
