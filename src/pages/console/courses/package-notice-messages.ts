import type { Language } from '../../../contract/languages.ts';

type ByCode = Readonly<Record<string, string>>;

/** Texts of what was found in a SCORM package. */
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
      popups: 'windows of its own',
      storage: 'browser storage',
      workers: 'background scripts',
      media: 'sound and film',
      flash: 'Flash',
      external_files: 'files of other hosts',
    },
    noticesTitle: 'What does not work in this package',
    noNotices: 'The check has found nothing that does not work here.',
    notices: {
      other_scos: 'Learners take only the first item that reports results. These items are not offered:',
      assets_not_offered: 'Items without results are not offered as pages:',
      pages_missing: 'The pages of these items are missing:',
      dispatch_package: 'The first page opens a page of another host, which browsers block here:',
      files_left_out: 'Programs are left out:',
      files_as_downloads: 'Browsers save these files instead of showing them:',
      frames_isolated: 'Frames of the package cannot reach each other, so results can be lost. Please try the course.',
      storage_discarded: 'Cookies and browser storage are discarded when the window is closed.',
      popups_blocked: 'Windows that the package opens are blocked.',
      workers_blocked: 'Background scripts are blocked.',
      external_files_blocked: 'Files of other hosts are blocked, such as web fonts and embedded videos:',
      flash_unsupported: 'The package contains Flash, which no current browser plays.',
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
      popups: 'eigene Fenster',
      storage: 'Speicher des Browsers',
      workers: 'Skripte im Hintergrund',
      media: 'Ton und Film',
      flash: 'Flash',
      external_files: 'Dateien anderer Server',
    },
    noticesTitle: 'Was in diesem Paket nicht funktioniert',
    noNotices: 'Die Prüfung hat nichts gefunden, was hier nicht funktioniert.',
    notices: {
      other_scos: 'Lernende absolvieren nur das erste Element mit Ergebnis. Diese Elemente werden nicht angeboten:',
      assets_not_offered: 'Elemente ohne Ergebnis werden nicht als Seiten angeboten:',
      pages_missing: 'Die Seiten dieser Elemente fehlen:',
      dispatch_package: 'Die erste Seite öffnet eine Seite eines anderen Servers, die Browser hier sperren:',
      files_left_out: 'Programme sind nicht enthalten:',
      files_as_downloads: 'Browser speichern diese Dateien, statt sie anzuzeigen:',
      frames_isolated:
        'Rahmen des Pakets erreichen einander nicht, Ergebnisse können verloren gehen. Bitte probieren Sie den Kurs aus.',
      storage_discarded: 'Cookies und Speicher des Browsers werden verworfen, wenn das Fenster geschlossen wird.',
      popups_blocked: 'Fenster, die das Paket öffnet, werden gesperrt.',
      workers_blocked: 'Skripte im Hintergrund werden gesperrt.',
      external_files_blocked: 'Dateien anderer Server werden gesperrt, etwa Schriften und eingebettete Videos:',
      flash_unsupported: 'Das Paket enthält Flash, das kein heutiger Browser abspielt.',
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
      popups: 'fenêtres propres',
      storage: 'stockage du navigateur',
      workers: 'scripts en arrière-plan',
      media: 'son et film',
      flash: 'Flash',
      external_files: 'fichiers d’autres serveurs',
    },
    noticesTitle: 'Ce qui ne fonctionne pas dans ce paquet',
    noNotices: 'La vérification n’a rien trouvé qui ne fonctionne pas ici.',
    notices: {
      other_scos: 'Les apprenants suivent seulement le premier élément noté. Ces éléments ne sont pas proposés :',
      assets_not_offered: 'Les éléments sans résultat ne sont pas proposés comme pages :',
      pages_missing: 'Les pages de ces éléments manquent :',
      dispatch_package: 'La première page ouvre une page d’un autre serveur, que les navigateurs bloquent ici :',
      files_left_out: 'Les programmes sont exclus :',
      files_as_downloads: 'Les navigateurs enregistrent ces fichiers au lieu de les afficher :',
      frames_isolated:
        'Les cadres du paquet ne peuvent pas communiquer, des résultats peuvent être perdus. Veuillez essayer le cours.',
      storage_discarded: 'Les cookies et le stockage du navigateur sont effacés à la fermeture de la fenêtre.',
      popups_blocked: 'Les fenêtres ouvertes par le paquet sont bloquées.',
      workers_blocked: 'Les scripts en arrière-plan sont bloqués.',
      external_files_blocked:
        'Les fichiers d’autres serveurs sont bloqués, comme les polices et les vidéos intégrées :',
      flash_unsupported: 'Le paquet contient du Flash, qu’aucun navigateur actuel ne lit.',
    },
  },
};
