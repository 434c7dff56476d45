import type { Language } from '../../contract/languages.ts';

/**
 * Texts of the manifests, within Microsoft's limits in characters: 30 characters for `name`, 80 for `short`, otherwise
 * 250.
 */
export interface ManifestMessages {
  /** The name of the add-in, the label of its button and the title of its dialog. */
  name: string;
  short: string;
  about: string;
  /** The text of the dialog before a message is reported. */
  dialog: string;
}

export const manifestMessages: Record<Language, ManifestMessages> = {
  en: {
    name: 'Report suspicious mail',
    short: 'Report a suspicious message to your security team.',
    about: 'Report the open message to your security team. If it is a simulation, you will see that at once.',
    dialog:
      'The whole message goes to your security team and is moved out of your inbox. If it is a simulation, you will see that at once.',
  },
  de: {
    name: 'Verdächtige E-Mail melden',
    short: 'Melden Sie dem Sicherheitsteam eine verdächtige E-Mail.',
    about: 'Melden Sie die geöffnete E-Mail dem Sicherheitsteam. Ist sie eine Simulation, erfahren Sie es sofort.',
    dialog:
      'Die ganze E-Mail geht an Ihr Sicherheitsteam und wird aus dem Posteingang verschoben. Ist sie eine Simulation, erfahren Sie es sofort.',
  },
  fr: {
    name: 'Signaler un e-mail suspect',
    short: 'Signalez un e-mail suspect à votre équipe de sécurité.',
    about: 'Signalez l’e-mail ouvert à votre équipe de sécurité. Si c’est une simulation, vous le saurez aussitôt.',
    dialog:
      'L’e-mail entier est transmis à votre équipe de sécurité et quitte votre boîte de réception. Si c’est une simulation, vous le saurez aussitôt.',
  },
};
