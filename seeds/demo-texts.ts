import type { Language } from './demo-people.ts';

export interface DemoText {
  language: Language;
  title: string;
  paragraphs: string[];
}

/** Texts of the demo's documents. They use only the letters of Western Europe, because the fonts have no others. */
const texts = {
  'acceptable-use.en': {
    language: 'en',
    title: 'Acceptable use',
    paragraphs: [
      'This policy sets out how we use the computers, phones, accounts and networks that the company provides. It applies to everybody who has an account with us, employed or not, from the first day to the last.',
      'Equipment is there for work. Private use is fine as long as it is brief, lawful and costs nobody anything. Private matters stay on private accounts: we do not keep family photographs on company drives, and we do not sign up for private services with a company address.',
      'Nobody installs software that IT has not approved, switches off updates or protection, or shares an account. If you need something that is missing, ask for it; you will have an answer within two working days.',
      'The company does not monitor what you write. It records sign-ins and network traffic for 90 days so that incidents can be understood, and looks at one person’s records only together with Human Resources and for a documented reason.',
      'If you are not sure whether something is allowed, ask first. If you have made a mistake, report it at once; nobody is punished for reporting.',
    ],
  },
  'acceptable-use.de': {
    language: 'de',
    title: 'Nutzung der IT',
    paragraphs: [
      'Diese Richtlinie regelt, wie wir Computer, Telefone, Konten und Netze nutzen, die das Unternehmen bereitstellt. Sie gilt für alle, die ein Konto bei uns haben, vom ersten bis zum letzten Tag.',
      'Die Geräte sind für die Arbeit da. Private Nutzung ist in Ordnung, solange sie kurz und rechtmäßig ist und niemandem Kosten macht. Privates bleibt auf privaten Konten.',
      'Niemand installiert Programme, die die IT nicht freigegeben hat, schaltet Aktualisierungen ab oder teilt ein Konto mit anderen. Fehlt etwas, genügt eine Anfrage.',
      'Anmeldungen und Netzverkehr werden 90 Tage lang aufgezeichnet, damit sich Vorfälle aufklären lassen. Auf einzelne Personen bezogen wird nur gemeinsam mit der Personalabteilung und aus einem schriftlich festgehaltenen Grund ausgewertet.',
    ],
  },
  'acceptable-use.fr': {
    language: 'fr',
    title: 'Charte informatique',
    paragraphs: [
      'Cette charte précise comment nous utilisons les ordinateurs, les téléphones, les comptes et les réseaux fournis par l’entreprise. Elle vaut pour toute personne qui dispose d’un compte, du premier au dernier jour.',
      'Le matériel est destiné au travail. Un usage privé est admis s’il reste bref, licite et sans frais pour autrui. Ce qui est privé reste sur des comptes privés.',
      'Personne n’installe de logiciel que le service informatique n’a pas approuvé, ne désactive les mises à jour ni ne partage un compte. S’il manque quelque chose, il suffit de le demander.',
      'Les connexions et le trafic du réseau sont enregistrés pendant 90 jours afin de comprendre les incidents. Les données d’une personne ne sont consultées qu’avec les ressources humaines et pour un motif consigné par écrit.',
    ],
  },
  'passwords.en': {
    language: 'en',
    title: 'Password policy',
    paragraphs: [
      'A password has at least fourteen characters. Length counts; capitals, digits and symbols are welcome but not required. Every account has its own password.',
      'Passwords are kept in the password manager that the company provides, and nowhere else: not on paper, not in the browser of a shared computer, not in a chat. Nobody will ask for your password, including IT.',
      'Change a password when there is a reason to: when others might know it, when it has turned up in a breach, or when somebody who knew it leaves. Passwords do not expire on a schedule.',
      'A second factor is required wherever a service offers one. Reject and report any approval request that you did not start.',
    ],
  },
  'passwords.de': {
    language: 'de',
    title: 'Passwortrichtlinie',
    paragraphs: [
      'Ein Passwort hat mindestens vierzehn Zeichen. Die Länge zählt; Großbuchstaben, Ziffern und Sonderzeichen sind willkommen, aber nicht vorgeschrieben. Jedes Konto hat sein eigenes Passwort.',
      'Passwörter stehen im Passwortmanager des Unternehmens und sonst nirgends: nicht auf Papier, nicht im Browser eines gemeinsamen Rechners, nicht in einem Chat. Niemand fragt nach Ihrem Passwort, auch die IT nicht.',
      'Ein Passwort wird geändert, wenn es einen Grund gibt: wenn andere es kennen könnten oder wenn es in einem Datenleck aufgetaucht ist. Nach dem Kalender läuft es nicht ab.',
      'Wo ein Dienst einen zweiten Faktor anbietet, wird er eingerichtet. Eine Bestätigung, die Sie nicht ausgelöst haben, wird abgelehnt und gemeldet.',
    ],
  },
  'passwords.fr': {
    language: 'fr',
    title: 'Politique des mots de passe',
    paragraphs: [
      'Un mot de passe compte au moins quatorze caractères. C’est la longueur qui importe ; majuscules, chiffres et signes sont bienvenus sans être exigés. Chaque compte a le sien.',
      'Les mots de passe sont conservés dans le gestionnaire fourni par l’entreprise et nulle part ailleurs. Personne ne demande votre mot de passe, pas même le service informatique.',
      'Un mot de passe est changé lorsqu’il y a une raison : quand d’autres pourraient le connaître ou quand il figure dans une fuite. Il n’expire pas selon le calendrier.',
      'Un second facteur est activé partout où il est proposé. Une demande d’approbation que vous n’avez pas provoquée est refusée et signalée.',
    ],
  },
  'remote-work.en': {
    language: 'en',
    title: 'Remote work',
    paragraphs: [
      'We work as carefully outside our offices as inside them. This policy applies at home, on trains, in hotels and wherever else a company device is opened.',
      'Keep devices in sight or locked away. Lock the screen when you get up, do not make calls about customers where others can listen, and do not let anybody else in the household use the device.',
      'Connections go through the company’s VPN. The router at home has its own password and up-to-date software. Use café and hotel networks only with the VPN or, better, use your phone instead.',
      'Take paper home only if there is no other way, and bring it back to be shredded. Report a loss within the hour, even at night and on holidays.',
    ],
  },
  'remote-work.de': {
    language: 'de',
    title: 'Mobiles Arbeiten',
    paragraphs: [
      'Außerhalb unserer Räume arbeiten wir so sorgfältig wie darin. Diese Richtlinie gilt zu Hause, in Zügen, in Hotels und überall, wo ein Gerät des Unternehmens aufgeklappt wird.',
      'Geräte bleiben in Sichtweite oder unter Verschluss. Der Bildschirm wird gesperrt, wenn Sie aufstehen; Gespräche über Kunden führen wir nicht, wo andere mithören.',
      'Verbindungen laufen über das VPN des Unternehmens. Der Router zu Hause hat ein eigenes Passwort und aktuelle Software.',
      'Papier wird nur mitgenommen, wenn es nicht anders geht, und zum Vernichten zurückgebracht. Ein Verlust wird innerhalb einer Stunde gemeldet, auch nachts und an Feiertagen.',
    ],
  },
  'remote-work.fr': {
    language: 'fr',
    title: 'Télétravail',
    paragraphs: [
      'Hors de nos locaux, nous travaillons avec le même soin que dans nos bureaux. Cette politique vaut à domicile, dans le train, à l’hôtel et partout où un appareil de l’entreprise est ouvert.',
      'Les appareils restent sous les yeux ou sous clé. L’écran est verrouillé dès que l’on se lève et personne d’autre au foyer n’utilise l’appareil.',
      'Les connexions passent par le VPN de l’entreprise. La box a son propre mot de passe et un logiciel à jour.',
      'Le papier n’est emporté que s’il n’y a pas d’autre moyen, et il est rapporté pour être détruit. Une perte est signalée dans l’heure, même la nuit et les jours fériés.',
    ],
  },
  'data-protection.en': {
    language: 'en',
    title: 'Data protection',
    paragraphs: [
      'Personal data is anything that says something about an identifiable person: a name, a number, a photograph, a note about a call. We use it only for the purpose for which it was given.',
      'We collect what we need and no more, keep it for as long as the deletion schedule says, and show it only to those who work with it. Before you send personal data out of the company, check the recipient twice and encrypt the data.',
      'People can ask what we know about them. Pass on any such request, in whatever form it arrives, to the data protection officer on the same day; it has to be answered within a month.',
      'If data is lost, sent to the wrong person or seen by somebody who should not see it, report it at once. The company has 72 hours to inform the authority, starting when the first of us knows.',
    ],
  },
  'data-protection.de': {
    language: 'de',
    title: 'Datenschutz',
    paragraphs: [
      'Personenbezogen sind alle Angaben zu einem Menschen, der sich bestimmen lässt: ein Name, eine Nummer, ein Foto, eine Gesprächsnotiz. Wir verwenden sie für den Zweck, zu dem sie uns gegeben wurden, und für keinen anderen.',
      'Wir erheben, was wir brauchen, bewahren es so lange auf, wie das Löschkonzept es vorsieht, und zeigen es denen, die damit arbeiten. Wer personenbezogene Daten nach außen sendet, prüft den Empfänger zweimal und verschlüsselt sie.',
      'Jeder Mensch darf fragen, was wir über ihn wissen. Eine solche Frage geht noch am selben Tag an die Datenschutzbeauftragte; sie ist innerhalb eines Monats zu beantworten.',
      'Gehen Daten verloren oder geraten sie an die Falschen, melden Sie es sofort. Das Unternehmen hat 72 Stunden, um die Behörde zu unterrichten.',
    ],
  },
  'data-protection.fr': {
    language: 'fr',
    title: 'Protection des données',
    paragraphs: [
      'Est personnelle toute information sur une personne identifiable : un nom, un numéro, une photo, une note d’appel. Nous l’utilisons pour la finalité pour laquelle elle nous a été confiée, et pour aucune autre.',
      'Nous recueillons ce qui est nécessaire, le conservons aussi longtemps que le prévoit le calendrier d’effacement et le montrons à celles et ceux qui en ont besoin. Tout envoi à l’extérieur est chiffré et son destinataire vérifié deux fois.',
      'Chacun peut demander ce que nous savons de lui. Une telle demande est transmise le jour même à la déléguée à la protection des données ; nous avons un mois pour y répondre.',
      'Toute perte et tout envoi à la mauvaise personne sont signalés aussitôt. L’entreprise dispose de 72 heures pour informer l’autorité.',
    ],
  },
  'clean-desk.en': {
    language: 'en',
    title: 'Clean desk',
    paragraphs: [
      'When you leave your desk for longer than it takes to fetch a coffee, nothing on it reveals anything to a stranger: papers are in a drawer, the screen is locked, and your keys and badge are with you.',
      'Wipe whiteboards after a meeting and collect printouts at once. Put paper that is no longer needed in the shredder, not in the bin.',
      'Meet visitors at the door and see them back to it. If somebody walks about without a badge, ask in a friendly way who they are looking for.',
    ],
  },
  'clean-desk.de': {
    language: 'de',
    title: 'Aufgeräumter Schreibtisch',
    paragraphs: [
      'Wenn Sie Ihren Platz für länger als einen Kaffee verlassen, verrät dort nichts mehr etwas: Papiere liegen in der Schublade, der Bildschirm ist gesperrt, Schlüssel und Ausweis haben Sie bei sich.',
      'Tafeln werden nach der Besprechung gewischt, Ausdrucke gleich abgeholt. Was niemand mehr braucht, kommt in den Aktenvernichter und nicht in den Papierkorb.',
      'Besuch wird an der Tür empfangen und wieder dorthin begleitet. Wer ohne Ausweis unterwegs ist, wird freundlich gefragt, wen er sucht.',
    ],
  },
  'clean-desk.fr': {
    language: 'fr',
    title: 'Bureau rangé',
    paragraphs: [
      'Quand vous quittez votre bureau plus longtemps que pour un café, rien n’y renseigne un inconnu : les papiers sont dans un tiroir, l’écran est verrouillé, clés et badge sont sur vous.',
      'Les tableaux sont effacés après la réunion et les impressions retirées aussitôt. Ce qui ne sert plus va au destructeur de documents, non à la corbeille.',
      'Les visiteurs sont accueillis à la porte et raccompagnés. À qui circule sans badge, on demande aimablement qui il cherche.',
    ],
  },
  'incidents.en': {
    language: 'en',
    title: 'Reporting security incidents',
    paragraphs: [
      'An incident is anything that should not have happened: a click that you regret, a lost phone, an email to the wrong person, a stranger in the corridor. You do not need to be sure.',
      'Call your service desk at once, even at night; do not write if you can call. Leave the computer on, unplug the network cable, and note what you saw and when.',
      'We thank everybody who reports. A false alarm costs five minutes; an hour of silence costs weeks.',
    ],
  },
  'incidents.de': {
    language: 'de',
    title: 'Sicherheitsvorfälle melden',
    paragraphs: [
      'Ein Vorfall ist alles, was nicht hätte geschehen sollen: ein bereuter Klick, ein verlorenes Telefon, eine Mail an den Falschen, ein Fremder im Flur. Sie müssen sich nicht sicher sein.',
      'Rufen Sie sofort Ihren Service Desk an, auch nachts. Lassen Sie den Rechner an, trennen Sie das Netz, und notieren Sie, was Sie wann gesehen haben.',
      'Wer meldet, dem wird gedankt. Ein Fehlalarm kostet fünf Minuten, eine stille Stunde kostet Wochen.',
    ],
  },
  'service-desk.en': {
    language: 'en',
    title: 'Working with our service desk',
    paragraphs: [
      'Our engineers help you by phone, by chat and on your screen. They never ask for your password and never start a remote session that you did not ask for.',
      'Before you let somebody onto your computer, call the number on your badge and have their name and the ticket confirmed. Stay at the screen until the session has ended.',
      'Administrator rights are granted for one task and one day. If you need them for longer, write down why.',
    ],
  },
  'patient-data.en': {
    language: 'en',
    title: 'Patient data in the practice',
    paragraphs: [
      'What patients tell us, and the fact that they are patients at all, stays in the practice. At the front desk, we talk about appointments, not treatments.',
      'Only those who treat or bill the patient open a record. Every access is logged, and the log is reviewed once a quarter.',
      'X-rays and letters leave only through the referral portal. Do not take pictures in the practice with a private phone.',
    ],
  },
  'ai-assistants.en': {
    language: 'en',
    title: 'Use of AI assistants',
    paragraphs: [
      'You can use assistants to draft, translate and search. Do not give them anything that is personal, confidential or a customer’s, unless the assistant is on the list that IT keeps.',
      'Read what an assistant has written before you use it: if you send it, you are responsible for it, as if nobody had helped.',
      'A voice or a face on a screen no longer proves anything. Confirm payments and changes of bank details by calling a number that you already had.',
    ],
  },
  'visitors.en': {
    language: 'en',
    title: 'Visitors and contractors on site',
    paragraphs: [
      'The host announces every visitor. Visitors sign in at the gate and wear a badge. They enter halls 2 and 4 only with an escort.',
      'Contractors are trained in safety and security before they begin, and again every year. They do not connect devices to our networks.',
      'Photographs need the site manager’s consent. If you meet a person without a badge, take them to the gate and call extension 400.',
    ],
  },
  'private-phones.en': {
    language: 'en',
    title: 'Private phones at work',
    paragraphs: [
      'If you read company email on a private phone, the company can erase that email, and nothing else, if the phone is lost.',
      'The phone has a code of at least six digits, locks itself after two minutes and gets updates within a month. A phone that its maker no longer updates loses access.',
      'Nobody has to use a private phone for work. Employees who travel are given one.',
    ],
  },
} satisfies Record<string, DemoText>;

export type TextName = keyof typeof texts;
export const DEMO_TEXTS: Record<TextName, DemoText> = texts;
