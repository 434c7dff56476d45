export type Language = 'en' | 'de' | 'fr';
export interface Person {
  firstName: string;
  lastName: string;
  /** Local part of the e-mail address: the name in plain letters. */
  mailName: string;
  language: Language;
}

/** Returns numbers from 0 up to 1; the same seed gives the same sequence (mulberry32). */
export type Random = () => number;
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

const FIRST_NAMES: Record<Language, string[]> = {
  en: names(`Abigail, Ailsa, Amara, Bethan, Brigid, Callum, Chidi, Connor, Daisy, Declan, Eilidh, Elliot, Ffion, Finlay, Grace,
    Harriet, Imogen, Isla, Jasper, Kieran, Kwame, Leila, Maeve, Mohammed, Niamh, Oisín, Olivia, Owen, Poppy, Priya, Reuben, Rhys,
    Saoirse, Siân, Seán, Tamsin, Theo, Zainab, Zoë`),
  de: names(`Anke, Anneliese, Ayşe, Björn, Dörte, Emre, Fabian, Franziska, Günther, Hannelore, Heike, Jörg, Jürgen, Karl-Heinz,
    Katharina, Käthe, Lukas, Maximilian, Moritz, Nele, Philipp, Rüdiger, Sören, Stefanie, Thorsten, Ulrike, Ümit, Wiebke, Zeynep`),
  fr: names(`Adèle, Aïcha, Amélie, Anaïs, Baptiste, Benoît, Chloé, Clément, Élodie, Étienne, Fatou, François, Geneviève, Gaël, Hélène,
    Inès, Jean-Luc, Jérôme, Léa, Loïc, Maël, Marie-Claire, Noémie, Océane, Raphaël, Rémi, Solène, Thaïs, Yaëlle, Zoé`),
};

const LAST_NAMES: Record<Language, string[]> = {
  en: names(`Abernathy, Adeyemi, Ashcroft, Bancroft, Begum, Blackwood, Campbell-Reid, Chaudhry, Cooper, D'Angelo, Davies, Ellsworth,
    Fairweather, Fitzgerald, Griffiths, Hargreaves, Iqbal, Kavanagh, Lockwood, MacLeod, McAllister, Nwosu, O'Brien, O'Connor,
    O'Sullivan, Okafor, Patel, Pemberton, Quinn, Ramsbottom, Singh, St. John, Sutherland, Thornton, Underhill, Vaughan, Whitlock, Yates`),
  de: names(`Albrecht, Bäcker, Böhm, Çelik, Dreßler, Eberhardt, Fischer, Größmann, Grünwald, Hoffmann, Jäger, Kaya, Köhler, Krüger, Lüdtke,
    Müller, Nüßlein, Öztürk, Pfeiffer, Rößler, Schäfer, Schönfeld, Schröder, Strauß, Vogel, von der Heide, Weiß, Yılmaz, Zimmermann`),
  fr: names(`Aubert, Baudoin, Béranger, Boucher, Chevallier, D'Aubigné, de La Tour, Desprès, Diallo, Dubois, Dupré, Fèvre, Gauthier,
    Hébert, L'Hermite, Lefèvre, Lemaître, Mbaye, Moreau, N'Diaye, Noël, Pelletier, Quéré, Renaud, Rivière, Saint-Exupère, Thibault`),
};

/** People with names from other languages, each with the plain letters for their e-mail address. */
const ELSEWHERE = `Ελένη|Παπαδοπούλου|eleni.papadopoulou, Νίκος|Αντωνίου|nikos.antoniou, Дмитрий|Соколов|dmitri.sokolov,
  Олена|Шевченко|olena.shevchenko, Снежана|Петровић|snezana.petrovic, ნინო|ბერიძე|nino.beridze, Անի|Սարգսյան|ani.sargsyan,
  محمد|الحسيني|mohammad.alhusseini, فاطمة|بن يوسف|fatima.benyoussef, نرگس|کریمی|narges.karimi, נועה|לוי|noa.levi, 美咲|山田|misaki.yamada,
  健太|佐藤|kenta.sato, 민준|김|minjun.kim, 서연|박|seoyeon.park, 伟|王|wei.wang, 秀英|李|xiuying.li, अनन्या|शर्मा|ananya.sharma,
  அருண்|குமார்|arun.kumar, สมชาย|ใจดี|somchai.jaidee, Thị Hương|Nguyễn|huong.nguyen, Văn Đức|Trần|duc.tran, Łukasz|Wójcik|lukasz.wojcik,
  Małgorzata|Dąbrowska|malgorzata.dabrowska, Žofie|Dvořáková|zofie.dvorakova, Þórdís|Guðmundsdóttir|thordis.gudmundsdottir,
  Søren|Kjærgaard|soren.kjaergaard, Åsa|Öberg|asa.oberg, Ștefan|Ionescu|stefan.ionescu, Jūratė|Kazlauskienė|jurate.kazlauskiene,
  Iñaki|Etxeberria|inaki.etxeberria, João|da Conceição|joao.conceicao`
  .split(',')
  .map((entry): Person => {
    const [firstName, lastName, mailName] = entry.trim().split('|');
    return { firstName: firstName!, lastName: lastName!, mailName: mailName!, language: 'en' };
  });

/** Draws a person who speaks one of the languages. One person in ten has a name from elsewhere. */
export function createPerson(random: Random, languages: readonly Language[]): Person {
  if (random() < 0.1) return pick(random, ELSEWHERE);
  const language = pick(random, languages);
  const firstName = pick(random, FIRST_NAMES[language]);
  const lastName = pick(random, LAST_NAMES[language]);
  return { firstName, lastName, mailName: `${plainLetters(firstName)}.${plainLetters(lastName)}`, language };
}

const WITHOUT_ACCENT: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', ł: 'l', ı: 'i', ð: 'd', þ: 'th' };

/** Returns a name in the form that e-mail addresses use. */
export function plainLetters(name: string): string {
  const letters = name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[ßøæłıðþ]/g, (letter) => WITHOUT_ACCENT[letter]!);
  return letters.replace(/[^a-z-]/g, '');
}

function names(list: string): string[] {
  return list.split(',').map((name) => name.trim());
}
