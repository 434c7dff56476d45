import type { Language } from '../../contract/languages.ts';
import type { SigningFault } from '../../contract/person-operations.ts';

export interface PolicyMessages {
  version(number: string, published: string, pages: number): string;
  read: string;
  /** Texts of the PDF reader; its script replaces `{page}` and `{pages}`. */
  reader: { label: string; loading: string; failed: string; page: string };
  download(size: string): string;
  /** Label of the button that opens the PDF and records the visit. */
  open(size: string): string;
  visited(time: string): string;
  sign: string;
  /** Hint that is shown until the learner opens the policy. */
  openFirst: string;
  notAsked: string;
  newerVersion(signed: string): string;
  name: string;
  nameHint(name: string): string;
  agree(policy: string, version: string): string;
  submit: string;
  faults: Record<SigningFault, string>;
  replacedTitle: string;
  replaced(version: string): string;
  receipt: string;
  receiptMailed: string;
  earlier: string;
  signedBy: string;
  signedAt: string;
  signedVersion: string;
  signedFile: string;
  onPaper: string;
  downloadSigned: string;
}

export const policyMessages: Record<Language, PolicyMessages> = {
  en: {
    version: (number, published, pages) =>
      `Version ${number}, published on ${published}, ${pages === 1 ? 'one page' : `${pages} pages`}`,
    read: 'Read',
    reader: {
      label: 'The policy',
      loading: 'Loading the policy …',
      failed: 'The policy could not be shown here. Please download it instead.',
      page: 'Page {page} of {pages}',
    },
    download: (size) => `Download the PDF (${size})`,
    open: (size) => `Open the PDF (${size})`,
    visited: (time) => `You first opened this version on ${time} (UTC).`,
    sign: 'Sign',
    openFirst: 'Please open the policy before you sign it.',
    notAsked: 'You are not asked to sign this policy.',
    newerVersion: (signed) =>
      `You have signed version ${signed}. There is now a newer version: please read and sign it as well.`,
    name: 'Your first and last name',
    nameHint: (name) => `Please type your name exactly as shown: ${name}`,
    agree: (policy, version) => `I have read “${policy}”, version ${version}, and I will follow it.`,
    submit: 'Sign',
    faults: {
      not_opened: 'Nothing was signed. Please open this version of the policy first, then sign it.',
      name_missing: 'Please type your name.',
      name_differs: 'This is not the name that is recorded for you. Please type it exactly as shown.',
      not_agreed: 'Please tick the box once you have read the policy.',
    },
    replacedTitle: 'There is a newer version',
    replaced: (version) =>
      `The version that you were shown has been replaced. Nothing was signed. This is version ${version}: please read it, then sign it.`,
    receipt: 'Your receipt',
    receiptMailed: 'The receipt is also sent to you by e-mail.',
    earlier: 'What you signed before',
    signedBy: 'Signed by',
    signedAt: 'Signed on',
    signedVersion: 'Version',
    signedFile: 'SHA-256 of the file',
    onPaper: 'on paper',
    downloadSigned: 'Download what you signed',
  },
  de: {
    version: (number, published, pages) =>
      `Version ${number}, veröffentlicht am ${published}, ${pages === 1 ? 'eine Seite' : `${pages} Seiten`}`,
    read: 'Lesen',
    reader: {
      label: 'Die Richtlinie',
      loading: 'Die Richtlinie wird geladen …',
      failed: 'Die Richtlinie kann hier nicht angezeigt werden. Bitte laden Sie sie stattdessen herunter.',
      page: 'Seite {page} von {pages}',
    },
    download: (size) => `PDF herunterladen (${size})`,
    open: (size) => `PDF öffnen (${size})`,
    visited: (time) => `Sie haben diese Version zuerst am ${time} (UTC) geöffnet.`,
    sign: 'Unterschreiben',
    openFirst: 'Bitte öffnen Sie die Richtlinie, bevor Sie sie unterschreiben.',
    notAsked: 'Sie müssen diese Richtlinie nicht unterschreiben.',
    newerVersion: (signed) =>
      `Sie haben Version ${signed} unterschrieben. Inzwischen gibt es eine neuere Version: Bitte lesen und unterschreiben Sie auch diese.`,
    name: 'Ihr Vor- und Nachname',
    nameHint: (name) => `Bitte geben Sie Ihren Namen so ein, wie er hier steht: ${name}`,
    agree: (policy, version) => `Ich habe „${policy}“, Version ${version}, gelesen und werde mich daran halten.`,
    submit: 'Unterschreiben',
    faults: {
      not_opened:
        'Es wurde nichts unterschrieben. Bitte öffnen Sie zuerst diese Version der Richtlinie, und unterschreiben Sie sie dann.',
      name_missing: 'Bitte geben Sie Ihren Namen ein.',
      name_differs: 'Unter diesem Namen sind Sie nicht eingetragen. Bitte geben Sie ihn so ein, wie er angezeigt wird.',
      not_agreed: 'Bitte setzen Sie das Häkchen, wenn Sie die Richtlinie gelesen haben.',
    },
    replacedTitle: 'Es gibt eine neuere Version',
    replaced: (version) =>
      `Die Version, die Ihnen angezeigt wurde, ist ersetzt worden. Es wurde nichts unterschrieben. Dies ist Version ${version}: Bitte lesen Sie sie und unterschreiben Sie danach.`,
    receipt: 'Ihr Beleg',
    receiptMailed: 'Sie erhalten den Beleg auch per E-Mail.',
    earlier: 'Was Sie früher unterschrieben haben',
    signedBy: 'Unterschrieben von',
    signedAt: 'Unterschrieben am',
    signedVersion: 'Version',
    signedFile: 'SHA-256 der Datei',
    onPaper: 'auf Papier',
    downloadSigned: 'Herunterladen, was Sie unterschrieben haben',
  },
  fr: {
    version: (number, published, pages) =>
      `Version ${number}, publiée le ${published}, ${pages === 1 ? 'une page' : `${pages} pages`}`,
    read: 'Lire',
    reader: {
      label: 'La politique',
      loading: 'Chargement de la politique…',
      failed: 'La politique ne peut pas être affichée ici. Veuillez la télécharger.',
      page: 'Page {page} sur {pages}',
    },
    download: (size) => `Télécharger le PDF (${size})`,
    open: (size) => `Ouvrir le PDF (${size})`,
    visited: (time) => `Vous avez ouvert cette version pour la première fois le ${time} (UTC).`,
    sign: 'Signer',
    openFirst: 'Veuillez ouvrir la politique avant de la signer.',
    notAsked: 'On ne vous demande pas de signer cette politique.',
    newerVersion: (signed) =>
      `Vous avez signé la version ${signed}. Il existe maintenant une version plus récente : veuillez la lire et la signer également.`,
    name: 'Vos prénom et nom',
    nameHint: (name) => `Veuillez saisir votre nom tel qu’il figure ici : ${name}`,
    agree: (policy, version) => `J’ai lu « ${policy} », version ${version}, et je la respecterai.`,
    submit: 'Signer',
    faults: {
      not_opened: 'Rien n’a été signé. Veuillez d’abord ouvrir cette version de la politique, puis la signer.',
      name_missing: 'Veuillez saisir votre nom.',
      name_differs: 'Ce n’est pas le nom enregistré pour vous. Veuillez le saisir tel qu’il est affiché.',
      not_agreed: 'Veuillez cocher la case lorsque vous avez lu la politique.',
    },
    replacedTitle: 'Il existe une version plus récente',
    replaced: (version) =>
      `La version qui vous a été présentée a été remplacée. Rien n’a été signé. Voici la version ${version} : veuillez la lire, puis la signer.`,
    receipt: 'Votre reçu',
    receiptMailed: 'Le reçu vous est aussi envoyé par e-mail.',
    earlier: 'Ce que vous avez signé auparavant',
    signedBy: 'Signée par',
    signedAt: 'Signée le',
    signedVersion: 'Version',
    signedFile: 'SHA-256 du fichier',
    onPaper: 'sur papier',
    downloadSigned: 'Télécharger ce que vous avez signé',
  },
};
