import type { Language } from '../../../contract/languages.ts';

type ByCode = Readonly<Record<string, string>>;

/** Texts about the findings of a SCORM package's inspection. */
export interface PackageNoticeMessages {
  tool: string;
  unknownTool: string;
  items: string;
  played: string;
  needs: string;
  nothingSpecial: string;
  features: ByCode;
  noticesTitle: string;
  noNotices: string;
  notices: ByCode;
}

export const packageNoticeMessages: Record<Language, PackageNoticeMessages> = {
  en: {
    tool: 'Authoring tool',
    unknownTool: 'Unknown',
    items: 'Items',
    played: 'taken by learners',
    needs: 'Uses',
    nothingSpecial: 'Nothing special',
    features: {
      frames: 'frames',
      popups: 'additional windows',
      storage: 'browser storage',
      workers: 'background scripts',
      media: 'sound and video',
      flash: 'Flash',
      external_files: 'files on other hosts',
    },
    noticesTitle: 'What does not work in this package',
    noNotices: 'The check found no problems.',
    notices: {
      other_scos: 'Learners take only the first item that reports results. These items are not offered:',
      assets_not_offered: 'Items without results are not offered as pages:',
      pages_missing: 'The pages of these items are missing:',
      dispatch_package: 'The first page opens a page on another host, which is blocked here:',
      files_left_out: 'Programs are left out:',
      files_as_downloads: 'Browsers save these files instead of showing them:',
      frames_isolated: 'Frames of the package cannot reach each other, so results can be lost. Please test the course.',
      storage_discarded: 'Cookies and browser storage are discarded when the window is closed.',
      popups_blocked: 'Windows that the package opens are blocked.',
      workers_blocked: 'Background scripts are blocked.',
      external_files_blocked: 'Files on other hosts are blocked, such as web fonts and embedded videos:',
      flash_unsupported: 'The package contains Flash content, which no current browser can play.',
    },
  },
  de: {
    tool: 'Autorenwerkzeug',
    unknownTool: 'Unbekannt',
    items: 'Elemente',
    played: 'wird absolviert',
    needs: 'Verwendet',
    nothingSpecial: 'Nichts Besonderes',
    features: {
      frames: 'Rahmen (Frames)',
      popups: 'zusätzliche Fenster',
      storage: 'Browserspeicher',
      workers: 'Hintergrundskripte',
      media: 'Ton und Video',
      flash: 'Flash',
      external_files: 'Dateien von anderen Servern',
    },
    noticesTitle: 'Was in diesem Paket nicht funktioniert',
    noNotices: 'Die Prüfung hat keine Probleme gefunden.',
    notices: {
      other_scos: 'Lernende absolvieren nur das erste Element mit Ergebnis. Diese Elemente werden nicht angeboten:',
      assets_not_offered: 'Elemente ohne Ergebnis werden nicht als Seiten angeboten:',
      pages_missing: 'Die Seiten dieser Elemente fehlen:',
      dispatch_package: 'Die erste Seite öffnet eine Seite auf einem anderen Server, die hier blockiert wird:',
      files_left_out: 'Programme sind nicht enthalten:',
      files_as_downloads: 'Browser speichern diese Dateien, statt sie anzuzeigen:',
      frames_isolated:
        'Die Rahmen des Pakets können nicht aufeinander zugreifen, sodass Ergebnisse verloren gehen können. Bitte testen Sie den Kurs.',
      storage_discarded: 'Cookies und Browserspeicher werden gelöscht, wenn das Fenster geschlossen wird.',
      popups_blocked: 'Fenster, die das Paket öffnet, werden blockiert.',
      workers_blocked: 'Hintergrundskripte werden blockiert.',
      external_files_blocked: 'Dateien von anderen Servern werden blockiert, etwa Schriften und eingebettete Videos:',
      flash_unsupported: 'Das Paket enthält Flash-Inhalte, die kein aktueller Browser abspielen kann.',
    },
  },
  fr: {
    tool: 'Outil auteur',
    unknownTool: 'Inconnu',
    items: 'Éléments',
    played: 'suivi par les apprenants',
    needs: 'Utilise',
    nothingSpecial: 'Rien de particulier',
    features: {
      frames: 'cadres (frames)',
      popups: 'fenêtres supplémentaires',
      storage: 'stockage du navigateur',
      workers: 'scripts en arrière-plan',
      media: 'son et vidéo',
      flash: 'Flash',
      external_files: 'fichiers d’autres serveurs',
    },
    noticesTitle: 'Ce qui ne fonctionne pas dans ce paquet',
    noNotices: 'La vérification n’a trouvé aucun problème.',
    notices: {
      other_scos:
        'Les apprenants ne suivent que le premier élément qui transmet un résultat. Ces éléments ne sont pas proposés :',
      assets_not_offered: 'Les éléments sans résultat ne sont pas proposés comme pages :',
      pages_missing: 'Les pages de ces éléments sont introuvables :',
      dispatch_package: 'La première page ouvre une page d’un autre serveur, qui est bloquée ici :',
      files_left_out: 'Les programmes sont exclus :',
      files_as_downloads: 'Les navigateurs enregistrent ces fichiers au lieu de les afficher :',
      frames_isolated:
        'Les cadres du paquet ne peuvent pas communiquer entre eux, si bien que des résultats peuvent être perdus. Veuillez tester le cours.',
      storage_discarded: 'Les cookies et le stockage du navigateur sont effacés à la fermeture de la fenêtre.',
      popups_blocked: 'Les fenêtres ouvertes par le paquet sont bloquées.',
      workers_blocked: 'Les scripts en arrière-plan sont bloqués.',
      external_files_blocked:
        'Les fichiers d’autres serveurs sont bloqués, comme les polices et les vidéos intégrées :',
      flash_unsupported: 'Le paquet contient du contenu Flash, qu’aucun navigateur actuel ne peut lire.',
    },
  },
};
