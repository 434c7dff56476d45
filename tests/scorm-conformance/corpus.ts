/** A public package, with the expected outcome of playing it. */
export interface CorpusPackage {
  tool: string;
  repository: string;
  /** The commit; a branch or an abbreviation of a commit does not count. */
  commit: string;
  /** The folder of the manifest in the repository, or a ZIP file; empty for the root. */
  path: string;
  expected: Expectation;
}

/**
 * Expected outcome of playing a package. A package without `end` is opened and played for a while, but walk.ts does not
 * reach its end: long courses, drag and drop, films in formats that Chromium does not play.
 */
export interface Expectation {
  /** The recorded outcome, for a package that is played to its end. */
  end?: 'passed' | 'failed' | 'completed';
  score?: number;
  /** Whether the second sitting begins where the first stopped. */
  isResumed?: true;
  /** Whether the package never calls the runtime. */
  isSilent?: true;
}

type Row = [tool: string, repository: string, commit: string, path?: string, expected?: Expectation];
const ROWS: Row[] = [
  ['Articulate Rise', 'jacksonp2008/scormtest', 'd956ec4ae34783b74c01da2adfdbeeeebf22f778', '', { isResumed: true }],
  ['Articulate Rise', 'kamalnath69/Scorm', '3b5fd349ec6760c3b016fa1b0515d6b6eecab0d2', '', { end: 'passed' }],
  ['Articulate Rise', 'himmat00007/scormClient', 'cde51ea52cd6194a04e677288cb8f565df783dae', '', { isResumed: true }],
  [
    'Articulate Rise',
    'ndinguthamsanqa/scorm-test',
    '82090336fc03188fa80e1b46718843dca5f71be7',
    '',
    { isResumed: true },
  ],
  [
    'Articulate Storyline',
    '101courses/vision-to-reality',
    '0cffe09a4848802200e546957d477a194ca7f41d',
    '',
    { end: 'passed' },
  ],
  [
    'Articulate Storyline',
    '101courses/va_accreditation_course',
    'fbb3ef735c502258f72434687cf28c98c378e604',
    '',
    { isResumed: true },
  ],
  ['Articulate Storyline', '051717/26072301', '1072313d4147aa5385caad2d9f9a0fb2a4679505', '', { isResumed: true }],
  [
    'Articulate Storyline',
    'AnhTuanNguyen2511/pso_scrom_6',
    '2d4bd61866cfbec741f86a3b7a76ff0282d6c8f3',
    '',
    { isResumed: true },
  ],
  ['Articulate Storyline', 'Azalenth/Test_XML', '216533f7389918a087a754bed57ccf7c814de16f', '', { end: 'passed' }],
  ['Adobe Captivate', 'Astro1218/SCORM', '3d3ee9f1057f4a32d146d0e6c37ceb31dd078b16', '', { isResumed: true }],
  [
    'Adobe Captivate',
    'EdwardBarnesSCORM/Minigame1',
    '0ad039d6223236a1c7569eefcc684161a4e8ad71',
    '',
    { end: 'completed' },
  ],
  [
    'Adobe Captivate',
    'EnisSimsekSC/EMME_Cybersecurity_Awarness_Games',
    '41cbc8874fbd27f876cf06828e96c724a45ef785',
    '',
    { isResumed: true },
  ],
  [
    'Adobe Captivate',
    'SIMPLrU/Kong-Dev-Portal-Create-A-Guide-2',
    'fb116bd2a34e2c5103c54855055ee33f8db75dcf',
    '',
    { isResumed: true },
  ],
  [
    'Adobe Captivate',
    'danoel27/Netiquette-July30',
    '673b55e38f1e1da5333bb7c9661bb330f08edd56',
    '',
    { isResumed: true },
  ],
  ['iSpring', 'weloren/sample-lesson', '3357ecc5fb28bff2a6876f3574c588bd1e2efadf', '', { end: 'failed', score: 5.88 }],
  ['iSpring', 'KhloutSambath/function', '20a5125e1e47e2b2d9613eb25ab6a6b99a05fc35', '', { isResumed: true }],
  ['Lectora', 'vhleyvag/lector', 'da9f361a4e722acb0893bdbff227844cc24587f5', '', { isResumed: true }],
  ['Lectora', 'Gavs-zollege/DAS', '8819a42f04fa66327d3efae93a8f097a5d0e1f5e', '', { isResumed: true }],
  ['Adapt', 'KevAppsIWC/testscorm', '60c9b494b7a8402a74a9b8bfeee903bf9d6e1830', '', { isSilent: true }],
  ['Adapt', 'KeeNigma/CyberSecurityPrototype', '5dc49e57adbf6e68f38db4ab35780121c7eeff78', '', { isResumed: true }],
  ['Adapt', 'isd-ewu/infosec-course', 'ce4b752bc8b87c2eb3ac67a670dcf1c0a0e19062', '', { isResumed: true }],
  ['Adapt', 'bpi-courses/introduction-to-rap', '52162d744e7509882aa42adb38058487ca633c10'],
  ['Adapt', 'bruce175/scormtest', 'd0e4578fe5f03a9bf20ba10adc95d89b53fe970f', '', { isSilent: true }],
  ['Adapt', 'davetaz/scormlrstest', '6d3b91b81e24c5e9fcceae228b334d2215d044a6'],
  ['eXeLearning', 'diogoreus/testeScorm', 'daf5b52dbdc2c6fdde3fa79d32259763756262e8'],
  ['eXeLearning', 'yudyvillalba/daniacbp', '2725c925d630dfc2577337af9c6d3f1cfe5f68ec', '', { end: 'completed' }],
  ['eXeLearning', 'yumalay06/aprendizajeoa', 'cc71b2cd075281dd1f9bb154cbb3bf937f46eaa4'],
  ['H5P', 'MarisaPeer/limiting-beliefs-activity', '0db8ff97a3fab2813196af18da647d5b7cc187fd', '', { end: 'failed' }],
  ['H5P', '3dmapsopsi/3dmapsopsi.github.io', '3fd9e64a4ee2b0cdbf239f35bded35d40fb16c62'],
  ['H5P', 'metamch/scormforex', '4000df7c4cb4177f444ab8eadef69c063c154863', '', { end: 'failed' }],
  [
    'H5P',
    'smuhdaklara/Memproses-Entri-Jurnal-di-Perusahaan-Dagang',
    'e583a3b8d72d6745fc5a2aa90adfb5d22232a08f',
    '',
    { end: 'failed' },
  ],
  [
    'H5P',
    'jtessarolo/chemistry-test',
    'fcd112e63e68ed54253a9b2776ad5f107328f4e2',
    'Chem9/Crossword',
    { end: 'failed', score: 0 },
  ],
  ['H5P', 'jtessarolo/chemistry-test', 'fcd112e63e68ed54253a9b2776ad5f107328f4e2', 'SigFig_FlashCards'],
  [
    'Rustici golf',
    'EscolaLMS/Scorm',
    '13a15e7dc1547b8c60f5c45f6fa066532e77fe5f',
    'database/mocks/RuntimeBasicCalls_SCORM12.zip',
  ],
  [
    'Rustici golf',
    'EscolaLMS/Scorm',
    '13a15e7dc1547b8c60f5c45f6fa066532e77fe5f',
    'database/mocks/RuntimeBasicCalls_SCORM20043rdEdition.zip',
  ],
  [
    'Rustici golf',
    'ktonon/scorm-golf-example',
    '7234f6b2370eebf12c154529bc253c6dc3fe9dae',
    '',
    { end: 'completed', isResumed: true },
  ],
  ['Rustici golf', 'himmat00007/scormTest', 'cfac7edb9d0fd73bf849739a1fcd431971fce29e', '', { isSilent: true }],
  ['Rustici golf', 'PedroJimenez73/xpo', 'd638b7aaf67784373681c9170803fc01ea45d2b2', '', { isResumed: true }],
  ['Rustici golf', 'marcosYesh/scrom', '40baca3139cc133b5a81cfd1e9fd3914e93f122e', '', { isSilent: true }],
  ['Rustici Driver', 'NikitaaVinogradov/SCORM-1.2', 'a688afba69fe6ae51bf3cee959711eecb8a5176d', '', { end: 'passed' }],
  ['Rustici Driver', 'iru-ken/scormvideo', '0d73cebe598d80c7ea54676e5247147b1e0e81bb'],
  ['Rustici Driver', 'kotky/scorm-shell', 'bdf5cb7b80df0d034698fb2d92fab76b5271ebcb', 'template'],
  ['Hand-made', 'sinayra/scorm-course', '175f911a2da617eceeb920d1847c406ed4314e1b', '', { end: 'passed' }],
  ['Hand-made', '10minsturnuon7time/UGFN_MC', 'fe7142373a7d4db41a0bf835e10d3f3a6b5108bf', '', { end: 'failed' }],
  ['Hand-made', 'yelas61260/scorm_test', 'ff443bd17317c67200bab136925c700ffc61975d', '', { isSilent: true }],
  [
    'Hand-made',
    'Mr-Vish/scorm-courses',
    'b05bc747d5c83baecca481bdeae4a24f085dddf1',
    'AI_Incident_Response_Course',
    { isSilent: true },
  ],
];

export const CORPUS: readonly CorpusPackage[] = ROWS.map(([tool, repository, commit, path = '', expected = {}]) => ({
  ...{ tool, repository, commit, path, expected },
}));
